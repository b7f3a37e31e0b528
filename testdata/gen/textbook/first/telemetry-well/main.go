// Command telemetry records measurements; record sends with the lock to a reader that is slow but reads on.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type probe struct {
	mu   sync.Mutex
	sum  int
	sums chan int
}

func (p *probe) record(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum += n
	p.sums <- p.sum
}

func (p *probe) total() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum
}

func (p *probe) print() {
	for sum := range p.sums {
		fmt.Println(sum)
		time.Sleep(60 * time.Millisecond)
	}
}

func main() {
	kit.Start()
	p := &probe{sums: make(chan int)}
	go p.print()
	for i := range 8 {
		go func() {
			for {
				p.record(i + p.total()%2)
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}
	select {}
}
