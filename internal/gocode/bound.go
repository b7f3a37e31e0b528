package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Bounds on what a parameter is bound to: variables, and calls of a function.
const (
	maxBound    = 16
	maxMentions = 256
)

// Bound returns the variables of functions that a parameter is bound to in all calls that there can be; the variable
// itself where it is no parameter. It returns nil where that can't be known: the function may be called by another
// package, or by way of a value or an interface, or is given something else.
func (p *Package) Bound(v *types.Var) []*types.Var {
	b := binder{Package: p, seen: map[*types.Var]bool{}}
	if !b.collect(v) {
		return nil
	}
	return b.found
}

type binder struct {
	*Package
	seen  map[*types.Var]bool
	found []*types.Var
}

func (b *binder) collect(v *types.Var) bool {
	if b.seen[v] {
		return true
	}
	b.seen[v] = true
	if len(b.seen) > maxBound {
		return false
	}
	decl := b.declOf(v.Pos())
	if decl == nil {
		return false
	}
	fn, i := b.parameter(decl, v)
	if fn == nil {
		b.found = append(b.found, v)
		return true
	}
	var name types.Object
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		f, ok := b.Info.Defs[fn.Name].(*types.Func)
		if !ok || i < 0 || b.broken || b.declared1(f) != fn || b.foreign(fn) {
			return false
		}
		name = f
	case *ast.FuncLit:
		if i < 0 {
			return false
		}
		call, name2 := b.callOf(decl, fn)
		if call != nil {
			return b.take(call, i)
		}
		if name = name2; name == nil {
			return false
		}
	}
	return b.calls(name, i)
}

// parameter is the function whose parameter a variable is, and its number, -1 for a variadic one, a result or a
// receiver; nil for other variables.
func (b *binder) parameter(decl *ast.FuncDecl, v *types.Var) (fn ast.Node, number int) {
	ast.Inspect(decl, func(n ast.Node) bool {
		var typ *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncDecl:
			typ = n.Type
			if n.Recv != nil && n.Recv.Pos() <= v.Pos() && v.Pos() < n.Recv.End() {
				fn, number = n, -1
				return false
			}
		case *ast.FuncLit:
			typ = n.Type
		}
		if typ == nil || v.Pos() < typ.Pos() || typ.End() <= v.Pos() {
			return fn == nil
		}
		fn, number = n, -1
		k := 0
		for _, field := range typ.Params.List {
			_, variadic := field.Type.(*ast.Ellipsis)
			for _, id := range field.Names {
				if id.Pos() == v.Pos() && !variadic {
					number = k
				}
				k++
			}
		}
		return false
	})
	return fn, number
}

// foreign reports whether another package may call a function, or the package itself by way of an interface.
func (b *binder) foreign(decl *ast.FuncDecl) bool {
	if decl.Name.Name == "main" || decl.Name.Name == "init" {
		return true
	}
	if decl.Recv == nil {
		return ast.IsExported(decl.Name.Name) && b.Types.Name() != "main"
	}
	if ast.IsExported(decl.Name.Name) {
		return true
	}
	return b.index.abstract[decl.Name.Name]
}

// callOf is the call of a literal where it is, or else the variable that it is the only value of.
func (b *binder) callOf(decl *ast.FuncDecl, lit *ast.FuncLit) (*ast.CallExpr, types.Object) {
	var call *ast.CallExpr
	var name types.Object
	ast.Inspect(decl, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if ast.Unparen(c.Fun) == ast.Expr(lit) {
				call = c
			} else if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && name == nil && b.literalOf(id) == lit {
				name = b.Info.Uses[id]
			}
		}
		return call == nil
	})
	return call, name
}

// literalOf is the function literal that a call's function is for certain: one that is called where it is, or the only
// value that a variable of a function ever has.
func (p *Package) literalOf(fun ast.Expr) *ast.FuncLit {
	if lit, ok := ast.Unparen(fun).(*ast.FuncLit); ok {
		return lit
	}
	v := p.Variable(fun)
	if v == nil {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	var lit *ast.FuncLit
	sure := true
	set := func(to, value ast.Expr) {
		id, ok := to.(*ast.Ident)
		if !ok || p.Info.Defs[id] != v && p.Info.Uses[id] != v {
			return
		}
		l, isLit := value.(*ast.FuncLit)
		sure = sure && isLit && lit == nil
		lit = l
	}
	ast.Inspect(p.declOf(v.Pos()), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					set(to, ast.Unparen(n.Rhs[i]))
				} else {
					set(to, nil)
				}
			}
		case *ast.ValueSpec:
			for i, to := range n.Names {
				if i < len(n.Values) {
					set(to, ast.Unparen(n.Values[i]))
				}
			}
		case *ast.RangeStmt:
			if n.Key != nil {
				set(n.Key, nil)
			}
			if n.Value != nil {
				set(n.Value, nil)
			}
		case *ast.UnaryExpr:
			set(n.X, nil) // its address
		}
		return true
	})
	if !sure {
		return nil
	}
	return lit
}

// calls collects what the i-th parameter is in all calls of a function by its name.
func (b *binder) calls(name types.Object, i int) bool {
	mentions := b.index.mentions[name]
	if len(mentions) == 0 || len(mentions) > maxMentions || b.index.unknown[name.Name()] {
		return false
	}
	for _, pos := range mentions {
		decl := b.declOf(pos)
		if decl == nil {
			return false // a variable's value
		}
		call := b.calledBy(pathTo(decl, pos))
		if call == nil || !b.take(call, i) {
			return false
		}
	}
	return true
}

// pathTo leads to the name at a place of a declaration.
func pathTo(decl *ast.FuncDecl, pos token.Pos) (id *ast.Ident, path []ast.Node) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil || id != nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		if found, ok := n.(*ast.Ident); ok && found.Pos() == pos {
			id = found
			return false
		}
		path = append(path, n)
		return true
	})
	return id, path
}

// calledBy is the call whose function a name is, at the end of a path; nil where it is a value.
func (p *Package) calledBy(id *ast.Ident, path []ast.Node) *ast.CallExpr {
	if id == nil {
		return nil
	}
	e := ast.Expr(id)
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.SelectorExpr:
			if s := p.Info.Selections[n]; n.Sel != e || s == nil || s.Kind() != types.MethodVal {
				return nil
			}
			e = n
		case *ast.ParenExpr:
			e = n
		case *ast.IndexExpr:
			if n.X != e {
				return nil
			}
			e = n
		case *ast.IndexListExpr:
			if n.X != e {
				return nil
			}
			e = n
		case *ast.CallExpr:
			if n.Fun == e {
				return n
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// take takes in the i-th argument of a call: a variable, or the address of one.
func (b *binder) take(call *ast.CallExpr, i int) bool {
	if i >= len(call.Args) || call.Ellipsis.IsValid() {
		return false
	}
	arg := ast.Unparen(call.Args[i])
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = u.X
	}
	v := b.Variable(arg)
	return v != nil && b.collect(v)
}
