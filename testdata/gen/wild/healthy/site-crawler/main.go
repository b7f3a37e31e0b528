// Command site-crawler follows the links of a site, politely: two pages a second. Each page that was found waits to be
// handed to the fetcher; all of a big site's pages are found early.
package main

import (
	"fmt"
	"log"
	"time"

	"wild/kit"
)

type crawler struct {
	queue   chan string
	fetched int
}

// found queues a page. It returns when the fetcher has taken it.
func (c *crawler) found(url string) {
	c.queue <- url
}

// fetch takes pages at the rate that the site allows.
func (c *crawler) fetch() {
	pace := time.NewTicker(500 * time.Millisecond)
	defer pace.Stop()
	for range pace.C {
		c.parse(<-c.queue)
	}
}

// parse finds the links of a page: more at first, one for one later.
func (c *crawler) parse(url string) {
	c.fetched++
	if c.fetched%100 == 0 {
		log.Printf("%d pages, %s", c.fetched, url)
	}
	links := 1
	if c.fetched < 60 {
		links = 22
	}
	for i := 0; i < links; i++ {
		go c.found(fmt.Sprintf("%s/%d", "https://site.example", c.fetched*22+i))
	}
}

func main() {
	kit.Serve()
	c := &crawler{queue: make(chan string)}
	go c.found("https://site.example/")
	c.fetch()
}
