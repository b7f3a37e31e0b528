// Package curfew: main waits until a timer says that the day is over.
package curfew

import (
	"sync"
	"time"
)

type day struct {
	mu   sync.Mutex
	end  *sync.Cond
	over bool
}

func (d *day) finish() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	d.end.Broadcast()
}

func (d *day) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.over {
		d.end.Wait()
	}
}

// Main runs it.
func Main() {
	d := &day{}
	d.end = sync.NewCond(&d.mu)
	time.AfterFunc(8*time.Hour, d.finish)
	d.wait()
}
