// Package hooks calls what was registered for an event.
package hooks

import "sync"

// A List holds hooks by name.
type List struct {
	mu    sync.Mutex
	hooks map[string]func(event string)
}

// Start registers a hook that removes itself when it has run.
func Start() {
	l := &List{hooks: map[string]func(string){}}
	l.Add("warm-up", func(event string) {
		if event == "started" {
			l.Remove("warm-up")
		}
	})
	go l.Fire("started")
}

// Add adds a hook.
func (l *List) Add(name string, hook func(event string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hooks[name] = hook
}

// Remove takes a hook out.
func (l *List) Remove(name string) {
	l.mu.Lock()
	delete(l.hooks, name)
	l.mu.Unlock()
}

// Fire calls all hooks.
func (l *List) Fire(event string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, hook := range l.hooks {
		hook(event)
	}
}
