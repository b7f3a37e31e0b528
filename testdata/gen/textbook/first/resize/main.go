// Command resize resizes pictures with three workers; each picture submits its thumbnail to the queue that
// its worker reads.
package main

import (
	"time"

	"example.com/textbook/kit"
)

type picture struct{ width int }

type pool struct{ queue chan picture }

func (p *pool) submit(pic picture) { p.queue <- pic }

func (p *pool) work() {
	for pic := range p.queue {
		p.resize(pic)
	}
}

func (p *pool) resize(pic picture) {
	time.Sleep(20 * time.Millisecond)
	if pic.width > 100 {
		p.submit(picture{pic.width / 2})
		p.submit(picture{pic.width / 4})
	}
}

func main() {
	kit.Start()
	p := &pool{queue: make(chan picture, 8)}
	for range 3 {
		go p.work()
	}
	for {
		p.submit(picture{1600})
	}
}
