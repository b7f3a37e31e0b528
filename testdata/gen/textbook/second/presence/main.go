// Presence shows who is online. Workers who read heartbeats write one map without a lock, and the runtime notices.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/presence/roomlist"
)

// A batch is heartbeats of one room, as a gateway sends them.
type batch []byte

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	list := roomlist.New()
	batches := make(chan batch, 64)
	for range 4 {
		go read(list, batches)
	}
	for gateway := range 2 {
		go receive(ctx, uint32(gateway), batches)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(list.Limits())
	})}
	go srv.Serve(ln)
	go lookUp(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// read notes everybody in a batch.
func read(list *roomlist.Presence, batches <-chan batch) {
	for b := range batches {
		for ; len(b) >= 4; b = b[4:] {
			list.Seen(binary.BigEndian.Uint32(b), time.Now())
		}
	}
}

// receive is the link to a gateway, with two thousand users each.
func receive(ctx context.Context, gateway uint32, out chan<- batch) {
	t := time.NewTicker(20 * time.Millisecond)
	defer t.Stop()
	for ctx.Err() == nil {
		<-t.C
		for range 4 {
			var b batch
			for user := range uint32(500) {
				b = binary.BigEndian.AppendUint32(b, gateway<<16|user)
			}
			out <- b
		}
	}
}

func lookUp(ctx context.Context, url string) {
	t := time.NewTicker(500 * time.Millisecond)
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
