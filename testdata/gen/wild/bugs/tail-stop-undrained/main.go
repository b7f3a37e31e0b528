// Command shipper sends the lines of a log file to a collector, and stops following the file on request.
//
// Report: https://github.com/hpcloud/tail/issues/93
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hpcloud/tail"
	"wild/kit"
)

const (
	path      = "access.log"
	collector = "127.0.0.1:9" // nobody listens there
)

var shipped, probes atomic.Int64

// stop ends the following of a file that another shipper takes over.
func stop(t *tail.Tail) {
	time.Sleep(200 * time.Millisecond)
	if err := t.Stop(); err != nil {
		log.Printf("%s: %v", t.Filename, err)
	}
	log.Printf("%s is not followed any more", t.Filename)
}

// probe counts the seconds for the status page.
func probe(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			probes.Add(1)
		case <-ctx.Done():
			return
		}
	}
}

func handleStatus(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%d lines in %d s\n", shipped.Load(), probes.Load())
}

func main() {
	kit.Serve()
	if err := os.WriteFile(path, []byte("GET /index.html 200\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	t, err := tail.TailFile(path, tail.Config{Follow: true, Logger: tail.DiscardingLogger})
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/status", handleStatus)

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go ship(t)
	go probe(ctx)
	go stop(t)
	<-ctx.Done()
}
