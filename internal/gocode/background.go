package gocode

import (
	"go/ast"
	"go/types"
)

// NeverDone reports whether the context of a subject of the at-th call of a stack never ends: the stack shows that it
// is context.Background() or context.TODO() itself.
func (st Stack) NeverDone(at int, sub Subject) bool {
	e := sub.of
	for range len(st) {
		s := st[at].Site
		if s == nil || e == nil {
			return false
		}
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			k := objectKeep{g: &callGraph{p: s.Package}}
			return ok && k.imported(sel.X) == "context" && (sel.Sel.Name == "Background" || sel.Sel.Name == "TODO")
		}
		v := s.Variable(e)
		if v == nil || !s.setOnce(v, s.Decl) {
			return false
		}
		if s.Fn == ast.Node(s.Decl) && within(v, s.Decl.Body) {
			var value ast.Expr
			s.inCalls(func(g *callGraph) { value = g.valueOf(v, s.Decl) })
			e = value
			continue
		}
		if !within(v, s.Fn) {
			return false
		}
		if e, at = st.argument(at, v); e == nil {
			return false
		}
	}
	return false
}

// argument is what the caller of a frame gives for a parameter, and the caller's frame; nil where that isn't known.
func (st Stack) argument(at int, v *types.Var) (ast.Expr, int) {
	s, from := st[at].Site, at+1
	for from < len(st) && st[from].Passes {
		from++
	}
	if from >= len(st) || st[from].Site == nil {
		return nil, 0
	}
	typ := s.Decl.Type
	if lit, ok := s.Fn.(*ast.FuncLit); ok {
		typ = lit.Type
	}
	nodes := st[from].Site.calls(st[from].Callee)
	i := s.paramIndex(v, typ)
	if len(nodes) != 1 || i < 0 {
		return nil, 0
	}
	call, ok := nodes[0].(*ast.CallExpr)
	if !ok || i >= len(call.Args) || call.Ellipsis.IsValid() {
		return nil, 0
	}
	return call.Args[i], from
}
