// A shop adds up baskets under a read lock and reads each price under a second one. A change of prices that comes in
// between waits for the first and keeps the second out.
package main

import (
	"log"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type book struct {
	mu    sync.RWMutex
	cents map[string]int
}

func (b *book) price(item string) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.cents[item]
}

func (b *book) total(basket ...string) (sum int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, item := range basket {
		time.Sleep(time.Millisecond) // the scanner
		sum += b.price(item)
	}
	return sum
}

func (b *book) set(item string, cents int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cents[item] = cents
}

func main() {
	kit.Start()
	shop := &book{cents: map[string]int{"tea": 350, "milk": 120}}
	for range 3 {
		go func() {
			for {
				shop.total("tea", "milk", "tea")
			}
		}()
	}
	for n := 0; ; n++ {
		shop.set("tea", 340+n%20)
		if n%1000 == 0 {
			log.Print("prices changed ", n, " times")
		}
		time.Sleep(5 * time.Millisecond)
	}
}
