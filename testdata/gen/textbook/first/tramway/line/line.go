// Package line is a ring of tracks with trams on it.
package line

import (
	"context"
	"sync"
	"time"
)

// A Track has room for one tram.
type Track struct{ mu sync.Mutex }

func (t *Track) enter() { t.mu.Lock() }
func (t *Track) leave() { t.mu.Unlock() }

// A Ring is a line without an end.
type Ring []*Track

// NewRing is a ring of n tracks.
func NewRing(n int) Ring {
	r := make(Ring, n)
	for i := range r {
		r[i] = &Track{}
	}
	return r
}

// A Tram is on one track of its ring.
type Tram struct {
	ring Ring
	at   int
}

// Place puts a tram on a track that is free.
func (r Ring) Place(at int) *Tram {
	r[at].enter()
	return &Tram{ring: r, at: at}
}

// Run drives until the day ends.
func (t *Tram) Run(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(200 * time.Millisecond)
		t.Advance()
	}
}

// Advance drives to the next track.
func (t *Tram) Advance() {
	next := (t.at + 1) % len(t.ring)
	t.ring[next].enter()
	t.ring[t.at].leave()
	t.at = next
}
