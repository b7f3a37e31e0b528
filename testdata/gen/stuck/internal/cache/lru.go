package cache

import "sync"

// An LRU forgets its oldest values, and says so.
type LRU[K comparable, V any] struct {
	mu      sync.Mutex
	order   []K
	values  map[K]V
	evicted func(K, V)
}

// NewLRU has a function that is told of each value that goes.
func NewLRU[K comparable, V any](evicted func(K, V)) *LRU[K, V] {
	return &LRU[K, V]{values: map[K]V{}, evicted: evicted}
}

// StartLRU fills a cache whose listener looks at the cache.
func StartLRU() {
	var c *LRU[int, string]
	c = NewLRU(func(key int, _ string) {
		if c.Len() == 0 {
			println("empty")
		}
	})
	go fill(c)
}

func fill(c *LRU[int, string]) {
	for i := 0; ; i++ {
		c.Put(i, "value")
	}
}

// Put adds a value, and lets the oldest go.
func (c *LRU[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = value
	c.order = append(c.order, key)
	if len(c.order) > 3 {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.evicted(oldest, c.values[oldest])
		delete(c.values, oldest)
	}
}

// Len is the number of values.
func (c *LRU[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.values)
}
