// Command tariff quotes freight; a parcel that is heavier than the last zone indexes behind the table.
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

	"example.com/textbook/first/tariff/freight"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	var carriers carriersBook
	go carriers.keep(ctx)
	mux.HandleFunc("/carriers", carriers.list)
	quotes := make(chan string, 16)
	for range 3 {
		go handleQuotes(ctx, quotes)
	}
	go countQuotes(quotes)
	mux.HandleFunc("/quotes", func(_ http.ResponseWriter, r *http.Request) { quotes <- r.FormValue("name") })
	mux.HandleFunc("/labels", watchLabels)
	for range 3 {
		go followLabels(ctx, base+"/labels")
	}

	tariff := freight.Default()
	go func() {
		for kilos := 2; ctx.Err() == nil; kilos += 9 {
			log.Print(kilos, " kg cost ", tariff.Price(kilos%60))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	mux.HandleFunc("/tariff", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, tariff.Price(3)) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
