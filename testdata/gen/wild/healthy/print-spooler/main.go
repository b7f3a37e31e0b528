// Command print-spooler has a printer goroutine for each of its devices. They wait on a condition for pages; the office
// prints little.
package main

import (
	"log"
	"sync"
	"time"

	"wild/kit"
)

type page struct{ document, number int }

type spooler struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	pages    []page
}

func newSpooler() *spooler {
	s := &spooler{}
	s.notEmpty = sync.NewCond(&s.mu)
	return s
}

// Put adds a document of three pages.
func (s *spooler) Put(document int) {
	s.mu.Lock()
	for n := 0; n < 3; n++ {
		s.pages = append(s.pages, page{document, n})
	}
	s.mu.Unlock()
	s.notEmpty.Broadcast()
}

// next waits for a page.
func (s *spooler) next() page {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.pages) == 0 {
		s.notEmpty.Wait()
	}
	p := s.pages[0]
	s.pages = s.pages[1:]
	return p
}

func (s *spooler) printer(device int) {
	for {
		p := s.next()
		time.Sleep(2 * time.Second)
		log.Printf("device %d: document %d page %d", device, p.document, p.number)
	}
}

func main() {
	kit.Serve()
	s := newSpooler()
	for device := 0; device < 20; device++ {
		go s.printer(device)
	}
	for document := 0; ; document++ {
		s.Put(document)
		time.Sleep(200 * time.Second)
	}
}
