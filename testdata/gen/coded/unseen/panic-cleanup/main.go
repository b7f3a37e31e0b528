package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type shop struct {
	mu sync.Mutex
	m  map[string]int
}

func main() {
	kit.Serve()
	s := &shop{}
	go s.audit()
	s.order()
	time.Sleep(time.Second)
}

func (s *shop) order() {
	defer s.cleanup()
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(time.Second)
	s.count("a")
}

func (s *shop) count(k string) { s.m[k]++ }

func (s *shop) cleanup() {
	time.Sleep(time.Second)
	s.mu.Lock()
	defer s.mu.Unlock()
	log.Print(recover())
	s.m = map[string]int{}
}

func (s *shop) audit() {
	time.Sleep(500 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(work)
}
