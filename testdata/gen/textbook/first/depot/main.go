// Command depot keeps stock and prices; Reserve locks the stock and then the prices, Reprice the prices and
// then the stock.
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

	"example.com/textbook/first/depot/stock"
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
	suppliers := &suppliersCache{}
	go suppliers.refresh(ctx)
	mux.Handle("/suppliers", suppliers)
	pallets := openPallets(4)
	mux.HandleFunc("/pallets", func(http.ResponseWriter, *http.Request) { pallets.inbox <- 1 })
	mux.HandleFunc("/arrivals", watchArrivals)
	for range 3 {
		go followArrivals(ctx, base+"/arrivals")
	}

	store := stock.New()
	mux.HandleFunc("/reserve", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, store.Reserve(r.FormValue("item"), 1))
	})
	go func() {
		for ctx.Err() == nil {
			store.Reprice(3)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	for range 8 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/reserve?item=bolt")
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
