// Package mirror copies repositories.
package mirror

// A Mirror copies, and has a helper for each repository.
type Mirror struct {
	stop    chan struct{}
	helpers []*helper
}

type helper struct {
	stop    chan struct{}
	updates chan string
	seen    int
}

// Start starts eight helpers, and stops the mirror.
func Start() {
	m := &Mirror{stop: make(chan struct{})}
	for i := 0; i < 8; i++ {
		h := &helper{stop: make(chan struct{}), updates: make(chan string)}
		m.helpers = append(m.helpers, h)
		go h.run()
	}
	m.Stop()
}

// Stop stops the mirror: its own channel, not its helpers'.
func (m *Mirror) Stop() {
	close(m.stop)
	m.helpers = nil
}

func (h *helper) run() {
	for {
		select {
		case <-h.updates:
			h.seen++
		case <-h.stop:
			return
		}
	}
}
