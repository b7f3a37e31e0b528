// Command flags waits for feature flags; Wait turns on an atomic that the failed loader never sets.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/first/flags/toggle"
	"example.com/textbook/kit"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var tenants tenantsBook
	go tenants.keep(ctx)
	mux.HandleFunc("/tenants", tenants.list)
	rollouts := openRollouts(4)
	mux.HandleFunc("/rollouts", func(http.ResponseWriter, *http.Request) { rollouts.inbox <- 1 })
	mux.HandleFunc("/changes", watchChanges)
	for range 3 {
		go followChanges(ctx, base+"/changes")
	}

	store := toggle.New()
	go store.Load()
	go func() {
		log.Print("dark mode: ", store.Get("dark"))
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
