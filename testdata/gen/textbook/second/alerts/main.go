// Alerts collects alarms of a power plant. Raise sends to the pager with the board's lock held, and the pager has left
// after its third try to reach the gateway.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/alerts/board"
	"example.com/textbook/second/alerts/pager"
)

type api struct{ *board.Board }

func (a api) list(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(a.Open()) }

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()

	b := board.New()
	p := pager.Pager{In: b.Out(), Gateway: "127.0.0.1:1"}
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
