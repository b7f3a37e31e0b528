package group

import (
	"testing"

	"example.com/fixtures/stucktest/internal/ready"
)

func TestGroupRefuses(t *testing.T) {
	ready.When(map[string]int{"group.(*Group).Wait": 1})
	g := &Group{limit: 2}
	for i := 0; i < 3; i++ {
		if err := g.Go(func() {}); err != nil {
			t.Log(err)
		}
	}
	g.Wait()
}

func TestBarrier(t *testing.T) {
	ready.When(map[string]int{"group.(*Barrier).Arrive": 3})
	b := NewBarrier(5)
	passed := make(chan bool, 5)
	for i := 0; i < 5; i++ {
		go func() {
			b.Arrive()
			passed <- true
		}()
	}
	for i := 0; i < 5; i++ {
		<-passed
	}
}

func TestSignalFirst(t *testing.T) {
	b := NewBarrier(1)
	b.Arrive()
	b.AwaitSignal()
}
