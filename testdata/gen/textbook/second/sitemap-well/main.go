// A walk over a site's pages starts a task for each link in a group of four. main starts them, one level after the other,
// and waits while four are under way.
package main

import (
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/textbook/kit"
)

type walk struct {
	errgroup.Group
	pages atomic.Int32
	next  chan string
}

// links are those of a page that is depth clicks away from the first one.
func links(url string, depth int) (out []string) {
	time.Sleep(20 * time.Millisecond)
	for i := range 3 {
		if depth < 6 {
			out = append(out, fmt.Sprint(url, "/", i))
		}
	}
	return out
}

func (w *walk) page(url string, depth int) error {
	w.pages.Add(1)
	for _, l := range links(url, depth) {
		w.next <- l
	}
	return nil
}

func main() {
	kit.Start()
	for {
		w := new(walk)
		w.SetLimit(4)
		level := []string{"https://shop.example"}
		for depth := 0; len(level) > 0; depth++ {
			w.next = make(chan string, 3*len(level))
			for _, url := range level {
				w.Go(func() error { return w.page(url, depth) })
			}
			if err := w.Wait(); err != nil {
				log.Fatal(err)
			}
			close(w.next)
			level = level[:0]
			for url := range w.next {
				level = append(level, url)
			}
		}
		log.Print(w.pages.Load(), " pages")
	}
}
