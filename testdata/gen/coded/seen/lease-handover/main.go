// Lease-handover reserves a berth for a ship: who leaves it is not who took it.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type berth struct{ mu sync.Mutex }

// take reserves the berth until leave.
func (b *berth) take(ship string) {
	b.mu.Lock()
	log.Print(ship, " moors")
}

func (b *berth) leave(ship string) {
	log.Print(ship, " sails")
	b.mu.Unlock()
}

func main() {
	kit.Serve()
	b, sailing := &berth{}, make(chan string, 3)
	go harbour(b, sailing)
	for _, ship := range []string{"Ada", "Grace", "Hedy"} {
		go moor(b, sailing, ship)
	}
	kit.Wait()
}

// moor takes the berth and tells the harbour that the ship may sail.
func moor(b *berth, sailing chan<- string, ship string) {
	b.take(ship)
	sailing <- ship
}

func harbour(b *berth, sailing <-chan string) {
	for ship := range sailing {
		time.Sleep(25 * time.Minute)
		b.leave(ship)
	}
}
