// Package store keeps files in memory. Its tests hang on purpose: the driver runs each by name.
package store

import (
	"errors"
	"net"
	"sync"
	"time"
)

var errMissing = errors.New("missing")

// A Dir holds files under a lock.
type Dir struct {
	mu      sync.RWMutex
	files   map[string]string
	onWrite func(name string)
}

// NewDir is a folder with files of these names.
func NewDir(names ...string) *Dir {
	d := &Dir{files: map[string]string{}}
	for _, name := range names {
		d.files[name] = name
	}
	return d
}

// Write writes a file and tells the listener.
func (d *Dir) Write(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[name] = text
	if d.onWrite != nil {
		d.onWrite(name)
	}
}

// Read is a file's text.
func (d *Dir) Read(name string) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.files[name]
}

// Remove removes a file that is there.
func (d *Dir) Remove(name string) error {
	d.mu.Lock()
	if _, ok := d.files[name]; !ok {
		return errMissing // with the lock held
	}
	delete(d.files, name)
	d.mu.Unlock()
	return nil
}

// Move moves a file to another folder.
func (d *Dir) Move(name string, to *Dir) {
	d.mu.Lock()
	defer d.mu.Unlock()
	time.Sleep(30 * time.Millisecond)
	to.Write(name, d.files[name])
	delete(d.files, name)
}

// Sizes is the length of each file.
func (d *Dir) Sizes() map[string]int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	sizes := map[string]int{}
	for name := range d.files {
		time.Sleep(30 * time.Millisecond)
		sizes[name] = len(d.Read(name))
	}
	return sizes
}

// Ensure makes sure that a file is there.
func (d *Dir) Ensure(name string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if _, ok := d.files[name]; !ok {
		d.Write(name, "")
	}
}

// A Remote is a store behind a connection, one request at a time.
type Remote struct {
	mu   sync.Mutex
	conn net.Conn
}

// Fetch reads one byte of the answer.
func (r *Remote) Fetch() (byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b [1]byte
	_, err := r.conn.Read(b[:])
	return b[0], err
}
