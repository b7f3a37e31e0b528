// Command batch is a job with a beginning and an end, in the middle of its work: it fans out over shards and their parts, each
// level waits for the one below, and main waits for all of it for minutes.
package main

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand"
	"os"
	"sync"
	"time"

	"example.com/well/dumper"
)

const (
	shards = 12
	parts  = 6
)

func main() {
	t := &totals{byShard: map[int]int64{}}
	errs := make(chan error, shards)
	var all sync.WaitGroup
	for shard := 0; shard < shards; shard++ {
		all.Add(1)
		go func(shard int) {
			defer all.Done()
			errs <- compact(t, shard)
		}(shard)
	}
	finished := make(chan struct{})
	go progress(t, finished)
	dumper.Ready()
	all.Wait()
	close(finished)
	for i := 0; i < shards; i++ {
		if err := <-errs; err != nil {
			fmt.Fprintln(os.Stderr, "batch:", err)
		}
	}
}

// totals are what all goroutines add to.
type totals struct {
	mu      sync.Mutex
	byShard map[int]int64
}

func (t *totals) add(shard int, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byShard[shard] += n
}

// progress tells how far the job is, to a log that is silent here.
func progress(t *totals, finished <-chan struct{}) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-finished:
			return
		case <-tick.C:
			t.mu.Lock()
			fmt.Fprintln(io.Discard, t.byShard)
			t.mu.Unlock()
		}
	}
}

// compact goes through the generations of a shard one after the other; the parts of each side by side, and a third of
// the shards wait for a slow store most of the time.
func compact(t *totals, shard int) error {
	for generation := 0; generation < 1000; generation++ {
		var running sync.WaitGroup
		for part := 0; part < parts; part++ {
			running.Add(1)
			go func(part int) {
				defer running.Done()
				pack(t, shard, part)
			}(part)
		}
		running.Wait()
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// pack compresses a part, and stores it.
func pack(t *totals, shard, part int) {
	block := make([]byte, 1<<15)
	rand.New(rand.NewSource(int64(shard*parts + part))).Read(block)
	z := gzip.NewWriter(io.Discard)
	n, err := z.Write(block)
	if err != nil {
		return
	}
	z.Close()
	sum := sha256.Sum256(block)
	pause := time.Duration(100+10*int(sum[0])) * time.Millisecond
	if shard%3 == 0 {
		pause *= 8
	}
	time.Sleep(pause)
	t.add(shard, int64(n))
}
