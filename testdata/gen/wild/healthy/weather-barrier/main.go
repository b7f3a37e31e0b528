// Command weather-barrier computes a forecast in regions that advance together: whoever has finished a step waits for the
// others, and the ocean takes a minute.
package main

import (
	"log"
	"sync"
	"time"

	"wild/kit"
)

type barrier struct {
	mu      sync.Mutex
	all     *sync.Cond
	parties int
	arrived int
	step    int
}

func newBarrier(parties int) *barrier {
	b := &barrier{parties: parties}
	b.all = sync.NewCond(&b.mu)
	return b
}

// await returns when all regions are through with the step.
func (b *barrier) await() {
	b.mu.Lock()
	defer b.mu.Unlock()
	step := b.step
	if b.arrived++; b.arrived == b.parties {
		b.arrived, b.step = 0, step+1
		b.all.Broadcast()
		log.Printf("step %d", b.step)
		return
	}
	for step == b.step {
		b.all.Wait()
	}
}

// advance is the work of one region.
func advance(takes time.Duration) {
	done := make(chan struct{})
	time.AfterFunc(takes, func() { close(done) })
	<-done
}

func main() {
	kit.Serve()
	const regions = 15
	b := newBarrier(regions)
	var wg sync.WaitGroup
	for i := 0; i < regions; i++ {
		takes := 50 * time.Millisecond
		if i == 7 {
			takes = time.Minute
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				advance(takes)
				b.await()
			}
		}()
	}
	wg.Wait()
}
