// Pages lists the lots of an auction page by page and renders pages ahead. A customer whose settings lack a page size
// makes the renderer divide by zero.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net"
	"net/http"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/pages/listing"
)

type settings struct {
	Customer string `json:"customer"`
	PageSize int    `json:"page_size"`
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	lots := listing.New("clock", "lamp", "chair", "vase", "map", "globe", "mirror")
	logins := make(chan settings, 4)
	go ahead(lots, logins)
	go lots.Auction(ctx, 2*time.Second)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var s settings
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		logins <- s
	})}
	go srv.Serve(ln)
	go customers(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// ahead renders all pages of whoever logs in.
func ahead(lots *listing.List, logins <-chan settings) {
	for s := range logins {
		for n := range lots.Pages(s.PageSize) {
			if _, err := lots.Page(n, s.PageSize); err != nil {
				log.Print(s.Customer, ": ", err)
			}
		}
	}
}

func customers(ctx context.Context, url string) {
	bodies := []string{`{"customer": "ann", "page_size": 2}`, `{"customer": "bo", "page_size": 5}`, `{"customer": "cy"}`}
	for n := 0; ctx.Err() == nil; n++ {
		res, err := http.Post(url, "application/json", strings.NewReader(bodies[n%3]))
		if err == nil {
			res.Body.Close()
		}
		time.Sleep(400 * time.Millisecond)
	}
}
