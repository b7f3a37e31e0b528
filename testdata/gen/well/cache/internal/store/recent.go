// Package store keeps values for many goroutines at once, behind one lock each.
package store

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// Recent keeps the values that were used last.
type Recent struct {
	mu    sync.Mutex
	most  int
	order *list.List
	byKey map[string]*list.Element
}

type item struct {
	key   string
	value []byte
	sum   [32]byte
}

// NewRecent returns a Recent for most values.
func NewRecent(most int) *Recent {
	return &Recent{most: most, order: list.New(), byKey: map[string]*list.Element{}}
}

// Get returns a value, nil where there is none. It checks the value while it holds the lock: that is what others wait for.
func (r *Recent) Get(key string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.byKey[key]
	if !ok {
		return nil
	}
	r.order.MoveToFront(e)
	found := e.Value.(*item)
	if sha256.Sum256(found.value) != found.sum {
		return nil
	}
	return found.value
}

// Put keeps a value.
func (r *Recent) Put(key string, value []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byKey[key] = r.order.PushFront(&item{key, value, sha256.Sum256(value)})
	if r.order.Len() > r.most {
		r.drop()
	}
}

// Drop forgets the n values that were used longest ago.
func (r *Recent) Drop(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; i < n && r.order.Len() > 0; i++ {
		r.drop()
	}
}

func (r *Recent) drop() {
	oldest := r.order.Back()
	r.order.Remove(oldest)
	delete(r.byKey, oldest.Value.(*item).key)
}
