package gocode

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// Starters are the functions of a package in which a function may be begun, by a go statement or a call, directly or by
// others that they call: each with the places where it does so.
type Starters map[ast.Node][]ast.Node

// Starters returns where the function of an ender may be begun for the object at hand; ok is false where anybody may
// begin it: it, or a function that does, is exported, used as a value, deferred, or may be called through an interface.
//
// A method that is begun for an object which its function has just made is begun for no other object: who calls that
// function makes another one.
func (p *Package) Starters(e Ender) (all Starters, ok bool) {
	sound := p.inLocks(func(l *lockFacts) { all, ok = l.starters(e) })
	return all, sound && ok && !p.broken
}

func (l *lockFacts) starters(e Ender) (Starters, bool) {
	all, seen := Starters{}, map[ast.Node]bool{e.Fn: true}
	for work := []ast.Node{e.Fn}; len(work) > 0; {
		fn := work[0]
		work = work[1:]
		decl, isDecl := fn.(*ast.FuncDecl)
		if isDecl && (ast.IsExported(decl.Name.Name) || l.p.index.abstract[decl.Name.Name] ||
			l.p.index.unknown[decl.Name.Name]) {
			return nil, false
		}
		ok := true
		l.eachUse(fn, func(around []ast.Node) {
			call, in := beginning(around, fn)
			if call == nil || in == nil {
				ok = false
				return
			}
			all[in] = append(all[in], call)
			if !seen[in] && !(fn == e.Fn && isDecl && l.justMade(e, call, in)) {
				seen[in] = true
				work = append(work, in)
			}
		})
		if !ok {
			return nil, false
		}
	}
	return all, true
}

// eachUse calls see with what is around each use of a function: a declared one's name, or the literal itself. The use
// is the last of it.
func (l *lockFacts) eachUse(fn ast.Node, see func(around []ast.Node)) {
	decl, isDecl := fn.(*ast.FuncDecl)
	for _, file := range l.p.Files {
		var around []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				around = around[:len(around)-1]
				return true
			}
			around = append(around, n)
			if n == fn && !isDecl || isDecl && l.names(n, decl) {
				see(around)
			}
			return true
		})
	}
}

// names reports whether a node is a use of a declared function's name.
func (l *lockFacts) names(n ast.Node, decl *ast.FuncDecl) bool {
	id, ok := n.(*ast.Ident)
	if !ok {
		return false
	}
	fn, ok := l.p.Info.Uses[id].(*types.Func)
	return ok && l.decls[fn.Origin()] == decl
}

// beginning is the call that a use of a function is in, and the function around it; nil where it is used otherwise.
func beginning(around []ast.Node, fn ast.Node) (call *ast.CallExpr, in ast.Node) {
	i := len(around) - 2
	for ; i >= 0 && call == nil; i-- {
		switch up := around[i].(type) {
		case *ast.CallExpr:
			if !contains(up.Fun, around[len(around)-1]) {
				return nil, nil
			}
			call = up
		case *ast.SelectorExpr, *ast.ParenExpr, *ast.IndexExpr:
		default:
			return nil, nil
		}
	}
	if i >= 0 {
		if _, deferred := around[i].(*ast.DeferStmt); deferred {
			return nil, nil
		}
	}
	for ; i >= 0; i-- {
		switch up := around[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return call, up
		}
	}
	return nil, nil
}

// justMade reports whether a call begins a method for an object that the function around it has made, and whose own
// channel or WaitGroup the ender uses.
func (l *lockFacts) justMade(e Ender, call *ast.CallExpr, in ast.Node) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	decl, isDecl := in.(*ast.FuncDecl)
	if !ok || !isDecl || e.Decl == nil || e.Decl.Recv == nil || len(e.Decl.Recv.List[0].Names) == 0 {
		return false
	}
	of, ok := l.p.Of(e)
	made := l.p.path(sel.X)
	if !ok || of.Root != l.p.Info.Defs[e.Decl.Recv.List[0].Names[0]] || made.Root == nil || len(made.Fields) > 0 ||
		!within(made.Root, decl.Body) || !l.p.setOnce(made.Root, decl) {
		return false
	}
	return l.p.madeIn(made.Root, decl)
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

// Ahead reports whether a goroutine that is in a function's call of callee, at s, may come to one of the places there.
func (s *Site) Ahead(callee string, places Starters) bool {
	return s.leadsTo(s.calls(callee), places[s.Fn])
}

// leadsTo reports whether a target comes behind one of some nodes of the function at s; also where that isn't known.
func (s *Site) leadsTo(from, targets []ast.Node) bool {
	if len(targets) == 0 {
		return false
	}
	leads := true
	s.inLocks(func(l *lockFacts) {
		if f := l.flowOf(s.Fn, 0); len(from) > 0 && !f.failed {
			leads = reaches(f.graph, from, targets)
		}
	})
	return leads
}

// reaches reports whether a target comes behind one of some nodes in a graph, which may be one of them again. In a node
// that has both a target may come behind.
func reaches(g *cfg.CFG, from, targets []ast.Node) bool {
	has := func(n ast.Node, all, but []ast.Node) bool {
		return slices.ContainsFunc(all, func(t ast.Node) bool { return contains(n, t) && !slices.Contains(but, t) })
	}
	received := func(b *cfg.Block) bool { // a range statement receives at the head of its loop
		return b.Kind == cfg.KindRangeLoop && slices.Contains(targets, ast.Node(b.Stmt))
	}
	seen := map[*cfg.Block]bool{}
	var work []*cfg.Block
	found := false
	for _, b := range g.Blocks {
		behind := false
		for _, n := range b.Nodes {
			switch {
			case has(n, from, nil):
				behind, found = true, true
				if has(n, targets, from) {
					return true
				}
			case behind && has(n, targets, nil):
				return true
			}
		}
		if behind {
			work = append(work, b.Succs...)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; received(b) || slices.ContainsFunc(b.Nodes, func(n ast.Node) bool {
			return has(n, targets, nil)
		}) {
			return true
		}
		work = append(work, b.Succs...)
	}
	return !found
}
