// Command sessions keeps the sessions of a site, and ends those that nobody used for five seconds.
//
// Report: https://github.com/muesli/cache2go/issues/43
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

	"github.com/muesli/cache2go"
	"wild/kit"
)

const idle = 5 * time.Second

type session struct {
	user  string
	since time.Time
}

var (
	t     = cache2go.Cache("sessions")
	ended atomic.Int64
)

// login is the traffic: two sessions a second.
func login(ctx context.Context) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case now := <-tick.C:
			t.Add(n, 0, session{user: fmt.Sprint("user", n), since: now})
		case <-ctx.Done():
			return
		}
	}
}

// clean ends idle sessions every two seconds.
func clean(ctx context.Context) {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			sweep()
			log.Printf("%d sessions, %d ended", t.Count(), ended.Load())
		case <-ctx.Done():
			return
		}
	}
}

func handleSession(w http.ResponseWriter, r *http.Request) {
	item, err := t.Value(r.FormValue("id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	fmt.Fprintln(w, item.Data().(session).user)
}

func main() {
	kit.Serve()
	http.HandleFunc("/session", handleSession)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go login(ctx)
	go clean(ctx)
	<-ctx.Done()
}
