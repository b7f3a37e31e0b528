package gocode

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// ownTransport reports whether a request goes through a client whose Transport is made for it: in the same function and
// in no loop further out, or by a function of the package that the same function calls. Such a Transport keeps its
// idle connections, which nobody uses again.
func (u *use) ownTransport() bool {
	decl := u.decl.Node().(*ast.FuncDecl)
	sel, ok := ast.Unparen(u.at.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok || decl.Recv == nil && (decl.Name.Name == "main" || decl.Name.Name == "init") && !u.handles() {
		return false
	}
	made := ast.Unparen(sel.X)
	if id, ok := made.(*ast.Ident); ok {
		if made = u.madeAs(id); u.escapes(id) {
			return false
		}
	}
	if made == nil || !u.makesTransport(made) {
		return false
	}
	at, ok := u.fn.FindNode(made)
	if !ok {
		return false
	}
	repeats := func(n ast.Node) bool { return isLoop(n) || isFunction(n) }
	keepsNone := slices.ContainsFunc(closing[:], func(name string) bool { return mentions(decl.Body, name) })
	return u.nearest(at, repeats) == u.nearest(u.at, repeats) && !keepsNone && !u.asksToClose()
}

// handles reports whether the function around the call gets a request.
func (u *use) handles() bool {
	lit, ok := u.fn.Node().(*ast.FuncLit)
	return ok && slices.ContainsFunc(lit.Type.Params.List, func(f *ast.Field) bool {
		return isType(u.p.Info.Types[f.Type].Type, "net/http", "Request")
	})
}

// closing are names in a function whose Transport keeps no idle connections.
var closing = [...]string{"CloseIdleConnections", "DisableKeepAlives"}

// asksToClose reports whether the function sets the field of a request that closes its connection.
func (u *use) asksToClose() bool {
	for c := range u.decl.Preorder((*ast.AssignStmt)(nil)) {
		for _, e := range c.Node().(*ast.AssignStmt).Lhs {
			if sel, ok := e.(*ast.SelectorExpr); ok && sel.Sel.Name == "Close" {
				return true
			}
		}
	}
	return false
}

// escapes reports whether the function keeps a client elsewhere, or passes it on: it may be made once for many
// requests.
func (u *use) escapes(client *ast.Ident) bool {
	o := u.p.Info.Uses[client]
	for c := range u.decl.Preorder((*ast.Ident)(nil)) {
		if u.p.Info.Uses[c.Node().(*ast.Ident)] != o {
			continue
		}
		if _, ok := parent(c).Node().(*ast.SelectorExpr); !ok && c.ParentEdgeKind() != edge.AssignStmt_Lhs {
			return true
		}
	}
	return false
}

// madeAs is the only value that a variable of the function is set to; nil where that isn't known.
func (u *use) madeAs(id *ast.Ident) (made ast.Expr) {
	o, ok := u.p.Info.Uses[id].(*types.Var)
	if !ok || !u.local(o) {
		return nil
	}
	times := 0
	u.spend()
	for c := range u.decl.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil)) {
		for id, value := range assignments(c) {
			if u.p.Info.ObjectOf(id) == o {
				made, times = value, times+1
			}
		}
	}
	if times != 1 {
		return nil
	}
	return made
}

// assignments are the names that a statement sets, each with its value, nil where it has none of its own.
func assignments(c inspector.Cursor) map[*ast.Ident]ast.Expr {
	var names, values []ast.Expr
	switch n := c.Node().(type) {
	case *ast.AssignStmt:
		names, values = n.Lhs, n.Rhs
	case *ast.ValueSpec:
		for _, id := range n.Names {
			names = append(names, id)
		}
		values = n.Values
	}
	all := map[*ast.Ident]ast.Expr{}
	for i, e := range names {
		if id, ok := e.(*ast.Ident); ok {
			all[id] = nil
			if len(values) == len(names) {
				all[id] = values[i]
			}
		}
	}
	return all
}

// makesTransport reports whether an expression makes a Transport: itself, by a variable of the function, or by a
// function of the package.
func (u *use) makesTransport(made ast.Expr) bool {
	found := u.p.makesTransport(made)
	ast.Inspect(made, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if o, ok := u.p.Info.Uses[n].(*types.Var); ok && isType(o.Type(), "net/http", "Transport") {
				from := u.madeAs(n)
				found = found || from != nil && u.p.makesTransport(from)
			}
		case *ast.CallExpr:
			if d := u.p.declared(n); d != nil && d.Body != nil && isType(u.p.Info.Types[n].Type, "net/http", "Client") {
				found = found || u.p.makesTransport(d.Body) && !u.p.remembers(d.Body)
			}
		}
		return !found
	})
	return found
}

// makesTransport reports whether code has a literal of a Transport that keeps connections, or copies one.
func (p *Package) makesTransport(n ast.Node) bool {
	made := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			made = made || isType(p.Info.Types[n].Type, "net/http", "Transport") && !mentions(n, "DisableKeepAlives")
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			made = made || ok && sel.Sel.Name == "Clone" && isType(p.Info.Types[sel.X].Type, "net/http", "Transport")
		}
		return !made
	})
	return made
}

// mentions reports whether code has a name.
func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// remembers reports whether a function sets what it has not declared itself, or passes a client on, so that it may
// return the same client again.
func (p *Package) remembers(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				id := root(e)
				if id == nil || id.Name != "_" && (p.Info.ObjectOf(id) == nil || !within(p.Info.ObjectOf(id), body)) {
					found = true
				}
			}
		case *ast.CallExpr:
			found = found || slices.ContainsFunc(n.Args, func(e ast.Expr) bool {
				return isType(p.Info.Types[e].Type, "net/http", "Client")
			})
		}
		return !found
	})
	return found
}

// root is the variable that an expression of fields begins with; nil where it begins with something else.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.Ident:
			return x
		default:
			return nil
		}
	}
}
