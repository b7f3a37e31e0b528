// Command resize resizes pictures with three workers; thumbnails are made at once, and main fills the queue.
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
		p.resize(picture{pic.width / 2})
		p.resize(picture{pic.width / 4})
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
