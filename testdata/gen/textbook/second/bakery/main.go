// A bakery puts loaves on a shelf, and customers wait at the shelf's condition until there is one. put never signals, so
// those who came before the first loaf wait for ever.
package main

import (
	"sync"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type shelf struct {
	sync.Mutex
	filled *sync.Cond
	loaves int
}

func newShelf() *shelf {
	s := new(shelf)
	s.filled = sync.NewCond(s)
	return s
}

func (s *shelf) put() {
	s.Lock()
	defer s.Unlock()
	s.loaves++
}

func (s *shelf) take() {
	s.Lock()
	defer s.Unlock()
	for s.loaves == 0 {
		s.filled.Wait()
	}
	s.loaves--
}

func main() {
	kit.Start()
	s, sold := newShelf(), atomic.Int64{}
	for range 7 {
		go func() {
			for {
				s.take()
				sold.Add(1)
			}
		}()
	}
	for range time.Tick(150 * time.Millisecond) {
		s.put()
	}
}
