// Command shelves moves boxes between shelves of a map; each move locks the two shelves in its own order, so
// that two moves wait for each other.
package main

import (
	"sync"
	"time"

	"example.com/textbook/kit"
)

type shelf struct {
	mu    sync.Mutex
	boxes int
}

var shelves = map[string]*shelf{"lower": {boxes: 40}, "upper": {boxes: 40}}

func move(from, to string) {
	shelves[from].mu.Lock()
	defer shelves[from].mu.Unlock()
	time.Sleep(40 * time.Millisecond)
	shelves[to].mu.Lock()
	defer shelves[to].mu.Unlock()
	shelves[from].boxes--
	shelves[to].boxes++
}

func main() {
	kit.Start()
	go func() {
		for {
			move("lower", "upper")
		}
	}()
	for {
		move("upper", "lower")
	}
}
