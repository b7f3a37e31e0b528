package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An Op is what code does with a channel, a WaitGroup or a Cond.
type Op uint8

// The operations.
const (
	OpSend Op = iota
	OpReceive
	OpClose
	OpDone
	OpWait
	OpSignal // of a Cond, to one or all
)

// ends reports whether an operation could end the wait in another one.
func (op Op) ends(wait Op) bool {
	switch wait {
	case OpSend:
		return op == OpReceive
	case OpReceive:
		return op == OpSend || op == OpClose
	case OpWait:
		return op == OpDone || op == OpSignal
	}
	return false
}

// A Use is an operation on an object.
type Use struct {
	Op       Op
	At       token.Pos
	Fn       ast.Node      // the function that does it
	Decl     *ast.FuncDecl // Fn, or the one that it lies in
	Deferred bool          // it is done where Fn returns
	Select   bool          // it is a case of a select
	Path     Path          // that it names the object by; without a root for what a call returns
	// Due reports that it is deferred on all ways through Fn.
	Due  bool
	node ast.Node
}

// An Object is a channel, a lock, a WaitGroup or a Cond as a package knows it: the variables and fields that may hold
// the same one. Which of the objects that a field has at run time it is isn't known.
type Object struct {
	Uses []Use // in order of the source
	vars []*types.Var
	// Others may do these things with it, in code that isn't known.
	otherSends, otherReceives bool
	made                      token.Pos // where a variable of a function is given a new one
	shared                    bool      // a field gets it from elsewhere than where it is made
}

// Local reports whether no field and no variable of the package holds it; made is where it is made.
func (o *Object) Local() (made token.Pos, local bool) {
	return o.made, !slices.ContainsFunc(o.vars, func(v *types.Var) bool { return v.IsField() || isGlobal(v) })
}

// Enders are the uses that may end a wait in an operation.
func (o *Object) Enders(wait Op) (all []Use) {
	for _, u := range o.Uses {
		if u.Op.ends(wait) {
			all = append(all, u)
		}
	}
	return all
}

func (o *Object) isOpen(wait Op) bool {
	return wait == OpSend && o.otherReceives || wait == OpReceive && o.otherSends ||
		wait == OpWait && (o.otherSends || o.otherReceives)
}

// Object is what an expression names, nil for what is no variable or field, and for what isn't waited for by sync.
func (p *Package) Object(e ast.Expr) (o *Object) {
	p.inCalls(func(c *calls) {
		if v := c.variable(e); v != nil {
			o = c.objects[v]
		}
	})
	return o
}

// objectOfVar is the object that a variable holds.
func (c *calls) object(v *types.Var) *Object {
	o := c.objects[v]
	if o == nil {
		o = &Object{vars: []*types.Var{v}}
		c.objects[v] = o
	}
	return o
}

// join makes one object of what two variables hold.
func (c *calls) join(v, w *types.Var) {
	a, b := c.object(v), c.object(w)
	a.shared = a.shared || v.IsField() && (w.IsField() || a != b && c.isParam(w)) || w.IsField() && c.isParam(v)
	if a == b {
		return
	}
	a.shared = a.shared || b.shared
	a.otherSends, a.otherReceives = a.otherSends || b.otherSends, a.otherReceives || b.otherReceives
	a.made = max(a.made, b.made)
	a.vars, a.Uses = append(a.vars, b.vars...), append(a.Uses, b.Uses...)
	for _, v := range b.vars {
		c.objects[v] = a
	}
}

// isParam reports whether a variable is a parameter or a result, whose value comes from elsewhere.
func (c *calls) isParam(v *types.Var) bool {
	d := c.p.declOf(v.Pos())
	return d == nil || !within(v, d.Body)
}

// give notes that others get what a variable of a type holds.
func (o *Object) give(t types.Type) {
	if ch, ok := t.Underlying().(*types.Chan); ok {
		o.otherSends = o.otherSends || ch.Dir() != types.RecvOnly
		o.otherReceives = o.otherReceives || ch.Dir() != types.SendOnly
		return
	}
	o.otherSends, o.otherReceives = true, true
}

// follows reports whether goroutines wait for what a type is of.
func follows(t types.Type) bool {
	switch syncName(t) {
	case "Mutex", "RWMutex", "WaitGroup", "Cond", "Locker":
		return true
	}
	return isChan(t)
}

// variable is the variable or field whose value an expression is, or the result of a function of the package; nil for
// others, and for those that nobody waits for.
func (c *calls) variable(e ast.Expr) (v *types.Var) {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND || !ok {
		if ok {
			e = ast.Unparen(u.X)
		}
		switch x := e.(type) {
		case *ast.Ident, *ast.StarExpr, *ast.SelectorExpr:
			if v = c.p.path(e).Last(); v == nil {
				if sel, ok := x.(*ast.SelectorExpr); ok {
					v, _ = c.p.Info.Uses[sel.Sel].(*types.Var)
				}
			}
		case *ast.CallExpr:
			v = c.result(x, 0, 1)
		}
	}
	if v == nil || v.Pkg() != c.p.Types || !follows(v.Type()) {
		return nil
	}
	return v.Origin()
}

// result is the i-th of n results of a call of a function that the package declares.
func (c *calls) result(call *ast.CallExpr, i, n int) *types.Var {
	fns := c.functions(call.Fun)
	if len(fns) != 1 {
		return nil
	}
	d, ok := fns[0].(*ast.FuncDecl)
	if !ok {
		return nil
	}
	fn, ok := c.p.Info.Defs[d.Name].(*types.Func)
	if !ok || fn.Signature().Results().Len() != n {
		return nil
	}
	return fn.Signature().Results().At(i)
}

// assign notes that a variable is given a value, or something that isn't followed.
func (c *calls) assign(to *types.Var, value ast.Expr) {
	if to == nil || !follows(to.Type()) || to.Pkg() != c.p.Types {
		return
	}
	to = to.Origin()
	o := c.object(to)
	switch from := c.variable(value); {
	case from != nil:
		c.known[ast.Unparen(value)] = true
		c.join(to, from)
	case makes(value):
		if !to.IsField() && !isGlobal(to) {
			o.made = value.Pos()
		}
	case !isNil(value):
		o.otherSends, o.otherReceives, o.shared = true, true, true
	}
}

// makes reports whether an expression makes what nobody else has.
func makes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && makes(e.X)
	case *ast.CallExpr:
		switch f := ast.Unparen(e.Fun).(type) {
		case *ast.Ident:
			return f.Name == "make" || f.Name == "new"
		case *ast.SelectorExpr:
			return f.Sel.Name == "NewCond"
		}
	}
	return false
}

func isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "nil"
}

// look notes what a node does with objects: where their values go, and the operations.
func (c *calls) look(n ast.Node, up []ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		c.assigned(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, id := range n.Names {
			names = append(names, id)
			if v, ok := c.p.Info.Defs[id].(*types.Var); ok && len(n.Values) == 0 && follows(v.Type()) && !isGlobal(v) {
				c.object(v).made = id.Pos()
			}
		}
		c.assigned(names, n.Values)
	case *ast.RangeStmt:
		for _, e := range []ast.Expr{n.Key, n.Value} {
			if e != nil {
				c.assigned([]ast.Expr{e}, []ast.Expr{&ast.BadExpr{}})
			}
		}
	case *ast.CompositeLit:
		c.composed(n)
	case *ast.CallExpr:
		c.called(n)
		c.use(n, up)
	case *ast.ReturnStmt:
		if d, ok := functionIn(up).(*ast.FuncDecl); ok {
			if fn, ok := c.p.Info.Defs[d.Name].(*types.Func); ok {
				c.results(fn.Signature().Results(), n.Results)
			}
		}
	case *ast.SelectorExpr:
		if s := c.p.Info.Selections[n]; s != nil && s.Kind() == types.FieldVal || s == nil && c.variable(n) != nil {
			c.use(n, up)
		}
	case *ast.Ident:
		if sel, ok := up[len(up)-1].(*ast.SelectorExpr); ok && sel.Sel == n {
			return
		}
		if kv, ok := up[len(up)-1].(*ast.KeyValueExpr); ok && kv.Key == ast.Expr(n) && c.known[n] {
			return
		}
		if c.p.Info.Uses[n] != nil {
			c.use(n, up)
		}
	}
}

// results notes what a return statement gives to the results of its function.
func (c *calls) results(to *types.Tuple, values []ast.Expr) {
	for i, e := range values {
		if to.Len() == len(values) {
			c.assign(to.At(i), e)
		}
	}
}

// assigned notes an assignment, or a declaration.
func (c *calls) assigned(to, values []ast.Expr) {
	for i, l := range to {
		v := c.variable(l)
		if id, ok := l.(*ast.Ident); ok && v == nil {
			if id.Name == "_" && len(to) == len(values) {
				c.known[ast.Unparen(values[i])] = true
				continue
			}
			v, _ = c.p.Info.Defs[id].(*types.Var)
		}
		if v == nil {
			continue
		}
		c.known[ast.Unparen(l)] = true
		switch {
		case len(values) == len(to):
			c.assign(v, values[i])
		case len(values) == 1:
			call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
			if ok {
				if r := c.result(call, i, len(to)); r != nil {
					if follows(v.Type()) && follows(r.Type()) {
						c.join(v, r)
					}
					continue
				}
			}
			c.assign(v, &ast.BadExpr{})
		}
	}
}

// composed notes the fields that a literal of a struct sets.
func (c *calls) composed(n *ast.CompositeLit) {
	t := c.p.Info.TypeOf(n)
	if t == nil {
		return
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	for i, e := range n.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		switch {
		case !ok:
		case keyed:
			if id, isName := kv.Key.(*ast.Ident); isName {
				c.known[id] = true
				f, _ := c.p.Info.Uses[id].(*types.Var)
				c.assign(f, kv.Value)
			}
		case i < s.NumFields():
			c.assign(s.Field(i), e)
		}
	}
}

// called notes what the parameters of a function that a call may be of are given.
func (c *calls) called(n *ast.CallExpr) {
	for _, fn := range c.functions(n.Fun) {
		for i, v := range c.p.params(fn) {
			if v == nil || i >= len(n.Args) {
				continue
			}
			if n.Ellipsis.IsValid() {
				c.assign(v, &ast.BadExpr{})
			} else {
				c.assign(v, n.Args[i])
			}
		}
		if d, ok := fn.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) == 1 {
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				if v, ok := c.p.Info.Defs[d.Recv.List[0].Names[0]].(*types.Var); ok {
					c.assign(v, sel.X)
				}
			}
		}
	}
}

// use judges a use of a variable by what is around it.
func (c *calls) use(e ast.Expr, up []ast.Node) {
	v := c.variable(e)
	if v == nil {
		return
	}
	o, path := c.object(v), c.p.path(e)
	node := ast.Expr(e)
	for i := len(up) - 1; i >= 0; i-- {
		if c.known[node] {
			return
		}
		switch n := up[i].(type) {
		case *ast.ParenExpr:
			node = n
			continue
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				node = n
				continue
			}
			if n.Op == token.ARROW {
				o.add(c, Use{Op: OpReceive, node: n, Path: path}, up[:i])
				return
			}
		case *ast.SendStmt:
			if n.Chan == node {
				o.add(c, Use{Op: OpSend, node: n, Path: path}, up[:i])
				return
			}
		case *ast.RangeStmt:
			if n.X == node && isChan(v.Type()) {
				o.add(c, Use{Op: OpReceive, node: n, Path: path}, up[:i])
				return
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && c.p.Info.Types[n.Fun].IsBuiltin() {
				switch id.Name {
				case "close":
					o.add(c, Use{Op: OpClose, node: n, Path: path}, up[:i])
					return
				case "len", "cap":
					return
				}
			}
		case *ast.SelectorExpr:
			if c.method(o, n, up[:i], path) {
				return
			}
		case *ast.BinaryExpr, *ast.CaseClause, *ast.SwitchStmt, *ast.ExprStmt, *ast.StarExpr, *ast.Field:
			return
		}
		break
	}
	o.give(v.Type())
}

// method judges a method of package sync; of another type it has been followed.
func (c *calls) method(o *Object, sel *ast.SelectorExpr, up []ast.Node, path Path) bool {
	if s := c.p.Info.Selections[sel]; s == nil || s.Kind() == types.FieldVal {
		return s != nil
	}
	_, name := c.p.syncMethod(sel)
	call, ok := up[len(up)-1].(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != ast.Expr(sel) {
		return false
	}
	switch name {
	case "WaitGroup.Done":
		o.add(c, Use{Op: OpDone, node: call, Path: path}, up[:len(up)-1])
	case "WaitGroup.Go":
		for _, fn := range c.functions(call.Args[0]) {
			o.Uses = append(o.Uses, Use{Op: OpDone, At: call.Pos(), Fn: fn, Decl: c.p.declOf(fn.Pos()), Deferred: true,
				node: bodyOf(fn), Path: path})
		}
	case "WaitGroup.Add":
		u, negative := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		return !negative || u.Op != token.SUB
	case "Cond.Signal", "Cond.Broadcast":
		o.add(c, Use{Op: OpSignal, node: call, Path: path}, up[:len(up)-1])
	case "RWMutex.RLocker":
		return false
	}
	return true
}

// add notes an operation. up is what is around its node.
func (o *Object) add(c *calls, u Use, up []ast.Node) {
	u.At, u.Fn, u.Decl = u.node.Pos(), functionIn(up), c.p.declOf(u.node.Pos())
	if u.Fn == nil || u.Decl == nil {
		o.otherSends, o.otherReceives = true, true
		return
	}
	d, ok := up[len(up)-1].(*ast.DeferStmt)
	u.Deferred = ok && ast.Node(d.Call) == u.node
	u.Due = u.Deferred && up[len(up)-2] == ast.Node(bodyOf(u.Fn))
	u.Select = slices.ContainsFunc(up, func(n ast.Node) bool {
		clause, ok := n.(*ast.CommClause)
		return ok && clause.Comm != nil && contains(clause.Comm, u.node)
	})
	if g, ok := up[len(up)-1].(*ast.GoStmt); ok && ast.Node(g.Call) == u.node {
		o.otherSends, o.otherReceives = true, true // by a goroutine that has no frame here
	}
	o.Uses = append(o.Uses, u)
}

// giveOut notes what others have by name, or by calling functions.
func (c *calls) giveOut() {
	for fn, open := range c.open {
		if !open {
			continue
		}
		for _, v := range c.p.params(fn) {
			if v != nil && follows(v.Type()) {
				c.object(v).otherSends, c.object(v).otherReceives = true, true
			}
		}
		if d, ok := fn.(*ast.FuncDecl); ok {
			if f, ok := c.p.Info.Defs[d.Name].(*types.Func); ok {
				for v := range f.Signature().Results().Variables() {
					if follows(v.Type()) {
						c.object(v).give(v.Type())
					}
				}
			}
		}
	}
	for v, o := range c.objects {
		shared := v.Exported() && (v.IsField() || isGlobal(v)) && c.p.Types.Name() != "main"
		if c.foreign || shared || c.p.index.unknown[v.Name()] {
			o.otherSends, o.otherReceives = true, true
		}
		slices.SortFunc(o.Uses, func(a, b Use) int { return int(a.At - b.At) })
	}
}
