package store

import "sync"

// An Index is read far more often than it is changed.
type Index struct {
	mu      sync.RWMutex
	numbers map[int]int
	changes int
}

// NewIndex returns an empty Index.
func NewIndex() *Index { return &Index{numbers: map[int]int{}} }

// Find adds up the numbers around a key.
func (x *Index) Find(key int) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	sum := 0
	for i := key - 50; i < key+50; i++ {
		sum += x.numbers[i]
	}
	return sum
}

// Set keeps a number, and now and then counts all of them.
func (x *Index) Set(key, number int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.numbers[key] = number
	if x.changes++; x.changes%16 == 0 {
		sum := 0
		for _, n := range x.numbers {
			sum += n
		}
		x.numbers[key] = sum % 1000
	}
}
