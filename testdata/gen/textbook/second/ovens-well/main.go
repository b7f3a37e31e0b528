// Ovens bakes what a shop orders. Bake takes weight of a semaphore and gives it back, burnt or not; guests wait in turn.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/ovens-well/bake"
)

// shop is what customers see.
type shop struct {
	*bake.Kitchen
	mu   sync.RWMutex
	menu []string
}

func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	kilos, err := strconv.ParseInt(r.FormValue("kilos"), 10, 64)
	if err != nil || kilos < 1 || kilos > bake.Capacity {
		http.Error(w, "how much?", http.StatusBadRequest)
		return
	}
	if err := s.Bake(kilos); errors.Is(err, bake.ErrBurnt) {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// plan changes the menu.
func (s *shop) plan(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for day := 0; ; day++ {
		s.mu.Lock()
		s.menu = []string{"rye", "spelt", "plait"}[day%3:]
		s.mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s := &shop{Kitchen: bake.NewKitchen()}
	go s.plan(ctx)
	mux := http.NewServeMux()
	mux.HandleFunc("/order", s.order)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go srv.Serve(ln)
	for n := range 12 {
		go guest(ctx, "http://"+ln.Addr().String(), n)
	}
	<-ctx.Done()
	srv.Close()
}

// guest orders again and again.
func guest(ctx context.Context, base string, n int) {
	for ctx.Err() == nil {
		res, err := http.Get(base + "/order?kilos=" + strconv.Itoa(1+n%4))
		if err == nil {
			res.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}
