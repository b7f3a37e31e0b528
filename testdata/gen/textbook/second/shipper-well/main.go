// Shipper sends log lines to a collector. The collector is down, and Run waits longer after each time it is refused.
package main

import (
	"context"
	"expvar"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/shipper-well/ring"
	"example.com/textbook/second/shipper-well/sink"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	lines := ring.New[string](1000)
	ship := &sink.Shipper{Addr: "127.0.0.1:1", Lines: lines}
	go ship.Run(ctx)
	for n := range 3 {
		go tail(ctx, lines, "app-"+strconv.Itoa(n))
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /vars", expvar.Handler())
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) {
		if lines.Len() == 1000 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	srv := &http.Server{Handler: mux}
	go srv.Serve(ln)
	for t := time.NewTicker(5 * time.Second); ; {
		select {
		case <-t.C:
			log.Print(lines.Len(), " lines wait, ", ship.Refused.Load(), " dials refused")
		case <-ctx.Done():
			srv.Close()
			return
		}
	}
}

// tail reads what a container prints.
func tail(ctx context.Context, lines *ring.Ring[string], app string) {
	for n := 0; ctx.Err() == nil; n++ {
		lines.Put(app + " GET /orders/" + strconv.Itoa(n))
		time.Sleep(100 * time.Millisecond)
	}
}
