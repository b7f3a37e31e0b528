// Package feed loads pages of a feed before they are asked for.
package feed

import (
	"context"
	"sync/atomic"
)

// A Loader counts the pages that it has loaded.
type Loader struct{ pages atomic.Int64 }

// New has loaded nothing.
func New() *Loader { return &Loader{} }

// Pages is the number of pages.
func (l *Loader) Pages() int64 { return l.pages.Load() }

// Prefetch loads the next page in the background, and keeps it until the context ends.
func (l *Loader) Prefetch(parent context.Context) {
	ctx, cancel := context.WithCancel(parent)
	context.AfterFunc(parent, cancel)
	go l.keep(ctx, make([]byte, 512))
}

func (l *Loader) keep(ctx context.Context, page []byte) {
	l.pages.Add(1)
	<-ctx.Done()
	clear(page)
	l.pages.Add(-1)
}
