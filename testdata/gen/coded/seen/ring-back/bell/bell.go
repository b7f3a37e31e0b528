// Package bell rings later.
package bell

import "time"

// A Bell remembers whom to ring.
type Bell struct{ all []func() }

// New returns a bell that rings after a while.
func New() *Bell {
	b := &Bell{}
	time.AfterFunc(18*time.Minute, b.ringAll)
	return b
}

// Ring has f called when the bell rings.
func (b *Bell) Ring(f func()) { b.all = append(b.all, f) }

func (b *Bell) ringAll() {
	for _, f := range b.all {
		f()
	}
}
