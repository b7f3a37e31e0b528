// Command spin burns a CPU in ways that need newer Go: type parameters, TryLock, iterators, labels on goroutines.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"sync"
	"time"

	"example.com/modern/spin/internal/ring"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: spin KIND")
		os.Exit(2)
	}
	time.AfterFunc(30*time.Second, func() { os.Exit(3) })
	jobs := make(chan int)
	for i := 0; i < 40; i++ {
		labels := pprof.Labels("queue", "parcels", "worker", fmt.Sprint(i%4))
		go pprof.Do(context.Background(), labels, func(context.Context) { work(jobs) })
	}
	if !start(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "spin: no kind", os.Args[1])
		os.Exit(2)
	}
	time.Sleep(300 * time.Millisecond)
	pipe := os.NewFile(3, "ready")
	pipe.WriteString("ready\n")
	pipe.Close()
	time.Sleep(time.Hour)
}

func work(jobs <-chan int) {
	for range jobs {
	}
}

func start(kind string) bool {
	switch kind {
	case "generic": // a method of a generic type yields for ever
		full := ring.New[string](0)
		go full.Push("one more")
	case "generic-func": // a generic function calls a closure for ever
		go ring.Drain(ring.New[int](1), func(n int) bool { return n > 0 })
	case "labels": // the spinner has a label
		labels := pprof.Labels("queue", "a b", "tenant", "north")
		go pprof.Do(context.Background(), labels, func(context.Context) { ring.New[int](0).Push(1) })
	case "trylock": // tries for a lock that is never free
		held := new(sync.Mutex)
		held.Lock()
		go lockSoon(held)
	case "range-func": // the body of a loop over an iterator
		go watchAll()
	default:
		return false
	}
	return true
}

func lockSoon(mu *sync.Mutex) {
	for !mu.TryLock() {
	}
	defer mu.Unlock()
}
