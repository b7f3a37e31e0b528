package gocode

import (
	"go/ast"
	"go/types"
)

// CouldEnd returns the places in the package of a site where the code could end its wait of a kind: it sends to the
// channel, closes it or receives from it, calls Done of the WaitGroup, or wakes who waits for the Cond. They are what a
// reader of the code would look for, and prove nothing: others may have the channel too. ok is false where the line
// does not show what it waits for, and where a timer ends the wait.
func (s *Site) CouldEnd(kind Kind) (all []Use, ok bool) {
	w := s.Wait(kind)
	if w == nil || w.Default {
		return nil, false
	}
	for i, e := range w.On {
		if s.timed(e) {
			return nil, false
		}
		on := s.path(e).Last()
		if on == nil {
			continue // a context's channel, or one in a map: it has no name to look for
		}
		ok = true
		same := []*types.Var{on}
		if s.Variable(e) == on {
			if bound := s.Bound(on); len(bound) > 0 {
				same = bound
			}
		}
		for _, v := range same {
			for _, u := range s.operations()[v] {
				if len(s.index.literals[u.Decl]) > maxLiterals {
					return nil, false
				}
				if u.Op.ends(w.Ops[i]) {
					all = append(all, u)
				}
			}
		}
	}
	return all, ok
}

// maxLiterals bounds the function literals of a function whose operations are looked at: who asks for the function of a
// line goes through them.
const maxLiterals = 512

// timed reports whether a channel is a timer's: a call of package time, or the field C of one of its types.
func (p *Package) timed(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		e = call.Fun
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := p.Info.Uses[sel.Sel]
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "time"
}

// ends reports whether an operation on a variable could end the wait in another one.
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

// operations are all operations of the package on variables and fields, in order of the source.
func (p *Package) operations() map[*types.Var][]Use {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.uses != nil {
		return p.uses
	}
	p.uses = map[*types.Var][]Use{}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				p.operationsIn(d)
			}
		}
	}
	return p.uses
}

func (p *Package) operationsIn(decl *ast.FuncDecl) {
	around := []ast.Node{decl}
	within := []ast.Node{decl} // around's functions
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if n == nil {
			if last := len(around) - 1; around[last] == within[len(within)-1] {
				within = within[:len(within)-1]
			}
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		if lit, ok := n.(*ast.FuncLit); ok {
			within = append(within, lit)
		}
		on, op := p.operation(n)
		if v := on.Last(); v != nil {
			p.uses[v] = append(p.uses[v], Use{Op: op, At: n.Pos(), Fn: within[len(within)-1], Decl: decl})
		}
		return true
	})
}

// operation is what a node does, and on what; the path has no end where it does nothing that could end a wait.
func (p *Package) operation(n ast.Node) (on Path, op Op) {
	switch n := n.(type) {
	case *ast.SendStmt, *ast.UnaryExpr:
		if e, op := channelOf(n); e != nil {
			return p.path(e), op
		}
	case *ast.RangeStmt:
		if isChan(p.Info.Types[n.X].Type) {
			return p.path(n.X), OpReceive
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
			return p.path(n.Args[0]), OpClose
		}
		switch on, name := p.syncMethod(n); name {
		case "WaitGroup.Done":
			return on, OpDone
		case "Cond.Signal", "Cond.Broadcast":
			return on, OpSignal
		}
	}
	return Path{}, 0
}
