// Berths moves ships between the berths of a port. Shift locks the berth that a ship leaves and then the one it goes
// to, so two pilots who exchange places wait for each other.
package main

import (
	"context"
	"encoding/json"
	"log"
	"math/rand"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/berths/harbour"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	port := harbour.Open("north", "south", "oil", "grain", "ferry")
	orders := make(chan harbour.Move, 16)
	for range 6 {
		go pilot(ctx, port, orders)
	}
	go traffic(ctx, port, orders)
	go port.Tides(ctx, time.Second)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tide", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(port.Level())
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(ln)
	go captains(ctx, "http://"+ln.Addr().String()+"/tide")
	<-ctx.Done()
	srv.Close()
}

// pilot carries out orders.
func pilot(ctx context.Context, port *harbour.Harbour, orders <-chan harbour.Move) {
	for {
		select {
		case m := <-orders:
			if err := port.Shift(m); err != nil {
				log.Print(err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// traffic gives orders.
func traffic(ctx context.Context, port *harbour.Harbour, orders chan<- harbour.Move) {
	names := port.Names()
	for ctx.Err() == nil {
		i, j := rand.Intn(len(names)), rand.Intn(len(names))
		if i == j {
			continue
		}
		select {
		case orders <- harbour.Move{From: names[i], To: names[j]}:
			time.Sleep(time.Millisecond)
		case <-ctx.Done():
		}
	}
}

// captains ask for the tide and keep their connections.
func captains(ctx context.Context, url string) {
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-tick.C:
			if res, err := http.Get(url); err == nil {
				res.Body.Close()
			}
		case <-ctx.Done():
			return
		}
	}
}
