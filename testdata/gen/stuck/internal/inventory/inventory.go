// Package inventory counts what is in stock, and loads what it does not know from a supplier.
package inventory

import (
	"io"
	"net"
	"sync"
	"time"
)

// An Inventory is read under a read lock, even while it asks the supplier.
type Inventory struct {
	mu       sync.RWMutex
	stock    map[string]int
	supplier net.Conn
}

// Start asks a supplier that never answers, books one delivery, and lets eighteen readers come.
func Start() {
	near, far := net.Pipe()
	_ = far
	i := &Inventory{stock: map[string]int{}, supplier: near}
	go i.Verify()
	go i.book("rope", 5)
	go func() {
		time.Sleep(50 * time.Millisecond)
		for n := 0; n < 18; n++ {
			go i.Count("rope")
		}
	}()
}

// Verify compares the stock with what the supplier says.
func (i *Inventory) Verify() error {
	i.mu.RLock()
	defer i.mu.RUnlock()
	answer := make([]byte, len(i.stock)+1)
	_, err := io.ReadFull(i.supplier, answer)
	return err
}

func (i *Inventory) book(item string, n int) {
	time.Sleep(20 * time.Millisecond)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stock[item] += n
}

// Count is how many of an item there are.
func (i *Inventory) Count(item string) int {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return i.stock[item]
}
