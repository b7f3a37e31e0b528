// Package volume is a small store with mistakes.
package volume

import "unsafe"

// A Volume has a size.
type Volume struct {
	Name string
	Spec *Spec
}

// A Spec is what is wanted.
type Spec struct {
	Labels [4]string
	Size   int
}

// A Store holds volumes by name.
type Store struct {
	volumes map[string]*Volume
	order   []string
}

// NewStore is a store with no volume in it.
func NewStore() *Store { return &Store{volumes: map[string]*Volume{}} }

// Desired is the size that a volume should have. It does not look whether there is one.
//
//go:noinline
func (s *Store) Desired(name string) int {
	return s.volumes[name].desired()
}

//go:noinline
func (v *Volume) desired() int { return v.Spec.Size }

// Put writes without asking whether the map was made.
//
//go:noinline
func (s *Store) Put(name string) { s.volumes[name] = &Volume{Name: name} }

// At is the nth name.
//
//go:noinline
func (s *Store) At(n int) string { return s.order[n] }

// Names are all names.
//
//go:noinline
func (s *Store) Names() []string { return s.order }

// Head is the first n bytes.
//
//go:noinline
func Head(b []byte, n int) []byte { return b[:n] }

// ReadAt reads an address.
//
//go:noinline
func ReadAt(addr uintptr) byte { return **(**byte)(unsafe.Pointer(&addr)) }

// Hooks are called at events.
type Hooks struct {
	attach func(string)
}

// Run calls the hook, whether there is one or not.
//
//go:noinline
func (h *Hooks) Run(event string) { h.attach(event) }

// An AttachError says which volume could not be attached.
type AttachError struct {
	Volume string
	Code   int
}

func (e *AttachError) Error() string { return "volume " + e.Volume + " cannot be attached" }

// Attach always fails.
func Attach(name string) error { return &AttachError{Volume: name, Code: 16} }
