package main

import (
	"coded/kit"
	"time"
)

type mill struct {
	out chan int
	n   int
}

func (m *mill) compute() int { time.Sleep(time.Hour); m.n++; return m.n }
func (m *mill) run()         { m.out <- m.compute() }
func (m *mill) take() int    { return <-m.out }
func main() {
	kit.Serve()
	m := &mill{out: make(chan int)}
	go m.run()
	for i := 0; i < 3; i++ {
		go m.take()
	}
	m.take()
}
