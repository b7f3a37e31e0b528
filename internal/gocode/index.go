package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An index has what is looked for again and again in a package.
type index struct {
	// literals are the function literals of each declaration, in order of the source.
	literals map[*ast.FuncDecl][]around
	// mentions are the places where functions are named, and variables of functions that are functions.
	mentions map[types.Object][]token.Pos
	// unknown are the names of methods and fields of values whose type isn't known.
	unknown map[string]bool
	// abstract are the names of interfaces' methods.
	abstract map[string]bool
}

// An around is a function that has code of its own in a line, and how many literals it and those around it are.
type around struct {
	fn    ast.Node
	depth int
}

func newIndex(p *Package) index {
	x := index{map[*ast.FuncDecl][]around{}, map[types.Object][]token.Pos{}, map[string]bool{},
		map[string]bool{}}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				x.literals[d] = literalsIn(d)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if o := origin(p.Info.Uses[n]); o != nil && isFunc(o) {
					x.mentions[o] = append(x.mentions[o], n.Pos())
				}
			case *ast.InterfaceType:
				for _, m := range n.Methods.List {
					for _, id := range m.Names {
						x.abstract[id.Name] = true
					}
				}
			case *ast.SelectorExpr:
				if p.Info.Uses[n.Sel] == nil {
					x.unknown[n.Sel.Name] = true
				}
			}
			return true
		})
	}
	return x
}

func isFunc(o types.Object) bool {
	if _, ok := o.(*types.Func); ok {
		return true
	}
	v, ok := o.(*types.Var)
	if !ok || v.IsField() {
		return false
	}
	_, ok = v.Type().Underlying().(*types.Signature)
	return ok
}

// origin is a function as it is declared, where an object is an instance of it.
func origin(o types.Object) types.Object {
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

func literalsIn(d *ast.FuncDecl) []around {
	var all []around
	var ends []token.Pos // of the literals around what is looked at
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ends = slices.DeleteFunc(ends, func(end token.Pos) bool { return end <= lit.Pos() })
			ends = append(ends, lit.End())
			all = append(all, around{lit, len(ends)})
		}
		return true
	})
	return all
}

// around returns the functions of a declaration that may have code of their own in a line: all but those of which
// another one has the whole line.
func (p *Package) around(decl *ast.FuncDecl, line int) []around {
	all := []around{{decl, 0}}
	for _, lit := range p.index.literals[decl] {
		from, to := p.Line(lit.fn.Pos()), p.Line(lit.fn.End())
		if line < from || to < line {
			continue
		}
		if from < line && line < to {
			all = all[:0]
		}
		all = append(all, lit)
	}
	return all
}
