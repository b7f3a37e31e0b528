// Command prices asks for the latest price by a gRPC stream, takes one message, and neither drains nor
// cancels the stream.
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

	"example.com/textbook/first/prices/bourse"
	"example.com/textbook/first/prices/pricewatch"
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
	stocks := &stocksCache{}
	go stocks.refresh(ctx)
	mux.Handle("/stocks", stocks)
	alarms := openAlarms(4)
	mux.HandleFunc("/alarms", func(http.ResponseWriter, *http.Request) { alarms.inbox <- 1 })
	mux.HandleFunc("/charts", watchCharts)
	for range 3 {
		go followCharts(ctx, base+"/charts")
	}

	exchange, err := bourse.Serve()
	if err != nil {
		log.Fatal(err)
	}
	desk, err := pricewatch.Dial(exchange)
	if err != nil {
		log.Fatal(err)
	}
	mux.HandleFunc("/price", func(w http.ResponseWriter, _ *http.Request) {
		price, err := desk.Latest(ctx)
		fmt.Fprintln(w, price, err)
	})
	go func() {
		for ctx.Err() == nil {
			get(ctx, base+"/price")
			time.Sleep(250 * time.Millisecond)
		}
	}()

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
