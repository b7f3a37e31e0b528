// Command jobs has queues over condition variables: one busy, with producers that wait for room and consumers that wait for
// work; one idle for as long as the process lives; a gate that a broadcast opens; and a pool of buffers to be given back.
package main

import (
	"crypto/sha256"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/jobs/internal/queue"
)

func main() {
	busy, idle := queue.New(16), queue.New(16)
	for i := 0; i < 4; i++ {
		go produce(busy, time.Duration(i)*time.Millisecond)
	}
	for i := 0; i < 12; i++ {
		go consume(busy)
	}
	flooded := queue.New(8)
	for i := 0; i < 10; i++ {
		go produce(flooded, 0)
	}
	go consume(flooded)
	for i := 0; i < 20; i++ {
		go consume(idle)
	}
	g := newGate()
	for i := 0; i < 25; i++ {
		go g.pass()
	}
	go g.turn()
	dumper.Ready()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	idle.Close()
}

func produce(q *queue.Queue, pause time.Duration) {
	for q.Put(make([]byte, 8192)) {
		time.Sleep(pause)
	}
}

func consume(q *queue.Queue) {
	for {
		job, ok := q.Take()
		if !ok {
			return
		}
		sha256.Sum256(job)
		time.Sleep(2 * time.Millisecond)
	}
}

// A gate lets all who wait pass at once, each time that it turns.
type gate struct {
	mu     sync.Mutex
	opened *sync.Cond
	turns  int
}

func newGate() *gate {
	g := &gate{}
	g.opened = sync.NewCond(&g.mu)
	return g
}

func (g *gate) pass() {
	for {
		g.mu.Lock()
		for turn := g.turns; turn == g.turns; {
			g.opened.Wait()
		}
		g.mu.Unlock()
		sha256.Sum256(make([]byte, 1<<14))
	}
}

func (g *gate) turn() {
	for {
		time.Sleep(150 * time.Millisecond)
		g.mu.Lock()
		g.turns++
		g.mu.Unlock()
		g.opened.Broadcast()
	}
}
