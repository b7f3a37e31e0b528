// Command sentry-body-not-closed watches a disk and reports to Sentry when it is nearly full. A local server plays
// Sentry.
//
// https://github.com/getsentry/sentry-go/issues/316
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/getsentry/sentry-go"

	"wild/kit"
)

const (
	looking = 400 * time.Millisecond // between two looks at the disk
	patient = 2 * time.Second        // with Sentry
	idle    = 10 * time.Second       // until the server hangs up
)

var events atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	address, err := serveEvents()
	if err != nil {
		log.Fatal(err)
	}
	err = sentry.Init(sentry.ClientOptions{
		Dsn: fmt.Sprintf("http://public@%s/1", address),
		// The transport of all outgoing requests of this service.
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: (&net.Dialer{Timeout: patient}).DialContext}},
	})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/events", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, events.Load(), "events are reported")
	})
	watchDisk(ctx)
}

// watchDisk looks at the disk from time to time.
func watchDisk(ctx context.Context) {
	ticker := time.NewTicker(looking)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			capture(90 + rand.IntN(10))
		}
	}
}

// capture reports how full the disk is, and waits until the report is on its way.
func capture(percent int) {
	sentry.CaptureMessage(fmt.Sprintf("the disk is full by %d%%", percent))
	if !sentry.Flush(patient) {
		log.Print("sentry is slow")
	}
}

// serveEvents starts a server that takes events as Sentry does, and returns its address.
func serveEvents() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/api/1/store/", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, `{"id":"%032x"}`, events.Add(1))
	})
	go (&http.Server{Handler: mux, IdleTimeout: idle}).Serve(listener)
	return listener.Addr().String(), nil
}
