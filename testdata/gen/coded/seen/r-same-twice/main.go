package main

import (
	"sync"
	"time"

	"coded/kit"
)

type account struct {
	mu sync.Mutex
	n  int
}

func main() {
	kit.Serve()
	a := &account{}
	for i := 0; i < 8; i++ {
		go func() {
			time.Sleep(time.Second)
			transfer(a, a)
		}()
	}
	time.Sleep(time.Hour)
}

func transfer(a, b *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.take(1)
	a.n++
}

func (b *account) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n -= n
}
