package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type desk struct {
	mu sync.Mutex
	n  int
}

func (d *desk) begin(slow bool) {
	d.mu.Lock()
	d.n++
	if slow {
		go d.finish(true)
		return
	}
	d.mu.Unlock()
}

func (d *desk) finish(locked bool) {
	defer func() {
		if !locked {
			d.mu.Lock()
		}
		d.n--
		d.mu.Unlock()
	}()
	time.Sleep(work)
}

func main() {
	kit.Serve()
	d := &desk{}
	d.begin(true)
	var all sync.WaitGroup
	for i := 0; i < 12; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			d.begin(false)
		}()
	}
	all.Wait()
}
