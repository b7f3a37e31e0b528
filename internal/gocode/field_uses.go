package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// maxAliases bounds the variables that hold the channel of a field.
const maxAliases = 32

// A fieldUse is an operation on the channel, the WaitGroup or the Cond in a field.
type fieldUse struct {
	Use
	node ast.Node
	path Path // of the field; without a root where it isn't known
}

// fieldUses are all uses of a field in its package.
type fieldUses struct {
	all []fieldUse
	// Others may do these things with it, in code that isn't known.
	otherSends, otherReceives bool
	aliases                   []*types.Var // the field, and variables that hold what it has
}

// enders are the uses that may end a wait in an operation.
func (u *fieldUses) enders(wait Op) (all []fieldUse) {
	for _, use := range u.all {
		if use.Op.ends(wait) {
			all = append(all, use)
		}
	}
	return all
}

func (u *fieldUses) escape() { u.otherSends, u.otherReceives = true, true }

// usesOf returns the uses of an unexported field, or of an unexported variable of the package.
func (g *callGraph) usesOf(v *types.Var) *fieldUses {
	if known := g.uses[v]; known != nil {
		return known
	}
	u := &fieldUses{aliases: []*types.Var{v}}
	g.uses[v] = u
	g.follow(u, v)
	return u
}

// follow finds the uses of a variable, or of a field.
func (g *callGraph) follow(u *fieldUses, v *types.Var) {
	for i := 0; i < len(u.aliases); i++ {
		w := &useLook{g: g, u: u, v: u.aliases[i], field: v}
		if w.v.IsField() || isGlobal(w.v) {
			for _, f := range g.p.Files {
				g.walk(f, w.see)
			}
			continue
		}
		d := g.p.declOf(w.v.Pos())
		if d == nil {
			u.escape()
			continue
		}
		g.walk(d, w.see)
	}
	if g.steps > maxCallSteps || len(u.aliases) > maxAliases || g.p.broken || g.p.Partial || g.reaches ||
		g.p.index.unknown[v.Name()] || g.converted(v) {
		u.escape()
	}
}

// A useLook looks for the uses of a field, or of a variable that holds what it has.
type useLook struct {
	g     *callGraph
	u     *fieldUses
	v     *types.Var
	field *types.Var
}

func (w *useLook) see(n ast.Node, up []ast.Node) {
	p := w.g.p
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s := p.Info.Selections[n]; s != nil && s.Kind() == types.FieldVal && fieldOf(s.Obj()) == w.v {
			w.use(n, up, p.path(n))
		}
	case *ast.Ident:
		if fieldOf(p.Info.Uses[n]) != w.v || len(up) == 0 {
			return
		}
		switch outer := up[len(up)-1].(type) {
		case *ast.SelectorExpr:
			if outer.Sel == n {
				return // the selector's
			}
		case *ast.KeyValueExpr:
			if outer.Key == ast.Expr(n) && w.v.IsField() {
				w.set(outer.Value)
				return
			}
		}
		path := Path{}
		if w.v == w.field {
			path = Path{Root: w.v}
		}
		w.use(n, up, path)
	case *ast.CompositeLit:
		w.unkeyed(n)
	}
}

// unkeyed judges a literal that sets all fields of a struct by their order.
func (w *useLook) unkeyed(n *ast.CompositeLit) {
	if len(n.Elts) == 0 || !w.v.IsField() {
		return
	}
	if _, keyed := n.Elts[0].(*ast.KeyValueExpr); keyed {
		return
	}
	t := w.g.p.Info.Types[n].Type
	if t == nil {
		return
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range s.NumFields() {
		if s.Field(i).Origin() == w.v && i < len(n.Elts) {
			w.set(n.Elts[i])
		}
	}
}

// set judges a value that the field is given.
func (w *useLook) set(value ast.Expr) {
	value = ast.Unparen(value)
	if w.makes(value) {
		return
	}
	v := w.g.p.Variable(value)
	if v == nil || !isChan(v.Type()) {
		w.u.escape()
		return
	}
	d := w.g.p.declOf(v.Pos())
	if made := w.g.valueOf(v, d); made == nil || !w.makes(made) {
		w.u.escape()
		return
	}
	w.alias(v)
}

// makes reports whether an expression makes what nobody else has: a channel, a WaitGroup, a Cond; or is nil.
func (w *useLook) makes(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "NewCond" {
			return true
		}
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "new" {
			return true
		}
	}
	return isMade(e)
}

func fieldOf(o types.Object) *types.Var {
	v, ok := o.(*types.Var)
	if !ok {
		return nil
	}
	return v.Origin()
}

// isMade reports whether an expression makes a channel, or is none.
func isMade(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	}
	return false
}

func (w *useLook) alias(v *types.Var) {
	if !slices.Contains(w.u.aliases, v) {
		w.u.aliases = append(w.u.aliases, v)
	}
}

// use judges a use by what is around it.
func (w *useLook) use(e ast.Expr, up []ast.Node, path Path) {
	i := len(up) - 1
	for i >= 0 {
		if _, ok := up[i].(*ast.ParenExpr); !ok {
			break
		}
		e = up[i].(ast.Expr)
		i--
	}
	if i < 0 {
		w.u.escape()
		return
	}
	switch n := up[i].(type) {
	case *ast.SendStmt:
		if n.Chan != e {
			w.u.escape()
			return
		}
		w.add(OpSend, n, up[:i], path)
	case *ast.UnaryExpr:
		w.unary(n, up[:i], path)
	case *ast.RangeStmt:
		if n.X != e {
			w.u.escape()
			return
		}
		w.add(OpReceive, n, up[:i], path)
	case *ast.CallExpr:
		w.call(n, e, up[:i], path)
	case *ast.AssignStmt:
		w.assign(n, e)
	case *ast.ValueSpec:
		for k, value := range n.Values {
			if value == e && k < len(n.Names) {
				w.hold(n.Names[k])
			}
		}
	case *ast.SelectorExpr:
		w.method(n, up[:i], path)
	case *ast.ReturnStmt:
		w.returned(n, e, up[:i])
	case *ast.BinaryExpr, *ast.CaseClause, *ast.SwitchStmt, *ast.ExprStmt:
	default:
		w.u.escape()
	}
}

func (w *useLook) unary(n *ast.UnaryExpr, up []ast.Node, path Path) {
	switch n.Op {
	case token.ARROW:
		w.add(OpReceive, n, up, path)
	case token.AND: // of a WaitGroup that a function gets
		if len(up) > 0 {
			if call, ok := up[len(up)-1].(*ast.CallExpr); ok && call.Fun != ast.Expr(n) {
				w.give(call, n)
				return
			}
		}
		w.u.escape()
	default:
		w.u.escape()
	}
}

func (w *useLook) call(n *ast.CallExpr, e ast.Expr, up []ast.Node, path Path) {
	if o, ok := w.g.p.calleeOf(n).(*types.Builtin); ok {
		switch o.Name() {
		case "close":
			w.add(OpClose, n, up, path)
			return
		case "len", "cap":
			return
		}
	}
	w.give(n, e)
}

// give follows what is given to a function of the package.
func (w *useLook) give(call *ast.CallExpr, e ast.Expr) {
	var typ *ast.FuncType
	if lit, ok := calledLit(call); ok {
		typ = lit.Type
	} else if fn, ok := w.g.p.calleeOf(call).(*types.Func); ok && w.g.decls[fn.Origin()] != nil {
		typ = w.g.decls[fn.Origin()].Type
	}
	k := slices.Index(call.Args, e)
	if typ == nil || k < 0 || call.Ellipsis.IsValid() {
		w.u.escape()
		return
	}
	for _, field := range typ.Params.List {
		for _, name := range field.Names {
			if k == 0 {
				if _, several := field.Type.(*ast.Ellipsis); several {
					w.u.escape()
				} else if v, ok := w.g.p.Info.Defs[name].(*types.Var); ok && name.Name != "_" {
					w.alias(v)
				}
				return
			}
			k--
		}
		if len(field.Names) == 0 {
			return
		}
	}
	w.u.escape()
}

func (w *useLook) assign(n *ast.AssignStmt, e ast.Expr) {
	for i, l := range n.Lhs {
		if ast.Unparen(l) == ast.Unparen(e) {
			if len(n.Lhs) == len(n.Rhs) {
				if w.v == w.field {
					w.set(n.Rhs[i])
				}
			} else {
				w.u.escape()
			}
			return
		}
	}
	for i, r := range n.Rhs {
		if r != e {
			continue
		}
		if id, ok := n.Lhs[i].(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
			w.hold(id)
			return
		}
	}
	w.u.escape()
}

// hold follows a variable that is given what the field has.
func (w *useLook) hold(id *ast.Ident) {
	v, ok := w.g.p.objectOf(id).(*types.Var)
	switch {
	case id.Name == "_":
	case !ok || v.IsField() || isGlobal(v):
		w.u.escape()
	default:
		w.alias(v)
	}
}

// method judges a method of package sync.
func (w *useLook) method(sel *ast.SelectorExpr, up []ast.Node, path Path) {
	call, ok := (*ast.CallExpr)(nil), false
	if len(up) > 0 {
		call, ok = up[len(up)-1].(*ast.CallExpr)
	}
	switch name := sel.Sel.Name; {
	case name == "L" && syncName(w.v.Type()) == "Cond":
	case !ok || ast.Unparen(call.Fun) != ast.Expr(sel) || syncName(w.v.Type()) == "":
		w.u.escape()
	case name == "Done":
		w.add(OpDone, call, up[:len(up)-1], path)
	case name == "Signal" || name == "Broadcast":
		w.add(OpSignal, call, up[:len(up)-1], path)
	case name == "Wait":
	case name == "Add" && len(call.Args) == 1 && w.counts(call.Args[0]):
	default:
		w.u.escape()
	}
}

// counts reports whether an argument of Add is no negative number for sure.
func (w *useLook) counts(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && (id.Name == "len" || id.Name == "cap")
	}
	return false
}

// returned judges a return of the channel: the type of the result shows what callers can do with it.
func (w *useLook) returned(n *ast.ReturnStmt, e ast.Expr, up []ast.Node) {
	d, ok := functionIn(up).(*ast.FuncDecl)
	if !ok {
		w.u.escape()
		return
	}
	t, i := resultChan(d)
	if t == nil || i != slices.Index(n.Results, e) {
		w.u.escape()
		return
	}
	w.u.otherSends = w.u.otherSends || t.Dir != ast.RECV
	w.u.otherReceives = w.u.otherReceives || t.Dir != ast.SEND
}

// resultChan is the type of the only channel that a function returns, and its number among the results; nil for others.
func resultChan(d *ast.FuncDecl) (found *ast.ChanType, at int) {
	if d.Type.Results == nil {
		return nil, 0
	}
	i := 0
	for _, field := range d.Type.Results.List {
		for range max(1, len(field.Names)) {
			if t, ok := field.Type.(*ast.ChanType); ok {
				if found != nil {
					return nil, 0
				}
				found, at = t, i
			}
			i++
		}
	}
	return found, at
}

// add notes an operation. up is what is around its node.
func (w *useLook) add(op Op, n ast.Node, up []ast.Node, path Path) {
	u := fieldUse{Use{Op: op, At: n.Pos(), Fn: functionIn(up), Decl: declIn(up)}, n, path}
	if u.Fn == nil || u.Decl == nil {
		w.u.escape()
		return
	}
	if len(up) > 0 {
		if d, ok := up[len(up)-1].(*ast.DeferStmt); ok && ast.Node(d.Call) == n {
			u.Deferred = true
		}
	}
	w.u.all = append(w.u.all, u)
}

// calleeOf is the object that a call names.
func (p *Package) calleeOf(call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch fun := fun.(type) {
	case *ast.Ident:
		return p.Info.Uses[fun]
	case *ast.SelectorExpr:
		return p.Info.Uses[fun.Sel]
	}
	return nil
}
