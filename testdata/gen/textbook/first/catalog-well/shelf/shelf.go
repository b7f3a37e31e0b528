// Package shelf is a catalog of books.
package shelf

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// A Catalog has titles that are searched far more often than they change.
type Catalog struct {
	mu     sync.RWMutex
	titles []string
}

// New is a catalog of n books.
func New(n int) *Catalog {
	c := &Catalog{}
	for i := range n {
		c.titles = append(c.titles, fmt.Sprint("book ", i))
	}
	return c
}

// Search returns how many titles contain the text.
func (c *Catalog) Search(text string) (n int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for i := range c.titles {
		if i%50 == 0 {
			time.Sleep(time.Millisecond)
		}
		if strings.Contains(c.title(i), text) {
			n++
		}
	}
	return n
}

func (c *Catalog) title(i int) string {
	return c.titles[i]
}

// Add adds a title; of the oldest ones it drops one.
func (c *Catalog) Add(title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.titles = append(c.titles[1:], title)
}
