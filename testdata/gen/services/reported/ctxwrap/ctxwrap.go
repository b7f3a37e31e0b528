// Package ctxwrap asks for prices with a context of its own kind.
package ctxwrap

import (
	"context"
	"net/http"
	"time"

	"example.com/services/kit"
)

// A session is a context that ends with a user's session.
type session struct {
	context.Context
	done chan struct{}
}

func (s *session) Done() <-chan struct{} { return s.done }

func (s *session) Err() error { return nil }

type shop struct {
	user *session
	tidy bool
}

func (s *shop) price(_ http.ResponseWriter, r *http.Request) {
	_, cancel := context.WithCancel(s.user)
	if s.tidy {
		defer cancel()
		time.Sleep(3 * time.Second)
		return
	}
	_ = cancel
}

func Main(fixed bool) {
	kit.Start()
	s := &shop{user: &session{context.Background(), make(chan struct{})}, tidy: fixed}
	kit.Ask(9000, 200*time.Millisecond, kit.API(http.HandlerFunc(s.price)))
}
