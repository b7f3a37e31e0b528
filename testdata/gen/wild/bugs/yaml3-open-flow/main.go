// Command main is a gateway that reads its routes again whenever an operator sends new ones.
//
// https://github.com/go-yaml/yaml/issues/665
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"gopkg.in/yaml.v3"
	"wild/kit"
)

// A route sends the requests of a path to a backend.
type route struct {
	Path    string `yaml:"path"`
	Backend string `yaml:"backend"`
}

// A table holds the routes in force.
type table struct {
	mu     sync.RWMutex
	routes []route
}

// load reads a list of routes.
func load(data []byte) ([]route, error) {
	var routes []route
	if err := yaml.Unmarshal(data, &routes); err != nil {
		return nil, fmt.Errorf("routes: %w", err)
	}
	return routes, nil
}

// set puts routes in force.
func (t *table) set(routes []route) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.routes = routes
}

// size is the number of routes in force.
func (t *table) size() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.routes)
}

// An update is what an operator sent, and where the outcome goes.
type update struct {
	data []byte
	done chan error
}

// apply takes the updates in their order, so that the last one wins.
func (t *table) apply(updates <-chan update) {
	for u := range updates {
		routes, err := load(u.data)
		if err == nil {
			t.set(routes)
		}
		u.done <- err
	}
}

// receive hands what operators send to apply.
func receive(updates chan<- update) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		u := update{data, make(chan error, 1)}
		updates <- u
		if err := <-u.done; err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	}
}

// operate sends one text after the other, as an operator who is still writing them.
func operate(url string, texts ...string) {
	for _, text := range texts {
		time.Sleep(time.Second)
		answer, err := http.Post(url, "application/yaml", bytes.NewReader([]byte(text)))
		if err != nil {
			log.Print(err)
			return
		}
		answer.Body.Close()
		log.Print("routes: ", answer.Status)
	}
}

func main() {
	kit.Serve()
	var routes table
	updates := make(chan update)
	go routes.apply(updates)

	mux := http.NewServeMux()
	mux.HandleFunc("/routes", receive(updates))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, routes.size()) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go operate("http://"+listener.Addr().String()+"/routes",
		"- path: /\n  backend: 127.0.0.1:9001\n",
		"# all\n- {path: /, backend: 127.0.0.1:9002}\n",
		"#\n-\n{")
	log.Fatal(http.Serve(listener, mux))
}
