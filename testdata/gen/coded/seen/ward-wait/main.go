// Ward-wait has nurses on rounds.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type ward struct {
	wg    sync.WaitGroup
	beds  chan int
	ended chan struct{}
}

func newWard() *ward {
	w := &ward{beds: make(chan int), ended: make(chan struct{})}
	for n := 0; n < 3; n++ {
		w.wg.Add(1)
		go w.nurse()
	}
	return w
}

func (w *ward) nurse() {
	defer w.wg.Done()
	for {
		select {
		case bed := <-w.beds:
			if bed < 0 {
				w.close()
				return
			}
			log.Print(bed)
		case <-w.ended:
			return
		}
	}
}

func (w *ward) close() {
	close(w.ended)
	w.wg.Wait()
}

func main() {
	kit.Serve()
	w := newWard()
	w.beds <- 1
	time.Sleep(time.Second)
	w.beds <- -1
	kit.Wait()
}
