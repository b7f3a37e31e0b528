package room

import "sync"

// Room is locked by who is in it.
type Room struct {
	sync.Mutex
	// Full is called with the lock; it releases it.
	Full func(*Room)
	n    int
}

// Enter enters.
func (r *Room) Enter() {
	r.Lock()
	r.Full(r)
	r.count()
}

func (r *Room) count() {
	r.Lock()
	defer r.Unlock()
	r.n++
}
