package gocode

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/gotriage/triage/internal/symbol"
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
			switch {
			case out < 0 && repeats(s.Decl, p.Root.Pos()), out >= 0 && !st.runsHere(at, out):
				return ""
			case out < 0:
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

// repeats reports whether a place of a function is in a loop.
func repeats(decl *ast.FuncDecl, pos token.Pos) (found bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			found = found || n.Pos() <= pos && pos < n.End()
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO
		}
		return !found
	})
	return found
}

// runsHere reports whether the closure of a frame is one that the call at an outer frame, of the function around it,
// has made and runs: no closure of an earlier call or round, which has other variables.
func (st Stack) runsHere(at, out int) bool {
	lit, isLit := st[at].Site.Fn.(*ast.FuncLit)
	s := st[out].Site
	nodes := s.calls(st[out].Callee)
	if !isLit || len(nodes) != 1 {
		return false
	}
	call, isCall := nodes[0].(*ast.CallExpr)
	if !isCall {
		return false
	}
	if !contains(call, lit) {
		return s.literalOf(call.Fun) == lit && s.definedWith(lit)
	}
	if called, ok := calledLit(call); ok && contains(called, lit) {
		return true
	}
	pkg, _ := symbol.SplitPackage(st[out].Callee)
	return slices.Contains(callers, pkg) || s.onlyCalled(lit)
}

// callers are packages that call the functions they are given before they return, and no others.
var callers = []string{"bytes", "maps", "path/filepath", "slices", "sort", "strings", "sync"}

// definedWith reports whether a literal is the value with which a variable is declared.
func (s *Site) definedWith(lit *ast.FuncLit) (found bool) {
	ast.Inspect(s.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Tok == token.DEFINE && slices.Contains(n.Rhs, ast.Expr(lit))
		case *ast.ValueSpec:
			found = found || slices.Contains(n.Values, ast.Expr(lit))
		}
		return !found
	})
	return found
}

// onlyCalled reports whether functions that get a literal do nothing but call it.
func (s *Site) onlyCalled(lit *ast.FuncLit) bool {
	b := builder{Package: s.Package, seen: map[*types.Var]bool{}, gets: map[*types.Var]bool{},
		World: &World{p: s.Package, holders: map[ast.Node]*ast.FuncDecl{}}}
	var path []ast.Node
	ast.Inspect(s.Decl, func(n ast.Node) bool {
		if n == nil || n.Pos() > lit.Pos() || lit.End() > n.End() || n == ast.Node(lit) {
			return false
		}
		path = append(path, n)
		return true
	})
	return b.literal(types.NewVar(lit.Pos(), nil, "", nil), lit, path, 0) // of no variable
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

// resets reports whether a field is set anywhere but in an object that the function has just made, by itself or with
// the whole object.
func (p *Package) resets(f *types.Var) (found bool) {
	if p.index.unknown[f.Name()] {
		return true
	}
	p.eachSet(nil, func(e ast.Expr, fn *ast.FuncDecl) {
		e = ast.Unparen(e)
		id, isIdent := e.(*ast.Ident)
		if found || isIdent && p.Info.Defs[id] != nil {
			return
		}
		q := p.path(e)
		sets := q.Last() == f || hasField(p.Info.TypeOf(e), f, 0)
		if sel, ok := e.(*ast.SelectorExpr); ok && !sets {
			s := p.Info.Selections[sel]
			sets = s != nil && s.Obj() == types.Object(f)
		}
		found = sets && !p.inNew(q, fn)
	})
	return found
}

// hasField reports whether a struct has a field, itself or in the structs that it consists of.
func hasField(t types.Type, f *types.Var, depth int) bool {
	if t == nil || depth > maxNested {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return hasField(t.Elem(), f, depth+1)
	case *types.Struct:
		for i := range t.NumFields() {
			if v := t.Field(i); v.Origin() == f || hasField(v.Type(), f, depth+1) {
				return true
			}
		}
	}
	return false
}

// maxNested bounds the structs in structs that are looked into.
const maxNested = 4

// inNew reports whether a path leads to a field of an object that a function has made, and has in a variable.
func (p *Package) inNew(q Path, fn *ast.FuncDecl) bool {
	if fn == nil || fn.Body == nil || q.Root == nil || !within(q.Root, fn.Body) || !p.setOnce(q.Root, fn) {
		return false
	}
	for _, f := range q.Fields[:max(len(q.Fields)-1, 0)] {
		if !isStruct(f.Type()) {
			return false
		}
	}
	return p.madeIn(q.Root, fn)
}

func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// madeIn reports whether the object that a variable is, or points to, is made where the function declares the variable.
func (p *Package) madeIn(v types.Object, fn *ast.FuncDecl) (made bool) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				id, ok := left.(*ast.Ident)
				made = made || ok && p.Info.Defs[id] == v && len(n.Lhs) == len(n.Rhs) && isMadeObject(n.Rhs[i])
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				made = made || p.Info.Defs[id] == v && (len(n.Values) == 0 && isStruct(v.Type()) ||
					i < len(n.Values) && isMadeObject(n.Values[i]))
			}
		}
		return !made
	})
	return made
}

// isMadeObject reports whether an expression makes a struct.
func isMadeObject(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}

// setOnce reports whether a variable has one value: a parameter that is never set, another that is set where it is
// declared alone: what sets it elsewhere may run again. Taking its address ends that for what isn't a pointer's target.
func (p *Package) setOnce(v types.Object, in *ast.FuncDecl) bool {
	n := 0
	p.eachSet(in, func(e ast.Expr, _ *ast.FuncDecl) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.objectOf(id) == v {
			if n++; p.Info.Defs[id] != v {
				n++
			}
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
