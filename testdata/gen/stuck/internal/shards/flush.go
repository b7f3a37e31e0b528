// Package shards flushes the shards of an index.
package shards

import (
	"sync"
	"time"
)

// Start flushes four shards.
func Start() {
	go FlushAll([]int{0, 1, 2, 3})
}

// FlushAll flushes shards at the same time, or means to.
func FlushAll(shards []int) {
	var wg sync.WaitGroup
	wg.Add(len(shards))
	for _, shard := range shards {
		go func(shard int) {
			defer wg.Done()
			flush(shard)
		}(shard)
		wg.Wait()
	}
}

func flush(int) { time.Sleep(5 * time.Millisecond) }
