package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// learn finds out what is made of the call's error, in order of the source, and where the error is set again.
func (u *use) learn() {
	u.about = map[types.Object]bool{u.err: u.err != nil}
	u.spend()
	for c := range u.decl.Preorder((*ast.AssignStmt)(nil)) {
		a := c.Node().(*ast.AssignStmt)
		if a.Pos() < u.at.Node().End() {
			continue
		}
		same := slices.ContainsFunc(a.Rhs, u.isAbout)
		for _, e := range a.Lhs {
			id, ok := e.(*ast.Ident)
			if !ok {
				continue
			}
			switch o := u.p.Info.ObjectOf(id); {
			case same:
				u.about[o] = o != nil
			case o != nil && o == u.err && !u.again.IsValid():
				u.again = a.Pos()
			}
		}
	}
}

// leaves is the first return between the call and where its result is given back that is not about the call's own
// error. A function literal that sets a variable of the function around it doesn't leave by its returns.
func (u *use) leaves() token.Pos {
	if u.value == nil || !within(u.value, bodyOf(u.fn.Node())) {
		return token.NoPos
	}
	for c := range u.fn.Preorder((*ast.ReturnStmt)(nil)) {
		n := c.Node()
		if n.Pos() < u.at.Node().End() || u.released < n.End() {
			continue
		}
		if !u.failed(c) {
			return n.Pos()
		}
	}
	return token.NoPos
}

// failed reports whether a return is reached only if the call has failed, or has no result, or is that of another
// function.
func (u *use) failed(at inspector.Cursor) bool {
	for c := at; c != u.fn; c = c.Parent() {
		if *u.work--; *u.work < 0 || isFunction(c.Node()) || u.afterSuccess(c) {
			return true
		}
		around := c.Parent()
		if around.Node().Pos() < u.at.Node().Pos() && !around.Contains(u.at) {
			continue
		}
		switch n := around.Node().(type) {
		case *ast.IfStmt:
			if c.ParentEdgeKind() == edge.IfStmt_Body && u.without(n.Cond, token.LOR) ||
				c.ParentEdgeKind() == edge.IfStmt_Else && u.without(n.Cond, token.LAND) {
				return true
			}
		case *ast.CaseClause:
			if c.ParentEdgeKind() == edge.CaseClause_Body && u.clauseWithout(around, n) {
				return true
			}
		}
	}
	return false
}

// without reports whether a test is one for the call's error, or for whether it has a result. A test that another one
// is joined to by op, which looks into the result, is none: "err != nil || resp.StatusCode != 200".
func (u *use) without(test ast.Expr, op token.Token) bool {
	return u.isAbout(test) && !u.alsoLooks(test, op)
}

// clauseWithout is without for a clause of a switch: for its own tests, the value that the switch is about, and those
// of the other clauses where it has none.
func (u *use) clauseWithout(at inspector.Cursor, own *ast.CaseClause) bool {
	is := func(e ast.Expr) bool { return u.without(e, token.LOR) }
	if len(own.List) > 0 && slices.ContainsFunc(own.List, is) {
		return true
	}
	switch n := at.Parent().Parent().Node().(type) {
	case *ast.TypeSwitchStmt:
		found := false
		ast.Inspect(n.Assign, func(n ast.Node) bool {
			e, ok := n.(*ast.TypeAssertExpr)
			found = found || ok && is(e.X)
			return !found
		})
		return found
	case *ast.SwitchStmt:
		others := func(s ast.Stmt) bool {
			clause, ok := s.(*ast.CaseClause)
			return ok && slices.ContainsFunc(clause.List, is)
		}
		return n.Tag != nil && is(n.Tag) || own.List == nil && slices.ContainsFunc(n.Body.List, others)
	}
	return false
}

// afterSuccess reports whether a statement follows, in its block and after the call, one that goes elsewhere if the
// call has not failed: "if err == nil { break }".
func (u *use) afterSuccess(c inspector.Cursor) bool {
	begin := u.at.Node().Pos()
	for before, ok := c.PrevSibling(); ok && before.Node().Pos() > begin; before, ok = before.PrevSibling() {
		*u.work--
		n, ok := before.Node().(*ast.IfStmt)
		if !ok || len(n.Body.List) == 0 {
			continue
		}
		test, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
		if !ok || test.Op != token.EQL || !u.isAbout(test) {
			continue
		}
		switch n.Body.List[len(n.Body.List)-1].(type) {
		case *ast.ReturnStmt, *ast.BranchStmt:
			return true
		}
	}
	return false
}

// isAbout reports whether an expression has the result or its error, before that is set again: in
// "resp.StatusCode != 200" the result is there. Rows without a next one are closed.
func (u *use) isAbout(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		*u.work--
		switch n := n.(type) {
		case *ast.Ident:
			o := u.p.Info.Uses[n]
			found = found || o != nil && (o == u.value ||
				u.about[o] && (o != u.err || !u.again.IsValid() || n.Pos() < u.again))
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if ok && u.p.Info.Uses[id] == u.value {
				found = found || n.Sel.Name == "Next"
				return false
			}
		}
		return !found
	})
	return found
}

// alsoLooks reports whether op joins a test to one that looks into the result.
func (u *use) alsoLooks(test ast.Expr, op token.Token) bool {
	b, ok := ast.Unparen(test).(*ast.BinaryExpr)
	if !ok || b.Op != op {
		return false
	}
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && u.p.Info.Uses[id] == u.value
		}
		return !found
	})
	return found
}
