package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/cfg"
)

// Bounds of the analysis of locks.
const (
	maxBlocks    = 4000    // of a function
	maxVisits    = 40      // of a block until its state must have settled
	maxSteps     = 1 << 22 // nodes that are looked at in a package
	visitCost    = 8       // of a visit to a block, in nodes
	maxHeld      = 64      // locks in one state
	maxFlowDepth = 24      // of calls that are followed into each other
)

// An effect is what a function has done with locks when it returns.
type effect struct {
	held   []Hold // taken and not released
	freed  []Path // released, which callers have taken
	failed bool   // not known
}

// A flow is the control flow of one function, with what is known about locks; the graph is nil where it is too large.
type flow struct {
	l     *locks
	graph *cfg.CFG
	in    map[*cfg.Block]*state
	depth int
}

// locks is what is known about the locks of a package.
type locks struct {
	p       *Package
	uses    map[ast.Node]bool // functions that work on locks, or call such
	flows   map[ast.Node]*flow
	effects map[ast.Node]*effect
	lent    map[*types.Var]bool // released where they have not been taken for sure
	left    []Left
	sets    map[setKey][]Hold // what Locks returns
	steps   int
}

// A setKey is a call whose locks are known.
type setKey struct {
	site   *Site
	callee string
}

// inLocks is locked for what needs to know a package's locks.
func (p *Package) inLocks(do func(l *locks)) (ok bool) {
	return p.locked(func() {
		if p.locks == nil {
			l := &locks{p: p, uses: map[ast.Node]bool{}, flows: map[ast.Node]*flow{},
				effects: map[ast.Node]*effect{}, lent: map[*types.Var]bool{}, sets: map[setKey][]Hold{}}
			l.find()
			p.locks = l
		}
		do(p.locks)
	})
}

// find looks for the functions that work on locks, and judges how they return.
func (l *locks) find() {
	callers := map[ast.Node][]ast.Node{}
	var bodies, work []ast.Node
	for _, file := range l.p.Files {
		walk(file, func(n ast.Node, up []ast.Node) {
			switch n := n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				bodies = append(bodies, n)
			case *ast.CallExpr:
				if _, name := l.p.lockCall(n); name != "" {
					work = append(work, up...)
				} else if d := l.p.declared(n); d != nil {
					callers[d] = append(callers[d], up...)
				}
			}
		})
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		if work = work[:len(work)-1]; bodyOf(fn) != nil && !l.uses[fn] {
			l.uses[fn] = true
			work = append(work, callers[fn]...)
		}
	}
	for _, fn := range bodies {
		if l.uses[fn] {
			l.judge(fn)
		}
	}
	slices.SortStableFunc(l.left, func(a, b Left) int { return int(a.Return - b.Return) })
}

// flowOf works out the states of a function.
func (l *locks) flowOf(fn ast.Node, depth int) *flow {
	if f, ok := l.flows[fn]; ok {
		return f
	}
	f := &flow{l: l, in: map[*cfg.Block]*state{}, depth: depth}
	l.flows[fn] = f // while it is under way, and for ever where it can't be
	body := bodyOf(fn)
	if body == nil || depth > maxFlowDepth || l.steps > maxSteps {
		return f
	}
	graph := cfg.New(body, mayReturn)
	if n := len(graph.Blocks); n > 0 && n <= maxBlocks && f.settle(graph) {
		f.graph = graph
	}
	return f
}

// settle computes the states at the beginnings of blocks until they stay.
func (f *flow) settle(graph *cfg.CFG) bool {
	first := graph.Blocks[0]
	f.in[first] = newState()
	work, visits := []*cfg.Block{first}, map[*cfg.Block]int{}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if visits[b]++; visits[b] > maxVisits || f.l.steps > maxSteps {
			return false
		}
		f.l.steps += visitCost
		out := f.in[b].clone()
		for _, n := range b.Nodes {
			f.node(n, out, nil)
		}
		for _, next := range b.Succs {
			if known := f.in[next]; known == nil {
				f.in[next] = out.clone()
			} else if !known.join(out) {
				continue
			}
			work = append(work, next)
		}
	}
	return true
}

// each calls see for each node of the function with the state before it.
func (f *flow) each(see func(ast.Node, *state)) {
	if f.graph == nil {
		return
	}
	for _, b := range f.graph.Blocks {
		if in := f.in[b]; in != nil {
			s := in.clone()
			for _, n := range b.Nodes {
				f.node(n, s, see)
			}
		}
	}
}

// node applies what one node of a block does, the parts of it first.
func (f *flow) node(n ast.Node, s *state, see func(ast.Node, *state)) {
	f.l.steps++
	switch x := n.(type) {
	case nil, *ast.FuncLit, *ast.RangeStmt: // the graph has its parts
		return
	case *ast.DeferStmt:
		f.parts(x.Call, s, see)
	case *ast.GoStmt:
		f.parts(x.Call, s, see)
	default:
		f.parts(n, s, see)
	}
	if see != nil {
		see(n, s)
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		f.call(n, s)
	case *ast.DeferStmt:
		after := newState()
		f.call(n.Call, after)
		for k, p := range after.freed {
			if len(s.later) < maxHeld {
				s.later[k] = p
			}
		}
	}
}

// parts applies what is in a node.
func (f *flow) parts(n ast.Node, s *state, see func(ast.Node, *state)) {
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || m == n {
			return true
		}
		f.node(m, s, see)
		return false
	})
}

// call applies what a call does.
func (f *flow) call(call *ast.CallExpr, s *state) {
	if p, name := f.l.p.lockCall(call); name != "" {
		switch name {
		case "Lock", "RLock", "TryLock", "TryRLock":
			s.take(Hold{Path: p, Pos: call.Pos(), Must: name[0] != 'T', Read: name == "RLock" || name == "TryRLock"})
		case "Unlock", "RUnlock":
			s.release(p)
		}
		return
	}
	var fn ast.Node
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		fn = lit
	} else if d := f.l.p.declared(call); d != nil {
		fn = d
	} else {
		return
	}
	e := f.l.effectOf(fn, f.depth+1)
	for _, p := range e.freed {
		s.release(f.l.bind(p, call, fn))
	}
	for _, h := range e.held {
		h.Path, h.Pos = f.l.bind(h.Path, call, fn), call.Pos()
		if d, ok := fn.(*ast.FuncDecl); ok && h.By == nil {
			h.By = d
		}
		s.take(h)
	}
	if e.failed {
		s.release(Path{})
	}
}

// bind is a path of a function that is called, as the caller names it.
func (l *locks) bind(p Path, call *ast.CallExpr, fn ast.Node) Path {
	if p.Root == nil || isGlobal(p.Root) || !within(p.Root, fn) {
		return p
	}
	if arg, ok := l.p.argument(p.Root, call, fn); ok {
		return p.behind(arg)
	}
	fields := p.Fields
	if len(fields) == 0 {
		fields = []*types.Var{p.Last()}
	}
	return Path{Fields: fields, text: "call" + strconv.Itoa(int(call.Pos()))}
}

// effectOf is what a function leaves behind.
func (l *locks) effectOf(fn ast.Node, depth int) *effect {
	if e, ok := l.effects[fn]; ok {
		return e
	}
	e := &effect{failed: l.uses[fn]} // what a function that calls itself finds
	l.effects[fn] = e
	if !l.uses[fn] {
		return e
	}
	f := l.flowOf(fn, depth)
	e.failed = f.graph == nil
	var all *state
	f.each(func(n ast.Node, s *state) {
		if _, ok := n.(*ast.ReturnStmt); !ok {
			return
		}
		s = s.clone()
		for _, p := range s.later {
			s.release(p)
		}
		if all == nil {
			all = s
		} else {
			all.join(s)
		}
	})
	if all != nil {
		e.held = slices.Collect(maps.Values(all.held))
		for k, p := range all.freed {
			if !all.held[k].Must { // else it was released for a while
				e.freed = append(e.freed, p)
			}
		}
	}
	return e
}

// A Left is a return of a function with a lock that the function has taken, and that its other ways release.
type Left struct {
	Fn     ast.Node
	Decl   *ast.FuncDecl
	Lock   Path
	Taken  token.Pos
	Return token.Pos // of the return statement, or the function's last brace
}

// judge notes the locks that a function releases without having taken them, and those with which it returns on some of
// its ways.
func (l *locks) judge(fn ast.Node) {
	decl := l.p.declOf(fn.Pos())
	f, releases := l.flowOf(fn, 0), map[pathKey]bool{}
	var left []Left
	f.each(func(n ast.Node, s *state) {
		call, _ := n.(*ast.CallExpr)
		if d, ok := n.(*ast.DeferStmt); ok {
			call = d.Call
		}
		if g, ok := n.(*ast.GoStmt); ok {
			if p, name := l.p.lockCall(g.Call); name != "" {
				l.lent[p.Last()] = true
			}
		}
		if call != nil {
			if p, name := l.p.lockCall(call); name == "Unlock" || name == "RUnlock" {
				releases[p.key()] = true
				if !s.held[p.key()].Must && !l.atOnce(fn, decl) {
					l.lent[p.Last()] = true
				}
			}
			if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
				for _, p := range l.effectOf(lit, 0).freed {
					if !s.held[p.key()].Must {
						l.lent[p.Last()] = true
					}
				}
			}
			return
		}
		ret, ok := n.(*ast.ReturnStmt)
		if !ok || decl == nil {
			return
		}
		at := ret.Pos()
		if !at.IsValid() || ret.End() > fn.End() {
			at = bodyOf(fn).Rbrace
		}
		for k, h := range s.held {
			if _, defers := s.later[k]; h.Must && !defers && h.Path.Root != nil && h.By == nil {
				left = append(left, Left{fn, decl, h.Path, h.Pos, at})
			}
		}
	})
	for _, f := range left {
		if releases[f.Lock.key()] {
			l.left = append(l.left, f)
		}
	}
}

// atOnce reports whether a literal is called where it is written, or deferred.
func (l *locks) atOnce(fn ast.Node, decl *ast.FuncDecl) (found bool) {
	lit, ok := fn.(*ast.FuncLit)
	if !ok || decl == nil {
		return false
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return ast.Unparen(n.Call.Fun) != ast.Expr(lit)
		case *ast.CallExpr:
			found = found || ast.Unparen(n.Fun) == ast.Expr(lit)
		}
		return !found
	})
	return found
}

// mayReturn reports whether a call may return.
func mayReturn(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name != "panic"
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			switch x.Name + "." + fun.Sel.Name {
			case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf",
				"log.Panicln":
				return false
			}
		}
	}
	return true
}
