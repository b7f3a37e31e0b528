package gocode

import (
	"go/ast"
	"go/types"
)

// A caller is a place where a function is begun.
type caller struct {
	in       ast.Node // the function around it
	call     *ast.CallExpr
	deferred bool // it begins where the function around it returns
	handed   bool // the call gives the function to one of package sync, which calls it
}

// calls are who begins the functions of a package, and what it does with channels, locks, WaitGroups and Conds.
type calls struct {
	p       *Package
	callers map[ast.Node][]caller
	// open are the functions that others may begin: exported ones, those that are used as values, and those that a call
	// through an interface may be of.
	open map[ast.Node]bool
	// values are the functions that a variable is given by name.
	values  map[*types.Var][]ast.Node
	foreign bool // code that isn't seen reaches into the package: C, or what has the addresses of its objects
	objects map[*types.Var]*Object
	known   map[ast.Node]bool // expressions whose value is followed
	ways    map[wayKey]*Ways
}

// inCalls is locked for what needs to know a package's calls.
func (p *Package) inCalls(do func(c *calls)) (ok bool) {
	return p.locked(func() {
		if p.calls == nil {
			p.calls = newCalls(p)
		}
		do(p.calls)
	})
}

func newCalls(p *Package) *calls {
	c := &calls{p: p, callers: map[ast.Node][]caller{},
		open: map[ast.Node]bool{}, values: map[*types.Var][]ast.Node{}, foreign: p.Partial,
		objects: map[*types.Var]*Object{}, known: map[ast.Node]bool{}, ways: map[wayKey]*Ways{}}
	for _, file := range p.Files {
		for _, i := range file.Imports {
			c.foreign = c.foreign || i.Path.Value == `"C"` || i.Path.Value == `"unsafe"`
		}
	}
	for _, d := range p.decls {
		c.open[d] = c.exported(d)
	}
	for _, see := range []func(ast.Node, []ast.Node){c.value, c.begins, c.look} {
		for _, file := range p.Files {
			walk(file, see)
		}
	}
	c.giveOut()
	for _, d := range c.p.decls {
		if len(c.callers[d]) == 0 && !runsOnce(d) {
			c.open[d] = true // nobody needs it, or who does isn't seen: an object's finalizer, linkname, a template
		}
	}
	return c
}

// runsOnce reports whether a function is main or an init.
func runsOnce(d *ast.FuncDecl) bool {
	return d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init")
}

// exported reports whether others may begin a declared function.
func (c *calls) exported(d *ast.FuncDecl) bool {
	x, name := &c.p.index, d.Name.Name
	if runsOnce(d) {
		return false
	}
	return d.Body == nil || ast.IsExported(name) && (d.Recv != nil || c.p.Types.Name() != "main") ||
		d.Recv != nil && (x.abstract[name] || x.unknown[name])
}

// walk calls see with each node below one and what is around it, outermost first.
func walk(root ast.Node, see func(n ast.Node, up []ast.Node)) {
	var up []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			up = up[:len(up)-1]
			return true
		}
		see(n, up)
		up = append(up, n)
		return true
	})
}

// functions are those that an expression is for certain: a literal, one that the package declares.
func (c *calls) functions(e ast.Expr) []ast.Node {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return []ast.Node{e}
	case *ast.IndexExpr:
		return c.functions(e.X)
	case *ast.IndexListExpr:
		return c.functions(e.X)
	case *ast.Ident:
		return c.functionsOf(c.p.Info.Uses[e])
	case *ast.SelectorExpr:
		return c.functionsOf(c.p.Info.Uses[e.Sel])
	}
	return nil
}

func (c *calls) functionsOf(o types.Object) []ast.Node {
	switch o := o.(type) {
	case *types.Func:
		if d := c.p.decls[o.Origin()]; d != nil {
			return []ast.Node{d}
		}
	case *types.Var:
		return c.values[o.Origin()]
	}
	return nil
}

// value notes the literals that a variable of a function is given, or a parameter of one of the package.
func (c *calls) value(n ast.Node, _ []ast.Node) {
	give := func(o types.Object, e ast.Expr) {
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			if v, ok := o.(*types.Var); ok && !v.IsField() && !isGlobal(v) {
				c.values[v], c.known[lit] = append(c.values[v], lit), true
			}
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				give(c.p.objectOf(id), n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if i < len(n.Values) {
				give(c.p.Info.Defs[id], n.Values[i])
			}
		}
	case *ast.CallExpr:
		if fns := c.functions(n.Fun); len(fns) == 1 {
			for i, v := range c.p.params(fns[0]) {
				if v != nil && i < len(n.Args) {
					give(v, n.Args[i])
				}
			}
		}
	}
}

// begins notes a use of a function: a call of it, or its value.
func (c *calls) begins(n ast.Node, up []ast.Node) {
	switch n := n.(type) {
	case *ast.FuncLit:
		if !c.known[n] {
			c.begin(n, n, up)
		}
	case *ast.Ident:
		for _, fn := range c.functionsOf(c.p.Info.Uses[n]) {
			c.begin(fn, n, up)
		}
	}
}

// begin notes that a function is named, or written, in what is around it.
func (c *calls) begin(fn, use ast.Node, up []ast.Node) {
	e, i := use, len(up)-1
	for ; i >= 0; i-- {
		switch n := up[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != e {
				c.open[fn] = true
				return
			}
			e = n
			continue
		case *ast.ParenExpr, *ast.IndexExpr, *ast.IndexListExpr:
			e = n
			continue
		case *ast.AssignStmt: // it gets a value
			for _, l := range n.Lhs {
				if l == e {
					return
				}
			}
		}
		break
	}
	in := functionIn(up)
	call, ok := ast.Node(nil), false
	if i >= 0 {
		call = up[i]
	}
	x, ok := call.(*ast.CallExpr)
	if !ok || in == nil {
		c.open[fn] = true
		return
	}
	found := caller{in: in, call: x, handed: ast.Node(x.Fun) != e}
	if found.handed {
		if _, name := c.p.syncMethod(x.Fun); name != "WaitGroup.Go" && name != "Once.Do" {
			c.open[fn] = true
			return
		}
	} else if i > 0 {
		d, ok := up[i-1].(*ast.DeferStmt)
		found.deferred = ok && d.Call == x
	}
	c.callers[fn] = append(c.callers[fn], found)
}

// functionIn is the innermost function of what is around a node; nil where there is none.
func functionIn(up []ast.Node) ast.Node {
	for i := len(up) - 1; i >= 0; i-- {
		switch n := up[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return n
		}
	}
	return nil
}
