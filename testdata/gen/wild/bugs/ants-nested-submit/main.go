// Command ants-nested-submit prints orders: an order is a task of the pool, and so is each of its pages.
//
// https://github.com/panjf2000/ants/issues/90
package main

import (
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/ants/v2"

	"wild/kit"
)

var printed atomic.Int64

func main() {
	kit.Serve()
	pool, err := ants.NewPool(size)
	if err != nil {
		log.Fatal(err)
	}
	for range 4 {
		pool.Submit(func() { order(pool) })
	}
	for range time.Tick(10 * time.Second) {
		log.Print(printed.Load(), " pages")
	}
}

// order prints an order again and again.
func order(pool *ants.Pool) {
	for {
		var wg sync.WaitGroup
		for range 3 {
			wg.Add(1)
			if err := pool.Submit(func() { page(&wg) }); err != nil {
				log.Fatal(err)
			}
		}
		wg.Wait()
	}
}

// page prints a page.
func page(wg *sync.WaitGroup) {
	defer wg.Done()
	time.Sleep(200 * time.Millisecond)
	printed.Add(1)
}
