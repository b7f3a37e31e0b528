// Package roomlist knows who is where.
package roomlist

import (
	"sync"
	"time"
)

// Presence is when each user was seen last.
type Presence struct {
	mu    sync.Mutex
	seen  map[uint32]time.Time
	limit time.Duration
}

// New has seen nobody.
func New() *Presence { return &Presence{seen: make(map[uint32]time.Time), limit: time.Minute} }

// Seen notes a heartbeat.
func (p *Presence) Seen(user uint32, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[user] = at
}

// Limits are what clients have to know.
func (p *Presence) Limits() map[string]string {
	return map[string]string{"offline-after": p.limit.String()}
}
