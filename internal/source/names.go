package source

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// A callee is a declared function that a line may call.
type callee struct {
	name   string // "Sleep"
	pkg    string // its package's import path
	method bool
	own    bool // it is of the package of the function that calls it
}

// calleeOf is the callee of that name in a call by the function fn.
func calleeOf(called, fn string) callee {
	n := symbol.ParseName(symbol.StripVendor(called))
	caller := symbol.ParseName(symbol.StripVendor(fn)).Package
	return callee{name: n.Func, pkg: symbol.Unescape(n.Package), method: n.Receiver != "",
		own: strings.TrimSuffix(caller, "_test") == strings.TrimSuffix(n.Package, "_test")}
}

// is reports whether what a call names in a function of the file is the callee. A method's value may have any type, so
// that its name has to do; a function's package has to be the one of its import.
func (p *parsed) is(c callee, fun ast.Expr, decl *ast.FuncDecl) bool {
	switch f := fun.(type) {
	case *ast.ParenExpr:
		return p.is(c, f.X, decl)
	case *ast.IndexExpr:
		return p.is(c, f.X, decl)
	case *ast.IndexListExpr:
		return p.is(c, f.X, decl)
	case *ast.Ident:
		return !c.method && !declaresLocal(decl, f.Name) && (c.own || p.imports(c.pkg, "."))
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		if c.method {
			return true
		}
		return ok && !declaresLocal(decl, x.Name) && p.imports(c.pkg, x.Name)
	}
	return false
}

// imports reports whether the file imports a package by that name. A package's name without one of its own is taken
// from its path: github.com/a/go-b/v2 may be b or go-b, gopkg.in/b.v2 is b.
func (p *parsed) imports(pkg, name string) bool {
	return slices.ContainsFunc(p.syntax.Imports, func(s *ast.ImportSpec) bool {
		if imported, err := strconv.Unquote(s.Path.Value); err != nil || imported != pkg {
			return false
		}
		if s.Name != nil {
			return s.Name.Name == name
		}
		base := path.Base(pkg)
		if symbol.IsMajor(base) {
			base = path.Base(path.Dir(pkg))
		}
		return slices.Contains(strings.FieldsFunc(base, func(r rune) bool { return r == '-' || r == '.' }), name)
	})
}

// declaresLocal reports whether a function declares a variable, a parameter or a type of that name anywhere, so that it
// may stand for something else than what the file's name means.
func declaresLocal(decl *ast.FuncDecl, name string) bool {
	found := false
	is := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name == name {
			found = true
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				is(id)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs { // plain assignments too: they are to what is declared elsewhere
				is(e)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				is(id)
			}
		case *ast.TypeSpec:
			is(n.Name)
		case *ast.RangeStmt:
			is(n.Key)
			is(n.Value)
		}
		return !found
	})
	return found
}

// literalOf is which function literal of its declared function a closure's name means: func2.1 is the first one in the
// second one; none for the declared function itself. What the compiler makes of a go, a defer or a range over
// functions is no literal. A closure of a function that was inlined is named behind that function: inner.func1.
func literalOf(closure string) (at []int) {
	parts := strings.FieldsFunc(closure, func(r rune) bool { return r == '.' || r == '-' })
	for i, part := range parts {
		number, isFunc := strings.CutPrefix(part, "func")
		n, err := strconv.Atoi(number)
		switch {
		case err == nil && isFunc:
			at = []int{n} // of this function; an earlier one is that around what was inlined
		case err == nil && len(at) > 0 && i > 0:
			at = append(at, n)
		case !isFunc && isWrapper(part):
		default:
			at = nil // a function's name
		}
	}
	return at
}

// isWrapper reports whether a part of a closure's name is what the compiler makes of a go, a defer or a range
// statement.
func isWrapper(part string) bool {
	switch strings.TrimRight(part, "0123456789") {
	case "gowrap", "deferwrap", "range":
		return true
	}
	return false
}

// A literals counts the function literals around what is looked at, as the compiler does: by order in the function or
// the literal around them.
type literals struct {
	at    []int // of those around, each in the one before it
	count []int // of those seen in the function and in each literal of at
}

func (l *literals) enter() {
	if len(l.count) == 0 {
		l.count = []int{0}
	}
	last := len(l.count) - 1
	l.count[last]++
	l.at = append(l.at, l.count[last])
	l.count = append(l.count, 0)
}

func (l *literals) leave() {
	l.at, l.count = l.at[:len(l.at)-1], l.count[:len(l.count)-1]
}
