// Quota-book keeps quotas: many look, few change.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type book struct {
	mu     sync.RWMutex
	quotas map[string]int
}

// used is the sum of all quotas.
func (b *book) used() (sum int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, name := range b.names() {
		sum += b.quotas[name]
	}
	return sum
}

func (b *book) names() (names []string) {
	time.Sleep(time.Millisecond)
	b.mu.RLock()
	defer b.mu.RUnlock()
	for name := range b.quotas {
		names = append(names, name)
	}
	return names
}

func (b *book) set(name string, quota int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.quotas[name] = quota
}

func main() {
	kit.Serve()
	b := &book{quotas: map[string]int{}}
	for n := 0; n < 4; n++ {
		go func() {
			for {
				log.Print(b.used())
			}
		}()
	}
	for n := 0; ; n++ {
		b.set("disk", n)
		time.Sleep(time.Millisecond)
	}
}
