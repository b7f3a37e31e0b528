// Package volumes attaches volumes to a machine.
package volumes

import (
	"sync"
	"time"
)

// A Listener hears of attached volumes.
type Listener interface {
	Attached(id string)
}

type base struct {
	sync.Mutex
	attached map[string]bool
}

// A Table knows which volumes are attached, and is told of them as other listeners are.
type Table struct {
	base
	listeners []Listener
	seen      int
}

// Start attaches a volume; 6 more are to come.
func Start() {
	t := &Table{base: base{attached: map[string]bool{}}}
	t.listeners = append(t.listeners, t)
	for i := 0; i < 7; i++ {
		go t.reconcile(string(rune('a' + i)))
	}
}

func (t *Table) reconcile(id string) {
	for !t.Attach(id) {
		time.Sleep(time.Millisecond)
	}
}

// Attach attaches a volume.
func (t *Table) Attach(id string) bool {
	t.Lock()
	defer t.Unlock()
	t.attached[id] = true
	for _, l := range t.listeners {
		l.Attached(id)
	}
	return true
}

// Attached counts what was attached.
func (t *Table) Attached(id string) {
	t.Lock()
	t.seen++
	t.Unlock()
}
