// Package stockroom waits for goods: nothing was ordered for a long time.
package stockroom

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Shelf struct {
	mu    sync.Mutex
	more  *sync.Cond
	goods []int
}

func (s *Shelf) Take() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.goods) == 0 {
		s.more.Wait()
	}
	g := s.goods[0]
	s.goods = s.goods[1:]
	return g
}

func (s *Shelf) Put(g int) {
	s.mu.Lock()
	s.goods = append(s.goods, g)
	s.mu.Unlock()
	s.more.Signal()
}

func pack(s *Shelf) {
	for {
		s.Take()
		time.Sleep(10 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	s := &Shelf{}
	s.more = sync.NewCond(&s.mu)
	for range 32 {
		go pack(s)
	}
	time.Sleep(time.Second)
	for i := range 100 {
		s.Put(i)
	}
	for range time.Tick(7 * time.Minute) {
		s.Put(1)
	}
}
