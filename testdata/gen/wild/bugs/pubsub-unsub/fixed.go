//go:build fixed

package main

import "github.com/cskr/pubsub"

// leave ends a subscription and reads to its end.
func leave(ps *pubsub.PubSub, prices chan interface{}) {
	go ps.Unsub(prices)
	for range prices {
	}
}
