// Package settings: what a once calls needs the once.
package settings

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"aged/kit"
)

type settings struct {
	currency string
	tracing  bool
}

var (
	once    sync.Once
	current settings
)

func get() *settings {
	once.Do(load)
	return &current
}

func load() {
	defer span("load")()
	current = settings{currency: "EUR"}
}

// span begins a span and returns its end.
func span(name string) func() {
	if !get().tracing {
		return func() {}
	}
	begin := time.Now()
	return func() { fmt.Println(name, time.Since(begin)) }
}

// Main serves it.
func Main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/price", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, 12, get().currency) })
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 20*time.Second, "/price")
	go kit.Visit(address, 2*time.Second, "/healthz")
	kit.Wait()
}
