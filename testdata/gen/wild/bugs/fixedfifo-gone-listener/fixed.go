//go:build fixed

package main

import "github.com/enriquebris/goconcurrentqueue"

// next waits for an order.
func next(orders *goconcurrentqueue.FixedFIFO) (interface{}, error) {
	return orders.DequeueOrWaitForNextElement()
}
