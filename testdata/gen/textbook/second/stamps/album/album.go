// Package album holds stamps.
package album

import "time"

// An Album is a collector's.
type Album struct {
	owner string
	since time.Time
	pages map[string]time.Time
	full  bool
}

// An Option changes a new album.
type Option func(*Album)

// Since sets the album's age.
func Since(t time.Time) Option { return func(a *Album) { a.since = t } }

// New is an empty album.
func New(owner string, options ...Option) *Album {
	a := &Album{owner: owner, since: time.Now()}
	for _, o := range options {
		o(a)
	}
	return a
}

// Mark enters a stamp.
func (a *Album) Mark(stamp string, at time.Time) {
	if _, ok := a.pages[stamp]; !ok {
		a.pages[stamp] = at
	}
	a.full = len(a.pages) >= 80
}
