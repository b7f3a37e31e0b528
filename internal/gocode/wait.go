package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Kind is what a goroutine waits in.
type Kind uint8

// The kinds of waits.
const (
	Send Kind = iota
	Receive
	Select
	GroupWait
	CondWait
)

// A Wait is what a line waits for.
type Wait struct {
	Kind Kind
	At   token.Pos
	// nodes are the parts of the code that wait.
	nodes []ast.Node
	// On are the channels, one for each case of a select, or the WaitGroup or Cond, and Ops what is done with them.
	On  []ast.Expr
	Ops []Op
	// Default reports a case of a select that is no channel operation: it waits for nothing.
	Default bool
}

// Wait returns the only thing of a kind that the line of a site may wait for in its function; nil where there is none
// or several.
func (s *Site) Wait(kind Kind) *Wait {
	body := bodyOf(s.Fn)
	if body == nil {
		return nil
	}
	var found []Wait
	skip := map[ast.Node]bool{} // what belongs to a select or runs at another time
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			s.choose(n, skip)
		case *ast.GoStmt:
			skip[n.Call] = true
		case *ast.DeferStmt:
			skip[n.Call] = true
		}
		if n == nil || skip[n] || !s.has(n, s.Line) {
			return n == nil || s.has(n, s.Line)
		}
		if w, ok := s.waits(n); ok && w.Kind == kind {
			found = append(found, w)
		}
		return true
	})
	if len(found) > 1 { // a line of several lines: the runtime names the operator's
		found = slices.DeleteFunc(found, func(w Wait) bool { return s.Package.Line(w.At) != s.Line })
	}
	if len(found) != 1 {
		return nil
	}
	return &found[0]
}

// choose takes the operations of a select's cases out: the select waits for all of them at its own line. One with a
// single case is compiled to that case's operation, and one with a default doesn't wait.
func (s *Site) choose(n *ast.SelectStmt, skip map[ast.Node]bool) {
	if len(n.Body.List) == 1 {
		skip[n] = true
		return
	}
	for _, c := range n.Body.List {
		if c, ok := c.(*ast.CommClause); ok {
			if op := operation(c); op != nil {
				skip[op] = true
			} else {
				skip[n] = true
			}
		}
	}
}

// operation is the send or receive of a select's case; nil for a default.
func operation(c *ast.CommClause) ast.Node {
	switch comm := c.Comm.(type) {
	case *ast.SendStmt:
		return comm
	case *ast.ExprStmt:
		return ast.Unparen(comm.X)
	case *ast.AssignStmt:
		if len(comm.Rhs) == 1 {
			return ast.Unparen(comm.Rhs[0])
		}
	}
	return nil
}

// waitFor is a wait for one thing, in a node.
func waitFor(kind Kind, at token.Pos, n ast.Node, on ast.Expr, op Op) Wait {
	return Wait{Kind: kind, At: at, nodes: []ast.Node{n}, On: []ast.Expr{on}, Ops: []Op{op}}
}

// waits is what a node itself waits for.
func (s *Site) waits(n ast.Node) (Wait, bool) {
	switch n := n.(type) {
	case *ast.SendStmt:
		return waitFor(Send, n.Arrow, n, n.Chan, OpSend), true
	case *ast.UnaryExpr:
		return waitFor(Receive, n.OpPos, n, n.X, OpReceive), n.Op == token.ARROW
	case *ast.RangeStmt:
		t := s.Info.Types[n.X].Type
		return waitFor(Receive, n.For, n.X, n.X, OpReceive),
			s.within(n.For, n.X.End()) && (unknown(t) || isChan(t))
	case *ast.SelectStmt:
		w := Wait{Kind: Select, At: n.Select}
		for _, c := range n.Body.List {
			c, _ := c.(*ast.CommClause)
			if ch, op := channelOf(operation(c)); ch != nil {
				w.On, w.Ops, w.nodes = append(w.On, ch), append(w.Ops, op), append(w.nodes, c.Comm)
			} else {
				w.Default = true
			}
		}
		return w, s.Package.Line(n.Select) == s.Line
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Wait" {
			return Wait{}, false
		}
		switch s.syncType(sel.X) {
		case "WaitGroup":
			return waitFor(GroupWait, n.Lparen, n, sel.X, OpWait), true
		case "Cond":
			return waitFor(CondWait, n.Lparen, n, sel.X, OpWait), true
		}
	}
	return Wait{}, false
}

func (s *Site) within(from, to token.Pos) bool {
	return s.Package.Line(from) <= s.Line && s.Line <= s.Package.Line(to)
}

// channelOf is the channel of a send or a receive, and which of them it is.
func channelOf(n ast.Node) (ast.Expr, Op) {
	switch n := n.(type) {
	case *ast.SendStmt:
		return n.Chan, OpSend
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return n.X, OpReceive
		}
	}
	return nil, 0
}

// syncType is the name of an expression's type if that is one of package sync, or a pointer to one; "" otherwise.
func (p *Package) syncType(e ast.Expr) string { return syncName(p.Info.Types[e].Type) }

func syncName(t types.Type) string {
	if t == nil {
		return ""
	}
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return ""
	}
	return named.Obj().Name()
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

func unknown(t types.Type) bool { return t == nil || t == types.Typ[types.Invalid] }

// InLoop reports whether a place is in a loop of the site's function.
func (s *Site) InLoop(pos token.Pos) bool { return inLoop(s.Fn, pos) }

// InLoop reports whether an operation is in a loop of its function.
func (u Use) InLoop() bool { return inLoop(u.Fn, u.At) }

func inLoop(fn ast.Node, pos token.Pos) (found bool) {
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			found = found || n.Body.Pos() <= pos && pos < n.Body.End()
		case *ast.RangeStmt: // which may be the operation
			found = found || n.Pos() <= pos && pos < n.Body.End()
		}
		return !found
	})
	return found
}
