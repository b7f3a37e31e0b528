// Command heartbeat sends heartbeats; the interval is a tenth of nine in whole seconds, which is none, and
// the loop waits for time.After(0).
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/first/heartbeat/beat"
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
	var nodes nodesBook
	go nodes.keep(ctx)
	mux.HandleFunc("/nodes", nodes.list)
	leases := make(chan string, 16)
	for range 3 {
		go handleLeases(ctx, leases)
	}
	go countLeases(leases)
	mux.HandleFunc("/leases", func(_ http.ResponseWriter, r *http.Request) { leases <- r.FormValue("name") })
	mux.HandleFunc("/peers", watchPeers)
	for range 3 {
		go followPeers(ctx, base+"/peers")
	}

	sender := beat.New(9, 10)
	go sender.Run(ctx)
	mux.HandleFunc("/beats", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, sender.Beats()) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
