// Card-limits keeps the limits of cards.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type limits struct {
	mu   sync.Mutex
	left map[int]int
}

// charge takes an amount off a card's limit.
func (l *limits) charge(card, amount int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.remaining(card) < amount {
		l.left[card] = 100
	}
	l.left[card] -= amount
}

// remaining is what a card may be charged.
func (l *limits) remaining(card int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left[card]
}

func main() {
	kit.Serve()
	l := &limits{left: map[int]int{}}
	for card := 0; card < 6; card++ {
		go func(card int) {
			for {
				time.Sleep(time.Second)
				l.charge(card, 7)
				log.Print("charged")
			}
		}(card)
	}
	kit.Wait()
}
