// Package lounge keeps sessions of guests, each with a heartbeat.
package lounge

import (
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
)

type Session struct {
	beats  atomic.Int64
	ticker *time.Ticker
}

func Enter() *Session {
	s := &Session{ticker: time.NewTicker(50 * time.Millisecond)}
	go s.heartbeat()
	return s
}

func (s *Session) heartbeat() {
	for range s.ticker.C {
		s.beats.Add(1)
	}
}

func (s *Session) Leave() { s.ticker.Stop() }

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := Enter()
		defer s.Leave()
		time.Sleep(80 * time.Millisecond)
	}))
	kit.Ask(400, 20*time.Millisecond, url)
	kit.Ask(1000, 2*time.Second, url)
}
