// Order-bus waits for orders that a bus brings.
package main

import (
	"log"

	"coded/kit"
	"coded/unseen/order-bus/bus"
)

type inbox chan string

// put takes a message of the bus.
func (i inbox) put(m string) { i <- m }

func main() {
	kit.Serve()
	b := &bus.Bus{}
	for n := 0; n < 4; n++ {
		serve(b, n)
	}
	b.Run()
}

// serve reads what the bus brings.
func serve(b *bus.Bus, n int) {
	orders := make(inbox)
	b.OnMessage(orders.put)
	go func() {
		for m := range orders {
			log.Print(n, m)
		}
	}()
}
