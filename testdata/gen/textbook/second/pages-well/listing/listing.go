// Package listing cuts a list into pages.
package listing

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// A List is sorted by time.
type List struct {
	mu   sync.RWMutex
	lots []string
	hits map[int]int
}

// New has these lots.
func New(lots ...string) *List { return &List{lots: lots, hits: map[int]int{}} }

// Pages is how many pages of that size there are.
func (l *List) Pages(size int) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return (len(l.lots) + size - 1) / size
}

// Page is one page's text.
func (l *List) Page(n, size int) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := n * size
	if from < 0 || from >= len(l.lots) {
		return "", fmt.Errorf("no page %d", n)
	}
	l.hits[n]++
	return strings.Join(l.lots[from:min(from+size, len(l.lots))], ", "), nil
}

// Auction moves the first lot to the end.
func (l *List) Auction(ctx context.Context, every time.Duration) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
		l.mu.Lock()
		l.lots = append(l.lots[1:], l.lots[0])
		l.mu.Unlock()
	}
}
