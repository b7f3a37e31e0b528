package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
)

// A LockSet is what is known about locks where a frame calls the next one.
type LockSet struct {
	// Held are the locks that the function has taken, or may have, in the order of the code.
	Held []Hold
	s    *state
}

// Released reports whether the function may have released a lock that its callers have taken.
func (l *LockSet) Released(last *types.Var) bool {
	if l.s.vague || last == nil {
		return true
	}
	for _, r := range l.s.freed {
		if v := r.Path.Last(); v == nil || v == last {
			return true
		}
	}
	return false
}

// ReleasesLater reports whether the function releases a lock of a field where it returns.
func (l *LockSet) ReleasesLater(last *types.Var) bool { return l.s.defers(last) }

// inLocks runs what reads or adds to the facts about a package's locks. What goes wrong in it leaves nothing known.
func (p *Package) inLocks(do func(l *lockFacts)) (ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if p.locks == nil {
		p.locks = newLockFacts(p)
	}
	do(p.locks)
	return true
}

// Locks is what is known about locks where the frame at s calls callee; nil where the line doesn't show that call, or
// the call may be deferred, so that others have run before it.
func (s *Site) Locks(callee string) (set *LockSet) {
	ok := s.inLocks(func(l *lockFacts) {
		key := setKey{s, callee}
		known := false
		if set, known = l.sets[key]; !known {
			l.sets[key] = nil // where it can't be worked out
			set = l.setAt(s, callee)
			l.sets[key] = set
		}
	})
	if !ok {
		return nil
	}
	return set
}

// A setKey is a call whose locks are known.
type setKey struct {
	site   *Site
	callee string
}

func (l *lockFacts) setAt(s *Site, callee string) *LockSet {
	var at *state
	here := map[ast.Node]bool{}
	for _, n := range s.calls(callee) {
		here[n] = true
	}
	if len(here) == 0 {
		return nil
	}
	l.flowOf(s.Fn, 0).each(func(n ast.Node, st *state) {
		switch {
		case !here[n]:
		case at == nil:
			at = st.clone()
		default:
			at.join(st)
		}
	})
	if at == nil {
		return nil
	}
	set := &LockSet{s: at}
	for _, h := range at.held {
		if at.vague {
			h.Must = false
		}
		set.Held = append(set.Held, h)
	}
	slices.SortFunc(set.Held, func(a, b Hold) int { return int(a.Pos - b.Pos) })
	return set
}

// calls are the nodes of the function at s, without those of functions in it, that may be the call of callee on the
// line: by its name, otherwise of a value, as a closure and a callback are called. There are none where the call may be
// a deferred one.
func (s *Site) calls(callee string) (found []ast.Node) {
	body := bodyOf(s.Fn)
	if body == nil {
		return nil
	}
	name := symbol.ParseName(callee)
	var values []ast.Node
	deferred := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			deferred = deferred || s.is(n.Call, name) || name.Closure != "" && s.callsAny(n.Call)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && s.onLine(n.Pos(), n.End()) &&
				(callee == "runtime.chanrecv1" || callee == "runtime.chanrecv2") {
				found = append(found, n)
			}
		case *ast.SendStmt:
			if callee == "runtime.chansend1" && s.onLine(n.Pos(), n.End()) {
				found = append(found, n)
			}
		case *ast.CallExpr:
			from := n.Pos()
			if _, ok := calledLit(n); ok {
				from = n.Lparen // where the runtime sees it
			}
			switch {
			case !s.onLine(from, n.Lparen):
			case s.is(n, name):
				found = append(found, n)
			case s.callsAny(n):
				values = append(values, n)
			}
		}
		return true
	})
	switch {
	case deferred:
		return nil
	case len(found) == 0 && name.Func != "" && name.Package != "runtime":
		return values
	}
	return found
}

func (s *Site) onLine(from, to token.Pos) bool {
	return s.Package.Line(from) <= s.Line && s.Line <= s.Package.Line(to)
}

// callsAny reports whether a call calls a function literal, or a value: any function.
func (s *Site) callsAny(call *ast.CallExpr) bool {
	switch ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit, *ast.CallExpr:
		return true
	}
	return s.callsValue(call)
}

// is reports whether a call is of a function of a name.
func (s *Site) is(call *ast.CallExpr, name symbol.Name) bool {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	id, _ := fun.(*ast.Ident)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	return id != nil && id.Name == name.Func && name.Closure == "" && !s.callsValue(call)
}

// WaitsFor is the lock whose method, callee, the frame at s calls; ok is false where that isn't one lock for sure.
func (s *Site) WaitsFor(callee string) (p Path, ok bool) {
	found := s.calls(callee)
	for i, n := range found {
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			return Path{}, false
		}
		q, o := s.lockCall(call)
		if o != lock && o != rlock || q.Last() == nil || i > 0 && q.key() != p.key() {
			return Path{}, false
		}
		p = q
	}
	return p, len(found) > 0
}

// MayRelease reports whether a function releases a lock of a field anywhere that its callers may have taken.
func (p *Package) MayRelease(fn ast.Node, last *types.Var) (may bool) {
	ok := p.inLocks(func(l *lockFacts) {
		f := l.flowOf(fn, 0)
		may = f.failed
		f.each(func(_ ast.Node, s *state) { may = may || (&LockSet{s: s}).Released(last) })
		e := l.effectOf(fn, 0)
		may = may || e.vague
		for _, r := range e.freed {
			may = may || r.Path.Last() == nil || r.Path.Last() == last
		}
	})
	return may || !ok
}

// Receiver is the receiver of the function at s, where that is a pointer that is never set; nil otherwise.
func (s *Site) Receiver() types.Object {
	decl := s.Decl
	if s.Fn != ast.Node(decl) || decl.Recv == nil || len(decl.Recv.List) == 0 || len(decl.Recv.List[0].Names) == 0 {
		return nil
	}
	o := s.Info.Defs[decl.Recv.List[0].Names[0]]
	if o == nil || !s.setOnce(o, decl) {
		return nil
	}
	if _, ok := o.Type().Underlying().(*types.Pointer); !ok {
		return nil
	}
	return o
}

// Keeps reports whether a path leads to the same object each time.
func (s *Site) Keeps(p Path) bool { return s.steady(p) }
