// Command hashmap-iter-break is a small dispatcher: workers take requests from a queue and send each to a backend of a
// concurrent map, which a prober keeps up to date.
//
// https://github.com/cornelk/hashmap/issues/48
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cornelk/hashmap"

	"wild/kit"
)

const (
	backends = 6
	workers  = 4
	arrival  = 200 * time.Millisecond // between two requests
	probing  = 2 * time.Second        // between two looks at the backends
)

// A backend is one server that answers requests.
type backend struct {
	Address string
	Latency time.Duration
}

var sent atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	registry := hashmap.New(backends * 2)
	probe(registry)
	go prober(ctx, registry)

	queue := make(chan int, workers)
	for range workers {
		go dispatcher(registry, queue)
	}
	http.HandleFunc("/backends", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"backends": registry.Len(), "sent": sent.Load()})
	})

	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for id := 0; ; id++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			queue <- id
		}
	}
}

// prober measures the backends from time to time.
func prober(ctx context.Context, registry *hashmap.HashMap) {
	ticker := time.NewTicker(probing)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			probe(registry)
		}
	}
}

// probe writes what each backend needs for an answer.
func probe(registry *hashmap.HashMap) {
	for i := range backends {
		address := fmt.Sprintf("10.0.0.%d:8080", i+1)
		registry.Set(address, backend{address, rand.N(20 * time.Millisecond)})
	}
}

// dispatcher sends requests to backends.
func dispatcher(registry *hashmap.HashMap, queue <-chan int) {
	for id := range queue {
		b, ok := first(registry)
		if !ok {
			log.Printf("request %d: no backend", id)
			continue
		}
		time.Sleep(b.Latency)
		sent.Add(1)
	}
}
