// Package album makes thumbnails of pictures.
package album

import (
	"fmt"
	"sync"
	"time"
)

// An Album has thumbnails.
type Album struct {
	mu     sync.Mutex
	thumbs map[string][]byte
	since  time.Time
}

// New is an empty album.
func New() *Album { return &Album{thumbs: map[string][]byte{}} }

// Render makes n thumbnails at a time and returns how many there are.
func (a *Album) Render(n int) int {
	var workers sync.WaitGroup
	for i := range n {
		workers.Add(1)
		go func() {
			defer workers.Done()
			a.add(fmt.Sprint("picture ", i), shrink(i))
		}()
	}
	workers.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.since = time.Now()
	return len(a.thumbs)
}

// Count is the number of thumbnails.
func (a *Album) Count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.thumbs)
}

func (a *Album) add(name string, thumb []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.thumbs[name] = thumb
}

func shrink(width int) []byte {
	time.Sleep(400 * time.Millisecond)
	return make([]byte, 64+width)
}
