// Command hystrix-flush is a gateway: each request goes to an upstream service behind a circuit breaker.
//
// https://github.com/afex/hystrix-go/issues/81
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/afex/hystrix-go/hystrix"

	"wild/kit"
)

const (
	workers  = 3
	arrival  = 300 * time.Millisecond // between two requests
	cleaning = 15 * time.Second
)

var errBusy = errors.New("the upstream service is busy")

// A request is one call that came in.
type request struct {
	id   int
	path string
}

var served, turnedAway atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/served", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, served.Load(), "served,", turnedAway.Load(), "turned away")
	})
	requests := make(chan request, workers)
	for range workers {
		go worker(requests)
	}

	arrivals, cleanings := time.NewTicker(arrival), time.NewTicker(cleaning)
	defer arrivals.Stop()
	defer cleanings.Stop()
	for id := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-cleanings.C:
			clean()
		case <-arrivals.C:
			requests <- request{id, fmt.Sprintf("/users/%d", id)}
			id++
		}
	}
}

// worker serves requests.
func worker(requests <-chan request) {
	for r := range requests {
		if err := do(r); err != nil {
			log.Printf("%s: %v", r.path, err)
		}
	}
}

// do sends a request upstream. It answers by itself when the circuit is open or the service is busy.
func do(r request) error {
	return hystrix.Do(command(r), func() error {
		return upstream(r)
	}, func(error) error {
		turnedAway.Add(1)
		return nil
	})
}

// upstream plays the service.
func upstream(r request) error {
	time.Sleep(20 * time.Millisecond)
	if r.id%50 == 49 {
		return errBusy
	}
	served.Add(1)
	return nil
}
