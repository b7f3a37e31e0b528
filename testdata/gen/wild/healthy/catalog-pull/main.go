// Command catalog-pull hands out a catalogue in portions. Each shop has an iterator of its own and pulls the next portion
// when it has sold the last one; one that has all is given back.
package main

import (
	"context"
	"iter"
	"log"
	"math/rand"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type shop struct {
	next func() (int, bool)
	stop func()
}

// articles yields the numbers of a catalogue's articles.
func articles(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 6 {
			if !yield(first + i) {
				return
			}
		}
	}
}

type catalogue struct {
	mu    sync.Mutex
	shops map[int]*shop
}

func (c *catalogue) enter(id int) {
	next, stop := iter.Pull(articles(id * 100))
	next()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shops[id] = &shop{next, stop}
}

// portion gives a shop its next article.
func (c *catalogue) portion(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.shops[id]
	if _, ok := s.next(); !ok {
		s.stop()
		delete(c.shops, id)
	}
}

// some returns the shops that come back now.
func (c *catalogue) some() (ids []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.shops {
		if rand.Intn(20) == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	c := &catalogue{shops: map[int]*shop{}}
	for id := 0; ctx.Err() == nil; id++ {
		go c.enter(id)
		time.Sleep(2 * time.Second)
		for _, back := range c.some() {
			go c.portion(back)
		}
	}
	log.Print("end")
}
