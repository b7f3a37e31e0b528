package main

import (
	"runtime"
	"sync"
	"time"
)

// waitForWriter gives the ledger's writers the time to queue up.
func waitForWriter(*ledger) { time.Sleep(50 * time.Millisecond) }

func publish(results chan<- int, n int) { results <- n }

func consume(orders <-chan int) int { return <-orders }

func dispatch(orders <-chan int, stop <-chan bool) {
	for {
		select {
		case <-orders:
		case <-stop:
			return
		}
	}
}

func sendNowhere(nowhere chan<- int) { nowhere <- 1 }

func receiveNowhere(nowhere <-chan int) int { return <-nowhere }

func selectNothing() { select {} }

func nap(d time.Duration) { time.Sleep(d) }

func pinned(orders <-chan int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	<-orders
}

func keepChannels() {
	results, orders, stop := make(chan int), make(chan int), make(chan bool)
	starts := map[string]func(n int){
		"main.publish":        func(n int) { publish(results, n) },
		"main.consume":        func(int) { consume(orders) },
		"main.dispatch":       func(int) { dispatch(orders, stop) },
		"main.sendNowhere":    func(int) { sendNowhere(nil) },
		"main.receiveNowhere": func(int) { receiveNowhere(nil) },
		"main.selectNothing":  func(int) { selectNothing() },
		"main.nap":            func(int) { nap(time.Hour) },
		"main.pinned":         func(int) { pinned(orders) },
	}
	for _, e := range enclosures {
		start := starts[e.function]
		for n := 0; start != nil && n < e.count; n++ {
			go start(n)
		}
	}
}

// descend recurses and then waits: its stack is longer than what a traceback prints.
func descend(depth int, bottom *sync.WaitGroup, hold chan int) int {
	if depth == 0 {
		bottom.Done()
		return <-hold
	}
	return descend(depth-1, bottom, hold) + 1
}

// keepDeep starts one goroutine with 121 frames of descend and one with 301.
func keepDeep() {
	var bottom sync.WaitGroup
	for _, frames := range []int{121, 301} {
		bottom.Add(1)
		go descend(frames-1, &bottom, make(chan int))
	}
	bottom.Wait()
}

func onTimer(hold <-chan int) { <-hold }

func watchTicker(t *time.Ticker) {
	for range t.C {
	}
}

// keepTimers starts goroutines out of the runtime's timers (their creator is time.goFunc) and others that wait for a tick.
func keepTimers() {
	hold := make(chan int)
	for i := 0; i < size("main.onTimer"); i++ {
		time.AfterFunc(time.Millisecond, func() { onTimer(hold) })
	}
	for i := 0; i < size("main.watchTicker"); i++ {
		go watchTicker(time.NewTicker(time.Hour))
	}
}
