package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type ledger struct {
	mu  sync.Mutex
	sum int
}

func main() {
	kit.Serve()
	l := &ledger{}
	go l.audit()
	log.Print(l.post(3))
}

func (l *ledger) post(n int) int {
	defer l.report()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sum += n
	time.Sleep(time.Second)
	return l.sum
}

func (l *ledger) report() {
	time.Sleep(time.Second)
	l.mu.Lock()
	log.Print(l.sum)
	l.mu.Unlock()
}

func (l *ledger) audit() {
	time.Sleep(500 * time.Millisecond)
	l.mu.Lock()
	time.Sleep(work)
	l.mu.Unlock()
}
