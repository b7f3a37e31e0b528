// Command events routes events to handlers; a cancellation reaches the handler of orders, which asserts the
// type of an order.
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

	"example.com/textbook/first/events/router"
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
	topics := &topicsCache{}
	go topics.refresh(ctx)
	mux.Handle("/topics", topics)
	orders := openOrders(4)
	mux.HandleFunc("/orders", func(http.ResponseWriter, *http.Request) { orders.inbox <- 1 })
	mux.HandleFunc("/audits", watchAudits)
	for range 3 {
		go followAudits(ctx, base+"/audits")
	}

	events := router.New()
	go func() {
		for n := 1; ctx.Err() == nil; n++ {
			time.Sleep(250 * time.Millisecond)
			if n%4 == 0 {
				events.Dispatch("order", router.Cancellation{Number: n})
				continue
			}
			events.Dispatch("order", router.Order{Number: n, Items: n % 3})
		}
	}()
	mux.HandleFunc("/items", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, events.Items()) })

	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	<-ctx.Done()
	server.Close()
}
