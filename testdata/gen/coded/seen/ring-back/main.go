// Ring-back calls guests when their table is free.
package main

import (
	"coded/kit"
	"coded/seen/ring-back/bell"
)

type table struct {
	free chan struct{}
	seat chan int
}

func newTable(b *bell.Bell) *table {
	t := &table{free: make(chan struct{}), seat: make(chan int)}
	b.Ring(t.clear)
	return t
}

func (t *table) clear() {
	close(t.free)
	for n := range t.seat {
		_ = n
	}
}

func (t *table) guest(n int) {
	<-t.free
	t.seat <- n
}

func main() {
	kit.Serve()
	b := bell.New()
	t := newTable(b)
	for n := 0; n < 5; n++ {
		go t.guest(n)
	}
	kit.Wait()
}
