// Page-count counts pages; who has the lock already says so.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type printer struct {
	mu    sync.Mutex
	pages int
}

// count locks the printer unless the caller has.
func (p *printer) count(locked bool) int {
	if !locked {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	return p.pages
}

// job prints and counts. The paper comes by hand.
func (p *printer) job(pages int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count(true) > 0 {
		time.Sleep(25 * time.Minute)
	}
	p.pages += pages
	return p.count(true)
}

func main() {
	kit.Serve()
	p := &printer{pages: 1}
	for n := 0; n < 5; n++ {
		go func(n int) { log.Print(p.job(n)) }(n)
		go func() { log.Print(p.count(false)) }()
	}
	kit.Wait()
}
