package gocode

import (
	"go/ast"
	"go/types"
	"slices"
)

// copied reports whether an object with a field is copied as a whole somewhere: two objects may have one channel then.
func (g *callGraph) copied(f *types.Var) (found bool) {
	for _, file := range g.p.Files {
		g.walk(file, func(n ast.Node, up []ast.Node) {
			e, ok := n.(ast.Expr)
			if !ok || found || len(up) == 0 {
				return
			}
			t := g.p.Info.Types[e]
			if found = t.IsValue() && hasField(t.Type, f, 0) && copies(e, up[len(up)-1]); found {
				return
			}
		})
	}
	return found
}

// copies reports whether an expression whose value is a struct copies it, by what is around it.
func copies(e ast.Expr, around ast.Node) bool {
	switch e.(type) {
	case *ast.CompositeLit, *ast.ParenExpr:
		return false // new, or what is in the parentheses
	}
	switch around := around.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.UnaryExpr, *ast.ExprStmt:
		return false
	case *ast.AssignStmt:
		return !slices.Contains(around.Lhs, e)
	}
	return true
}

// converted reports whether an object with a field may be seen as one of another type, which has a field of its own in
// its place.
func (g *callGraph) converted(f *types.Var) bool {
	var with, others []*types.Struct
	for s := range g.structs {
		for i := range s.NumFields() {
			switch v := s.Field(i); {
			case v.Origin() == f:
				with = append(with, s)
			case v.Name() == f.Name():
				others = append(others, s)
			}
		}
	}
	return slices.ContainsFunc(with, func(s *types.Struct) bool {
		return slices.ContainsFunc(others, func(o *types.Struct) bool { return types.IdenticalIgnoreTags(s, o) })
	})
}

// structsOf are all types of structs that a package names.
func structsOf(p *Package) map[*types.Struct]bool {
	all := map[*types.Struct]bool{}
	for _, tv := range p.Info.Types {
		if tv.Type != nil {
			if s, ok := tv.Type.Underlying().(*types.Struct); ok {
				all[s] = true
			}
		}
	}
	return all
}
