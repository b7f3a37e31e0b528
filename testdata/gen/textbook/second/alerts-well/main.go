// Alerts collects alarms of a power plant. Raise sends to the pager with the board's lock held; the pager takes its time
// at the gateway, and comes back for the next one.
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/alerts-well/board"
	"example.com/textbook/second/alerts-well/pager"
)

type api struct{ *board.Board }

func (a api) list(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(a.Open()) }

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	b := board.New()
	gw, err := gateway()
	if err != nil {
		log.Panic(err)
	}
	p := pager.Pager{In: b.Out(), Gateway: gw}
	go func() { log.Print("pager: ", p.Run(ctx)) }()
	for _, unit := range []string{"turbine", "boiler", "pump"} {
		go sensor(ctx, b, unit)
	}
	go b.Forget(ctx, time.Second)

	mux := http.NewServeMux()
	mux.HandleFunc("/alerts", api{b}.list)
	mux.HandleFunc("/healthz", func(http.ResponseWriter, *http.Request) {})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Panic(err)
	}
	srv := &http.Server{Handler: mux}
	go srv.Serve(ln)
	go probe(ctx, "http://"+ln.Addr().String()+"/healthz")
	<-ctx.Done()
	srv.Close()
}

// gateway reads what it is told.
func gateway() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() {
		for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
			io.Copy(io.Discard, conn)
			conn.Close()
		}
	}()
	return ln.Addr().String(), nil
}

// sensor raises an alarm five times a second.
func sensor(ctx context.Context, b *board.Board, unit string) {
	for n := 0; ctx.Err() == nil; n++ {
		b.Raise(board.Alarm{Unit: unit, Level: n % 3, At: time.Now()})
		time.Sleep(200 * time.Millisecond)
	}
}

func probe(ctx context.Context, url string) {
	t := time.NewTicker(2 * time.Second)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if res, err := http.Get(url); err == nil {
				res.Body.Close()
			}
		case <-ctx.Done():
			return
		}
	}
}
