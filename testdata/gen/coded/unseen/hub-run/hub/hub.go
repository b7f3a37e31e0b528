// Package hub has members.
package hub

// A Hub knows its members while it runs.
type Hub struct {
	join    chan int
	members map[int]bool
	joined  chan struct{}
}

// New returns a hub that does not run.
func New() *Hub {
	return &Hub{join: make(chan int), members: map[int]bool{}, joined: make(chan struct{})}
}

// Run serves the hub.
func (h *Hub) Run() {
	for n := range h.join {
		h.members[n] = true
		h.joined <- struct{}{}
	}
}

// Join makes n a member.
func (h *Hub) Join(n int) {
	h.join <- n
	<-h.joined
}
