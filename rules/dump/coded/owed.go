package coded

import (
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/stackparse"
)

// due is how a call of a stack names the WaitGroup of a wait, where it has to call Done when it returns. Nobody else
// can make up for that.
func (s *view) due(st *stack, i int, w *wait) (p gocode.Path, ok bool) {
	site, n := s.site(st, i), 0
	for _, u := range w.ways[0].Enders {
		if site != nil && u.Fn == site.Fn {
			n, p, ok = n+1, u.Path, u.Due
		}
	}
	return p, ok && n == 1 // with two it may have called one
}

// ownDone is the outer call of a goroutine that waits for a WaitGroup which itself has to call Done when it returns; 0
// for none.
func (s *view) ownDone(w *wait) int {
	if w.wait.Kind != gocode.GroupWait {
		return 0
	}
	at, p := s.origin(w.st, w.at, w.site.Path(w.wait.On[0]))
	for i := w.at + 1; i < len(w.st.calls); i++ {
		if q, ok := s.due(w.st, i, w); ok {
			if from, q := s.origin(w.st, i, q); from == at && p.Same(q) {
				return i
			}
		}
	}
	return 0
}

// owing is the wait of a goroutine that has to call a WaitGroup's Done when it returns, for a lock that only the
// goroutine has which waits for that; nil for none. The lock and the WaitGroup are of one object on both sides.
func (s *view) owing(w *wait) *wait {
	if w.wait.Kind != gocode.GroupWait {
		return nil
	}
	group := w.site.Path(w.wait.On[0])
	for _, o := range s.waits {
		if o.wait != nil || len(o.by) != 1 || o.by[0] != w.st || !s.hasLockOf(w, o, group) {
			continue
		}
		for i := o.at; i < len(o.st.calls); i++ {
			if p, ok := s.due(o.st, i, w); ok && p.SameFields(group) && s.ofOne(o.st, i, p, o.at, o.lock) {
				return o
			}
		}
	}
	return nil
}

// hasLockOf reports whether a goroutine has the lock, for sure, of the object whose WaitGroup it waits for, where
// another one waits for a lock of that field.
func (s *view) hasLockOf(w, o *wait, group gocode.Path) bool {
	for i := w.at; i < len(w.st.calls); i++ {
		site := s.site(w.st, i)
		if site == nil {
			continue
		}
		held, _ := site.Locks(w.st.calls[i].callee)
		if slices.ContainsFunc(held, func(h gocode.Hold) bool {
			return h.Must && !(h.Read && o.st.b.Class == stackparse.ClassRWMutexR) && h.Path.SameFields(o.lock) &&
				s.ofOne(w.st, i, h.Path, w.at, group)
		}) {
			return true
		}
	}
	return false
}

// ofOne reports whether two paths, of two calls of a stack, begin with one object.
func (s *view) ofOne(st *stack, i int, p gocode.Path, k int, q gocode.Path) bool {
	from, a := s.origin(st, i, gocode.Path{Root: p.Root})
	at, b := s.origin(st, k, gocode.Path{Root: q.Root})
	return from == at && a.Same(b)
}
