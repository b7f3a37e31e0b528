package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// method takes in v.Method(...), of a type of package sync.
func (b *builder) method(v *types.Var, sel *ast.SelectorExpr, path []ast.Node, depth int) bool {
	typ := syncName(v.Type())
	if typ == "Cond" && sel.Sel.Name == "L" {
		return true
	}
	call, ok := path[len(path)-1].(*ast.CallExpr)
	if !ok || call.Fun != ast.Expr(sel) {
		return false // a method value
	}
	op := map[string]Op{
		"WaitGroup.Add": OpAdd, "WaitGroup.Done": OpDone, "WaitGroup.Go": OpDone, "WaitGroup.Wait": OpWait,
		"Cond.Wait": OpWait, "Cond.Signal": OpSignal, "Cond.Broadcast": OpSignal,
	}
	o, ok := op[typ+"."+sel.Sel.Name]
	if ok && typ == "WaitGroup" && sel.Sel.Name == "Go" && !b.runs(call, path) {
		return false
	}
	return ok && b.add(v.Pos(), o, call.Lparen, path)
}

// runs takes in wg.Go(f): while f runs, the WaitGroup is waited for to hear of its end.
func (b *builder) runs(call *ast.CallExpr, path []ast.Node) bool {
	b.ByGroup = true
	if len(call.Args) != 1 {
		return false
	}
	if lit := b.literalOf(call.Args[0]); lit != nil {
		if decl := b.declOf(lit.Pos()); decl != nil && b.holders[lit] == nil {
			b.holders[lit] = decl
		}
		return true
	}
	decl := b.callee(call.Args[0])
	if decl == nil {
		return false // what isn't seen
	}
	b.holders[decl] = decl
	return true
}

// address takes in &v: of a WaitGroup or a Cond, as an argument.
func (b *builder) address(v *types.Var, e ast.Expr, path []ast.Node, depth int) bool {
	for {
		p, ok := path[len(path)-1].(*ast.ParenExpr)
		if !ok {
			break
		}
		e, path = p, path[:len(path)-1]
	}
	call, ok := path[len(path)-1].(*ast.CallExpr)
	return ok && syncName(v.Type()) != "" && call.Fun != e && b.argument(v, e, call, path, depth)
}

// argument takes in a call that the variable is an argument of. The last of path is the call.
func (b *builder) argument(v *types.Var, e ast.Expr, call *ast.CallExpr, path []ast.Node, depth int) bool {
	i := slices.Index(call.Args, e)
	if b.steps += size(b.declOf(call.Pos())) / 64; i < 0 || b.steps > maxSteps {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if f, ok := b.Info.Uses[id].(*types.Builtin); ok {
			switch f.Name() {
			case "close":
				return b.add(v.Pos(), OpClose, call.Pos(), path)
			case "len", "cap":
				return true
			}
			return false
		}
	}
	if lit := b.literalOf(call.Fun); lit != nil {
		return b.bind(lit.Type, i, depth)
	}
	decl := b.callee(call.Fun)
	if decl == nil || decl.Body == nil || !b.bind(decl.Type, i, depth) {
		return false
	}
	return true
}

func size(decl *ast.FuncDecl) int {
	if decl == nil {
		return 0
	}
	return int(decl.End() - decl.Pos())
}

// bind follows the parameter that an argument becomes.
func (b *builder) bind(f *ast.FuncType, i, depth int) bool {
	n := 0
	for _, field := range f.Params.List {
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			return false
		}
		if len(field.Names) == 0 {
			if n++; n > i {
				return true // it has no name, so nothing is done with it
			}
		}
		for _, id := range field.Names {
			if n++; n <= i {
				continue
			}
			if id.Name == "_" {
				return true
			}
			v, ok := b.Info.Defs[id].(*types.Var)
			if !ok || unknown(v.Type()) {
				return false
			}
			if _, isFunc := v.Type().Underlying().(*types.Signature); !isFunc && !isChan(v.Type()) {
				// A WaitGroup that is copied is another one.
				if _, isPtr := v.Type().(*types.Pointer); !isPtr || syncName(v.Type()) == "" {
					return false
				}
			}
			return b.follow(v, depth+1)
		}
	}
	return false
}

// callee is the function of the package that a call runs for certain; nil where that isn't known.
func (b *builder) callee(fun ast.Expr) *ast.FuncDecl {
	switch f := ast.Unparen(fun).(type) {
	case *ast.IndexExpr:
		return b.callee(f.X)
	case *ast.IndexListExpr:
		return b.callee(f.X)
	case *ast.Ident:
		fn, _ := b.Info.Uses[f].(*types.Func)
		return b.declared1(fn)
	case *ast.SelectorExpr:
		fn, _ := b.Info.Uses[f.Sel].(*types.Func)
		if sel := b.Info.Selections[f]; sel == nil || sel.Kind() != types.MethodVal || types.IsInterface(sel.Recv()) {
			return nil
		}
		return b.declared1(fn)
	}
	return nil
}

// declared1 is the only declaration of a function or method of the package; nil where there is none or several.
func (p *Package) declared1(fn *types.Func) *ast.FuncDecl {
	if fn == nil {
		return nil
	}
	fn = fn.Origin()
	if fn.Pkg() != p.Types {
		return nil
	}
	decl := p.declOf(fn.Pos())
	if decl == nil || decl.Name.Pos() != fn.Pos() {
		return nil
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d != decl && d.Name.Name == decl.Name.Name &&
				ReceiverType(d) == ReceiverType(decl) {
				return nil
			}
		}
	}
	return decl
}

// literal checks that a function literal that holds the variable is run only where that is seen: it is called, deferred
// or started as a goroutine where it is, given to (*sync.WaitGroup).Go or (*sync.Once).Do, given to a function of the
// package that does no more with it, or has a name by which it is only called.
func (b *builder) literal(v *types.Var, lit *ast.FuncLit, path []ast.Node, depth int) bool {
	e := ast.Expr(lit)
	for len(path) > 0 {
		p, ok := path[len(path)-1].(*ast.ParenExpr)
		if !ok {
			break
		}
		e, path = p, path[:len(path)-1]
	}
	switch n := path[len(path)-1].(type) {
	case *ast.CallExpr:
		if n.Fun == e {
			return true
		}
		if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
			switch b.syncType(sel.X) + "." + sel.Sel.Name {
			case "WaitGroup.Go":
				b.ByGroup = true
				return true
			case "Once.Do":
				return true
			}
		}
		return b.argument(v, e, n, path, depth)
	case *ast.AssignStmt:
		i := slices.Index(n.Rhs, e)
		if i < 0 || len(n.Lhs) != len(n.Rhs) {
			return false
		}
		return b.named(n.Lhs[i], lit, depth)
	case *ast.ValueSpec:
		i := slices.Index(n.Values, e)
		return i >= 0 && i < len(n.Names) && b.named(n.Names[i], lit, depth)
	}
	return false
}

// named follows the variable that a literal is assigned to.
func (b *builder) named(to ast.Expr, lit *ast.FuncLit, depth int) bool {
	id, ok := to.(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	v, ok := b.object(id).(*types.Var)
	if !ok || v.Parent() == b.Types.Scope() || v.IsField() {
		return false
	}
	return b.follow(v, depth+1)
}

// assigned takes in an assignment to the variable, or from it.
func (b *builder) assigned(v *types.Var, e ast.Expr, n *ast.AssignStmt, path []ast.Node, isFunc bool) bool {
	if i := slices.Index(n.Lhs, e); i >= 0 {
		if isFunc {
			return true // who holds it calls it, whatever it is
		}
		id, _ := e.(*ast.Ident)
		if b.gets[v] {
			return b.Info.Defs[id] == v // the only value it has
		}
		if b.Info.Defs[id] != v || len(n.Lhs) != len(n.Rhs) || v != b.Var || !b.makes(n.Rhs[i]) {
			return false
		}
		b.Made, b.Decl = n.Rhs[i].Pos(), b.declOf(v.Pos())
		return true
	}
	i := slices.Index(n.Rhs, e)
	if i < 0 || len(n.Lhs) != len(n.Rhs) {
		return false
	}
	id, ok := n.Lhs[i].(*ast.Ident)
	return ok && id.Name == "_"
}

// declared takes in var v = ... .
func (b *builder) declared(v *types.Var, id *ast.Ident, n *ast.ValueSpec, isFunc bool) bool {
	i := slices.Index(n.Names, id)
	switch {
	case i < 0:
		return false // its value
	case isFunc:
		return true
	case v != b.Var:
		return false
	case len(n.Values) == 0 && syncName(v.Type()) == "WaitGroup" && !isPointer(v.Type()):
	case len(n.Values) != len(n.Names) || !b.makes(n.Values[i]):
		return false
	}
	b.Made, b.Decl = id.Pos(), b.declOf(v.Pos())
	return true
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// makes reports whether an expression is a new channel, WaitGroup or Cond that nobody else has.
func (b *builder) makes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		switch f := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			built, ok := b.Info.Uses[f].(*types.Builtin)
			return ok && (built.Name() == "make" || built.Name() == "new")
		case *ast.SelectorExpr:
			fn, ok := b.Info.Uses[f.Sel].(*types.Func)
			return ok && fn.FullName() == "sync.NewCond"
		}
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND && len(lit.Elts) == 0
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// declOf is the declared function that a place is in.
func (p *Package) declOf(pos token.Pos) *ast.FuncDecl {
	for _, f := range p.Files {
		if pos < f.Pos() || f.End() <= pos {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Pos() <= pos && pos < d.End() {
				return d
			}
		}
	}
	return nil
}

// isResult reports whether a variable is a named result of a function or of a literal in it: it is returned.
func (b *builder) isResult(decl *ast.FuncDecl, v *types.Var) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok && f.Results != nil {
			found = found || f.Results.Pos() <= v.Pos() && v.Pos() < f.Results.End()
		}
		return !found
	})
	return found
}

// ReceiverType is the name of the type that a method is of, "" for a function.
func ReceiverType(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}
