//go:build !fixed

package main

import (
	"time"

	"github.com/cskr/pubsub"
)

// leave ends a subscription.
func leave(ps *pubsub.PubSub, prices chan interface{}) {
	time.Sleep(50 * time.Millisecond) // says goodbye
	ps.Unsub(prices)
}
