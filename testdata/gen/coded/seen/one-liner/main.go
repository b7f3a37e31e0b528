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

func (d *desk) early()    { d.add(1); d.mu.Lock(); d.n++; d.mu.Unlock() }
func (d *desk) late()     { d.mu.Lock(); d.n++; d.mu.Unlock(); time.Sleep(2 * time.Second); d.add(2) }
func (d *desk) add(n int) { d.mu.Lock(); defer d.mu.Unlock(); d.n += n }
func (d *desk) audit()    { d.mu.Lock(); time.Sleep(work); d.mu.Unlock() }

func main() {
	kit.Serve()
	d := &desk{}
	var all sync.WaitGroup
	for _, f := range []func(){d.late, func() { time.Sleep(time.Second); d.audit() }, func() { time.Sleep(3 * time.Second); d.early() }} {
		all.Add(1)
		go func() { defer all.Done(); f() }()
	}
	all.Wait()
}
