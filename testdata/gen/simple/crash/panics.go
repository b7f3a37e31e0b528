package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/fixtures/crash/internal/volume"
)

// memoryFault reads or writes what is not there.
func memoryFault(kind string) bool {
	switch kind {
	case "nil": // a field of a nil struct
		startIdle(4)
		done := make(chan bool)
		go reconcile(volume.NewStore(), done)
		<-done
	case "nil-func": // a call of a func value that is nil
		var hooks volume.Hooks
		hooks.Run("attach")
	case "nil-map": // a write into a map that was never made
		var s volume.Store
		s.Put("data")
	case "index":
		fmt.Println(volume.NewStore().At(5))
	case "slice":
		fmt.Println(volume.Head([]byte("short"), 12))
	case "fault": // an address that no page is behind
		volume.ReadAt(0xdead0000)
	default:
		return false
	}
	return true
}

func reconcile(s *volume.Store, done chan<- bool) {
	s.Desired("missing")
	done <- true
}

// channelFault breaks the rules of channels and locks.
func channelFault(kind string) bool {
	results := make(chan int)
	switch kind {
	case "send-closed":
		close(results)
		report(results, 1)
	case "close-nil":
		finish(nil)
	case "close-closed":
		finish(results)
		finish(results)
	case "waitgroup-negative":
		var wg sync.WaitGroup
		release(&wg)
	case "unlock-unlocked":
		leave(new(sync.Mutex))
	case "runlock-unlocked":
		leaveReader(new(sync.RWMutex))
	default:
		return false
	}
	return true
}

func processOrder(amount int) {
	if amount < 0 {
		panic(fmt.Sprintf("order has a negative amount: %d", amount))
	}
}

func report(results chan<- int, n int) { results <- n }
func finish(results chan int)          { close(results) }
func release(wg *sync.WaitGroup)       { wg.Done() }
func leave(mu *sync.Mutex)             { mu.Unlock() }
func leaveReader(mu *sync.RWMutex)     { mu.RUnlock() }
func share(total, parts int) int       { return total / parts }
func buffer(n int) []int               { return make([]int, n) }
func nameOf(v interface{}) string      { return v.(string) }
func stringerOf(v interface{}) string  { return v.(fmt.Stringer).String() }

// valueFault asks for what a value cannot give, or panics with a value of its own.
func valueFault(kind string) bool {
	switch kind {
	case "type-assertion":
		fmt.Println(nameOf(42))
	case "interface-assertion":
		fmt.Println(stringerOf(42))
	case "divide":
		fmt.Println(share(10, len(volume.NewStore().Names())))
	case "makeslice":
		fmt.Println(len(buffer(len(volume.NewStore().Names()) - 1)))
	case "custom-error": // an error type of our own as the panic's value
		startIdle(4)
		panic(volume.Attach("data-0"))
	case "multi-line": // a text with lines that look like a dump's
		panic("cannot parse:\n\ngoroutine 99 [running]:\nmain.innocent()\n\t/app/main.go:1 +0x1\nend of input")
	case "panic-goroutine": // in a goroutine that is not main
		startIdle(4)
		go processOrder(-3)
		time.Sleep(10 * time.Second)
	default:
		return false
	}
	return true
}

// repanic raises a panic, catches it, and raises it or another again.
func repanic(kind string) bool {
	switch kind {
	case "repanic-same": // recovered and raised again unchanged
		defer func() {
			if r := recover(); r != nil {
				panic(r)
			}
		}()
	case "repanic-wrapped": // recovered and raised again as an error that wraps it
		defer rethrow("syncing")
	case "repanic-chain": // three deep
		defer rethrow("serving")
		defer rethrow("syncing")
	case "panic-in-defer": // a second panic while the first runs deferred functions, nothing recovered
		defer cleanUp(nil)
	default:
		return false
	}
	volume.NewStore().Desired("missing")
	return true
}

func rethrow(doing string) {
	if r := recover(); r != nil {
		panic(fmt.Errorf("%s: %v", doing, r))
	}
}

func cleanUp(s *volume.Store) { fmt.Println(s.Names()) }
