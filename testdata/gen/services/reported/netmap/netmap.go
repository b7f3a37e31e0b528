// Package netmap follows changes of a network; some changes lead to others.
package netmap

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/topics"
)

type engine struct {
	bus  *topics.Bus
	calm bool
}

func (e *engine) changed(n int) {
	time.Sleep(20 * time.Millisecond)
	if n%2 == 1 && !e.calm {
		e.bus.Publish(n + 1)
	}
}

func (e *engine) probe() {
	for n := 1; ; n++ {
		e.bus.Publish(n)
	}
}

func Main(fixed bool) {
	kit.Start()
	e := &engine{calm: fixed}
	e.bus = topics.New(4, e.changed)
	for range 3 {
		go e.probe()
	}
	kit.Wait()
}
