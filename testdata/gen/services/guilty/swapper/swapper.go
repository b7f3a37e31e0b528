// Package swapper lets players swap cards: both hands are locked meanwhile.
package swapper

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Hand struct {
	mu    sync.Mutex
	cards []int
}

type Table struct {
	mu    sync.Mutex
	hands map[string]*Hand
}

func (t *Table) hand(player string) *Hand {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hands[player] == nil {
		t.hands[player] = &Hand{}
	}
	return t.hands[player]
}

func (t *Table) Swap(from, to string) {
	a, b := t.hand(from), t.hand(to)
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	b.mu.Lock()
	defer b.mu.Unlock()
	a.cards, b.cards = b.cards, a.cards
}

func Main() {
	kit.Start()
	t := &Table{hands: map[string]*Hand{}}
	for _, p := range [][2]string{{"ann", "bob"}, {"bob", "ann"}, {"bob", "cyd"}, {"cyd", "dan"}} {
		go func() {
			for {
				t.Swap(p[0], p[1])
				time.Sleep(23 * time.Millisecond)
			}
		}()
	}
	kit.Wait()
}
