package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type ledger struct {
	mu  sync.Mutex
	sum int
}

func main() {
	kit.Serve()
	l := &ledger{}
	for i := 0; i < 6; i++ {
		go func() {
			time.Sleep(time.Second)
			log.Print(l.post(3))
		}()
	}
	time.Sleep(time.Hour)
}

func (l *ledger) post(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.report()
	l.sum += n
	return l.sum
}

func (l *ledger) report() {
	l.mu.Lock()
	log.Print(l.sum)
	l.mu.Unlock()
}
