// Gym-lockers lends lockers. Whoever panics gives the key back first.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type lockers struct {
	mu   sync.Mutex
	keys []string
}

// lend lends a key. A missing one makes it panic: the recovery unlocks.
func (l *lockers) lend(n int) {
	defer func() {
		if p := recover(); p != nil {
			log.Print(p)
			l.mu.Unlock()
		}
	}()
	l.mu.Lock()
	key := l.keys[n]
	hand(key)
	l.mu.Unlock()
}

// hand gives a key to somebody who is slow to come.
func hand(key string) {
	time.Sleep(20 * time.Minute)
	log.Print(key)
}

func main() {
	kit.Serve()
	l := &lockers{keys: []string{"one", "two"}}
	for n := 0; n < 8; n++ {
		l.lend(n + 2)
		go l.lend(n % 2)
		time.Sleep(10 * time.Millisecond)
		if n == 2 {
			break
		}
	}
	kit.Wait()
}
