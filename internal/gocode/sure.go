package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Sure reports whether all that is done with a lock of a field, or a variable, is to be seen in the package: nothing
// else is given its address or its methods, and it is released only in functions that have taken it for sure, so that
// no goroutine releases what another one has taken.
func (p *Package) Sure(last *types.Var) (sure bool) {
	ok := p.inLocks(func(l *lockFacts) { sure = l.sure(last) })
	return ok && sure
}

func (l *lockFacts) sure(last *types.Var) bool {
	if l.unsure == nil {
		l.unsure = map[*types.Var]bool{nil: l.p.broken}
		l.findGiven()
		l.findForeign()
		l.judged = true
	}
	return last != nil && l.judged && !l.unsure[last] && !l.unsure[nil] && !l.namedUnknown(last)
}

// namedUnknown reports whether code may work on a lock of a field by a value whose type isn't known.
func (l *lockFacts) namedUnknown(last *types.Var) bool {
	unknown := l.p.index.unknown
	return last.IsField() && (unknown[last.Name()] || last.Embedded() && (unknown["Unlock"] || unknown["RUnlock"]))
}

// findForeign finds the locks that are released where they may not have been taken: by a deferred literal where the
// function around it defers that, by others in their own code.
func (l *lockFacts) findForeign() {
	started, at := map[ast.Node]bool{}, map[ast.Node]bool{} // literals of go statements, and that run at once or later
	for _, f := range l.p.Files {
		l.releasedByVariables(f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				started[ast.Unparen(n.Call.Fun)] = true
				if p, o := l.p.lockCall(n.Call); o == unlock {
					l.unsure[p.Last()] = true
				}
			case *ast.CallExpr:
				if lit, ok := calledLit(n); ok && !started[lit] {
					at[lit] = true
				}
			}
			return true
		})
	}
	for _, b := range l.lockers() {
		f := l.flowOf(b.fn, 0)
		l.unsure[nil] = l.unsure[nil] || f.failed
		if at[b.fn] {
			continue
		}
		f.each(func(n ast.Node, s *state) {
			for _, p := range l.releasedAt(f, n) {
				if v := p.Last(); v != nil && !s.held[p.key()].Must {
					l.unsure[v] = true
				}
			}
		})
	}
}

// releasedByVariables finds the locks that functions release which are the values of a package's variables.
func (l *lockFacts) releasedByVariables(f *ast.File) {
	for _, d := range f.Decls {
		if _, ok := d.(*ast.GenDecl); !ok {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if p, o := l.p.lockCall(call); o == unlock {
					l.unsure[p.Last()] = true
				}
			}
			return true
		})
	}
}

// releasedAt are the locks that a call releases itself, or a literal that it calls at once.
func (l *lockFacts) releasedAt(f *flow, n ast.Node) (paths []Path) {
	switch n := n.(type) {
	case *ast.DeferStmt:
		if fn := l.declared(n.Call); fn == nil {
			paths, _ = f.releases(n.Call)
		}
	case *ast.CallExpr:
		if p, o := l.p.lockCall(n); o == unlock {
			return []Path{p}
		}
		if lit, ok := calledLit(n); ok {
			for _, r := range l.effectOf(lit, 0).freed {
				paths = append(paths, r.Path)
			}
		}
	}
	return paths
}

// findGiven finds the locks whose address, methods or values leave the expressions that call their methods.
func (l *lockFacts) findGiven() {
	w := &givenWalk{l: l, conds: map[*types.Var]*types.Var{}}
	for _, f := range l.p.Files {
		w.around = nil
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				w.around = w.around[:len(w.around)-1]
				return true
			}
			w.look(n)
			w.around = append(w.around, n)
			return true
		})
	}
	for mutex, cond := range w.conds { // who has the Cond has its lock
		if w.throughL || cond == nil || cond.Exported() || l.unsure[cond] {
			l.unsure[mutex] = true
		}
	}
	if w.lockers {
		for _, v := range w.embedded {
			l.unsure[v] = true
		}
	}
}

// A givenWalk looks for uses of locks that aren't calls of their methods.
type givenWalk struct {
	l        *lockFacts
	around   []ast.Node
	conds    map[*types.Var]*types.Var // the sync.Cond made with a lock, nil where that isn't in one variable
	embedded []*types.Var
	throughL bool // the lock of a Cond is named
	lockers  bool // interfaces with Lock and Unlock are
}

func (w *givenWalk) look(n ast.Node) {
	p := w.l.p
	switch n := n.(type) {
	case *ast.SelectorExpr:
		w.selector(n)
	case *ast.Ident:
		if v, ok := p.Info.Defs[n].(*types.Var); ok {
			w.defined(n, v)
		} else if v, ok := p.Info.Uses[n].(*types.Var); ok && isLock(v.Type()) && !w.isSel(n) {
			w.used(n, v.Origin())
		}
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.CallExpr:
		w.arguments(n)
	case *ast.InterfaceType:
		for _, m := range n.Methods.List {
			for _, id := range m.Names {
				w.lockers = w.lockers || id.Name == "Unlock" || id.Name == "RUnlock"
			}
		}
	}
}

func (w *givenWalk) isSel(id *ast.Ident) bool {
	sel, ok := w.up(0).(*ast.SelectorExpr)
	return ok && sel.Sel == id
}

// up is what is around a node, parentheses aside: 0 is next to it.
func (w *givenWalk) up(n int) ast.Node {
	for i := len(w.around) - 1; i >= 0; i-- {
		if _, ok := w.around[i].(*ast.ParenExpr); ok {
			continue
		}
		if n == 0 {
			return w.around[i]
		}
		n--
	}
	return nil
}

// isLock reports whether a type is that of a lock or a sync.Cond, or points to one.
func isLock(t types.Type) bool {
	name := syncName(t)
	return name == "Mutex" || name == "RWMutex" || name == "Locker" || name == "Cond"
}

func (w *givenWalk) selector(n *ast.SelectorExpr) {
	p := w.l.p
	if o := p.Info.Uses[n.Sel]; o != nil && o.Pkg() != nil && o.Pkg().Path() == "sync" {
		w.lockers = w.lockers || o.Name() == "Locker"
		w.throughL = w.throughL || o.Name() == "L"
	}
	s := p.Info.Selections[n]
	if s == nil {
		return
	}
	switch s.Kind() {
	case types.FieldVal:
		if v := fieldOf(s.Obj()); v != nil && isLock(v.Type()) {
			w.used(n, v)
		}
	case types.MethodExpr:
		if isLock(s.Recv()) {
			w.l.unsure[nil] = true
		}
	default:
		if o := s.Obj(); o.Pkg() != nil && o.Pkg().Path() == "sync" && !w.called(n, 0) {
			w.l.unsure[p.receiver(n).Last()] = true
		}
	}
}

// called reports whether what is around a node, the n-th, calls it, by no go statement.
func (w *givenWalk) called(fun ast.Expr, n int) bool {
	call, ok := w.up(n).(*ast.CallExpr)
	sel, isSel := fun.(*ast.SelectorExpr)
	return ok && ast.Unparen(call.Fun) == fun && isSel && sel.Sel.Name != "RLocker"
}

// used judges a use of a lock, or of a sync.Cond.
func (w *givenWalk) used(n ast.Expr, v *types.Var) {
	switch up := w.up(0).(type) {
	case *ast.SelectorExpr:
		if s := w.l.p.Info.Selections[up]; s != nil && s.Kind() == types.MethodVal && w.called(up, 1) {
			return
		}
	case *ast.UnaryExpr:
		if call, ok := w.up(1).(*ast.CallExpr); ok && up.Op == token.AND && w.isNewCond(call) {
			w.conds[v] = w.target(call)
			return
		}
	case *ast.CallExpr:
		if w.isNewCond(up) { // by a pointer
			w.conds[v] = nil
			return
		}
	case *ast.AssignStmt:
		if value, ok := assignedTo(up, n); ok && w.isNew(value) && isPointer(v.Type()) {
			return
		}
	case *ast.KeyValueExpr:
		if up.Key == n && w.isNew(up.Value) {
			return
		}
	case *ast.BinaryExpr: // compared
		return
	}
	w.l.unsure[v] = true
}

// assignedTo is what an assignment gives to one of its variables.
func assignedTo(a *ast.AssignStmt, to ast.Expr) (ast.Expr, bool) {
	for i, e := range a.Lhs {
		if ast.Unparen(e) == to && len(a.Lhs) == len(a.Rhs) {
			return a.Rhs[i], true
		}
	}
	return nil, false
}

// isNew reports whether an expression makes an object that nobody has yet.
func (w *givenWalk) isNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && w.isNew(e.X)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new" || w.isNewCond(e)
	}
	return false
}

func (w *givenWalk) isNewCond(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := w.l.p.Info.Uses[sel.Sel]
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "sync" && o.Name() == "NewCond"
}

// target is the variable that gets what a call around the node at hand returns.
func (w *givenWalk) target(call *ast.CallExpr) *types.Var {
	for i := len(w.around) - 1; i > 0; i-- {
		if w.around[i] != ast.Node(call) {
			continue
		}
		switch up := w.around[i-1].(type) {
		case *ast.KeyValueExpr:
			if id, ok := up.Key.(*ast.Ident); ok {
				return fieldOf(w.l.p.Info.Uses[id])
			}
		case *ast.AssignStmt:
			if len(up.Lhs) == 1 {
				return w.l.p.path(up.Lhs[0]).Last()
			}
		}
	}
	return nil
}

// defined judges a variable: what a pointer to a lock is set to where it is declared must be new.
func (w *givenWalk) defined(id *ast.Ident, v *types.Var) {
	if v.Embedded() && isLock(v.Type()) {
		w.embedded = append(w.embedded, v)
	}
	if v.IsField() || !isLock(v.Type()) || !isPointer(v.Type()) && syncName(v.Type()) != "Locker" {
		return
	}
	switch up := w.up(0).(type) {
	case *ast.AssignStmt:
		if value, ok := assignedTo(up, id); ok && w.isNew(value) {
			return
		}
	case *ast.ValueSpec:
		if len(up.Values) == 0 || len(up.Names) == 1 && w.isNew(up.Values[0]) {
			return
		}
	}
	w.l.unsure[v] = true
}

// literal judges the fields of a literal without their names.
func (w *givenWalk) literal(n *ast.CompositeLit) {
	tv, ok := w.l.p.Info.Types[n]
	if !ok || len(n.Elts) == 0 {
		return
	}
	s, ok := tv.Type.Underlying().(*types.Struct)
	if _, named := n.Elts[0].(*ast.KeyValueExpr); !ok || named {
		return
	}
	for i := range s.NumFields() {
		if v := s.Field(i).Origin(); isLock(v.Type()) {
			w.l.unsure[v] = true
		}
	}
}

// arguments judges what a call is given: who gets an object with an embedded lock, as anything else than what it is,
// may lock it.
func (w *givenWalk) arguments(call *ast.CallExpr) {
	var sig *types.Signature
	if tv, ok := w.l.p.Info.Types[call.Fun]; ok && tv.Type != nil {
		sig, _ = tv.Type.Underlying().(*types.Signature)
	}
	for i, a := range call.Args {
		tv, ok := w.l.p.Info.Types[a]
		if !ok || tv.Type == nil {
			continue
		}
		if sig != nil && i < sig.Params().Len() && types.Identical(sig.Params().At(i).Type(), tv.Type) {
			continue
		}
		w.giveEmbedded(tv.Type, 0)
	}
}

func (w *givenWalk) giveEmbedded(t types.Type, depth int) {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return
	}
	for i := range s.NumFields() {
		switch v := s.Field(i); {
		case !v.Embedded():
		case isLock(v.Type()):
			w.l.unsure[v.Origin()] = true
		default:
			w.giveEmbedded(v.Type(), depth+1)
		}
	}
}
