// Command tramway runs fifty trams on a ring of fifty-four tracks; a tram enters the next track before it
// leaves its own, and some are free.
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

	"example.com/textbook/first/tramway-well/line"
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
	timetables := &timetablesCache{}
	go timetables.refresh(ctx)
	mux.Handle("/timetables", timetables)
	repairs := make(chan string, 16)
	for range 3 {
		go handleRepairs(ctx, repairs)
	}
	go countRepairs(repairs)
	mux.HandleFunc("/repairs", func(_ http.ResponseWriter, r *http.Request) { repairs <- r.FormValue("name") })
	mux.HandleFunc("/departures", watchDepartures)
	for range 3 {
		go followDepartures(ctx, base+"/departures")
	}

	ring := line.NewRing(54)
	for i := range 50 {
		go ring.Place(i).Run(ctx)
	}
	mux.HandleFunc("/ring", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, len(ring)) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
