package main

import (
	"coded/kit"
	"time"
)

type w struct{ stop chan chan struct{} }

func (w *w) run() {
	t := time.NewTicker(time.Second)
	for {
		select {
		case <-t.C:
		case a := <-w.stop:
			close(a)
			return
		}
	}
}
func (w *w) close() { a := make(chan struct{}); w.stop <- a; <-a }
func main() {
	kit.Serve()
	x := &w{make(chan chan struct{})}
	go x.run()
	x.close()
	x.close()
}
