// Package status collects the states of components and tells subscribers.
package status

import "sync"

// A Board has the state of each component.
type Board struct {
	mu      sync.Mutex
	states  map[string]string
	changes chan string
}

// Start lets a component report twice, while a subscriber looks at the board for each change.
func Start() {
	b := &Board{states: map[string]string{}, changes: make(chan string)}
	go b.follow()
	go func() {
		for _, state := range []string{"starting", "ready"} {
			b.Set("etcd", state)
		}
	}()
}

// Set changes a state and announces it.
func (b *Board) Set(component, state string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.states[component] = state
	b.changes <- component
}

// State is the state of a component.
func (b *Board) State(component string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.states[component]
}

func (b *Board) follow() {
	for component := range b.changes {
		if b.State(component) == "gone" {
			return
		}
	}
}
