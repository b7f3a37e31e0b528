// Command labels prints labels; the printer asks the queue again at once when it is empty, under a mutex.
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

	"example.com/textbook/first/labels/press"
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
	fonts := &fontsCache{}
	go fonts.refresh(ctx)
	mux.Handle("/fonts", fonts)
	parcels := openParcels(4)
	mux.HandleFunc("/parcels", func(http.ResponseWriter, *http.Request) { parcels.inbox <- 1 })
	mux.HandleFunc("/pickups", watchPickups)
	for range 3 {
		go followPickups(ctx, base+"/pickups")
	}

	queue := &press.Queue{}
	printer := press.NewPrinter(queue)
	go printer.Run(ctx)
	mux.HandleFunc("/label", func(_ http.ResponseWriter, r *http.Request) { queue.Push(r.FormValue("text")) })
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/label?text=fragile")
			time.Sleep(500 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
