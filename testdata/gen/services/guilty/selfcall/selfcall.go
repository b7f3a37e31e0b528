// Package selfcall merges settings of several regions, which it asks by their public address.
package selfcall

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Settings struct {
	mu     sync.Mutex
	peers  []string
	client *http.Client
	value  string
}

func (s *Settings) merge(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.peers {
		s.value = s.fetch(p)
	}
	fmt.Fprintln(w, s.value)
}

func (s *Settings) fetch(url string) string {
	answer, err := s.client.Get(url)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	return string(body)
}

func (s *Settings) show(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(w, s.value)
}

func Main() {
	kit.Start()
	s := &Settings{client: &http.Client{}}
	mux := http.NewServeMux()
	mux.HandleFunc("/merge", s.merge)
	mux.HandleFunc("/show", s.show)
	url := kit.API(mux)
	kit.Ask(20, 20*time.Millisecond, url+"/show")
	s.peers = append(s.peers, url+"/show")
	go kit.Get(url + "/merge")
	time.Sleep(time.Second)
	kit.Ask(18, 40*time.Millisecond, url+"/show")
	kit.Wait()
}
