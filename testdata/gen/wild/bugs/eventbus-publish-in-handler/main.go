// Command shop hands its events to those who subscribed to them: a paid order is packed, a packed order is sent.
//
// Report: https://github.com/asaskevich/EventBus/issues/52
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	EventBus "github.com/asaskevich/EventBus"
	"wild/kit"
)

var (
	bus  = EventBus.New()
	sent atomic.Int64
)

// handle packs a paid order.
func handle(order int) {
	log.Printf("order %d is packed", order)
	bus.Publish("packed", order)
}

// send hands a packed order to the carrier.
func send(order int) {
	sent.Add(1)
	log.Printf("order %d is sent", order)
}

// count is called each time the stock was counted.
func count(at time.Time) {
	log.Printf("stock counted at %s", at.Format(time.TimeOnly))
}

// checkout is the customers: one order every two seconds.
func checkout(ctx context.Context) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for order := 1; ; order++ {
		select {
		case <-tick.C:
			bus.Publish("paid", order)
		case <-ctx.Done():
			return
		}
	}
}

// takeStock counts the stock every five seconds.
func takeStock(ctx context.Context) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			bus.Publish("counted", now)
		case <-ctx.Done():
			return
		}
	}
}

func handleSent(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, sent.Load())
}

func main() {
	kit.Serve()
	http.HandleFunc("/sent", handleSent)
	for _, err := range []error{
		subscribe(),
		bus.Subscribe("packed", send),
		bus.Subscribe("counted", count),
	} {
		if err != nil {
			log.Fatal(err)
		}
	}

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go checkout(ctx)
	go takeStock(ctx)
	<-ctx.Done()
}
