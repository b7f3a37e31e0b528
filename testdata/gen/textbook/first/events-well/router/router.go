// Package router brings events to those that handle them.
package router

import (
	"sync/atomic"
)

// An Order was placed.
type Order struct{ Number, Items int }

// A Cancellation takes an order back.
type Cancellation struct{ Number int }

// A Router has a handler for each kind of event.
type Router struct {
	handlers map[string]func(event any)
	items    atomic.Int64
}

// New is a router for orders.
func New() *Router {
	r := &Router{}
	r.handlers = map[string]func(any){"order": r.ordered}
	return r
}

// Items is the number of items ordered so far.
func (r *Router) Items() int64 { return r.items.Load() }

// Dispatch brings an event to its handler.
func (r *Router) Dispatch(kind string, event any) {
	if handle, ok := r.handlers[kind]; ok {
		handle(event)
	}
}

func (r *Router) ordered(event any) {
	if order, ok := event.(Order); ok {
		r.items.Add(int64(order.Items))
	}
}
