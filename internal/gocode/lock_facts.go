package gocode

import (
	"go/ast"
	"go/types"
	"strconv"
)

// lockFacts is what is known about the locks of a package.
type lockFacts struct {
	p     *Package
	decls map[*types.Func]*ast.FuncDecl
	// touch are the functions that work on locks, or call such: all others need no analysis.
	touch    map[*ast.FuncDecl]bool
	flows    map[ast.Node]*flow
	results  map[ast.Node]*effect
	lits     map[*ast.FuncLit][]Path // what frees returns
	left     []Left
	searched bool                // for left
	unsure   map[*types.Var]bool // see Sure; of nil: all; nil until someone asks
	judged   bool                // unsure is complete: nothing went wrong on the way
	effects  int
	calls    *callGraph          // nil until someone asks
	sets     map[setKey]*LockSet // what Locks returns
}

// An effect is what a function has done with locks when it returns.
type effect struct {
	held  []Hold    // taken and not released
	freed []release // released, which callers have taken
	vague bool      // not known
}

func newLockFacts(p *Package) *lockFacts {
	l := &lockFacts{p: p, decls: map[*types.Func]*ast.FuncDecl{}, flows: map[ast.Node]*flow{},
		results: map[ast.Node]*effect{},
		lits:    map[*ast.FuncLit][]Path{}, sets: map[setKey]*LockSet{}}
	for _, file := range p.Files {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					l.decls[fn] = d
				}
			}
		}
	}
	l.touch = l.touching()
	return l
}

// touching finds the functions that work on locks, or call such.
func (l *lockFacts) touching() map[*ast.FuncDecl]bool {
	callers := map[*ast.FuncDecl][]*ast.FuncDecl{}
	touch := map[*ast.FuncDecl]bool{}
	var found []*ast.FuncDecl
	for _, decl := range l.decls {
		ast.Inspect(decl, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if _, name := l.p.syncMethod(call); name != "" && !touch[decl] {
				touch[decl], found = true, append(found, decl)
			}
			if callee := l.declared(call); callee != nil {
				callers[callee] = append(callers[callee], decl)
			}
			return true
		})
	}
	for len(found) > 0 {
		decl := found[len(found)-1]
		found = found[:len(found)-1]
		for _, c := range callers[decl] {
			if !touch[c] {
				touch[c], found = true, append(found, c)
			}
		}
	}
	return touch
}

// frees are the locks that a function literal releases and takes nowhere before that.
func (l *lockFacts) frees(lit *ast.FuncLit) []Path {
	if known, ok := l.lits[lit]; ok {
		return known
	}
	var freed []Path
	taken := map[*types.Var]bool{}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch p, o := l.p.lockCall(call); {
		case o == noOp:
			if _, name := l.p.syncMethod(call); name == "Cond.Wait" && len(taken) == 0 { // it releases its lock
				freed = append(freed, Path{})
			}
		case o != unlock:
			taken[p.Last()] = true
		case !taken[p.Last()]:
			freed = append(freed, p)
		}
		return true
	})
	l.lits[lit] = freed
	return freed
}

// declared is the function of the package that a call calls; nil where that is another one, or not known.
func (l *lockFacts) declared(call *ast.CallExpr) *ast.FuncDecl {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // of a generic function
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	if fn, ok := l.p.Info.Uses[id].(*types.Func); ok {
		return l.decls[fn.Origin()]
	}
	return nil
}

// bind is a path of a function that is called, as the caller names it.
func (l *lockFacts) bind(p Path, call *ast.CallExpr, fn *ast.FuncDecl) Path {
	if p.Root == nil || isGlobal(p.Root) || fn == nil && !within(p.Root, call) {
		return p
	}
	if fn != nil {
		if arg, ok := l.p.argument(p.Root, call, fn); ok {
			return p.behind(arg)
		}
	}
	fields := p.Fields
	if len(fields) == 0 {
		fields = []*types.Var{p.Last()}
	}
	return Path{Fields: fields, text: "call" + strconv.Itoa(int(call.Pos()))}
}

// isGlobal reports whether a variable is one of a package.
func isGlobal(o types.Object) bool { return o.Pkg() != nil && o.Parent() == o.Pkg().Scope() }

// within reports whether an object is declared inside a node.
func within(o types.Object, n ast.Node) bool { return n.Pos() <= o.Pos() && o.Pos() < n.End() }

// argument is the path that a call gives to a parameter of a function, or to its receiver.
func (p *Package) argument(param types.Object, call *ast.CallExpr, fn *ast.FuncDecl) (Path, bool) {
	if fn.Recv != nil && len(fn.Recv.List) > 0 && len(fn.Recv.List[0].Names) > 0 &&
		p.Info.Defs[fn.Recv.List[0].Names[0]] == param {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return p.receiver(sel), true
		}
		return Path{}, false
	}
	i := p.paramIndex(param, fn.Type)
	if i < 0 || i >= len(call.Args) || call.Ellipsis.IsValid() {
		return Path{}, false
	}
	return p.path(call.Args[i]), true
}

// paramIndex is the place of a parameter among those of a function; -1 for others, and for one that takes several.
func (p *Package) paramIndex(param types.Object, fn *ast.FuncType) int {
	i := 0
	for _, field := range fn.Params.List {
		_, several := field.Type.(*ast.Ellipsis)
		for _, name := range field.Names {
			if p.Info.Defs[name] == param && !several {
				return i
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return -1
}

// effectOf is what a function leaves behind.
func (l *lockFacts) effectOf(fn ast.Node, depth int) *effect {
	if e, ok := l.results[fn]; ok {
		return e
	}
	if decl, ok := fn.(*ast.FuncDecl); ok && !l.touch[decl] {
		return &effect{}
	}
	l.results[fn] = &effect{vague: true} // for a function that calls itself
	f := l.flowOf(fn, depth)
	e := &effect{vague: f.failed}
	var all *state
	f.each(func(n ast.Node, s *state) {
		if _, ok := n.(*ast.ReturnStmt); !ok {
			return
		}
		s = s.clone()
		s.end()
		s.settle()
		if all == nil {
			all = s
		} else {
			all.join(s)
		}
	})
	if all != nil {
		for _, h := range all.held {
			e.held = append(e.held, h)
		}
		for _, r := range all.freed {
			e.freed = append(e.freed, r)
		}
		e.vague = e.vague || all.vague
	}
	l.results[fn] = e
	return e
}
