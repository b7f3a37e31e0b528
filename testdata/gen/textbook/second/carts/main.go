// Carts is a shop's basket service. A goroutine for each basket waits for a timer of thirty minutes; Checkout stops the
// timer, so the goroutine waits for ever.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/carts/basket"
)

type front struct {
	store *basket.Store
	http.ServeMux
}

func newFront(s *basket.Store) *front {
	f := &front{store: s}
	f.HandleFunc("POST /open", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, f.store.Open()) })
	f.HandleFunc("POST /{id}/{item}", f.put)
	f.HandleFunc("POST /{id}/checkout", func(w http.ResponseWriter, r *http.Request) {
		if err := f.store.Checkout(r.PathValue("id")); errors.Is(err, basket.ErrGone) {
			w.WriteHeader(http.StatusGone)
		}
	})
	return f
}

func (f *front) put(w http.ResponseWriter, r *http.Request) {
	if !f.store.Put(r.PathValue("id"), r.PathValue("item")) {
		w.WriteHeader(http.StatusGone)
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	store := basket.NewStore(30 * time.Minute)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: newFront(store)}
	go srv.Serve(ln)
	go report(ctx, store)
	for range 2 {
		go shopper(ctx, "http://"+ln.Addr().String())
	}
	<-ctx.Done()
	srv.Close()
}

func report(ctx context.Context, s *basket.Store) {
	t := time.NewTicker(5 * time.Second)
	for ctx.Err() == nil {
		<-t.C
		log.Print(s.Len(), " baskets are open")
	}
	t.Stop()
}

// shopper buys soap again and again.
func shopper(ctx context.Context, base string) {
	post := func(path string) string {
		res, err := http.Post(base+path, "", nil)
		if err != nil {
			return ""
		}
		defer res.Body.Close()
		id, _ := io.ReadAll(res.Body)
		return string(id)
	}
	for ctx.Err() == nil {
		id := post("/open")
		time.Sleep(100 * time.Millisecond)
		post("/" + id + "/soap")
		time.Sleep(100 * time.Millisecond)
		post("/" + id + "/checkout")
	}
}
