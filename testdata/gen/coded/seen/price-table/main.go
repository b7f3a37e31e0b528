// Price-table is read by many and changed by one: a long report reads it meanwhile.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type table struct {
	mu     sync.RWMutex
	prices map[string]int
}

func (t *table) report() {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for name, price := range t.prices {
		log.Print(name, price)
		time.Sleep(10 * time.Minute)
	}
}

func (t *table) change(name string, price int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prices[name] = price
}

func (t *table) price(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.prices[name]
}

func main() {
	kit.Serve()
	t := &table{prices: map[string]int{"salt": 2, "rice": 5, "oil": 9}}
	go t.report()
	time.Sleep(time.Second)
	go t.change("salt", 3)
	time.Sleep(time.Second)
	for n := 0; n < 15; n++ {
		go func() { log.Print(t.price("rice")) }()
	}
	kit.Wait()
}
