// Package gocode reads what the Go source of a package shows about the goroutines that run in it: which function a
// frame is in, what its line waits for, what could end that, and which locks a call has.
//
// It type-checks one package by itself: of what it imports only the few types of the standard library are known by
// which goroutines wait for each other (stubs.go). What can't be resolved is unknown, and proves nothing.
package gocode

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
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
	// Partial reports that files are missing which may be built too: they may call any function.
	Partial bool
	index   index
	decls   map[*types.Func]*ast.FuncDecl

	mu    sync.Mutex
	calls *calls // these two nil until someone asks
	locks *locks
}

// New parses and checks a package; partial reports that files may be missing. Files that can't be parsed are left out,
// and so are those of another package in the same folder than the file named main is of; what can't be checked has no
// types. It returns nil without that file, and for code that can't be checked in bounded time.
func New(files []File, main string, partial bool) *Package {
	p := &Package{Set: token.NewFileSet(), Partial: partial, Info: types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}}
	name := ""
	parsed := make([]*ast.File, len(files))
	for i, f := range files {
		syntax, err := parser.ParseFile(p.Set, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			p.Partial = true
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
	if !p.check(name) {
		return nil
	}
	p.index = newIndex(p)
	p.decls = map[*types.Func]*ast.FuncDecl{}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					p.decls[fn] = d
				}
			}
		}
	}
	return p
}

// locked runs what reads or adds to the facts about a package. What goes wrong in it leaves nothing known.
func (p *Package) locked(do func()) (ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	do()
	return true
}

// declared is the function of the package that a call calls; nil where that is another one, or not known.
func (p *Package) declared(call *ast.CallExpr) *ast.FuncDecl {
	if fn, ok := p.Info.Uses[calledName(call)].(*types.Func); ok {
		return p.decls[fn.Origin()]
	}
	return nil
}

// withoutOrder is a file in which no function refers to another: each is declared without its body, and has that once
// more behind all declarations, without a name. go/types works out in which order variables are initialized, for which
// it follows the functions that refer to each other, in a time that grows with the cube of their number.
//
// What is in a parameter's list is checked twice: what counts is the second time, as the body's.
func withoutOrder(f *ast.File) *ast.File {
	changed := *f
	changed.Decls = nil
	var bodies []ast.Decl
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			head, body := *fn, *fn
			head.Body, body.Name = nil, &ast.Ident{NamePos: fn.Name.NamePos, Name: "_"}
			d, bodies = &head, append(bodies, &body)
		}
		changed.Decls = append(changed.Decls, d)
	}
	changed.Decls = append(changed.Decls, bodies...)
	return &changed
}

// Line is the number of a place's line in its file. Line directives don't count.
func (p *Package) Line(pos token.Pos) int { return p.Set.PositionFor(pos, false).Line }

// Place is the name of the file that a place is in, and its line.
func (p *Package) Place(pos token.Pos) (file string, line int) {
	at := p.Set.PositionFor(pos, false)
	return at.Filename, at.Line
}

// At returns the function of a frame: the innermost one around a line of a file, a *ast.FuncDecl or a *ast.FuncLit, and
// the declared one that it lies in. Of functions that share the line it is the one that the frame's name can mean; nil
// where there is none, or where there are several.
func (p *Package) At(file string, line int, name string) (fn ast.Node, decl *ast.FuncDecl) {
	for i, f := range p.Files {
		if path.Base(p.names[i]) != path.Base(file) {
			continue
		}
		for _, d := range p.declsAt(f, line) {
			if d, ok := d.(*ast.FuncDecl); ok {
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
	all := p.around(decl, line)
	if len(all) > 1 {
		depth := nesting(name)
		all = slices.DeleteFunc(all, func(f around) bool { return (f.depth > 0) != (depth > 0) })
		if len(all) > 1 {
			all = slices.DeleteFunc(all, func(f around) bool { return f.depth != depth })
		}
	}
	if len(all) != 1 {
		return nil, decl
	}
	return all[0].fn, decl
}

// declsAt are the declarations that have a part of a line.
func (p *Package) declsAt(f *ast.File, line int) []ast.Decl {
	first := sort.Search(len(f.Decls), func(i int) bool { return line <= p.Line(f.Decls[i].End()) })
	last := first
	for last < len(f.Decls) && p.Line(f.Decls[last].Pos()) <= line {
		last++
	}
	return f.Decls[first:last]
}

// nesting is how many function literals a frame's name says that it is in: 0 for F and F.gowrap1, 2 for F.func1.2. A
// literal of a function that was inlined is named behind that function: G.F.func1.
func nesting(name string) int {
	depth := 0
	separates := func(r rune) bool { return r == '.' || r == '-' }
	for part := range strings.FieldsFuncSeq(symbol.ParseName(name).Closure, separates) {
		number, isFunc := strings.CutPrefix(part, "func")
		_, err := strconv.Atoi(number)
		switch kind := strings.TrimRight(part, "0123456789"); {
		case err == nil && isFunc:
			depth = 1
		case err == nil && depth > 0:
			depth++
		case kind == "gowrap" || kind == "deferwrap" || kind == "range":
		default:
			depth = 0
		}
	}
	return depth
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

// ReceiverType is the name of the type that a method is of, "" for a function.
func ReceiverType(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// bodyOf is the body of a function.
func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// declOf is the declared function that a place is in.
func (p *Package) declOf(pos token.Pos) *ast.FuncDecl {
	for _, f := range p.Files {
		if pos < f.Pos() || f.End() <= pos {
			continue
		}
		i := sort.Search(len(f.Decls), func(i int) bool { return pos < f.Decls[i].End() })
		if i < len(f.Decls) && f.Decls[i].Pos() <= pos {
			d, _ := f.Decls[i].(*ast.FuncDecl)
			return d
		}
	}
	return nil
}

// within reports whether an object is declared inside a node.
func within(o types.Object, n ast.Node) bool { return n.Pos() <= o.Pos() && o.Pos() < n.End() }

// isGlobal reports whether a variable is one of a package.
func isGlobal(o types.Object) bool { return o.Pkg() != nil && o.Parent() == o.Pkg().Scope() }

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}
