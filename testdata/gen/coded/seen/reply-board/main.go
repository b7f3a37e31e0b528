// Reply-board asks a slow printer and waits for its answers, which come by number.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type board struct {
	mu      sync.Mutex
	waiting map[int]chan string
}

func main() {
	kit.Serve()
	b := &board{waiting: map[int]chan string{}}
	for n := 0; n < 8; n++ {
		go b.ask(n)
	}
	go b.printer()
	kit.Wait()
}

// ask waits for the answer to a job.
func (b *board) ask(job int) {
	answer := make(chan string)
	b.mu.Lock()
	b.waiting[job] = answer
	b.mu.Unlock()
	log.Print(<-answer)
}

// printer answers one job after the other.
func (b *board) printer() {
	for {
		time.Sleep(20 * time.Minute)
		b.mu.Lock()
		for job, answer := range b.waiting {
			delete(b.waiting, job)
			answer <- "printed"
			break
		}
		b.mu.Unlock()
	}
}
