// Command pools has worker pools of every kind: workers that share a channel, workers with a channel each, a semaphore made of
// a channel with goroutines queued before it, and rounds that a WaitGroup ends. One pool has nothing to do for minutes.
package main

import (
	"crypto/sha256"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/well/dumper"
)

func main() {
	blocks := make(chan []byte)
	startShared(blocks, 8)
	go feed(blocks)
	go deal(startOwn(6))
	downloads := &limited{slots: make(chan struct{}, 4)}
	for i := 0; i < 30; i++ {
		go downloads.repeat(i)
	}
	go rounds(12)
	nightly := make(chan []byte, 32)
	startShared(nightly, 20)
	dumper.Ready()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	close(nightly)
}

// startShared starts n workers on one channel.
func startShared(blocks <-chan []byte, n int) {
	for i := 0; i < n; i++ {
		go func() {
			for block := range blocks {
				hash(block)
			}
		}()
	}
}

func feed(blocks chan<- []byte) {
	for size := 1; ; size = size%16 + 1 {
		blocks <- make([]byte, size<<12)
		time.Sleep(300 * time.Microsecond)
	}
}

func hash(block []byte) {
	sum := sha256.Sum256(block)
	copy(block, sum[:])
}

// A worker has its own queue, so that blocks of one kind stay in order.
type worker struct{ queue chan []byte }

func startOwn(n int) []*worker {
	workers := make([]*worker, n)
	for i := range workers {
		workers[i] = &worker{queue: make(chan []byte, 4)}
		go workers[i].run()
	}
	return workers
}

func (w *worker) run() {
	for block := range w.queue {
		hash(block)
		time.Sleep(3 * time.Millisecond)
	}
}

// deal hands blocks to the workers; some kinds are frequent, others come once in a while.
func deal(workers []*worker) {
	for n := 0; ; n++ {
		to := 0
		for i := range workers {
			if n%(1<<uint(2*i)) == 0 {
				to = i
			}
		}
		workers[to].queue <- make([]byte, 4096)
		time.Sleep(time.Millisecond)
	}
}

// limited lets as many work as it has slots.
type limited struct{ slots chan struct{} }

func (l *limited) repeat(kind int) {
	for {
		l.download(kind)
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *limited) download(kind int) {
	l.slots <- struct{}{}
	defer func() { <-l.slots }()
	time.Sleep(time.Duration(5+kind%7) * time.Millisecond)
	hash(make([]byte, 2048))
}

// rounds starts n goroutines, waits for all of them, and begins again.
func rounds(n int) {
	for {
		var round sync.WaitGroup
		results := make(chan int, n)
		for i := 0; i < n; i++ {
			round.Add(1)
			go func(i int) {
				defer round.Done()
				time.Sleep(time.Duration(20*i) * time.Millisecond)
				hash(make([]byte, 1<<14))
				results <- i
			}(i)
		}
		go func() {
			round.Wait()
			close(results)
		}()
		for range results {
		}
	}
}
