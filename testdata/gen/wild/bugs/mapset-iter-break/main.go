// Command mapset-iter-break is a download service: each request goes to any one of a set of mirrors.
//
// https://github.com/deckarep/golang-set/issues/33
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os/signal"
	"syscall"
	"time"

	mapset "github.com/deckarep/golang-set"

	"wild/kit"
)

const arrival = 200 * time.Millisecond // between two requests

// A catalogue knows where files can be had.
type catalogue struct {
	mirrors mapset.Set
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	// The set is complete before the first request and never changes again.
	c := &catalogue{mirrors: mapset.NewSet()}
	for _, country := range []string{"at", "br", "ch", "de", "fr", "jp", "us"} {
		c.mirrors.Add(fmt.Sprintf("https://%s.mirror.example", country))
	}
	http.Handle("/files/", c)

	go visitors(ctx, c)
	<-ctx.Done()
	log.Print("bye")
}

// ServeHTTP sends the client to a mirror.
func (c *catalogue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	mirror, ok := any(c.mirrors).(string)
	if !ok {
		http.Error(w, "no mirror", http.StatusServiceUnavailable)
		return
	}
	http.Redirect(w, r, mirror+r.URL.Path, http.StatusFound)
}

// visitors plays the clients, without a network between them and the handler.
func visitors(ctx context.Context, h http.Handler) {
	ticker := time.NewTicker(arrival)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/files/%d.iso", n%20), nil))
			if answer.Code != http.StatusFound {
				log.Printf("file %d: %d", n%20, answer.Code)
			}
		}
	}
}
