// Command html-table-in-svg is an indexer: workers take pages that were fetched and count the links in them.
//
// Report: https://github.com/golang/go/issues/70179
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/net/html"

	"wild/kit"
)

// workers is how many pages are parsed at a time.
const workers = 2

// A page is what the crawler fetched.
type page struct {
	url, text string
}

// An index knows how many links each page has.
type index struct {
	mu    sync.Mutex
	links map[string]int
	lost  atomic.Int64
}

// parse counts the links of a page.
func parse(text string) (int, error) {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return 0, err
	}
	return countLinks(root), nil
}

// countLinks counts the links at and below a node.
func countLinks(n *html.Node) int {
	count := 0
	if n.Type == html.ElementNode && n.Data == "a" {
		count++
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		count += countLinks(child)
	}
	return count
}

// work indexes pages until there are no more.
func (x *index) work(pages <-chan page) {
	for p := range pages {
		count, err := parse(p.text)
		if err != nil {
			log.Printf("%s: %v", p.url, err)
			continue
		}
		x.mu.Lock()
		x.links[p.url] = count
		x.mu.Unlock()
	}
}

// crawl hands out pages. Pages that come too fast are fetched again some other day.
func (x *index) crawl(pages chan<- page) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		<-tick.C
		p := page{fmt.Sprintf("http://site.local/%d", n%50), fmt.Sprintf("<p>Page %d, <a href=/>home</a></p>", n)}
		if n == 10 {
			p = page{"http://site.local/plan", "<table><tbody><svg><td><desc><select></select></tbody>"}
		}
		select {
		case pages <- p:
		default:
			x.lost.Add(1)
		}
	}
}

func main() {
	kit.Serve()
	x := &index{links: make(map[string]int)}
	pages := make(chan page, 32)
	for range workers {
		go x.work(pages)
	}
	go x.crawl(pages)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	<-stop
}
