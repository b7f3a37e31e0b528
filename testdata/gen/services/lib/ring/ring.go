// Package ring places keys on members.
package ring

import (
	"sync"
	"time"
)

// A Ring is a list of members; Flat asks it to look members up without the lock that its caller has.
type Ring struct {
	Flat    bool
	mu      sync.RWMutex
	members []string
}

// Join adds a member.
func (r *Ring) Join(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	if r.members = append(r.members, name); len(r.members) > 64 {
		r.members = r.members[:8]
	}
}

// Member is the member of a key.
func (r *Ring) Member(key int) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.at(key)
}

func (r *Ring) at(key int) string {
	if len(r.members) == 0 {
		return ""
	}
	return r.members[key%len(r.members)]
}

// Near are n members for a key.
func (r *Ring) Near(key, n int) (found []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for i := range n {
		time.Sleep(time.Millisecond)
		if r.Flat {
			found = append(found, r.at(key+i))
		} else {
			found = append(found, r.Member(key+i))
		}
	}
	return found
}
