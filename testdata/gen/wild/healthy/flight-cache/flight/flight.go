// Package flight keeps documents, and loads each once, however many ask for it.
package flight

import "sync"

// A Cache loads by Order, which calls its argument with the document some time later.
type Cache struct {
	Order func(key string, loaded func(text string))

	mu    sync.Mutex
	loads map[string]*load
}

type load struct {
	ready sync.WaitGroup
	text  string
}

// Get returns a document; the first who asks orders it, and all who ask meanwhile wait.
func (c *Cache) Get(key string) string {
	c.mu.Lock()
	l, ok := c.loads[key]
	if !ok {
		if c.loads == nil {
			c.loads = map[string]*load{}
		}
		l = &load{}
		l.ready.Add(1)
		c.loads[key] = l
		c.Order(key, func(text string) {
			l.text = text
			c.mu.Lock()
			delete(c.loads, key)
			c.mu.Unlock()
			l.ready.Done()
		})
	}
	c.mu.Unlock()
	l.ready.Wait()
	return l.text
}
