// Package shards merges streams of shards for a writer that takes a row a second.
package shards

import (
	"sync"
	"time"

	"example.com/services/kit"
)

func forward(wg *sync.WaitGroup, in <-chan int, out chan<- int) {
	defer wg.Done()
	for v := range in {
		out <- v
	}
}

func produce(c chan<- int) {
	for i := 0; ; i++ {
		c <- i
	}
}

func merge(n int) <-chan int {
	var wg sync.WaitGroup
	out := make(chan int)
	for range n {
		c := make(chan int)
		go produce(c)
		wg.Add(1)
		go forward(&wg, c, out)
	}
	go func() { wg.Wait(); close(out) }()
	return out
}

func Main() {
	kit.Start()
	for range merge(16) {
		time.Sleep(time.Second)
	}
}
