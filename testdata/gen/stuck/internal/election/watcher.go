// Package election watches who leads.
package election

import (
	"context"
	"time"
)

// A Session watches under a context of its own.
type Session struct {
	ctx    context.Context
	cancel context.CancelFunc
}

// Start campaigns thirty times.
func Start() {
	for i := 0; i < 30; i++ {
		Campaign()
	}
}

// Campaign watches for a leader for a moment; the watch's context is left alone.
func Campaign() string {
	s := new(Session)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	leaders := make(chan string)
	go s.observe(leaders)
	select {
	case leader := <-leaders:
		s.cancel()
		return leader
	case <-time.After(3 * time.Millisecond):
		return ""
	}
}

// observe tells of a new leader.
func (s *Session) observe(leaders chan<- string) {
	time.Sleep(10 * time.Millisecond)
	select {
	case leaders <- "node-1":
	case <-s.ctx.Done():
	}
}
