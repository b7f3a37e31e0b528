// Command fxrates converts money; Rate asks an upstream that takes 100 ms, and the thirty requests queue for
// it.
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

	"example.com/textbook/first/fxrates-well/exchange"
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
	currencies := &currenciesCache{}
	go currencies.refresh(ctx)
	mux.Handle("/currencies", currencies)
	trades := openTrades(4)
	mux.HandleFunc("/trades", func(http.ResponseWriter, *http.Request) { trades.inbox <- 1 })
	mux.HandleFunc("/news", watchNews)
	for range 3 {
		go followNews(ctx, base+"/news")
	}

	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(upstream, http.HandlerFunc(quote))
	rates := exchange.New("http://" + upstream.Addr().String())
	mux.HandleFunc("/convert", func(w http.ResponseWriter, r *http.Request) {
		rate, err := rates.Rate(r.FormValue("to"))
		fmt.Fprintln(w, rate, err)
	})
	for i := range 31 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, fmt.Sprint(base, "/convert?to=", i))
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}

// quote is an exchange that takes its time.
func quote(w http.ResponseWriter, _ *http.Request) {
	time.Sleep(100 * time.Millisecond)
	fmt.Fprintln(w, 1.08)
}
