package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type shop struct {
	mu sync.Mutex
	n  int
}

var steps = map[string]func(*shop){
	"open":  func(s *shop) { s.enter(true) },
	"close": func(s *shop) { s.mu.Unlock() },
}

func (s *shop) enter(stay bool) {
	s.mu.Lock()
	s.n++
	if stay {
		return
	}
	s.mu.Unlock()
}

func main() {
	kit.Serve()
	s := &shop{}
	steps["open"](s)
	var all sync.WaitGroup
	for i := 0; i < 12; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			s.enter(false)
		}()
	}
	time.Sleep(work)
	steps["close"](s)
	all.Wait()
}
