package gocode

import (
	"go/ast"
	"go/types"
)

// maxCallSteps bounds the nodes that are looked at to know who calls whom in a package, and who uses its fields.
const maxCallSteps = 1 << 24

// A caller is a place where a function is begun by its name, or where it is written.
type caller struct {
	in   ast.Node // the function around it
	call *ast.CallExpr
	kind beginKind
	// handed reports that the call gives the function to one of package sync, which calls it.
	handed bool
}

// beginKind is how a function begins.
type beginKind uint8

const (
	called   beginKind = iota
	begun              // by a go statement
	deferred           // where the function around it returns
)

// A callGraph has who begins the functions of a package.
type callGraph struct {
	p       *Package
	decls   map[*types.Func]*ast.FuncDecl
	callers map[ast.Node][]caller
	// open are the functions that others may begin: exported ones, those that are used as values, and those that a call
	// through an interface may be of.
	open  map[ast.Node]bool
	steps int
	// reaches reports that code which isn't seen reaches into the package: C, or what has the addresses of its objects.
	reaches bool
	uses    map[*types.Var]*fieldUses
	structs map[*types.Struct]bool
}

func newCallGraph(p *Package) *callGraph {
	g := &callGraph{p: p, decls: map[*types.Func]*ast.FuncDecl{}, callers: map[ast.Node][]caller{},
		open: map[ast.Node]bool{}, uses: map[*types.Var]*fieldUses{}, structs: structsOf(p)}
	for _, file := range p.Files {
		for _, i := range file.Imports {
			g.reaches = g.reaches || i.Path.Value == `"C"` || i.Path.Value == `"unsafe"`
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
				g.decls[fn] = d
			}
			g.open[d] = g.opened(d)
		}
	}
	for _, file := range p.Files {
		g.walk(file, func(n ast.Node, up []ast.Node) {
			switch n := n.(type) {
			case *ast.FuncLit:
				g.begins(n, n, up)
			case *ast.Ident:
				if fn, ok := p.Info.Uses[n].(*types.Func); ok {
					if d := g.decls[fn.Origin()]; d != nil {
						g.begins(d, n, up)
					}
				}
			}
		})
	}
	for _, d := range g.decls {
		if len(g.callers[d]) == 0 && !runsOnce(d) {
			g.open[d] = true // nobody needs it, or who does isn't seen: an object's finalizer, linkname, a template
		}
	}
	return g
}

// runsOnce reports whether a function is main or an init.
func runsOnce(d *ast.FuncDecl) bool {
	return d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init")
}

// walk calls see with each node below one and what is around it, outermost first.
func (g *callGraph) walk(root ast.Node, see func(n ast.Node, up []ast.Node)) {
	var up []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if g.steps++; g.steps > maxCallSteps {
			return false
		}
		if n == nil {
			up = up[:len(up)-1]
			return true
		}
		see(n, up)
		up = append(up, n)
		return true
	})
}

// opened reports whether others may begin a declared function.
func (g *callGraph) opened(d *ast.FuncDecl) bool {
	x, name := &g.p.index, d.Name.Name
	if runsOnce(d) {
		return false
	}
	return d.Body == nil || ast.IsExported(name) && (d.Recv != nil || g.p.Types.Name() != "main") ||
		d.Recv != nil && (x.abstract[name] || x.unknown[name])
}

// begins notes a use of a function: a call of it, or its value.
func (g *callGraph) begins(fn, use ast.Node, up []ast.Node) {
	in := functionIn(up)
	e := use
	i := len(up) - 1
	for ; i >= 0; i-- {
		switch n := up[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != e {
				g.open[fn] = true
				return
			}
			e = n
			continue
		case *ast.ParenExpr, *ast.IndexExpr, *ast.IndexListExpr:
			e = n
			continue
		}
		break
	}
	call, ok := ast.Node(nil), false
	if i >= 0 {
		call = up[i]
	}
	c, ok := call.(*ast.CallExpr)
	if !ok || in == nil {
		g.open[fn] = true
		return
	}
	kind := called
	if ast.Node(c.Fun) == e {
		if i > 0 {
			switch around := up[i-1].(type) {
			case *ast.GoStmt:
				kind = begun
			case *ast.DeferStmt:
				if around.Call == c {
					kind = deferred
				}
			}
		}
	} else if _, method := g.p.syncMethod(c); method == "WaitGroup.Go" {
		kind = begun
	} else if method != "Once.Do" {
		g.open[fn] = true
		return
	}
	g.callers[fn] = append(g.callers[fn], caller{in, c, kind, ast.Node(c.Fun) != e})
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

// declIn is the declared function of what is around a node; nil where there is none.
func declIn(up []ast.Node) *ast.FuncDecl {
	for _, n := range up {
		if d, ok := n.(*ast.FuncDecl); ok {
			return d
		}
	}
	return nil
}
