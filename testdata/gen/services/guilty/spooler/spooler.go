// Package spooler prints documents; who has one to print waits for room.
package spooler

import (
	"log"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Spool struct {
	mu    sync.Mutex
	room  *sync.Cond
	some  *sync.Cond
	pages [][]byte
}

func New() *Spool {
	s := &Spool{}
	s.room, s.some = sync.NewCond(&s.mu), sync.NewCond(&s.mu)
	return s
}

func (s *Spool) Add(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.pages) >= 8 {
		s.room.Wait()
	}
	s.pages = append(s.pages, p)
	s.some.Signal()
}

func (s *Spool) next() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.pages) == 0 {
		s.some.Wait()
	}
	p := s.pages[0]
	s.pages = s.pages[1:]
	s.room.Signal()
	return p
}

func (s *Spool) print() {
	defer func() {
		if r := recover(); r != nil {
			log.Println("printer:", r)
		}
	}()
	for {
		p := s.next()
		_ = p[0]
	}
}

func Main() {
	kit.Start()
	s := New()
	go s.print()
	url := kit.API(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { s.Add([]byte(r.URL.RawQuery)) }))
	kit.Ask(20, 20*time.Millisecond, url+"?a")
	kit.Get(url)
	kit.Ask(40, 50*time.Millisecond, url+"?b")
	kit.Wait()
}
