// Command printqueue prints documents; Put adds one to the spool without a Signal, and those who wait for
// their pages and the printers wait for each other.
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

	"example.com/textbook/first/printqueue/spool"
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
	printers := &printersCache{}
	go printers.refresh(ctx)
	mux.Handle("/printers", printers)
	trays := openTrays(4)
	mux.HandleFunc("/trays", func(http.ResponseWriter, *http.Request) { trays.inbox <- 1 })
	mux.HandleFunc("/alerts", watchAlerts)
	for range 3 {
		go followAlerts(ctx, base+"/alerts")
	}

	documents := spool.New()
	for range 3 {
		go documents.Print()
	}
	mux.HandleFunc("/print", func(w http.ResponseWriter, r *http.Request) {
		documents.Put(r.FormValue("name"))
		fmt.Fprintln(w, documents.Wait(r.FormValue("name")))
	})
	for i := range 5 {
		go func() {
			for n := i; ctx.Err() == nil; n += 10 {
				get(ctx, fmt.Sprint(base, "/print?name=doc", n))
				time.Sleep(2 * time.Second)
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
