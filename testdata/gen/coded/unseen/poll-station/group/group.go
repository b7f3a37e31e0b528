// Package group runs functions and waits for all of them.
package group

import "sync"

// A Group is some functions that run side by side, at most two at a time.
type Group struct {
	wg    sync.WaitGroup
	slots chan struct{}
}

// New returns a group.
func New() *Group { return &Group{slots: make(chan struct{}, 2)} }

// Go runs a function when there is room.
func (g *Group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		g.slots <- struct{}{}
		defer func() { <-g.slots }()
		f()
	}()
}

// Wait waits for all functions.
func (g *Group) Wait() { g.wg.Wait() }
