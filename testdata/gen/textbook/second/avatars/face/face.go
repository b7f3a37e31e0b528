// Package face draws faces.
package face

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"sync"
)

// Draw is a gray map with size by size pixels.
func Draw(name string, size int) []byte {
	h := fnv.New32a()
	h.Write([]byte(name))
	seed := int(h.Sum32())
	var b bytes.Buffer
	fmt.Fprintf(&b, "P5 %d %d 255\n", size, size)
	for y := range size {
		for x := range size {
			b.WriteByte(byte(x*y*seed + x + y))
		}
	}
	return b.Bytes()
}

// A Cache remembers faces.
type Cache struct {
	mu    sync.RWMutex
	faces map[string][]byte
}

// NewCache is empty.
func NewCache() *Cache { return &Cache{faces: map[string][]byte{}} }

// Get finds a face.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	f, ok := c.faces[key]
	return f, ok
}

// Put adds a face.
func (c *Cache) Put(key string, f []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faces[key] = f
}

// Len is how many there are.
func (c *Cache) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.faces)
}
