// Package pool runs jobs in a fixed number of workers.
package pool

import (
	"sync"
	"time"
)

// A Pool has workers that say what they did.
type Pool struct {
	mu      sync.Mutex
	wg      sync.WaitGroup
	jobs    chan int
	results []int
}

// Start closes a pool whose five workers still have a result each.
func Start() {
	p := &Pool{jobs: make(chan int, 5)}
	for i := 0; i < 5; i++ {
		p.jobs <- i
		p.wg.Add(1)
		go p.work()
	}
	go p.Close()
}

func (p *Pool) work() {
	defer p.wg.Done()
	for job := range p.jobs {
		time.Sleep(40 * time.Millisecond)
		p.add(job * job)
	}
}

func (p *Pool) add(result int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.results = append(p.results, result)
}

// Close waits for the workers.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	close(p.jobs)
	p.wg.Wait()
}
