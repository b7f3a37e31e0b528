// Command sse-unsubscribe follows builds: each build has an event stream, which its server ends after 300 ms.
//
// https://github.com/r3labs/sse/pull/178
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"wild/kit"
)

const (
	arrival = 400 * time.Millisecond // between two builds
	length  = 300 * time.Millisecond // of a stream
	steps   = 3                      // of a build, each with an event
)

var followed atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	url, err := serveBuilds()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/followed", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, followed.Load(), "builds were followed")
	})
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			build := fmt.Sprintf("build-%d", n)
			if err := follow(ctx, url, build); err != nil {
				log.Printf("%s: %v", build, err)
				continue
			}
			followed.Add(1)
		}
	}
}

// serveBuilds starts the server of the builds' events and returns its address.
func serveBuilds() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(listener, http.HandlerFunc(events))
	return "http://" + listener.Addr().String(), nil
}

// events sends what happens in one build.
func events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for step := 1; step <= steps; step++ {
		fmt.Fprintf(w, "id: %d\ndata: %s: %d of %d\n\n", step, r.URL.Query().Get("stream"), step, steps)
		if flush.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-time.After(length / steps):
		}
	}
}
