// Command lathes runs five lathes in a circle with a gauge between each two; a worker takes the left gauge
// and then the right one.
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

	"example.com/textbook/first/lathes/shop"
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
	var drawings drawingsBook
	go drawings.keep(ctx)
	mux.HandleFunc("/drawings", drawings.list)
	orders := openOrders(4)
	mux.HandleFunc("/orders", func(http.ResponseWriter, *http.Request) { orders.inbox <- 1 })
	mux.HandleFunc("/shifts", watchShifts)
	for range 3 {
		go followShifts(ctx, base+"/shifts")
	}

	for _, w := range shop.Open(5) {
		go w.Shift(ctx)
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
