// Relay streams scores to followers. When its settings change, it shuts its server down and starts the next one; the game
// ends after another two seconds, and followers leave with it.
package main

import (
	"bufio"
	"context"
	"log"
	"net"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/relay-well/stream"
)

type app struct {
	addr atomic.Pointer[string]
	gen  int
}

type generation struct {
	*http.Server
	hub *stream.Hub
}

func (a *app) open() (*generation, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a.gen++
	g := &generation{hub: stream.NewHub(a.gen), Server: new(http.Server)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /scores", g.hub.Follow)
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("relay 2.1\n")) })
	g.Handler = mux
	go g.Serve(ln)
	go g.hub.Play(200 * time.Millisecond)
	s := ln.Addr().String()
	a.addr.Store(&s)
	return g, nil
}

// drain waits for the requests of a generation.
func (a *app) drain(g *generation) error {
	time.AfterFunc(2*time.Second, g.hub.Close)
	return g.Shutdown(context.Background())
}

func (a *app) run(ctx context.Context, reload <-chan time.Time) error {
	for {
		g, err := a.open()
		if err != nil {
			return err
		}
		select {
		case <-reload:
		case <-ctx.Done():
			return g.Close()
		}
		log.Print("settings have changed")
		if err := a.drain(g); err != nil {
			return err
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	a := new(app)
	for range 5 {
		go a.fan(ctx)
	}
	if err := a.run(ctx, time.Tick(2*time.Second)); err != nil {
		log.Fatal(err)
	}
}

// fan follows scores.
func (a *app) fan(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		addr := a.addr.Load()
		if addr == nil {
			continue
		}
		res, err := http.Get("http://" + *addr + "/scores")
		if err != nil {
			continue
		}
		goals := 0
		for s := bufio.NewScanner(res.Body); s.Scan(); goals++ {
		}
		res.Body.Close()
	}
}
