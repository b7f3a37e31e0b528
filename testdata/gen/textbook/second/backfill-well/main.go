// Backfill copies old orders into a new store. Its workers start again after an error, and main stays in select{} beside
// them.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/backfill-well/pull"
)

// serve answers probes.
func serve() (net.Listener, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(http.ResponseWriter, *http.Request) {})
	go http.Serve(ln, mux)
	return ln, nil
}

// kubelet probes.
func kubelet(addr net.Addr) {
	for range time.Tick(time.Second) {
		if res, err := http.Get("http://" + addr.String() + "/livez"); err == nil {
			res.Body.Close()
		}
	}
}

func main() {
	kit.Start()
	ln, err := serve()
	if err != nil {
		log.Fatal(err)
	}
	go kubelet(ln.Addr())

	src := pull.NewSource(2000)
	dst := pull.NewStore()
	go dst.Compact(context.Background(), 500*time.Millisecond)
	for shard := range 4 {
		w := &pull.Worker{Shard: shard, Of: 4, From: src, To: dst}
		go func() {
			if err := w.Run(context.Background()); err != nil {
				log.Printf("shard %d: %v", w.Shard, err)
			}
		}()
	}
	select {}
}
