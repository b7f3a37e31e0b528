// Command alarms notifies of incidents; a pager without a constructor has a nil channel, and each Notify
// sends to it for ever.
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

	"example.com/textbook/first/alarms/pager"
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
	var contacts contactsBook
	go contacts.keep(ctx)
	mux.HandleFunc("/contacts", contacts.list)
	incidents := make(chan string, 16)
	for range 3 {
		go handleIncidents(ctx, incidents)
	}
	go countIncidents(incidents)
	mux.HandleFunc("/incidents", func(_ http.ResponseWriter, r *http.Request) { incidents <- r.FormValue("name") })
	mux.HandleFunc("/escalations", watchEscalations)
	for range 3 {
		go followEscalations(ctx, base+"/escalations")
	}

	alarms := &pager.Pager{}
	go alarms.Deliver()
	mux.HandleFunc("/raise", func(_ http.ResponseWriter, r *http.Request) { alarms.Raise(r.FormValue("text")) })
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/raise?text=disk")
			time.Sleep(150 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
