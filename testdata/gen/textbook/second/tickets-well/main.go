// Tickets is the counter of a station. Serve unlocks the till by defer, also for a train that is sold out.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/tickets-well/counter"
)

type hall struct {
	windows []*counter.Window
	queue   chan string
}

// open has a clerk at each window.
func (h *hall) open() {
	for _, w := range h.windows {
		go func() {
			for train := range h.queue {
				if err := w.Serve(train); err != nil && !errors.Is(err, counter.ErrSold) {
					log.Print(err)
				}
			}
		}()
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	till := counter.NewTill(map[string]int{"ICE 71": 5, "RE 4": 400, "S 1": 10000})
	h := &hall{queue: make(chan string, 20)}
	for range 3 {
		h.windows = append(h.windows, till.Window())
	}
	h.open()
	go till.Audit(ctx, 300*time.Millisecond)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case h.queue <- r.FormValue("train"):
		default:
			http.Error(w, "come back later", http.StatusServiceUnavailable)
		}
	})}
	go srv.Serve(ln)
	go crowd(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

func crowd(ctx context.Context, url string) {
	trains := []string{"S+1", "S+1", "RE+4", "ICE+71"}
	for n := 0; ctx.Err() == nil; n++ {
		if res, err := http.Get(url + "?train=" + trains[n%len(trains)]); err == nil {
			res.Body.Close()
		}
		time.Sleep(40 * time.Millisecond)
	}
}
