// Lamp-poll switches lamps by a slow line.
package main

import (
	"log"
	"net"
	"time"

	"coded/kit"
)

type bus struct {
	line    net.Conn
	orders  chan byte
	stopped chan struct{}
}

func newBus(line net.Conn) *bus {
	b := &bus{line: line, orders: make(chan byte), stopped: make(chan struct{})}
	go b.loop()
	return b
}

func (b *bus) loop() {
	defer close(b.stopped)
	for order := range b.orders {
		if _, err := b.line.Write([]byte{order}); err != nil {
			return
		}
		if _, err := b.line.Read(make([]byte, 1)); err != nil {
			return
		}
	}
}

func (b *bus) order(n byte) {
	select {
	case b.orders <- n:
	case <-b.stopped:
	}
}

// lamps answer late.
func lamps(line net.Conn) {
	order := make([]byte, 1)
	for {
		if _, err := line.Read(order); err != nil {
			return
		}
		time.Sleep(15 * time.Minute)
		if _, err := line.Write(order); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	kit.Serve()
	near, far := net.Pipe()
	go lamps(far)
	b := newBus(near)
	for n := byte(0); n < 6; n++ {
		go b.order(n)
	}
	kit.Wait()
}
