// Command rooms books and cleans rooms; both lock rooms and then guests.
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
	roomsMu.Lock()
	defer roomsMu.Unlock()
	time.Sleep(25 * time.Millisecond)
	guestsMu.Lock()
	defer guestsMu.Unlock()
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
