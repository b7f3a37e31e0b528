// Command shelves moves boxes between shelves of a map; each move locks the shelf whose name comes first, so
// that moves only queue.
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
	first, then := min(from, to), max(from, to)
	shelves[first].mu.Lock()
	defer shelves[first].mu.Unlock()
	time.Sleep(40 * time.Millisecond)
	shelves[then].mu.Lock()
	defer shelves[then].mu.Unlock()
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
