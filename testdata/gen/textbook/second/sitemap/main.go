// A walk over a site's pages starts a task for each link in a group of four. The tasks do that themselves, so all four
// wait until one of them ends.
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
}

// links are those of a page that is depth clicks away from the first one.
func links(url string, depth int) (out []string) {
	time.Sleep(10 * time.Millisecond)
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
		w.Go(func() error { return w.page(l, depth+1) })
	}
	return nil
}

func main() {
	kit.Start()
	for {
		w := new(walk)
		w.SetLimit(4)
		w.Go(func() error { return w.page("https://shop.example", 0) })
		if err := w.Wait(); err != nil {
			log.Fatal(err)
		}
		log.Print(w.pages.Load(), " pages")
	}
}
