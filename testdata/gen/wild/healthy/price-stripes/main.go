// Command price-stripes caches prices in stripes with a lock each. Who drops an old price notifies the listeners after it
// has unlocked, and they may ask the cache again. The backing file makes each step slow.
package main

import (
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"wild/kit"
)

type stripe struct {
	mu     sync.Mutex
	prices map[string]int
}

type cache struct {
	stripes [4]stripe
	dropped func(key string)
}

func (c *cache) stripe(key string) *stripe {
	h := fnv.New32a()
	h.Write([]byte(key))
	return &c.stripes[h.Sum32()%uint32(len(c.stripes))]
}

// Get reads a price.
func (c *cache) Get(key string) (int, bool) {
	s := c.stripe(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(20 * time.Millisecond) // the file
	p, ok := s.prices[key]
	return p, ok
}

// Set writes a price. The listener is called when the stripe is unlocked again.
func (c *cache) Set(key string, price int) {
	s := c.stripe(key)
	old := ""
	s.mu.Lock()
	if len(s.prices) >= 8 {
		for old = range s.prices {
			break
		}
		delete(s.prices, old)
	}
	s.prices[key] = price
	s.mu.Unlock()
	if old != "" {
		c.dropped(old)
	}
}

func main() {
	kit.Serve()
	c := &cache{}
	for i := range c.stripes {
		c.stripes[i].prices = map[string]int{}
	}
	c.dropped = func(key string) {
		if _, ok := c.Get(key + "/base"); !ok {
			c.Get(key)
		}
	}
	var wg sync.WaitGroup
	for i := 0; i < 24; i++ {
		i := i
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := i; ; n += 24 {
				c.Set(fmt.Sprintf("article-%d", n%997), n)
				time.Sleep(300 * time.Millisecond)
			}
		}()
	}
	wg.Wait()
}
