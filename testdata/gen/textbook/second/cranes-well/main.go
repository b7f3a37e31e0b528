// Cranes serves a container terminal. Three cranes run on a ring of three track sections and take sections in the order
// of their numbers, so one of them always has both.
package main

import (
	"context"
	"expvar"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/cranes-well/quay"
	"example.com/textbook/second/cranes-well/yard"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()

	jobs := make(chan yard.Box)
	terminal := quay.Ring(3)
	for _, c := range terminal {
		go c.Run(ctx, jobs)
	}
	stack := yard.New()
	go stack.Unload(ctx, jobs)
	go stack.Reindex(ctx, 500*time.Millisecond)

	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		log.Fatal(err)
	}
	lifts := expvar.NewMap("lifts")
	go func() {
		for range time.Tick(time.Second) {
			for _, c := range terminal {
				lifts.Add(c.Name, c.Lifts.Swap(0))
			}
		}
	}()
	srv := http.Server{Handler: expvar.Handler(), ReadTimeout: time.Second}
	context.AfterFunc(ctx, func() { srv.Close() })
	log.Print(srv.Serve(ln))
}
