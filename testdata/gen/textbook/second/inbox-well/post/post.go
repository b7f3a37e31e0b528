// Package post fetches letters and sorts them.
package post

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"sync"
	"time"
)

// A Letter is text.
type Letter string

// A Poller fetches letters from Server.
type Poller struct {
	Server string
	Every  time.Duration
	Out    chan<- Letter
}

// Run polls until ctx ends.
func (p *Poller) Run(ctx context.Context) error {
	t := time.NewTicker(p.Every)
	defer t.Stop()
	for {
		l, err := p.fetch(ctx)
		if err != nil {
			log.Print("again later: ", err)
		} else {
			p.Out <- l
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			close(p.Out)
			return nil
		}
	}
}

func (p *Poller) fetch(ctx context.Context) (Letter, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Server, nil)
	if err != nil {
		return "", err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("mail server: %s", res.Status)
	}
	text, err := io.ReadAll(res.Body)
	return Letter(text), err
}

// Holes are where letters end up.
type Holes struct {
	mu    sync.Mutex
	count map[int]int
}

// NewHoles are empty.
func NewHoles() *Holes { return &Holes{count: map[int]int{}} }

// Empty empties them every second.
func (h *Holes) Empty(ctx context.Context) {
	for ctx.Err() == nil {
		h.mu.Lock()
		clear(h.count)
		h.mu.Unlock()
		time.Sleep(time.Second)
	}
}

// A Sorter puts letters into holes.
type Sorter struct{ *Holes }

// Sort sorts what comes.
func (s Sorter) Sort(in <-chan Letter) {
	for l := range in {
		s.mu.Lock()
		s.count[len(l)%8]++
		s.mu.Unlock()
	}
}
