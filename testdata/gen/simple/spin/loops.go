package main

import (
	"sync"
	"sync/atomic"
	"time"

	"example.com/fixtures/spin/internal/spinlock"
)

var generation int32

// awaitGeneration waits for somebody to raise the generation by asking all the time.
func awaitGeneration(want int32) {
	for atomic.LoadInt32(&generation) < want {
	}
}

var flag int32

// waitForFlag sleeps so shortly that it hardly ever sleeps.
func waitForFlag() {
	for atomic.LoadInt32(&flag) == 0 {
		time.Sleep(1)
	}
}

// A poller should wait for work, and looks every zero seconds instead.
type poller struct {
	work  chan int
	looks int
}

func newPoller() *poller { return &poller{work: make(chan int)} }

func (p *poller) run() {
	for {
		select {
		case <-p.work:
			return
		case <-time.After(0):
			p.looks++
		}
	}
}

// flush needs a spin lock whose holder is gone.
func flush(l *spinlock.Lock) {
	l.Acquire()
	defer l.Release()
}

// A gate is asked whether it is open until it is.
type gate struct {
	mu   sync.Mutex
	open bool
}

func (g *gate) isOpen() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.open
}

func (g *gate) awaitOpen() {
	for !g.isOpen() {
	}
}

var done bool

// waitDone has the data race that programs with a stop flag have: the compiler may read it once.
func waitDone() {
	for !done {
	}
}

// Sink keeps the compiler from leaving out what is computed.
var Sink uint64

//go:noinline
func churn(x uint64) {
	for x != 0 {
		x = x*6364136223846793005 + 1442695040888963407
		x |= 1
	}
	Sink = x
}
