// Package broker keeps positions; a book is an actor that asks the risk desk, which has a lock.
package broker

import (
	"sync"
	"time"

	"example.com/services/kit"
	"example.net/lib/actor"
)

type Desk struct {
	mu    sync.Mutex
	book  *actor.Ref
	limit int
}

// Raise sets the limit to what the book can bear.
func (d *Desk) Raise() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = d.book.Ask("size").(int)
}

func (d *Desk) Limit() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.limit
}

func (d *Desk) receive(_ *actor.Ref, body any) any {
	switch body {
	case "size":
		return 100
	default:
		time.Sleep(10 * time.Millisecond)
		return d.Limit() > 10
	}
}

func Main() {
	kit.Start()
	d := &Desk{limit: 100}
	d.book = actor.Spawn(8, d.receive)
	for range 6 {
		go func() {
			for {
				d.book.Ask("trade")
			}
		}()
	}
	go func() {
		for range time.Tick(700 * time.Millisecond) {
			d.Raise()
		}
	}()
	kit.Wait()
}
