// Package gocode reads what the Go source of a package shows about the goroutines that run in it: which function a frame
// is in, what a line does, and which variables two places share.
//
// It type-checks one package by itself: of what it imports only the few types of the standard library are known by which
// goroutines wait for each other (stubs.go). What can't be resolved is unknown, and proves nothing.
package gocode

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"sync"
)

// A File is one file of a package.
type File struct{ Name, Text string }

// A Package is the parsed and checked files of one folder.
type Package struct {
	Set   *token.FileSet
	Files []*ast.File // by name
	Types *types.Package
	// Info has the objects and types that could be resolved.
	Info  types.Info
	names []string // of Files

	mu    sync.Mutex
	locks *lockFacts // nil until someone asks
}

// New parses and checks a package. Files that can't be parsed are left out, and so are those of another package in the
// same folder than the file named main is of; what can't be checked has no types. It returns nil without that file.
func New(files []File, main string) *Package {
	p := &Package{Set: token.NewFileSet(), Info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}}
	name := ""
	parsed := make([]*ast.File, len(files))
	for i, f := range files {
		syntax, err := parser.ParseFile(p.Set, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		parsed[i] = syntax
		if f.Name == main {
			name = syntax.Name.Name
		}
	}
	if name == "" {
		return nil
	}
	for i, f := range parsed {
		if f != nil && f.Name.Name == name {
			p.Files, p.names = append(p.Files, f), append(p.names, files[i].Name)
		}
	}
	c := types.Config{Importer: stubs{}, Error: func(error) {}, FakeImportC: true, DisableUnusedImportCheck: true}
	p.Types, _ = c.Check(name, p.Set, p.Files, &p.Info) // what it couldn't check is unknown
	return p
}

// Line is the number of a place's line in its file. Line directives don't count.
func (p *Package) Line(pos token.Pos) int { return p.Set.PositionFor(pos, false).Line }

// Place is the name of the file that a place is in, and its line.
func (p *Package) Place(pos token.Pos) (file string, line int) {
	at := p.Set.PositionFor(pos, false)
	return at.Filename, at.Line
}

// At returns the innermost function around a line of a file, a *ast.FuncDecl or a *ast.FuncLit, and the declared one
// that it lies in; nil where there is none, or where two functions have parts of the line.
func (p *Package) At(file string, line int) (fn ast.Node, decl *ast.FuncDecl) {
	for i, f := range p.Files {
		if path.Base(p.names[i]) != path.Base(file) {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && p.has(d, line) {
				if decl != nil {
					return nil, nil
				}
				decl = d
			}
		}
	}
	if decl == nil || decl.Body == nil {
		return nil, nil
	}
	fn, shared := ast.Node(decl), false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok || !p.has(lit, line) {
			return true
		}
		from, to := p.Line(lit.Pos()), p.Line(lit.End())
		shared = shared || from == line || to == line // its own line may be its parent's
		fn = lit
		return true
	})
	if shared {
		return nil, decl
	}
	return fn, decl
}

func (p *Package) has(n ast.Node, line int) bool {
	return p.Line(n.Pos()) <= line && line <= p.Line(n.End())
}

// Name is a function as people write it: "(*T).Run", "New", "a function in New".
func Name(fn ast.Node, decl *ast.FuncDecl) string {
	name := decl.Name.Name
	if decl.Recv != nil && len(decl.Recv.List) > 0 {
		name = "(" + types.ExprString(decl.Recv.List[0].Type) + ")." + name
		if !strings.HasPrefix(name, "(*") {
			name = strings.NewReplacer("(", "", ")", "").Replace(name)
		}
	}
	if fn != ast.Node(decl) {
		return "a function in " + name
	}
	return name
}
