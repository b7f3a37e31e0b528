// Package index finds words.
package index

import (
	"sync"
	"sync/atomic"
	"time"
)

// An Index has several shards.
type Index struct{ shards [][]string }

// New has n shards, of which the last is empty.
func New(n int) *Index {
	i := &Index{shards: make([][]string, n)}
	for k := range n - 1 {
		i.shards[k] = []string{"dune", "tide", "reef"}
	}
	return i
}

// Search counts a word in all shards.
func (i *Index) Search(word string) int {
	var hits atomic.Int64
	var group sync.WaitGroup
	group.Add(len(i.shards))
	for k := range i.shards {
		go i.scan(k, word, &hits, &group)
	}
	group.Wait()
	return int(hits.Load())
}

func (i *Index) scan(k int, word string, hits *atomic.Int64, group *sync.WaitGroup) {
	defer group.Done()
	if len(i.shards[k]) == 0 {
		return
	}
	for _, w := range i.shards[k] {
		if w == word {
			hits.Add(1)
		}
	}
	time.Sleep(10 * time.Millisecond)
}
