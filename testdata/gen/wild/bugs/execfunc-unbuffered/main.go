// Command execfunc-unbuffered enriches requests with the country of their address. The database of countries takes a
// while to answer; a lookup that takes too long is left out.
//
// https://github.com/projectdiscovery/utils/pull/761
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

	contextutil "github.com/projectdiscovery/utils/context"

	"wild/kit"
)

const (
	workers = 2
	arrival = 200 * time.Millisecond // between two requests
	reading = 20 * time.Millisecond  // of the database
)

var enriched, plain atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/requests", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, enriched.Load(), "enriched,", plain.Load(), "plain")
	})
	addresses := make(chan string, workers)
	for range workers {
		go enricher(ctx, addresses)
	}
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			addresses <- fmt.Sprintf("192.0.2.%d", n%256)
		}
	}
}

// enricher looks up where requests come from.
func enricher(ctx context.Context, addresses <-chan string) {
	for address := range addresses {
		_, err := lookup(ctx, address)
		switch {
		case err == nil:
			enriched.Add(1)
		case errors.Is(err, context.DeadlineExceeded):
			plain.Add(1)
		default:
			log.Printf("%s: %v", address, err)
		}
	}
}

// lookup returns the country of an address.
func lookup(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return contextutil.ExecFuncWithTwoReturns(ctx, func() (string, error) {
		return country(address)
	})
}

// country plays the database.
func country(address string) (string, error) {
	time.Sleep(reading)
	if address == "" {
		return "", errors.New("no address")
	}
	return "NZ", nil
}
