package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// maxKept bounds the variables that one object is followed through.
const maxKept = 64

// An objectKeep follows an object of another package through the variables and fields of the package that makes it.
type objectKeep struct {
	g     *callGraph
	path  string          // the import path of the object's package
	names map[string]bool // methods that must not be called by others
	seen  map[*types.Var]bool
	work  []*types.Var
	lost  bool
}

// all reports whether an object that a variable holds stays with the package and that of its type.
func (k *objectKeep) all(v *types.Var) bool {
	k.add(v)
	for len(k.work) > 0 && !k.lost {
		next := k.work[0]
		k.work = k.work[1:]
		k.look(next)
	}
	return !k.lost && len(k.seen) <= maxKept
}

func (k *objectKeep) add(v *types.Var) {
	switch {
	case v == nil || v.Pkg() != k.g.p.Types, k.g.p.maybe[v.Name()] && (v.IsField() || isGlobal(v)),
		v.IsField() && (v.Embedded() || v.Exported()):
		// Who has the struct can call its methods, if only in a template.
		k.lost = true
	case !k.seen[v]:
		k.seen[v] = true
		k.work = append(k.work, v)
	}
}

// look judges all uses of a variable or a field.
func (k *objectKeep) look(v *types.Var) {
	see := func(n ast.Node, up []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || fieldOf(k.g.p.objectOf(id)) != v || len(up) == 0 {
			return
		}
		e := ast.Expr(id)
		if sel, ok := up[len(up)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
			e, up = sel, up[:len(up)-1]
		}
		k.use(v, e, up)
	}
	if v.IsField() || isGlobal(v) {
		for _, f := range k.g.p.Files {
			k.g.walk(f, see)
		}
		return
	}
	d := k.g.p.declOf(v.Pos())
	if d == nil {
		k.lost = true
		return
	}
	k.g.walk(d, see)
}

// use judges one use by what is around it.
func (k *objectKeep) use(v *types.Var, e ast.Expr, up []ast.Node) {
	for len(up) > 0 {
		paren, ok := up[len(up)-1].(*ast.ParenExpr)
		if !ok {
			break
		}
		e, up = paren, up[:len(up)-1]
	}
	if len(up) == 0 {
		k.lost = true
		return
	}
	outer := up[:len(up)-1]
	switch n := up[len(up)-1].(type) {
	case *ast.SelectorExpr:
		k.chain(n, outer)
	case *ast.CallExpr:
		k.given(n, e)
	case *ast.AssignStmt:
		k.assigned(n, e)
	case *ast.ValueSpec:
		k.declared(n, e, v)
	case *ast.KeyValueExpr:
		k.keyed(n, e)
	case *ast.ReturnStmt:
		k.returned(n, e, outer)
	case *ast.Field: // a parameter's name, or a field's
		k.parameter(v)
	case *ast.BinaryExpr, *ast.ExprStmt:
	default:
		k.lost = true
	}
}

// chain judges a selector behind the object: it must end in a call of its methods.
func (k *objectKeep) chain(sel *ast.SelectorExpr, up []ast.Node) {
	e := ast.Expr(sel)
	for i := len(up) - 1; i >= 0; i-- {
		switch n := up[i].(type) {
		case *ast.SelectorExpr:
			e = n
		case *ast.CallExpr:
			if n.Fun != e {
				k.lost = true
			}
			return
		default:
			k.lost = true
			return
		}
	}
	k.lost = true
}

// given judges an argument of a call.
func (k *objectKeep) given(call *ast.CallExpr, e ast.Expr) {
	i := slices.Index(call.Args, e)
	if i < 0 || call.Ellipsis.IsValid() {
		k.lost = true
		return
	}
	var typ *ast.FuncType
	if lit, ok := calledLit(call); ok {
		typ = lit.Type
	} else if fn, ok := k.g.p.calleeOf(call).(*types.Func); ok && k.g.decls[fn.Origin()] != nil {
		typ = k.g.decls[fn.Origin()].Type
	}
	if typ != nil {
		w := useLook{g: k.g, u: &fieldUses{}, v: nil}
		w.give(call, e)
		if w.u.otherSends {
			k.lost = true
		}
		for _, v := range w.u.aliases {
			k.add(v)
		}
		return
	}
	switch k.packageOf(call) {
	case k.path:
	case "fmt", "log":
		for _, name := range []string{"String", "Error", "Format", "GoString"} {
			k.lost = k.lost || k.names[name]
		}
	default:
		k.lost = true
	}
}

// packageOf is the import path of the package whose function a call names; "" for other calls.
func (k *objectKeep) packageOf(call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	return k.imported(sel.X)
}

func (k *objectKeep) imported(e ast.Expr) string {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if name, ok := k.g.p.Info.Uses[id].(*types.PkgName); ok {
			return name.Imported().Path()
		}
	}
	return ""
}

func (k *objectKeep) assigned(n *ast.AssignStmt, e ast.Expr) {
	for i, l := range n.Lhs {
		if ast.Unparen(l) != ast.Unparen(e) {
			continue
		}
		switch {
		case len(n.Lhs) == len(n.Rhs):
			k.made(n.Rhs[i], 0)
		case len(n.Rhs) == 1:
			k.made(n.Rhs[0], i)
		default:
			k.lost = true
		}
		return
	}
	for i, r := range n.Rhs {
		if ast.Unparen(r) == ast.Unparen(e) && len(n.Lhs) == len(n.Rhs) {
			k.to(n.Lhs[i])
			return
		}
	}
	k.lost = true
}

// to follows the object into what it is assigned to.
func (k *objectKeep) to(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return
		}
		v, _ := k.g.p.objectOf(e).(*types.Var)
		k.add(v)
	case *ast.SelectorExpr:
		if s := k.g.p.Info.Selections[e]; s != nil && s.Kind() == types.FieldVal {
			k.add(fieldOf(s.Obj()))
			return
		}
		k.lost = true
	default:
		k.lost = true
	}
}

func (k *objectKeep) declared(n *ast.ValueSpec, e ast.Expr, v *types.Var) {
	for i, id := range n.Names {
		if ast.Expr(id) == e {
			switch {
			case len(n.Values) == len(n.Names):
				k.made(n.Values[i], 0)
			case len(n.Values) == 1:
				k.made(n.Values[0], i)
			}
			return
		}
	}
	for i, value := range n.Values {
		if value == e && i < len(n.Names) {
			k.to(n.Names[i])
			return
		}
	}
	k.lost = k.lost || v != nil && n.Type == nil
}

// keyed judges a field of a literal: the object is its value, or it is what the field gets.
func (k *objectKeep) keyed(n *ast.KeyValueExpr, e ast.Expr) {
	id, ok := n.Key.(*ast.Ident)
	if !ok {
		k.lost = true
		return
	}
	f := fieldOf(k.g.p.Info.Uses[id])
	switch {
	case n.Key == e:
		k.made(n.Value, 0)
	case f == nil || !f.IsField():
		k.lost = true
	default:
		k.add(f)
	}
}

// made judges the i-th value of an expression that the object comes from.
func (k *objectKeep) made(e ast.Expr, i int) {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name != "nil" {
			k.to(e)
		}
	case *ast.CompositeLit:
		if sel, ok := e.Type.(*ast.SelectorExpr); !ok || k.imported(sel.X) != k.path {
			k.lost = k.lost || k.g.p.Info.Types[e].Type == nil
		}
	case *ast.SelectorExpr:
		k.to(e)
	case *ast.CallExpr:
		if fn, ok := k.g.p.calleeOf(e).(*types.Func); ok && k.g.decls[fn.Origin()] != nil {
			k.results(k.g.decls[fn.Origin()], i)
			return
		}
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "new" {
			return
		}
		if !k.ofPackage(e.Fun) {
			k.lost = true
		}
	default:
		k.lost = true
	}
}

// ofPackage reports whether a call is of a function of the object's package, or of a method of what such a call
// returns.
func (k *objectKeep) ofPackage(fun ast.Expr) bool {
	for {
		switch e := ast.Unparen(fun).(type) {
		case *ast.SelectorExpr:
			if k.imported(e.X) == k.path {
				return true
			}
			fun = e.X
		case *ast.CallExpr:
			fun = e.Fun
		case *ast.IndexExpr:
			fun = e.X
		default:
			return false
		}
	}
}

// results follows the i-th result of a function of the package into it.
func (k *objectKeep) results(d *ast.FuncDecl, i int) {
	var lits []*ast.FuncLit
	k.g.walk(d, func(n ast.Node, up []ast.Node) {
		if lit, ok := n.(*ast.FuncLit); ok {
			lits = append(lits, lit)
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || functionIn(up) != ast.Node(d) {
			return
		}
		switch {
		case i < len(r.Results) && len(r.Results) != 1 || i == 0 && len(r.Results) == 1:
			k.made(r.Results[i], 0)
		case len(r.Results) == 1:
			k.made(r.Results[0], i)
		default:
			k.lost = true // a named result
		}
	})
}

// returned follows the object to the callers of a function that returns it.
func (k *objectKeep) returned(n *ast.ReturnStmt, e ast.Expr, up []ast.Node) {
	d, ok := functionIn(up).(*ast.FuncDecl)
	i := slices.IndexFunc(n.Results, func(r ast.Expr) bool { return ast.Unparen(r) == ast.Unparen(e) })
	if _, open := k.g.open[d]; !ok || i < 0 || open {
		k.lost = true
		return
	}
	for _, c := range k.g.callers[d] {
		k.result(c, i)
	}
}

// result follows the i-th result of a call.
func (k *objectKeep) result(c caller, i int) {
	found := false
	ast.Inspect(bodyIn(c.in), func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for j, r := range a.Rhs {
			if ast.Unparen(r) != ast.Expr(c.call) {
				continue
			}
			if len(a.Rhs) == len(a.Lhs) {
				i = j
			}
			if found = i < len(a.Lhs); found {
				k.to(a.Lhs[i])
			}
		}
		return true
	})
	k.lost = k.lost || !found
}

// parameter follows the object back to what callers give for a parameter.
func (k *objectKeep) parameter(v *types.Var) {
	if v.IsField() {
		return
	}
	d := k.g.p.declOf(v.Pos())
	if d == nil {
		k.lost = true
		return
	}
	var fn ast.Node = d
	typ := d.Type
	ast.Inspect(d, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok && lit.Type.Pos() <= v.Pos() && v.Pos() < lit.Type.End() {
			fn, typ = lit, lit.Type
		}
		return true
	})
	i := k.g.p.paramIndex(v, typ)
	if _, open := k.g.open[fn]; open || i < 0 {
		k.lost = true
		return
	}
	for _, c := range k.g.callers[fn] {
		if i >= len(c.call.Args) || c.call.Ellipsis.IsValid() {
			k.lost = true
			return
		}
		k.made(c.call.Args[i], 0)
	}
}
