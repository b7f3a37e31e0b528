// Package hostset keeps the hosts that store files.
package hostset

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

var errFull = errors.New("full")

type Set struct {
	mu    sync.Mutex
	hosts map[string]int
	slow  bool
}

// Import reads a list of hosts.
func (s *Set) Import(n int) error {
	s.mu.Lock()
	if s.slow {
		defer s.mu.Unlock()
		time.Sleep(40 * time.Second)
		return nil
	}
	if n > 100 {
		return errFull
	}
	s.hosts["imported"] += n
	s.mu.Unlock()
	return nil
}

// Find looks a host up.
func (s *Set) Find(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hosts[name]
}

// Add adds a host.
func (s *Set) Add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hosts[name]++
}

func (s *Set) sweep() {
	for range time.Tick(time.Second) {
		s.mu.Lock()
		delete(s.hosts, "old")
		s.mu.Unlock()
	}
}

func Main(fixed bool) {
	kit.Start()
	s := &Set{hosts: map[string]int{}, slow: fixed}
	go s.sweep()
	mux := http.NewServeMux()
	mux.HandleFunc("/find", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, s.Find("a")) })
	mux.HandleFunc("/add", func(w http.ResponseWriter, _ *http.Request) { s.Add("a") })
	url := kit.API(mux)
	go func() {
		time.Sleep(time.Second)
		for {
			s.Import(200)
			time.Sleep(2 * time.Second)
		}
	}()
	for range 9000 {
		go kit.Get(url + "/find")
		time.Sleep(3 * time.Second)
		go kit.Get(url + "/add")
	}
}
