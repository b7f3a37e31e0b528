// Command ttlcache-stop-before-start computes reports, on one processor: each report remembers in a cache of its own what
// it has looked up.
//
// https://github.com/jellydator/ttlcache/issues/203
package main

import (
	"context"
	"fmt"
	"net/http"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"wild/kit"
)

const (
	arrival = 200 * time.Millisecond // between two reports
	fresh   = 30 * time.Minute       // for how long a price holds
)

var reports atomic.Int64

func main() {
	// A small container has one processor.
	runtime.GOMAXPROCS(1)
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/reports", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, reports.Load(), "reports are made")
	})
	orders := make(chan []string)
	go reporter(orders)

	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			orders <- []string{"bolt", "nut", "bolt", "washer", "nut"}
		}
	}
}

// reporter makes reports of orders.
func reporter(orders <-chan []string) {
	for parts := range orders {
		if use(parts) > 0 {
			reports.Add(1)
		}
	}
}

// use sums up the prices of parts, with a cache for as long as it takes.
func use(parts []string) (total int) {
	c := ttlcache.New(ttlcache.WithTTL[string, int](fresh))
	go c.Start()
	settle()
	for _, part := range parts {
		item := c.Get(part)
		if item == nil {
			item = c.Set(part, price(part), ttlcache.DefaultTTL)
		}
		total += item.Value()
	}
	c.Stop()
	return total
}

// price plays a price list.
func price(part string) int { return 10 * len(part) }
