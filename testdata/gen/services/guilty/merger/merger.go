// Package merger merges sorted streams of many shards into one.
package merger

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

func shard(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range 50 {
			out <- i * n
		}
	}()
	return out
}

func Merge(shards ...<-chan int) <-chan int {
	var wg sync.WaitGroup
	out := make(chan int)
	for _, s := range shards {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for v := range s {
				out <- v
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func firstAbove(limit int) int {
	for v := range Merge(shard(1), shard(2), shard(3)) {
		if v > limit {
			return v
		}
	}
	return -1
}

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, firstAbove(20)) }))
	kit.Ask(40, 50*time.Millisecond, url)
	kit.Ask(1000, 3*time.Second, url)
}
