package gocode

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// Outer is how code outside of its package may end a wait for the field of an object, where that is known: the object
// is another package's alone.
type Outer struct {
	Site *Site // in that package
	// Ends are its calls of the functions that anybody may begin, and what leads there; Own is the same of the object's
	// package, with its calls through interfaces.
	Ends, Own *Endings
}

// maxOpenRounds bounds how often functions that anybody may begin lead to others.
const maxOpenRounds = 4

// Outer returns who may begin the open functions of e for the object of a path, which the at-th call of the stack
// names: the package main, where it makes the object and hands it to no package but the object's own, whose import path
// is given. It is nil where others may.
func (st Stack) Outer(at int, p Path, e *Endings, path string) *Outer {
	own := st[at].Site
	if e.Others || p.Root == nil {
		return nil
	}
	from, root := st.outward(at, p)
	if from < 0 || st[from].Site.Types.Name() != "main" {
		return nil // others may call what a package exports
	}
	main := st[from].Site
	inner, names := own.withInterfaces(e)
	hands := own.hands(p)
	if inner == nil || hands == toAny {
		return nil
	}
	var found *Outer
	main.inCalls(func(g *callGraph) {
		keeps := objectKeep{g: g, path: path, names: names, seen: map[*types.Var]bool{}}
		if g.p.broken || g.callsC || !keeps.all(root) || hands == toCallbacks && !g.alone(path) ||
			g.steps > maxCallSteps {
			return
		}
		if out := g.callsOf(names); out.Closed() {
			found = &Outer{Site: main, Ends: out, Own: inner}
		}
	})
	return found
}

// withInterfaces adds to the ways to end a wait the calls that may be of an open function by its name; and it returns
// the names of all open functions. It returns nil where they don't come to an end.
func (p *Package) withInterfaces(e *Endings) (all *Endings, names map[string]bool) {
	ok := p.inCalls(func(g *callGraph) {
		names = map[string]bool{}
		for range maxOpenRounds {
			n := len(names)
			for _, d := range e.Open {
				names[d.Name.Name] = true
			}
			if len(names) == n {
				all = e
				return
			}
			more := g.callsOf(names)
			next := &Endings{Field: e.Field, Places: map[ast.Node][]ast.Node{}, Deferred: map[ast.Node]bool{},
				Open: slices.Concat(e.Open, more.Open), Others: more.Others, Enders: e.Enders, closed: e.closed}
			for _, from := range []*Endings{e, more} {
				for fn, nodes := range from.Places {
					next.Places[fn] = append(next.Places[fn], nodes...)
					next.Deferred[fn] = next.Deferred[fn] || from.Deferred[fn]
				}
			}
			if e = next; e.Others {
				return
			}
		}
	})
	if !ok {
		return nil, nil
	}
	return all, names
}

// outward follows a path to the package that has the object: it returns the frame there, and the variable or field.
func (st Stack) outward(at int, p Path) (frame int, v *types.Var) {
	own := st[at].Site.Package
	for range len(st) {
		s := st[at].Site
		if s == nil || p.Root == nil || isGlobal(p.Root) && s.Package == own || !s.steady(p) {
			return -1, nil
		}
		if s.Package != own {
			return at, p.Last()
		}
		if !s.setOnce(p.Root, s.Decl) {
			return -1, nil
		}
		if !within(p.Root, s.Fn) {
			if at = st.around(at); at < 0 {
				return -1, nil
			}
			continue
		}
		q, from, ok := st.given(at, p)
		if !ok {
			return -1, nil
		}
		if st[from].Site.Package != own { // what is behind the object is its package's
			root := p.Root
			arg, ok := st.givenRoot(at, root)
			if !ok {
				return -1, nil
			}
			return from, arg.Last()
		}
		p, at = q, from
	}
	return -1, nil
}

// givenRoot is what the caller of a frame gives for a variable.
func (st Stack) givenRoot(at int, root types.Object) (Path, bool) {
	q, _, ok := st.given(at, Path{Root: root})
	return q, ok && q.Last() != nil
}

// A handing is to whom a package hands objects of a type.
type handing uint8

const (
	toNobody handing = iota
	// toCallbacks are function values, and methods of its interfaces.
	toCallbacks
	// toAny are functions of other packages, or a variable of the package.
	toAny
)

// hands is to whom a package hands the object that a path begins with.
func (s *Site) hands(p Path) handing {
	t := named(p.Root.Type())
	if t == nil {
		return toAny
	}
	hands := toAny
	s.inCalls(func(g *callGraph) {
		known, ok := g.handed[t]
		if !ok {
			known = g.findHanded(t)
			g.handed[t] = known
		}
		hands = known
	})
	return hands
}

// named is the declared type of a value, or of what it points to.
func named(t types.Type) *types.TypeName {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

func (g *callGraph) findHanded(t *types.TypeName) (to handing) {
	scope := g.p.Types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && mentions(v.Type(), t, map[types.Type]bool{}) {
			return toAny
		}
	}
	is := func(e ast.Expr) bool {
		tv := g.p.Info.Types[e]
		return tv.Type != nil && named(tv.Type) == t
	}
	for _, f := range g.p.Files {
		g.walk(f, func(n ast.Node, _ []ast.Node) {
			if call, ok := n.(*ast.CallExpr); ok && slices.ContainsFunc(call.Args, is) {
				to = max(to, g.handsBy(call))
			}
			if g.hides(n, is) {
				to = toAny
			}
		})
	}
	if g.steps > maxCallSteps {
		return toAny
	}
	return to
}

// hides reports whether a node puts an object where its type isn't known: in an interface, a struct of another package,
// or a channel.
func (g *callGraph) hides(n ast.Node, is func(ast.Expr) bool) bool {
	plain := func(e ast.Expr) bool { // of a type of which the object can't be called otherwise
		t := g.p.Info.Types[e].Type
		if id, ok := e.(*ast.Ident); ok && t == nil {
			if o := g.p.objectOf(id); o != nil {
				t = o.Type()
			}
			if id.Name == "_" {
				return true
			}
		}
		return !unknown(t) && !types.IsInterface(t)
	}
	switch n := n.(type) {
	case *ast.SendStmt:
		return is(n.Value)
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if is(r) && len(n.Lhs) == len(n.Rhs) && !plain(n.Lhs[i]) {
				return true
			}
		}
	case *ast.ValueSpec:
		return n.Type != nil && slices.ContainsFunc(n.Values, is) && !plain(n.Type)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			value, dest := e, ast.Expr(n)
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				value = kv.Value
				if id, ok := kv.Key.(*ast.Ident); ok && g.p.Info.Uses[id] != nil {
					dest = id
				}
			}
			if is(value) && !plain(dest) {
				return true
			}
		}
	}
	return false
}

// handsBy is to whom a call hands what it is given.
func (g *callGraph) handsBy(call *ast.CallExpr) handing {
	if _, ok := calledLit(call); ok {
		return toNobody
	}
	switch o := g.p.calleeOf(call).(type) {
	case *types.Builtin:
		return toNobody
	case *types.TypeName: // converted
		return toNobody
	case *types.Var:
		return toCallbacks
	case *types.Func:
		if g.decls[o.Origin()] != nil {
			params := o.Signature().Params()
			for i := range params.Len() {
				if types.IsInterface(params.At(i).Type()) {
					return toAny
				}
			}
			return toNobody
		}
		if o.Pkg() == g.p.Types {
			return toCallbacks
		}
	}
	k := objectKeep{g: g}
	switch k.packageOf(call) {
	case "fmt", "log", "sort", "errors": // they keep nothing
		return toNobody
	}
	return toAny
}

// alone reports whether a package uses others, but for the standard library's and one, only for calls of which it takes
// no result: it gets no functions from them that it could hand on.
func (g *callGraph) alone(path string) bool {
	alone := true
	for _, f := range g.p.Files {
		g.walk(f, func(n ast.Node, up []ast.Node) {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !alone {
				return
			}
			k := objectKeep{g: g}
			pkg := k.imported(sel.X)
			if pkg == "" || pkg == path || isStd(pkg) {
				return
			}
			alone = false
			if len(up) > 1 {
				call, isCall := up[len(up)-1].(*ast.CallExpr)
				_, dropped := up[len(up)-2].(*ast.ExprStmt)
				alone = isCall && dropped && call.Fun == ast.Expr(sel)
			}
		})
	}
	return alone
}

// stdPackages are the first elements of the standard library's import paths.
const stdPackages = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors " +
	"expvar flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime " +
	"slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak "

func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(stdPackages, " "+first+" ")
}

// mentions reports whether a type contains another one.
func mentions(t types.Type, what *types.TypeName, seen map[types.Type]bool) bool {
	if named(t) == what {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Pointer:
		return mentions(t.Elem(), what, seen)
	case *types.Slice:
		return mentions(t.Elem(), what, seen)
	case *types.Array:
		return mentions(t.Elem(), what, seen)
	case *types.Map:
		return mentions(t.Key(), what, seen) || mentions(t.Elem(), what, seen)
	case *types.Chan:
		return mentions(t.Elem(), what, seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if mentions(t.Field(i).Type(), what, seen) {
				return true
			}
		}
	}
	return false
}

// callsOf are the calls of methods and functions of other packages that have one of some names, of whatever.
func (g *callGraph) callsOf(names map[string]bool) *Endings {
	e := &Endings{Places: map[ast.Node][]ast.Node{}, Deferred: map[ast.Node]bool{}, closed: map[ast.Node]bool{}}
	for name := range names {
		e.Others = e.Others || g.p.maybe[name]
	}
	var work []step
	for _, f := range g.p.Files {
		g.walk(f, func(n ast.Node, up []ast.Node) {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !names[sel.Sel.Name] {
				return
			}
			switch o := g.p.Info.Uses[sel.Sel].(type) {
			case *types.Func:
				if g.decls[o.Origin()] != nil {
					return
				}
			case *types.Var, *types.TypeName, *types.Const:
				return
			}
			k := objectKeep{g: g}
			if isStd(k.imported(sel.X)) {
				return
			}
			call, ok := ast.Node(nil), false
			if len(up) > 0 {
				call, ok = up[len(up)-1].(*ast.CallExpr)
			}
			fn := functionIn(up)
			if c, isCall := call.(*ast.CallExpr); !ok || !isCall || c.Fun != ast.Expr(sel) || fn == nil {
				e.Others = true // its value
				return
			}
			deferred := false
			if len(up) > 1 {
				_, deferred = up[len(up)-2].(*ast.DeferStmt)
			}
			work = append(work, step{fn: fn, node: call, deferred: deferred})
		})
	}
	g.climb(e, work)
	slices.SortFunc(e.Open, func(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) })
	return e
}
