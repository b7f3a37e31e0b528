// Renders is a render farm. Its workers take frames from a queue, and goroutines of their own submit reflections to it,
// so the workers go on.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/renders-well/farm"
)

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	f := farm.New(4, 8)
	defer f.Close()
	go f.Gauge(ctx, time.Second)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /done", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, f.Done()) })
	mux.HandleFunc("POST /scenes", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("frames"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for i := range n {
			f.Submit(farm.Frame{No: i, Bounces: 3})
		}
		w.WriteHeader(http.StatusCreated)
	})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
	go srv.Serve(ln)
	go artist(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// artist renders a scene each half second and looks how far it is.
func artist(ctx context.Context, base string) {
	c := &http.Client{Timeout: 10 * time.Second}
	for ctx.Err() == nil {
		if res, err := c.Post(base+"/scenes?frames=10", "", nil); err == nil {
			res.Body.Close()
		}
		if res, err := c.Get(base + "/done"); err == nil {
			res.Body.Close()
		}
		time.Sleep(500 * time.Millisecond)
	}
}
