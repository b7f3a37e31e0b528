package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type box struct {
	sync.Mutex
	*sync.Cond
	n int
}

func main() {
	kit.Serve()
	b := &box{}
	b.Cond = sync.NewCond(b)
	var all sync.WaitGroup
	for i := 0; i < 3; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			b.take()
		}()
	}
	time.Sleep(work)
	b.Lock()
	b.n = 3
	b.Broadcast()
	b.Unlock()
	all.Wait()
}

func (b *box) take() {
	b.Lock()
	defer b.Unlock()
	b.wait()
	b.n--
}

func (b *box) wait() {
	for b.n == 0 {
		b.Wait()
	}
}
