package gocode

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A Call is a frame of a stack with its source.
type Call struct {
	Site   *Site  // nil where that isn't known
	Callee string // what it calls, as the runtime names it
	// Passes marks the compiler's wrappers, which hand on what they get.
	Passes bool
}

// A Stack is the calls of a goroutine, leaf first.
type Stack []Call

// Origin names the variable that a path of a frame comes from, followed through the arguments of calls as far out as
// they are certain, so that two paths of one stack that have the same origin are the same object. It is "" for a path
// that may lead to another object each time.
func (st Stack) Origin(at int, p Path) string {
	for range len(st) {
		s := st[at].Site
		if s == nil || p.Root == nil || !s.steady(p) {
			return ""
		}
		if isGlobal(p.Root) {
			if !s.setOnce(p.Root, nil) && s.leads(p) {
				return ""
			}
			return s.name(p, "")
		}
		if !s.setOnce(p.Root, s.Decl) {
			return ""
		}
		if !within(p.Root, s.Fn) { // a variable of the function around a literal
			out := st.around(at)
			if out < 0 {
				return s.name(p, s.onlyRun(at))
			}
			at = out
			continue
		}
		q, from, ok := st.given(at, p)
		if !ok {
			return s.name(p, strconv.Itoa(at))
		}
		p, at = q, from
	}
	return ""
}

// name is a path as an origin: of a frame, or of the package.
func (s *Site) name(p Path, frame string) string {
	return fmt.Sprintf("%s@%p:%d%s", frame, s.Package, p.Root.Pos(), p.Tail())
}

// onlyRun marks the variables of a function that runs once, others belong to the frame.
func (s *Site) onlyRun(at int) string {
	if s.Decl.Recv == nil && (s.Decl.Name.Name == "main" && s.Types.Name() == "main") {
		return ""
	}
	return strconv.Itoa(at)
}

// around is the frame of the function that a closure is in, -1 where the stack has none or several.
func (st Stack) around(at int) int {
	found := -1
	for i := at + 1; i < len(st); i++ {
		o := st[i].Site
		if o == nil || o.Package != st[at].Site.Package || o.Decl != st[at].Site.Decl || o.Fn == st[at].Site.Fn ||
			!contains(o.Fn, st[at].Site.Fn) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// given follows a parameter of a frame's function to its caller.
func (st Stack) given(at int, p Path) (q Path, from int, ok bool) {
	s := st[at].Site
	if !s.leads(p) {
		return Path{}, 0, false // a copy
	}
	from = at + 1
	for from < len(st) && st[from].Passes {
		from++
	}
	if from >= len(st) || st[from].Site == nil {
		return Path{}, 0, false
	}
	caller := st[from].Site
	nodes := caller.calls(st[from].Callee)
	if len(nodes) != 1 {
		return Path{}, 0, false
	}
	call, isCall := nodes[0].(*ast.CallExpr)
	if !isCall {
		return Path{}, 0, false
	}
	arg, ok := argumentIn(s, p.Root, call, caller)
	if !ok || arg.Root == nil {
		return Path{}, 0, false
	}
	return p.behind(arg), from, true
}

// argumentIn is the path that a call in another function gives to a parameter, or to the receiver.
func argumentIn(s *Site, param types.Object, call *ast.CallExpr, caller *Site) (Path, bool) {
	var typ *ast.FuncType
	switch fn := s.Fn.(type) {
	case *ast.FuncLit:
		typ = fn.Type
	case *ast.FuncDecl:
		typ = fn.Type
		if fn.Recv != nil && len(fn.Recv.List) > 0 && len(fn.Recv.List[0].Names) > 0 &&
			s.Info.Defs[fn.Recv.List[0].Names[0]] == param {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return Path{}, false
			}
			return caller.receiver(sel), true
		}
	}
	i := s.paramIndex(param, typ)
	if i < 0 || i >= len(call.Args) || call.Ellipsis.IsValid() {
		return Path{}, false
	}
	return caller.path(call.Args[i]), true
}

// leads reports whether a path goes through a pointer, so that a copy of its root leads to the same object.
func (s *Site) leads(p Path) bool {
	pointer := func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Pointer, *types.Interface:
			return true
		}
		return false
	}
	if pointer(p.Root.Type()) {
		return true
	}
	for _, f := range p.Fields[:max(len(p.Fields)-1, 0)] {
		if pointer(f.Type()) {
			return true
		}
	}
	return false
}

// steady reports whether all pointers on the way to a path's end are set where their object is made, and never again.
func (s *Site) steady(p Path) bool {
	for _, f := range p.Fields {
		if f.Pkg() != nil && f.Pkg().Path() == "sync" { // the lock of a sync.Cond
			continue
		}
		switch f.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			if f.Exported() && !f.Embedded() || s.resets(f) {
				return false
			}
		}
	}
	return true
}

// resets reports whether a field is set anywhere but behind a variable of the function that sets it.
func (p *Package) resets(f *types.Var) (found bool) {
	p.eachSet(nil, func(e ast.Expr, fn *ast.FuncDecl) {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return
		}
		q := p.path(sel)
		if q.Last() != f {
			if s := p.Info.Selections[sel]; s == nil || s.Obj() != types.Object(f) {
				return
			}
		}
		if fn == nil || q.Root == nil || fn.Body == nil || !within(q.Root, fn.Body) {
			found = true
		}
	})
	return found
}

// setOnce reports whether a variable has one value: a parameter that is never set, another that is set once. Taking its
// address ends that for what isn't a pointer's target.
func (p *Package) setOnce(v types.Object, in *ast.FuncDecl) bool {
	n := 0
	p.eachSet(in, func(e ast.Expr, _ *ast.FuncDecl) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.objectOf(id) == v {
			n++
		}
	})
	if in != nil && !within(v, in.Body) {
		return n == 0 // a parameter
	}
	return n <= 1
}

// eachSet calls see with all that is set in a function, or in the package.
func (p *Package) eachSet(in *ast.FuncDecl, see func(e ast.Expr, fn *ast.FuncDecl)) {
	look := func(root ast.Node, fn *ast.FuncDecl) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					see(e, fn)
				}
			case *ast.IncDecStmt:
				see(n.X, fn)
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil { // set again in each round
						see(e, fn)
						see(e, fn)
					}
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					if len(n.Values) > 0 {
						see(id, fn)
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && pointsTo(p, n.X) {
					see(n.X, fn)
					see(n.X, fn)
				}
			}
			return true
		})
	}
	if in != nil {
		look(in, in)
		return
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			fn, _ := d.(*ast.FuncDecl)
			look(d, fn)
		}
	}
}

// pointsTo reports whether an expression is a variable that holds a pointer: who has its address may set it.
func pointsTo(p *Package, e ast.Expr) bool {
	v := p.path(e).Last()
	if v == nil {
		return false
	}
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok
}
