// Command rooms books and cleans rooms; booking locks rooms and then guests, cleaning locks guests and then
// rooms.
package main

import (
	"sync"
	"time"

	"example.com/textbook/kit"
)

var (
	roomsMu  sync.Mutex
	rooms    = map[int]bool{}
	guestsMu sync.Mutex
	guests   = map[string]int{}
)

func book(name string, number int) {
	roomsMu.Lock()
	defer roomsMu.Unlock()
	time.Sleep(25 * time.Millisecond)
	guestsMu.Lock()
	defer guestsMu.Unlock()
	rooms[number], guests[name] = true, number
}

func clean(name string) {
	guestsMu.Lock()
	defer guestsMu.Unlock()
	time.Sleep(25 * time.Millisecond)
	roomsMu.Lock()
	defer roomsMu.Unlock()
	rooms[guests[name]] = false
}

func main() {
	kit.Start()
	go func() {
		for number := 0; ; number++ {
			book("Ada", number%20)
		}
	}()
	for {
		clean("Ada")
	}
}
