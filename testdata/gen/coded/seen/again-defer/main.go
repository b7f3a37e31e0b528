package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type store struct {
	mu sync.Mutex
	n  int
}

func (s *store) begin(keep bool) {
	s.mu.Lock()
	s.n++
	if keep {
		return
	}
	s.mu.Unlock()
}

func (s *store) run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	s.mu.Unlock()
	time.Sleep(time.Second)
	s.begin(true)
	load()
}

func load() { time.Sleep(work) }

func main() {
	kit.Serve()
	s := &store{}
	var all sync.WaitGroup
	for i := 0; i < 12; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			if i == 0 {
				s.run()
				return
			}
			time.Sleep(2 * time.Second)
			s.begin(false)
		}()
	}
	all.Wait()
}
