// Draft-edit keeps a document locked while somebody edits it: edit returns what gives it back.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type document struct {
	mu    sync.Mutex
	lines []string
}

// edit locks the document and returns what unlocks it.
func (d *document) edit() (done func()) {
	d.mu.Lock()
	return d.mu.Unlock
}

// rename is an edit of its own.
func (d *document) rename(name string) {
	done := d.edit()
	defer done()
	d.lines[0] = name
}

type editor struct {
	done func()
	keys chan string
	idle time.Duration
}

// session ends an edit when no key comes any more.
func (e *editor) session() {
	for {
		select {
		case <-e.keys:
		case <-time.After(e.idle):
			e.done()
			return
		}
	}
}

func main() {
	kit.Serve()
	d := &document{lines: make([]string, 1)}
	e := &editor{done: d.edit(), keys: make(chan string), idle: 205 * time.Second}
	go e.session()
	d.rename("draft")
}
