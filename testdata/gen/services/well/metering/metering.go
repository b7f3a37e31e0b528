// Package metering collects figures in batches, which a timer flushes.
package metering

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Batch struct {
	mu   sync.Mutex
	rows []int
	out  chan []int
}

func (b *Batch) Add(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = append(b.rows, v)
	if len(b.rows) >= 20 {
		b.flush()
	}
}

func (b *Batch) flush() {
	b.out <- b.rows
	b.rows = nil
}

func (b *Batch) ship() {
	for range b.out {
		time.Sleep(40 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	b := &Batch{out: make(chan []int)}
	go b.ship()
	for range 16 {
		go func() {
			for i := 0; ; i++ {
				b.Add(i)
				time.Sleep(15 * time.Millisecond)
			}
		}()
	}
	kit.Wait()
}
