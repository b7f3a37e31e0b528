package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// returned follows the variable to those who call the function that returns it, if these are all seen.
func (b *builder) returned(e ast.Expr, n *ast.ReturnStmt, path []ast.Node, depth int) bool {
	var decl *ast.FuncDecl
	for i := len(path) - 1; i >= 0 && decl == nil; i-- {
		switch fn := path[i].(type) {
		case *ast.FuncLit:
			return false
		case *ast.FuncDecl:
			decl = fn
		}
	}
	i := slices.Index(n.Results, e)
	return decl != nil && i >= 0 && b.toCallers(decl, i, len(n.Results), depth)
}

// toCallers follows the i-th of n results of a function to its callers.
func (b *builder) toCallers(decl *ast.FuncDecl, i, n, depth int) bool {
	fn, ok := b.Info.Defs[decl.Name].(*types.Func)
	binder := binder{Package: b.Package}
	if !ok || depth > maxDepth || decl.Type.Results.NumFields() != n || b.broken || b.declared1(fn) != decl ||
		binder.foreign(decl) || b.Package.index.unknown[fn.Name()] {
		return false
	}
	b.Returned = true
	mentions := b.Package.index.mentions[fn]
	if len(mentions) > maxMentions {
		return false
	}
	for _, pos := range mentions {
		caller := b.declOf(pos)
		if caller == nil {
			return false
		}
		id, path := pathTo(caller, pos)
		call := b.calledBy(id, path)
		if b.steps += size(caller) / 64; call == nil || b.steps > maxSteps ||
			!b.result(call, path[:slices.Index(path, ast.Node(call))], caller, i, n, depth+1) {
			return false
		}
	}
	return true
}

// result takes in what a caller does with the i-th of n results of a call at the end of a path.
func (b *builder) result(call *ast.CallExpr, path []ast.Node, caller *ast.FuncDecl, i, n, depth int) bool {
	switch parent := path[len(path)-1].(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true // it drops them
	case *ast.AssignStmt:
		if n == 1 {
			i = slices.Index(parent.Rhs, ast.Expr(call))
		} else if len(parent.Rhs) != 1 {
			return false
		}
		if i < 0 || i >= len(parent.Lhs) {
			return false
		}
		id, ok := parent.Lhs[i].(*ast.Ident)
		if !ok || id.Name == "_" {
			return ok
		}
		v, ok := b.Info.Defs[id].(*types.Var)
		if !ok || !isChan(v.Type()) && !(isPointer(v.Type()) && syncName(v.Type()) != "") {
			return false
		}
		b.gets[v] = true
		return b.follow(v, depth)
	case *ast.RangeStmt:
		return n == 1 && parent.X == ast.Expr(call) && b.receives(parent.For, path, caller)
	case *ast.UnaryExpr:
		return n == 1 && parent.Op == token.ARROW && b.receives(parent.OpPos, path, caller)
	}
	return false
}

// receives takes in what receives from the result of a call: range F(), <-F(). No literal's, which others may run.
func (b *builder) receives(at token.Pos, path []ast.Node, caller *ast.FuncDecl) bool {
	if !isChan(b.Var.Type()) ||
		slices.ContainsFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok }) {
		return false
	}
	b.holders[caller] = caller
	return b.add(at, OpReceive, at, path)
}
