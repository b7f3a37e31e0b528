package main

import (
	"coded/kit"
	"time"
)

type line struct {
	out chan int
	n   int
}

func (l *line) loop() {
	for l.n < 3 {
		l.out <- l.n
		l.n++
	}
}
func (l *line) take() int               { return <-l.out }
func first() *line                      { l := &line{out: make(chan int)}; go l.loop(); return l }
func second(old *line, d time.Duration) { time.Sleep(d); n := &line{}; *n = *old; n.n = 0; go n.loop() }
func main() {
	kit.Serve()
	l := first()
	for i := 0; i < 3; i++ {
		l.take()
	}
	go later(l)
	for i := 0; i < 3; i++ {
		go l.take()
	}
	l.take()
}
func later(l *line) { time.Sleep(time.Hour); second(l, 1) }
