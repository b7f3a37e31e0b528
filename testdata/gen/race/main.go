// Command race has data races that the race detector reports: built with -race.
package main

import (
	"fmt"
	"os"
	"sync"
)

// A counter is raised without a lock.
type counter struct {
	hits   int
	byName map[string]int
}

func (c *counter) hit() { c.hits++ }

func (c *counter) name(n string) { c.byName[n]++ }

func (c *counter) report() int { return c.hits }

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: race KIND")
		os.Exit(2)
	}
	c := &counter{byName: map[string]int{}}
	var wg sync.WaitGroup
	switch os.Args[1] {
	case "write-write":
		start(&wg, 2, c.hit)
	case "read-write": // main reads while a goroutine writes
		start(&wg, 1, c.hit)
		fmt.Println("hits so far:", c.report())
	case "map": // one lock each, which is none
		var a, b sync.Mutex
		start(&wg, 1, func() { a.Lock(); c.name("north"); a.Unlock() })
		start(&wg, 1, func() { b.Lock(); c.name("south"); b.Unlock() })
	default:
		fmt.Fprintln(os.Stderr, "race: no kind", os.Args[1])
		os.Exit(2)
	}
	wg.Wait()
}

// start calls f in n goroutines.
func start(wg *sync.WaitGroup, n int, f func()) {
	for i := 0; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
}
