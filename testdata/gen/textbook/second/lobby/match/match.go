// Package match is rooms where games are played.
package match

import (
	"context"
	"sync"
	"time"
)

// A Room sends rounds to a referee until it is closed.
type Room struct {
	mu      sync.Mutex
	players int
	rounds  chan int
	score   int
}

func newRoom() *Room {
	r := &Room{rounds: make(chan int)}
	go r.referee()
	return r
}

func (r *Room) referee() {
	for n := range r.rounds {
		r.score += n
	}
}

// Join adds a player.
func (r *Room) Join() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.players++
	r.rounds <- r.players
}

// Leave removes a player, and the last one closes the room.
func (r *Room) Leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.players--; r.players == 0 {
		r.Close()
	}
}

func (r *Room) empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.players == 0
}

// Close ends the room's game.
func (r *Room) Close() { close(r.rounds) }

// A Hall has rooms.
type Hall struct {
	mu    sync.Mutex
	rooms map[string]*Room
}

// NewHall has none.
func NewHall() *Hall { return &Hall{rooms: map[string]*Room{}} }

// Room makes a room at the first call.
func (h *Hall) Room(name string) *Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.rooms[name] == nil {
		h.rooms[name] = newRoom()
	}
	return h.rooms[name]
}

// Names of all rooms.
func (h *Hall) Names() (names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for n := range h.rooms {
		names = append(names, n)
	}
	return names
}

// Sweep removes empty rooms.
func (h *Hall) Sweep(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		h.mu.Lock()
		for n, r := range h.rooms {
			if r.empty() {
				r.Close()
				delete(h.rooms, n)
			}
		}
		h.mu.Unlock()
	}
}
