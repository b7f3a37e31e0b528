// Vouchers gives vouchers of a promotion away. Take reads the pool's state anew each time that its compare-and-swap fails.
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
	"example.com/textbook/second/vouchers-well/promo"
)

// A till takes vouchers for its customers.
type till struct {
	pool   *promo.Pool
	queue  <-chan string
	thanks int
}

func (t *till) run() {
	for customer := range t.queue {
		if t.pool.Take(customer) {
			t.thanks++
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	pool := promo.New(1 << 20)
	go pool.Rounds(ctx, 3*time.Millisecond)
	queue := make(chan string, 8)
	go (&till{pool: pool, queue: queue}).run()

	mux := http.NewServeMux()
	mux.HandleFunc("GET /left", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, pool.Left()) })
	mux.HandleFunc("POST /buy", func(w http.ResponseWriter, r *http.Request) {
		select {
		case queue <- r.FormValue("customer"):
		default:
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux, IdleTimeout: time.Minute}
	go srv.Serve(ln)
	go shop(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

func shop(ctx context.Context, base string) {
	for n := 0; ctx.Err() == nil; n++ {
		if res, err := http.Post(fmt.Sprintf("%s/buy?customer=c%d", base, n), "", nil); err == nil {
			res.Body.Close()
		}
		time.Sleep(10 * time.Millisecond)
	}
}
