package gocode

import (
	"go/ast"
	"go/types"
	"path"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// maxWays bounds the functions that are followed up from what ends a wait.
const maxWays = 512

// Ways are how the waits for one object may be ended.
type Ways struct {
	// places are the functions from which a wait may be ended, with what does it or leads to it there.
	places map[ast.Node][]ast.Node
	// late are those that end it, or call what does, where they return.
	late map[ast.Node]bool
	// Open reports that anybody may begin one of these functions, Foreign that other code has the object.
	Open, Foreign bool
	// Enders are the operations themselves.
	Enders []Use
}

type wayKey struct {
	object *Object
	op     Op
}

// Ways returns how a wait in an operation on an object may be ended; nil where that can't be worked out.
func (p *Package) Ways(o *Object, op Op) (w *Ways) {
	p.inCalls(func(c *calls) {
		k := wayKey{o, op}
		if w = c.ways[k]; w == nil {
			w = c.waysOf(o, op)
			c.ways[k] = w
		}
	})
	return w
}

// A step is a place in a function that ends a wait, or leads to where that is done, and the variable by which the
// function names the object, or what has it; nil where that isn't known.
type step struct {
	fn   ast.Node
	node ast.Node
	root types.Object
	late bool
}

func (c *calls) waysOf(o *Object, op Op) *Ways {
	w := &Ways{places: map[ast.Node][]ast.Node{}, late: map[ast.Node]bool{}, Foreign: o.isOpen(op),
		Enders: o.Enders(op)}
	type key struct {
		fn   ast.Node
		root types.Object
	}
	var work []step
	for _, u := range w.Enders {
		work = append(work, step{u.Fn, u.node, u.Path.Root, u.Deferred})
	}
	seen := map[key]bool{}
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		w.places[s.fn] = append(w.places[s.fn], s.node)
		w.late[s.fn] = w.late[s.fn] || s.late
		k := key{s.fn, s.root}
		if seen[k] {
			continue
		}
		if seen[k] = true; len(seen) > maxWays {
			w.Open = true
			break
		}
		if c.fresh(s, o) {
			continue
		}
		w.Open = w.Open || c.open[s.fn]
		for _, from := range c.callers[s.fn] {
			work = append(work, step{from.in, from.call, c.given(s, from), from.deferred})
		}
	}
	return w
}

// given is the variable of a step as a caller names it.
func (c *calls) given(s step, from caller) types.Object {
	if s.root == nil || isGlobal(s.root) || !within(s.root, s.fn) {
		return s.root
	}
	if from.handed || within(s.root, bodyOf(s.fn)) {
		return nil
	}
	arg, _ := c.p.argument(s.root, from.call, s.fn)
	return arg.Root
}

// fresh reports whether the object of a step is made by the call of its function that is under way: it is another one
// each time that the function is called.
func (c *calls) fresh(s step, o *Object) bool {
	_, local := o.Local()
	isResult := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && local && c.result(call, 0, 1) != nil
	}
	if u, ok := s.node.(*ast.UnaryExpr); ok && isResult(u.X) {
		return !o.shared
	}
	if r, ok := s.node.(*ast.RangeStmt); ok && isResult(r.X) {
		return !o.shared
	}
	v, ok := s.root.(*types.Var)
	if !ok || o.shared || bodyOf(s.fn) == nil || !within(v, bodyOf(s.fn)) {
		return false
	}
	n, made := 0, false
	ast.Inspect(bodyOf(s.fn), func(n2 ast.Node) bool {
		set := func(to, value ast.Expr) {
			if id, ok := to.(*ast.Ident); ok && c.p.objectOf(id) == types.Object(v) {
				n++
				made = made || value != nil && (makes(value) || isResult(value))
			}
		}
		switch x := n2.(type) {
		case *ast.AssignStmt:
			for i, l := range x.Lhs {
				if len(x.Lhs) == len(x.Rhs) {
					set(l, x.Rhs[i])
				} else {
					set(l, nil)
				}
			}
		case *ast.ValueSpec:
			for i, id := range x.Names {
				if i < len(x.Values) {
					set(id, x.Values[i])
				} else if c.p.Info.Defs[id] == types.Object(v) && !isPointer(v.Type()) {
					made = true
				}
			}
		case *ast.RangeStmt:
			set(x.Key, nil)
			set(x.Value, nil)
		}
		return true
	})
	return made && n <= 1
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// Makes reports whether the call at s has made the object that it waits for, or what has it: it expects an answer.
// Those of main are there as long as the program.
func (s *Site) Makes(e ast.Expr) (makes bool) {
	root := s.path(e).Root
	s.inCalls(func(c *calls) { makes = !runsOnce(s.Decl) && c.fresh(step{fn: s.Fn, root: root}, &Object{}) })
	return makes
}

// Leads reports whether a goroutine that is at s, in the call of callee or in a wait, may come to one of the places of
// its function that end a wait.
func (s *Site) Leads(callee string, wait *Wait, w *Ways) (leads bool) {
	targets := w.places[s.Fn]
	if w.late[s.Fn] || len(targets) == 0 {
		return len(targets) > 0
	}
	from := s.calls(callee)
	if wait != nil {
		from = wait.nodes
	}
	leads = true
	s.inLocks(func(l *locks) {
		if f := l.flowOf(s.Fn, 0); len(from) > 0 && f.graph != nil {
			leads = reaches(f.graph, from, targets)
		}
	})
	return leads
}

// In reports whether one of the functions from which a wait may be ended is in a file.
func (w *Ways) In(p *Package, file string) bool {
	for fn := range w.places {
		if name, _ := p.Place(fn.Pos()); path.Base(name) == path.Base(file) {
			return true
		}
	}
	return false
}

// Late reports whether the function of a site ends the wait only where it returns.
func (w *Ways) Late(s *Site) bool { return w.late[s.Fn] }

// reaches reports whether a target comes behind one of some nodes in a graph, which may be one of them again. In a node
// that has both a target may come behind.
func reaches(g *cfg.CFG, from, targets []ast.Node) bool {
	has := func(n ast.Node, all, but []ast.Node) bool {
		return slices.ContainsFunc(all, func(t ast.Node) bool { return contains(n, t) && !slices.Contains(but, t) })
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
		if seen[b] = true; b.Kind == cfg.KindRangeLoop && slices.Contains(targets, ast.Node(b.Stmt)) ||
			slices.ContainsFunc(b.Nodes, func(n ast.Node) bool { return has(n, targets, nil) }) {
			return true
		}
		work = append(work, b.Succs...)
	}
	return !found
}
