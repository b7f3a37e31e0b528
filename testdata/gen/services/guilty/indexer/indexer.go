// Package indexer walks folders with a group that has a limit.
package indexer

import (
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/errgroup"
)

type Walker struct {
	group errgroup.Group
	seen  chan string
}

func (w *Walker) walk(path string, depth int) error {
	time.Sleep(20 * time.Millisecond)
	w.seen <- path
	if depth == 0 {
		return nil
	}
	for _, sub := range []string{"a", "b", "c"} {
		w.group.Go(func() error { return w.walk(path+"/"+sub, depth-1) })
	}
	return nil
}

func (w *Walker) count() (n int) {
	for range w.seen {
		n++
	}
	return n
}

func Main() {
	kit.Start()
	w := &Walker{seen: make(chan string)}
	w.group.SetLimit(6)
	go w.count()
	w.group.Go(func() error { return w.walk("/srv", 5) })
	w.group.Wait()
	close(w.seen)
	kit.Wait()
}
