// Package lru is a cache with a bound, which tells what it drops.
package lru

import (
	"container/list"
	"sync"
)

type entry[K comparable, V any] struct {
	key   K
	value V
}

type Cache[K comparable, V any] struct {
	lock    sync.Mutex
	size    int
	order   *list.List
	items   map[K]*list.Element
	onEvict func(K, V)
}

func New[K comparable, V any](size int, onEvict func(K, V)) *Cache[K, V] {
	return &Cache[K, V]{size: size, order: list.New(), items: map[K]*list.Element{}, onEvict: onEvict}
}

func (c *Cache[K, V]) Add(key K, value V) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.items[key] = c.order.PushFront(&entry[K, V]{key, value})
	if c.order.Len() > c.size {
		c.removeOldest()
	}
}

func (c *Cache[K, V]) removeOldest() {
	last := c.order.Remove(c.order.Back()).(*entry[K, V])
	delete(c.items, last.key)
	if c.onEvict != nil {
		c.onEvict(last.key, last.value)
	}
}

func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if e := c.items[key]; e != nil {
		c.order.MoveToFront(e)
		return e.Value.(*entry[K, V]).value, true
	}
	return value, false
}

func (c *Cache[K, V]) Len() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.order.Len()
}
