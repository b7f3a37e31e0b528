// Command orders sums orders up; for each row of a query it makes one more query, in a pool of three
// connections that three requests have.
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

	"example.com/textbook/first/orders/shop"
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
	var products productsBook
	go products.keep(ctx)
	mux.HandleFunc("/products", products.list)
	carts := make(chan string, 16)
	for range 3 {
		go handleCarts(ctx, carts)
	}
	go countCarts(carts)
	mux.HandleFunc("/carts", func(_ http.ResponseWriter, r *http.Request) { carts <- r.FormValue("name") })
	mux.HandleFunc("/coupons", watchCoupons)
	for range 3 {
		go followCoupons(ctx, base+"/coupons")
	}

	store, err := shop.Open(3)
	if err != nil {
		log.Fatal(err)
	}
	mux.HandleFunc("/total", func(w http.ResponseWriter, _ *http.Request) {
		total, err := store.Total()
		fmt.Fprintln(w, total, err)
	})
	for range 10 {
		go func() {
			for ctx.Err() == nil {
				get(ctx, base+"/total")
			}
		}()
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
