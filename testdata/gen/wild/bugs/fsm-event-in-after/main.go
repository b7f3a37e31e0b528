// Command fsm-event-in-after keeps the states of orders.
//
// https://github.com/looplab/fsm/issues/102
package main

import (
	"context"
	"errors"
	"log"
	"sync/atomic"
	"time"

	"github.com/looplab/fsm"

	"wild/kit"
)

var shipped atomic.Int64

func main() {
	kit.Serve()
	orders := make(chan int)
	for range 3 {
		go work(orders)
	}
	go receive(orders)
	for range time.Tick(10 * time.Second) {
		log.Print(shipped.Load(), " orders shipped")
	}
}

// receive hands out an order each tenth of a second.
func receive(orders chan<- int) {
	for n := range 1 << 30 {
		orders <- n
		time.Sleep(100 * time.Millisecond)
	}
}

// work takes orders through their states.
func work(orders <-chan int) {
	for n := range orders {
		order := fsm.NewFSM("paid", fsm.Events{
			{Name: "note", Src: []string{"paid"}, Dst: "paid"},
			{Name: "ship", Src: []string{"paid"}, Dst: "shipped"},
		}, fsm.Callbacks{"after_note": ship})
		if n%10 == 9 { // the customer has a wish: it is noted, and the order leaves at once
			fire(order, "note")
		} else {
			fire(order, "ship")
		}
		shipped.Add(1)
	}
}

// fire reports an event.
func fire(order *fsm.FSM, event string) {
	err := order.Event(context.Background(), event)
	if !errors.As(err, &fsm.NoTransitionError{}) && err != nil {
		log.Print(err)
	}
}

// ship is called when a wish is noted.
func ship(_ context.Context, e *fsm.Event) { fire(e.FSM, "ship") }
