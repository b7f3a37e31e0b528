//go:build !fixed

package main

import (
	"context"
	"time"

	"github.com/enriquebris/goconcurrentqueue"
)

// next waits for an order, but not for long.
func next(orders *goconcurrentqueue.FixedFIFO) (interface{}, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	return orders.DequeueOrWaitForNextElementContext(ctx)
}
