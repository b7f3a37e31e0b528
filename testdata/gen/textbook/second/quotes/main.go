// Quotes asks three carriers for their price. Best returns after 100 ms, and the carriers that answer later wait to send
// on a channel that nobody reads.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/quotes/broker"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()

	desk := broker.New(
		broker.Carrier{Name: "rail", Takes: 150 * time.Millisecond, Cents: 900},
		broker.Carrier{Name: "road", Takes: 20 * time.Millisecond, Cents: 1200},
		broker.Carrier{Name: "sea", Takes: 800 * time.Millisecond, Cents: 300},
	)
	go desk.Surcharges(ctx)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /best/{kilos}", func(w http.ResponseWriter, r *http.Request) {
		var kilos int
		fmt.Sscan(r.PathValue("kilos"), &kilos)
		q, err := desk.Best(r.Context(), kilos)
		if err != nil {
			http.Error(w, err.Error(), http.StatusGatewayTimeout)
			return
		}
		fmt.Fprintf(w, "%s %d.%02d\n", q.Carrier, q.Cents/100, q.Cents%100)
	})
	srv := &http.Server{Handler: mux, WriteTimeout: 5 * time.Second}
	go srv.Serve(ln)

	senders := make(chan int)
	for range 2 {
		go func() {
			for kilos := range senders {
				if res, err := http.Get(fmt.Sprintf("http://%s/best/%d", ln.Addr(), kilos)); err == nil {
					res.Body.Close()
				}
			}
		}()
	}
	for n := 0; ; n++ {
		select {
		case <-time.After(150 * time.Millisecond):
			senders <- n%40 + 1
		case <-ctx.Done():
			close(senders)
			srv.Shutdown(context.Background())
			return
		}
	}
}
