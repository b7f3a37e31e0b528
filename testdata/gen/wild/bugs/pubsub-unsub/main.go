// Command pubsub-unsub sends prices to browsers, which come and go.
//
// https://github.com/cskr/pubsub/issues/6
package main

import (
	"time"

	"github.com/cskr/pubsub"

	"wild/kit"
)

func main() {
	kit.Serve()
	ps := pubsub.New(1)
	for range 2 {
		go publish(ps)
	}
	for range time.Tick(250 * time.Millisecond) {
		go browser(ps)
	}
}

// publish sends prices.
func publish(ps *pubsub.PubSub) {
	for n := 0; ; n++ {
		ps.Pub(n, "prices")
		time.Sleep(10 * time.Millisecond)
	}
}

// browser shows prices for a while.
func browser(ps *pubsub.PubSub) {
	prices := ps.Sub("prices")
	for range 20 {
		<-prices
	}
	leave(ps, prices)
}
