package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
)

// Sure reports whether all that is done with a lock is to be seen in the package: nothing else has it, also by another
// name, and it is released only in functions that have taken it, so that no goroutine releases what another one has
// taken.
func (p *Package) Sure(lock Path) bool {
	v, sure := lock.Last(), false
	p.inCalls(func(c *calls) {
		o := c.objects[v]
		sure = v != nil && !c.foreign && !c.p.index.unknown[v.Name()] && (!v.Exported() || p.Types.Name() == "main") &&
			(o == nil || !o.isOpen(OpWait) && len(o.vars) == 1) && (v.IsField() || isGlobal(v) || !c.isParam(v))
	})
	return sure && p.inLocks(func(l *locks) { sure = !l.lent[v] && !l.lent[nil] }) && sure
}

// LeftLocked are the returns of the package's functions that leave a lock taken while other ways release it.
func (p *Package) LeftLocked(lock Path) (all []Left) {
	p.inLocks(func(l *locks) {
		for _, f := range l.left {
			if f.Lock.Last() == lock.Last() {
				all = append(all, f)
			}
		}
	})
	return all
}

// Locks are those that the frame at s has, or may have, where it calls callee, in the order of the code; ok is false
// where the line doesn't show that call, or the call may be deferred, so that others have run before it.
func (s *Site) Locks(callee string) (held []Hold, ok bool) {
	s.inLocks(func(l *locks) {
		key := setKey{s, callee}
		if known, looked := l.sets[key]; looked {
			held, ok = known, known != nil
			return
		}
		defer func() { l.sets[key] = held }()
		f := l.flowOf(s.Fn, 0)
		here := s.calls(callee)
		if f.graph == nil || len(here) == 0 {
			return
		}
		var at *state
		f.each(func(n ast.Node, st *state) {
			switch {
			case !slices.Contains(here, n):
			case at == nil:
				at = st.clone()
			default:
				at.join(st)
			}
		})
		if ok = at != nil; ok {
			held = []Hold{}
			for k, h := range at.held {
				_, h.Later = at.later[k]
				held = append(held, h)
			}
			slices.SortFunc(held, func(a, b Hold) int { return int(a.Pos - b.Pos) })
		}
	})
	return held, ok
}

// Takes reports whether the function at s may have a lock at any place of it.
func (s *Site) Takes(lock Path) (takes bool) {
	ok := s.inLocks(func(l *locks) {
		f := l.flowOf(s.Fn, 0)
		takes = f.graph == nil
		f.each(func(_ ast.Node, st *state) {
			for _, h := range st.held {
				takes = takes || h.Path.Last() == lock.Last() || h.Path.Last() == nil
			}
		})
	})
	return takes || !ok
}

// Need reports whether all operations of a kind are done only with a lock.
func (p *Package) Need(enders []Use, lock Path) bool {
	need := len(enders) > 0
	p.inLocks(func(l *locks) {
		for _, u := range enders {
			found := false
			l.flowOf(u.Fn, 0).each(func(n ast.Node, s *state) {
				if contains(n, u.node) {
					found = slices.ContainsFunc(slices.Collect(maps.Values(s.held)), func(h Hold) bool {
						return h.Must && h.Path.SameFields(lock)
					})
				}
			})
			need = need && found && !u.Deferred
		}
	})
	return need
}

// WaitsFor is the lock whose method, callee, the frame at s calls; ok is false where that isn't one lock for sure.
func (s *Site) WaitsFor(callee string) (p Path, ok bool) {
	found := s.calls(callee)
	for i, n := range found {
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			return Path{}, false
		}
		q, name := s.lockCall(call)
		if name != "Lock" && name != "RLock" || q.Last() == nil || i > 0 && q.key() != p.key() {
			return Path{}, false
		}
		p = q
	}
	return p, len(found) > 0
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
			if _, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
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

// callsValue reports whether a call calls the value of a variable or a field.
func (s *Site) callsValue(call *ast.CallExpr) bool {
	_, ok := s.Info.Uses[calledName(call)].(*types.Var)
	return ok
}

// is reports whether a call is of a function of a name.
func (s *Site) is(call *ast.CallExpr, name symbol.Name) bool {
	id := calledName(call)
	return id != nil && id.Name == name.Func && name.Closure == "" && !s.callsValue(call)
}

// calledName is the last name of what a call calls, nil where that has none.
func calledName(call *ast.CallExpr) *ast.Ident {
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
	return id
}

// Receiver is the receiver of the function at s where that is a pointer; nil otherwise.
func (s *Site) Receiver() types.Object {
	d, ok := s.Fn.(*ast.FuncDecl)
	if !ok || d.Recv == nil || len(d.Recv.List) == 0 || len(d.Recv.List[0].Names) == 0 {
		return nil
	}
	o := s.Info.Defs[d.Recv.List[0].Names[0]]
	if o == nil || !isPointer(o.Type()) {
		return nil
	}
	return o
}

// Given is a path of the function that the frame at s calls, as s names what it gives to that: ok is false for what is
// no parameter, and where the call isn't certain. A variable of a function around a literal is that of the outer frame.
func (s *Site) Given(callee string, inner *Site, p Path) (q Path, ok bool) {
	nodes := s.calls(callee)
	if p.Root == nil || isGlobal(p.Root) || s.Package != inner.Package || len(nodes) != 1 {
		return Path{}, false
	}
	if !within(p.Root, inner.Fn) {
		return p, contains(nodes[0], inner.Fn)
	}
	call, ok := nodes[0].(*ast.CallExpr)
	if !ok || within(p.Root, bodyOf(inner.Fn)) {
		return Path{}, false
	}
	arg, ok := s.argument(p.Root, call, inner.Fn)
	return p.behind(arg), ok && arg.Root != nil
}
