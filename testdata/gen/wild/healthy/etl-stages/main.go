// Command etl-stages moves rows from a source through two stages into a warehouse that takes a batch every half minute.
// The warehouse is the slowest part, so that all stages are full and wait, as they should.
package main

import (
	"log"
	"sync"
	"time"

	"wild/kit"
)

type row struct{ id int }

// stage runs n workers over in; its output is closed when they are done.
func stage(n int, in <-chan row, work func(row) row) <-chan row {
	out := make(chan row)
	go func() {
		defer close(out)
		var wg sync.WaitGroup
		for i := 0; i < n; i++ {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for r := range in {
					out <- work(r)
				}
			}()
		}
		wg.Wait()
	}()
	return out
}

func source(rows int) <-chan row {
	out := make(chan row)
	go func() {
		defer close(out)
		for i := 0; i < rows; i++ {
			out <- row{i}
		}
	}()
	return out
}

// load writes a batch whenever the warehouse opens its window.
func load(in <-chan row) {
	windows := time.NewTicker(30 * time.Second)
	defer windows.Stop()
	for {
		<-windows.C
		for i := 0; i < 20; i++ {
			r, ok := <-in
			if !ok {
				return
			}
			if r.id%100 == 0 {
				log.Printf("row %d", r.id)
			}
		}
	}
}

func main() {
	kit.Serve()
	parsed := stage(12, source(1_000_000), func(r row) row { return r })
	enriched := stage(16, parsed, func(r row) row { return r })
	load(enriched)
}
