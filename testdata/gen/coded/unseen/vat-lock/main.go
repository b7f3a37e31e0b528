// Vat-lock measures a vat.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type vat struct {
	mu      sync.Mutex
	ask     chan int
	answers chan int
	full    int
}

func newVat() *vat {
	v := &vat{ask: make(chan int), answers: make(chan int)}
	go v.loop()
	return v
}

func (v *vat) loop() {
	for range v.ask {
		v.set()
		v.answers <- v.full
	}
}

func (v *vat) set() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.full++
}

func (v *vat) level() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ask <- 0
	return <-v.answers
}

func main() {
	kit.Serve()
	v := newVat()
	for n := 0; n < 4; n++ {
		go func() {
			for {
				log.Print(v.level())
				time.Sleep(time.Second)
			}
		}()
	}
	kit.Wait()
}
