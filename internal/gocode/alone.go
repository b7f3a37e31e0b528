package gocode

import (
	"go/ast"
	"go/types"
	"slices"
)

// receivesOf adds to what may end a wait what a package does with the channels that some functions return.
func (g *callGraph) receivesOf(out, e *Endings) {
	index := map[string]int{}
	for _, d := range e.Returned {
		_, index[d.Name.Name] = resultChan(d)
	}
	if len(index) == 0 {
		return
	}
	ends := endsOf[e.op]
	var held []*types.Var
	for _, f := range g.p.Files {
		g.walk(f, func(n ast.Node, up []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(up) == 0 {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return
			}
			i, ok := index[sel.Sel.Name]
			if fn, isFunc := g.p.Info.Uses[sel.Sel].(*types.Func); !ok || isFunc && g.decls[fn.Origin()] != nil {
				return
			}
			v, done := g.receives(out, call, i, up, slices.Contains(ends, OpReceive))
			if v != nil {
				held = append(held, v)
			}
			out.Others = out.Others || !done
		})
	}
	for _, v := range held {
		u := &fieldUses{aliases: []*types.Var{v}, given: true}
		g.follow(u, v)
		out.Others = out.Others || u.otherReceives || u.otherSends
		g.climb(out, g.stepsOf(out, u, e.op))
	}
}

// receives judges a call that returns a channel as its i-th result: it is received from at once, or held by a variable;
// done is false for all else.
func (g *callGraph) receives(out *Endings, call *ast.CallExpr, i int, up []ast.Node, takes bool) (v *types.Var,
	done bool) {
	fn := functionIn(up)
	switch n := up[len(up)-1].(type) {
	case *ast.UnaryExpr, *ast.RangeStmt:
		if takes && fn != nil {
			g.climb(out, []step{{fn: fn, node: n}})
		}
		return nil, fn != nil
	case *ast.ExprStmt:
		return nil, true
	case *ast.AssignStmt:
		for j, r := range n.Rhs {
			if r == ast.Expr(call) && len(n.Lhs) == len(n.Rhs) {
				i = j
			}
		}
		if i >= len(n.Lhs) {
			return nil, false
		}
		w := objectKeep{g: g, seen: map[*types.Var]bool{}}
		w.to(n.Lhs[i])
		if len(w.work) == 0 {
			return nil, !w.lost
		}
		return w.work[0], !w.lost
	case *ast.CallExpr:
		w := useLook{g: g, u: &fieldUses{}}
		w.give(n, call)
		if len(w.u.aliases) != 1 {
			return nil, false
		}
		return w.u.aliases[0], !w.u.otherSends
	}
	return nil, false
}

// aloneWith reports whether nothing of a package that this one imports can come to others by it: it takes nothing from
// other packages that it could hand on, but from the standard library's, and gives to none what may be that package's.
func (g *callGraph) aloneWith(path string) bool {
	if !g.alone(path) {
		return false
	}
	alone := true
	for _, f := range g.p.Files {
		g.walk(f, func(n ast.Node, _ []ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || !alone || g.staysHere(call, path) {
				return
			}
			alone = !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return g.mayBeOf(arg, path) })
		})
	}
	return alone
}

// staysHere reports whether a call is of the package itself, of another whose import path is given, or of one that keeps
// nothing.
func (g *callGraph) staysHere(call *ast.CallExpr, path string) bool {
	if _, ok := calledLit(call); ok {
		return true
	}
	switch o := g.p.calleeOf(call).(type) {
	case *types.Builtin, *types.TypeName, *types.Var:
		return true
	case *types.Func:
		return g.decls[o.Origin()] != nil
	}
	k := objectKeep{g: g, path: path}
	switch k.packageOf(call) {
	case path, "fmt", "log", "errors":
		return true
	}
	return k.ofPackage(call.Fun)
}

// mayBeOf reports whether a value may be one of a package: its type isn't known, and its variable isn't declared with one
// of the standard library.
func (g *callGraph) mayBeOf(e ast.Expr, path string) bool {
	tv := g.p.Info.Types[e]
	if !unknown(tv.Type) {
		_, isInterface := tv.Type.Underlying().(*types.Interface)
		_, isFunc := tv.Type.Underlying().(*types.Signature)
		return isInterface && !tv.IsNil() && !isFunc
	}
	k := objectKeep{g: g, path: path}
	for range maxKept {
		switch x := ast.Unparen(e).(type) {
		case *ast.UnaryExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.CompositeLit:
			e = x.Type
			if e == nil {
				return true
			}
		case *ast.CallExpr:
			e = x.Fun
		case *ast.SelectorExpr:
			if pkg := k.imported(x.X); pkg != "" {
				return !isStd(pkg)
			}
			e = x.X
		case *ast.Ident:
			v := g.p.Variable(x)
			if v == nil {
				return true
			}
			if e = g.declaredAs(v); e == nil {
				return true
			}
		default:
			return true
		}
	}
	return true
}

// declaredAs is the type that a variable is declared with, or what it is set to there; nil where that isn't known.
func (g *callGraph) declaredAs(v *types.Var) (found ast.Expr) {
	d := g.p.declOf(v.Pos())
	if d == nil {
		return nil
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return g.p.Info.Defs[id] == v }) {
				found = n.Type
			}
		case *ast.ValueSpec:
			if slices.ContainsFunc(n.Names, func(id *ast.Ident) bool { return g.p.Info.Defs[id] == v }) {
				if found = n.Type; found == nil && len(n.Values) > 0 {
					found = n.Values[0]
				}
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && g.p.Info.Defs[id] == v {
					found = n.Rhs[min(i, len(n.Rhs)-1)]
				}
			}
		}
		return found == nil
	})
	return found
}
