// Command spin burns a CPU without work, in the way that its argument names, beside forty innocent goroutines that wait
// for work. The kinds that begin with near- look alike at first sight and are innocent. It is stopped by a signal.
package main

import (
	"fmt"
	"os"
	"time"

	"example.com/fixtures/ready"
	"example.com/fixtures/spin/internal/intake"
	"example.com/fixtures/spin/internal/relay"
	"example.com/fixtures/spin/internal/spinlock"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: spin KIND")
		os.Exit(2)
	}
	ready.Limit(30 * time.Second)
	startInnocents()
	time.Sleep(100 * time.Millisecond)
	if !start(os.Args[1]) && !startNear(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "spin: no kind", os.Args[1])
		os.Exit(2)
	}
	ready.Settle()
	time.Sleep(time.Hour)
}

// start starts a spinner in a goroutine of its own, and says whether it knows the kind.
func start(kind string) bool {
	switch kind {
	case "gosched": // yields the processor over and over until a flag is set, which nobody does
		intake.NewDrain().Start()
	case "gosched-three": // the same in three goroutines at one line
		for i := 0; i < 3; i++ {
			intake.NewDrain().Start()
		}
	case "select-default": // select with an empty default, in a loop
		go relay.New().Forward()
	case "sleep-poll": // polls a flag with a sleep of a nanosecond
		go waitForFlag()
	case "after-poll": // polls with time.After(0) in a select
		go newPoller().run()
	case "atomic-load": // loads a number atomically until it changes
		go awaitGeneration(2)
	case "cas": // compare-and-swap until it succeeds, on a lock that is never released
		l := new(spinlock.Lock)
		l.Acquire()
		go flush(l)
	case "lock-poll": // takes a mutex to look at a flag, lets go, and begins again
		go new(gate).awaitOpen()
	case "bool": // reads a plain bool: the compiler makes it an endless loop
		go waitDone()
	case "arith": // computes for ever without a call
		go churn(1)
	default:
		return false
	}
	return true
}

// startNear starts what only looks like a spinner.
func startNear(kind string) bool {
	switch kind {
	case "near-json": // workers that decode without a pause: runnable or running, but they get work done
		decodeForever(2)
	case "near-select-sleep": // polls without blocking, but sleeps 50 ms between looks
		go relay.New().ForwardSlowly()
	case "near-woken": // a crowd on a condition variable that is woken all the time: runnable, just woken
		wakeForever()
	case "near-ticker": // a ticker of a millisecond
		go countTicks()
	case "near-cas-work": // retries a compare-and-swap only while others win, and hashes in between
		hashForever(3)
	default:
		return false
	}
	return true
}
