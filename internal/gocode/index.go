package gocode

import (
	"go/ast"
	"go/token"
	"slices"
)

// An index has what is looked for again and again in a package.
type index struct {
	// literals are the function literals of each declaration, in order of the source.
	literals map[*ast.FuncDecl][]around
	// unknown are the names of methods and fields of values, and of keys in literals, whose type isn't known.
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
	x := index{map[*ast.FuncDecl][]around{}, map[string]bool{}, map[string]bool{}}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				x.literals[d] = literalsIn(d)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
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
			case *ast.KeyValueExpr: // of a literal whose type isn't known
				if id, ok := n.Key.(*ast.Ident); ok && p.Info.Uses[id] == nil {
					x.unknown[id.Name] = true
				}
			}
			return true
		})
	}
	return x
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
