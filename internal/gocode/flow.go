package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/cfg"
)

// Bounds of the analysis of locks.
const (
	maxBlocks    = 4000    // of a function
	maxVisits    = 40      // of a block until its state must have settled
	maxEffects   = 1 << 22 // nodes that are looked at in a package
	visitCost    = 8       // of a visit to a block, in nodes
	maxHeld      = 64      // locks in one state
	maxFlowDepth = 24      // of calls that are followed into each other
)

// A Hold is a lock that a function may have taken, or has, at a place.
type Hold struct {
	Path Path
	Pos  token.Pos // where it was taken
	Must bool      // on all paths
	Read bool      // by RLock, on some path
	// By is the function that took it and returned with it; nil where the function at hand has taken it.
	By *ast.FuncDecl
}

// A release is a lock that a function releases without having taken it for sure.
type release struct {
	Path Path
	must bool // on all paths
	own  bool // the function may have taken it itself
}

// A state is what is known about locks at a place in a function.
type state struct {
	held  map[pathKey]Hold
	freed map[pathKey]release
	later map[pathKey]Path // released where the function returns
	past  map[pathKey]bool // taken and released again, on some path
	vague bool             // any lock may have been released, or will be
}

func newState() *state {
	return &state{map[pathKey]Hold{}, map[pathKey]release{}, map[pathKey]Path{}, map[pathKey]bool{}, false}
}

func (s *state) clone() *state {
	return &state{maps.Clone(s.held), maps.Clone(s.freed), maps.Clone(s.later), maps.Clone(s.past), s.vague}
}

// join adds what another path brings, and reports whether that changes anything.
func (s *state) join(o *state) (changed bool) {
	for k, h := range s.held {
		if h.Must && !o.held[k].Must {
			h.Must, changed = false, true
			s.held[k] = h
		}
	}
	for k, other := range o.held {
		h, ok := s.held[k]
		switch {
		case ok && (other.Read && !h.Read || other.Pos < h.Pos || other.By == nil && h.By != nil):
			h.Read, h.Pos = h.Read || other.Read, min(h.Pos, other.Pos)
			if other.By == nil {
				h.By = nil
			}
		case !ok && len(s.held) < maxHeld:
			h = other
			h.Must = false
		default:
			continue
		}
		s.held[k], changed = h, true
	}
	changed = s.joinReleases(o) || changed
	if o.vague && !s.vague {
		s.vague, changed = true, true
	}
	return changed
}

// joinReleases is join for what is released, at once or later.
func (s *state) joinReleases(o *state) (changed bool) {
	for k, r := range s.freed {
		if r.must && !o.freed[k].must {
			r.must, changed = false, true
			s.freed[k] = r
		}
	}
	for k, r := range o.freed {
		known, ok := s.freed[k]
		if !ok && len(s.freed) < maxHeld || ok && known.own && !r.own {
			s.freed[k], changed = release{r.Path, false, r.own}, true
		}
	}
	for k, p := range o.later {
		if _, ok := s.later[k]; !ok && len(s.later) < maxHeld {
			s.later[k], changed = p, true
		}
	}
	for k := range o.past {
		if !s.past[k] && len(s.past) < maxHeld {
			s.past[k], changed = true, true
		}
	}
	return changed
}

func (s *state) take(p Path, o op, pos token.Pos) {
	k := p.key()
	delete(s.past, k)
	if r, ok := s.freed[k]; ok {
		r.must = false
		s.freed[k] = r
	}
	if h, ok := s.held[k]; ok {
		h.Must, h.Read = h.Must || o != try, h.Read || o == rlock
		s.held[k] = h
	} else if len(s.held) < maxHeld {
		s.held[k] = Hold{Path: p, Pos: pos, Must: o != try, Read: o == rlock}
	}
}

// release forgets a lock, which is released for sure or perhaps. Another path to the same field may be the same lock.
func (s *state) release(p Path, sure bool) {
	k := p.key()
	if h, taken := s.held[k]; !h.Must {
		if len(s.freed) == maxHeld || p.Last() == nil {
			s.vague = true
		}
		s.freed[k] = release{p, sure, taken && (s.freed[k].own || s.freed[k].Path.Last() == nil)}
	} else if len(s.past) < maxHeld {
		s.past[k] = true
	}
	if sure {
		delete(s.held, k)
	}
	s.doubt(p)
}

// doubt notes that a lock, or one that may be it, may have been released.
func (s *state) doubt(p Path) {
	last := p.Last()
	for k, h := range s.held {
		if last == nil || h.Path.Last() == last || h.Path.Last() == nil {
			h.Must = false
			s.held[k] = h
		}
	}
}

// end applies what is deferred, where the function returns.
func (s *state) end() {
	for _, p := range s.later {
		s.release(p, true)
	}
}

// settle forgets what was released for a while and taken again: callers have it as before.
func (s *state) settle() {
	for k := range s.freed {
		if s.held[k].Must {
			delete(s.freed, k)
			delete(s.held, k)
		}
	}
}

// A flow is the control flow of one function, with what is known about locks.
type flow struct {
	p      *Package
	l      *lockFacts
	graph  *cfg.CFG
	in     map[*cfg.Block]*state
	failed bool // too large
	depth  int
}

// flowOf works out the states of a function.
func (l *lockFacts) flowOf(fn ast.Node, depth int) *flow {
	if f, ok := l.flows[fn]; ok {
		return f
	}
	f := &flow{p: l.p, l: l, in: map[*cfg.Block]*state{}, depth: depth, failed: true}
	l.flows[fn] = f // while it is under way, and for ever where it can't be
	body := bodyOf(fn)
	if body == nil || depth > maxFlowDepth || l.effects > maxEffects {
		return f
	}
	f.graph = cfg.New(body, mayReturn)
	if len(f.graph.Blocks) == 0 || len(f.graph.Blocks) > maxBlocks {
		return f
	}
	f.failed = !f.settle()
	return f
}

// settle computes the states at the beginnings of blocks until they stay.
func (f *flow) settle() bool {
	first := f.graph.Blocks[0]
	f.in[first] = newState()
	work, visits := []*cfg.Block{first}, map[*cfg.Block]int{}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if visits[b]++; visits[b] > maxVisits || f.l.effects > maxEffects {
			return false
		}
		f.l.effects += visitCost
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

// each calls see for each call, defer statement, send, receive and return of the function with the state before it.
func (f *flow) each(see func(ast.Node, *state)) {
	if f.failed {
		return
	}
	for _, b := range f.graph.Blocks {
		in := f.in[b]
		if in == nil {
			continue
		}
		s := in.clone()
		for _, n := range b.Nodes {
			f.node(n, s, see)
		}
	}
}

// node applies what one node of a block does.
func (f *flow) node(n ast.Node, s *state, see func(ast.Node, *state)) {
	f.l.effects++
	switch n := n.(type) {
	case nil:
	case *ast.DeferStmt:
		f.parts(n.Call, s, see)
		if see != nil {
			see(n, s)
		}
		f.closing(n.Call, s)
	case *ast.GoStmt:
		f.parts(n.Call, s, see)
		paths, vague := f.releases(n.Call)
		for _, p := range paths {
			s.doubt(p)
		}
		if vague {
			s.doubt(Path{})
		}
	case *ast.FuncLit:
		for _, p := range f.l.frees(n) {
			s.doubt(p)
		}
	case *ast.CallExpr:
		f.parts(n, s, see)
		if see != nil {
			see(n, s)
		}
		f.call(n, s)
	case *ast.RangeStmt: // the graph has its parts
	default:
		f.parts(n, s, see)
		if see != nil {
			switch n.(type) {
			case *ast.SendStmt, *ast.UnaryExpr, *ast.ReturnStmt:
				see(n, s)
			}
		}
	}
}

// parts applies what is in a node.
func (f *flow) parts(n ast.Node, s *state, see func(ast.Node, *state)) {
	lit, _ := calledLit(n)
	ast.Inspect(n, func(m ast.Node) bool {
		if m == nil || m == n {
			return true
		}
		if m != ast.Node(lit) {
			f.node(m, s, see)
		}
		return false
	})
}

// calledLit is the function literal that a node calls at once.
func calledLit(n ast.Node) (*ast.FuncLit, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
	return lit, ok
}

// call applies what a call does.
func (f *flow) call(call *ast.CallExpr, s *state) {
	if p, o := f.p.lockCall(call); o != noOp {
		if o == unlock {
			s.release(p, true)
		} else {
			s.take(p, o, call.Pos())
		}
		return
	}
	if lit, ok := calledLit(call); ok {
		f.apply(f.l.effectOf(lit, f.depth+1), call, nil, s)
		return
	}
	if fn := f.l.declared(call); fn != nil {
		f.apply(f.l.effectOf(fn, f.depth+1), call, fn, s)
	}
}

// apply brings what a called function leaves behind into the state of the caller.
func (f *flow) apply(e *effect, call *ast.CallExpr, fn *ast.FuncDecl, s *state) {
	if e.vague {
		s.vague = true
		s.doubt(Path{})
	}
	for _, r := range e.freed {
		p := f.l.bind(r.Path, call, fn)
		before, known := s.freed[p.key()]
		s.release(p, r.must)
		if x, ok := s.freed[p.key()]; ok && r.own && (!known || before.own) {
			x.own = true
			s.freed[p.key()] = x
		}
	}
	for _, h := range e.held {
		q := f.l.bind(h.Path, call, fn)
		o := lock
		if h.Read {
			o = rlock
		}
		if !h.Must {
			o = try
		}
		_, had := s.held[q.key()]
		s.take(q, o, call.Pos())
		if by := s.held[q.key()]; !had {
			if by.By = h.By; by.By == nil {
				by.By = fn
			}
			s.held[q.key()] = by
		}
	}
}

// closing notes what a deferred call releases.
func (f *flow) closing(call *ast.CallExpr, s *state) {
	paths, vague := f.releases(call)
	for _, p := range paths {
		if len(s.later) == maxHeld {
			s.vague = true
			break
		}
		s.later[p.key()] = p
	}
	if vague {
		s.vague = true
	}
}

// releases are the locks that a deferred call, or one of another goroutine, releases; vague where that isn't known.
func (f *flow) releases(call *ast.CallExpr) (paths []Path, vague bool) {
	if p, o := f.p.lockCall(call); o != noOp {
		if o == unlock {
			paths = append(paths, p)
		}
		return paths, false
	}
	if lit, ok := calledLit(call); ok {
		e := f.l.effectOf(lit, f.depth+1)
		for _, r := range e.freed { // what it perhaps takes before included
			paths = append(paths, f.l.bind(r.Path, call, nil))
		}
		return append(paths, f.l.frees(lit)...), e.vague
	}
	if fn := f.l.declared(call); fn != nil {
		e := f.l.effectOf(fn, f.depth+1)
		for _, r := range e.freed {
			paths = append(paths, f.l.bind(r.Path, call, fn))
		}
		return paths, e.vague
	}
	_, again := ast.Unparen(call.Fun).(*ast.CallExpr) // defer s.lock()()
	return nil, again || f.p.callsValue(call)
}

// callsValue reports whether a call calls the value of a variable or a field.
func (p *Package) callsValue(call *ast.CallExpr) bool {
	fun := ast.Unparen(call.Fun)
	if x, ok := fun.(*ast.IndexExpr); ok {
		fun = ast.Unparen(x.X)
	}
	id, _ := fun.(*ast.Ident)
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	_, ok := p.Info.Uses[id].(*types.Var)
	return ok
}

// mayReturn reports whether a call may return.
func mayReturn(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name != "panic"
	case *ast.SelectorExpr:
		x, _ := fun.X.(*ast.Ident)
		if x == nil {
			return true
		}
		switch x.Name + "." + fun.Sel.Name {
		case "os.Exit", "runtime.Goexit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf",
			"log.Panicln":
			return false
		}
	}
	return true
}
