package gocode

import (
	"go/ast"
	"go/types"
	"slices"
)

// maxEndings bounds the functions that are followed up from what ends a wait.
const maxEndings = 512

// Endings is how the waits for one field may be ended.
type Endings struct {
	Field *types.Var
	// Places are the functions from which a wait may be ended, with what does it or leads to it there.
	Places map[ast.Node][]ast.Node
	// Deferred are those that end it, or call what does, where they return.
	Deferred map[ast.Node]bool
	// Open reports that others may end it: one of these functions may be begun by anybody, or other code has the
	// field's value.
	Open bool
	// Enders are the operations themselves.
	Enders []Use
}

// Names reports whether a declared function of a name leads to an end of the wait.
func (e *Endings) Names(name string) bool {
	if e != nil {
		for fn := range e.Places {
			if d, ok := fn.(*ast.FuncDecl); ok && d.Name.Name == name {
				return true
			}
		}
	}
	return false
}

// A Subject is what a goroutine waits for in a case of its wait.
type Subject struct {
	Path Path
	Op   Op // of the wait
	// Context reports the channel of a context or a timer, which another package ends.
	Context bool
}

// Subjects are the fields, and variables of the package, that a line waits for; a case that isn't one has no path.
func (s *Site) Subjects(w *Wait) (all []Subject) {
	s.inCalls(func(g *callGraph) {
		for i, e := range w.On {
			all = append(all, g.subject(s, e, w.Ops[i]))
		}
	})
	return all
}

func (g *callGraph) subject(s *Site, e ast.Expr, op Op) Subject {
	e = ast.Unparen(e)
	sub := Subject{Op: op}
	if call, ok := e.(*ast.CallExpr); ok {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		sub.Context = ok && sel.Sel.Name == "Done" && len(call.Args) == 0
		return sub
	}
	if v := s.Variable(e); v != nil { // jobs := p.jobs
		if e = g.valueOf(v, s.Decl); e == nil {
			return sub
		}
	}
	p := s.path(e)
	if v := p.Last(); v != nil && !v.Exported() && (v.IsField() || isGlobal(v)) && v.Pkg() == s.Types {
		sub.Path = p
	}
	return sub
}

// valueOf is what a variable of a function is declared with, where that is its only value; nil for others.
func (g *callGraph) valueOf(v *types.Var, d *ast.FuncDecl) (value ast.Expr) {
	if !within(v, d) || !g.p.setOnce(v, d) {
		return nil
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && g.p.Info.Defs[id] == v && len(n.Lhs) == len(n.Rhs) {
					value = ast.Unparen(n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if g.p.Info.Defs[id] == v && len(n.Names) == len(n.Values) {
					value = ast.Unparen(n.Values[i])
				}
			}
		}
		return value == nil
	})
	return value
}

// inCalls runs what reads or adds to what is known about a package's calls.
func (p *Package) inCalls(do func(g *callGraph)) (ok bool) {
	return p.inLocks(func(l *lockFacts) {
		if l.calls == nil {
			l.calls = newCallGraph(p)
		}
		do(l.calls)
	})
}

// Endings returns how a wait for a subject may be ended; nil where that isn't known.
func (p *Package) Endings(sub Subject) (found *Endings) {
	v := sub.Path.Last()
	if v == nil {
		return nil
	}
	if !p.inCalls(func(g *callGraph) { found = g.endings(v, sub.Op) }) {
		return nil
	}
	return found
}

func newEndings(v *types.Var) *Endings {
	return &Endings{Field: v, Places: map[ast.Node][]ast.Node{}, Deferred: map[ast.Node]bool{}}
}

func (g *callGraph) endings(v *types.Var, op Op) *Endings {
	uses := g.usesOf(v)
	e := newEndings(v)
	e.Open = op == OpSend && uses.otherReceives || op == OpReceive && uses.otherSends ||
		op == OpWait && (uses.otherSends || uses.otherReceives)
	g.climb(e, g.stepsOf(e, uses, op))
	return e
}

// stepsOf are the uses that end a wait.
func (g *callGraph) stepsOf(e *Endings, uses *fieldUses, op Op) (work []step) {
	for _, u := range uses.enders(op) {
		e.Enders = append(e.Enders, u.Use)
		work = append(work, u.step())
	}
	return work
}

// A step is a place in a function that ends a wait, or leads to where that is done, and the object that it is of, as
// the function names it.
type step struct {
	fn       ast.Node
	node     ast.Node
	object   Path
	deferred bool
}

// step is the use itself.
func (u *fieldUse) step() step {
	object := Path{}
	if n := len(u.path.Fields); n > 0 && u.path.Root != nil {
		object = Path{Root: u.path.Root, Fields: u.path.Fields[:n-1]}
	}
	return step{u.Fn, u.node, object, u.Deferred}
}

// above are the steps that begin the function of a step.
func (g *callGraph) above(s step) (all []step) {
	for _, c := range g.callers[s.fn] {
		all = append(all, step{c.in, c.call, g.given(s, c), c.kind == deferred})
	}
	return all
}

// climb finds the functions that lead to a place.
func (g *callGraph) climb(e *Endings, work []step) {
	type key struct {
		fn ast.Node
		of pathKey
	}
	seen, copied := map[key]bool{}, g.copied(e.Field)
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		e.Places[s.fn] = append(e.Places[s.fn], s.node)
		e.Deferred[s.fn] = e.Deferred[s.fn] || s.deferred
		k := key{s.fn, s.object.key()}
		if seen[k] {
			continue
		}
		if seen[k] = true; len(seen) > maxEndings {
			e.Open = true
			return
		}
		if !copied && g.fresh(s.object, s.fn) {
			continue
		}
		e.Open = e.Open || g.open[s.fn]
		work = append(work, g.above(s)...)
	}
}

// given is the object of a step as a caller names it; without a root where that isn't known.
func (g *callGraph) given(s step, c caller) Path {
	root := s.object.Root
	if root == nil || isGlobal(root) || !within(root, s.fn) {
		return s.object
	}
	d, ok := s.fn.(*ast.FuncDecl)
	if !ok || within(root, d.Body) || !g.p.setOnce(root, d) {
		return Path{}
	}
	if p, ok := g.p.argument(root, c.call, d); ok && p.Root != nil {
		return s.object.behind(p)
	}
	return Path{}
}

// fresh reports whether an object is made by the activation of a function that is under way: it is another one each
// time that the function is called.
func (g *callGraph) fresh(object Path, fn ast.Node) bool {
	if object.Root == nil || !within(object.Root, bodyOf(fn)) ||
		slices.ContainsFunc(object.Fields, func(f *types.Var) bool { return !isStruct(f.Type()) }) {
		return false
	}
	d := g.p.declOf(object.Root.Pos())
	return d != nil && g.p.setOnce(object.Root, d) && g.p.madeIn(object.Root, d)
}

// Makes reports whether the call at s has made the object whose field it waits for: it expects an answer. Those of main
// are there as long as the program.
func (s *Site) Makes(sub Subject) (makes bool) {
	n := len(sub.Path.Fields)
	if n == 0 || runsOnce(s.Decl) {
		return false
	}
	s.inCalls(func(g *callGraph) {
		makes = g.fresh(Path{Root: sub.Path.Root, Fields: sub.Path.Fields[:n-1]}, s.Fn)
	})
	return makes
}

// InLoops reports whether a place that ends the wait is in a loop.
func (e *Endings) InLoops() bool {
	return slices.ContainsFunc(e.Enders, func(u Use) bool { return u.Decl == nil || repeats(u.Decl, u.At) })
}

// Leads reports whether a goroutine that is at s, in the call of callee or in a wait, may come to one of the places of
// its function that end a wait.
func (s *Site) Leads(callee string, wait *Wait, e *Endings) bool {
	if e.Deferred[s.Fn] {
		return true
	}
	if wait != nil {
		return s.leadsTo(waitNodes(s, wait), e.Places[s.Fn])
	}
	return s.leadsTo(s.calls(callee), e.Places[s.Fn])
}

// waitNodes are the nodes that a wait is at.
func waitNodes(s *Site, w *Wait) (nodes []ast.Node) {
	ast.Inspect(bodyOf(s.Fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			if w.Kind == Select && n.Select == w.At {
				for _, c := range n.Body.List {
					if c, ok := c.(*ast.CommClause); ok && c.Comm != nil {
						nodes = append(nodes, c.Comm)
					}
				}
			}
		case *ast.SendStmt:
			if w.Kind == Send && n.Arrow == w.At {
				nodes = append(nodes, n)
			}
		case *ast.UnaryExpr:
			if w.Kind == Receive && n.OpPos == w.At {
				nodes = append(nodes, n)
			}
		case *ast.RangeStmt:
			if w.Kind == Receive && n.For == w.At {
				nodes = append(nodes, n.X)
			}
		case *ast.CallExpr:
			if (w.Kind == GroupWait || w.Kind == CondWait) && n.Lparen == w.At {
				nodes = append(nodes, n)
			}
		}
		return true
	})
	return nodes
}

// Pending are the WaitGroups, as a function names them, whose Done it calls when it returns: by a defer statement that
// all ways to the line of the site have passed.
func (e *Endings) Pending(s *Site) (all []Path) {
	body := bodyOf(s.Fn)
	if body == nil || len(e.Places[s.Fn]) != 1 { // it may have called Done before
		return nil
	}
	for _, stmt := range body.List {
		d, ok := stmt.(*ast.DeferStmt)
		if !ok || s.Package.Line(d.End()) >= s.Line {
			continue
		}
		if p, name := s.syncMethod(d.Call); name == "WaitGroup.Done" && p.Last() == e.Field {
			all = append(all, p)
		}
	}
	return all
}

// DeferredWait is the only wait for a WaitGroup that a function defers, where the line of the site is one of those at
// which it returns; nil for others.
func (s *Site) DeferredWait() *Wait {
	var found []*Wait
	body := bodyOf(s.Fn)
	if body == nil {
		return nil
	}
	for _, stmt := range body.List {
		d, ok := stmt.(*ast.DeferStmt)
		if !ok {
			continue
		}
		if w, ok := s.waits(d.Call); ok && w.Kind == GroupWait && s.Package.Line(d.End()) <= s.Line {
			found = append(found, &w)
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}
