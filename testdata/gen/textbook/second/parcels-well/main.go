// Parcels is a parcel station. Claim holds the shelf's lock while a slow door opens, and unlocks it on every path.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/parcels-well/depot"
)

type station struct {
	shelf *depot.Shelf
	beeps chan string
}

func (s *station) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	box := r.PathValue("box")
	switch err := s.shelf.Claim(box, r.FormValue("code")); {
	case errors.Is(err, depot.ErrCode):
		http.Error(w, err.Error(), http.StatusForbidden)
	case err != nil:
		http.Error(w, err.Error(), http.StatusNotFound)
	default:
		s.beeps <- box
		fmt.Fprintln(w, "open", box)
	}
}

// speaker beeps.
func (s *station) speaker() {
	for range s.beeps {
		time.Sleep(5 * time.Millisecond)
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s := &station{shelf: depot.NewShelf(40), beeps: make(chan string, 2)}
	go s.speaker()
	go s.speaker()
	mux := http.NewServeMux()
	mux.Handle("POST /boxes/{box}", s)
	srv := httptest.NewServer(mux) // behind the station's own front
	defer srv.Close()
	go drivers(s.shelf)
	for i := range 8 {
		go customer(srv.URL, i)
	}
	<-ctx.Done()
}

// drivers fill the shelf once a second.
func drivers(shelf *depot.Shelf) {
	for range time.Tick(time.Second) {
		log.Print(shelf.Refill(), " parcels came")
	}
}

// customer opens boxes. One of fifty mistypes the code.
func customer(base string, id int) {
	client := &http.Client{Timeout: 5 * time.Second}
	for n := id; ; n++ {
		code := "1234"
		if n%50 == 49 {
			code = "1243"
		}
		res, err := client.Post(fmt.Sprintf("%s/boxes/%d?code=%s", base, n%40, code), "text/plain", nil)
		if err == nil {
			res.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}
