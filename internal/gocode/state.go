package gocode

import (
	"go/ast"
	"go/token"
	"maps"
)

// A Hold is a lock that a function has at a place, or may have.
type Hold struct {
	Path Path
	Pos  token.Pos // where it was taken
	Must bool      // on all ways
	Read bool      // by RLock, on some way
	// By is the function that took it and returned with it; nil where the function at hand has taken it.
	By *ast.FuncDecl
	// Later reports that the function releases it where it returns.
	Later bool
}

// A state is what is known about locks at a place in a function.
type state struct {
	held  map[pathKey]Hold
	freed map[pathKey]Path // released, and perhaps taken by callers
	later map[pathKey]Path // released where the function returns
}

func newState() *state {
	return &state{map[pathKey]Hold{}, map[pathKey]Path{}, map[pathKey]Path{}}
}

func (s *state) clone() *state {
	return &state{maps.Clone(s.held), maps.Clone(s.freed), maps.Clone(s.later)}
}

// join adds what another way brings, and reports whether that changes anything.
func (s *state) join(o *state) (changed bool) {
	for k, h := range s.held {
		if h.Must && !o.held[k].Must {
			h.Must, changed = false, true
			s.held[k] = h
		}
	}
	for k, h := range o.held {
		if _, ok := s.held[k]; !ok && len(s.held) < maxHeld {
			h.Must, changed = false, true
			s.held[k] = h
		}
	}
	for _, part := range [][2]map[pathKey]Path{{s.freed, o.freed}, {s.later, o.later}} {
		for k, p := range part[1] {
			if _, ok := part[0][k]; !ok && len(part[0]) < maxHeld {
				part[0][k], changed = p, true
			}
		}
	}
	return changed
}

func (s *state) take(h Hold) {
	k := h.Path.key()
	if old, ok := s.held[k]; ok {
		old.Must, old.Read = old.Must || h.Must, old.Read || h.Read
		s.held[k] = old
	} else if len(s.held) < maxHeld {
		s.held[k] = h
	}
}

// release forgets a lock. Another path to the same field may be the same lock.
func (s *state) release(p Path) {
	k := p.key()
	if !s.held[k].Must && len(s.freed) < maxHeld {
		s.freed[k] = p
	}
	delete(s.held, k)
	for k, h := range s.held {
		if p.Last() == nil || h.Path.Last() == p.Last() || h.Path.Last() == nil {
			h.Must = false
			s.held[k] = h
		}
	}
}
