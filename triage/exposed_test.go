package triage_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Types that a public API shows are declared in public packages: outside callers can neither name a type of an internal
// one nor make a value of it.
func TestPublicPackagesShowNoTypeOfInternalOnes(t *testing.T) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Export}}",
		module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	var public []string
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name, file, _ := strings.Cut(rest, "\t")
		exports[path] = file
		if strings.HasPrefix(path, module) && name != "main" && !internal(path) {
			public = append(public, path)
		}
	}
	from := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, path := range public {
		p, err := from.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, shown := range exposed(p) {
			t.Error(shown)
		}
	}
	if !slices.Contains(public, module+"rules") {
		t.Errorf("rules is not among the public packages: %q", public)
	}
}

func TestEachWayToShowAnInternalTypeIsFound(t *testing.T) {
	known := imported{}
	check := func(path, source string) *types.Package {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path+".go", source, 0)
		if err != nil {
			t.Fatal(err)
		}
		known[path], err = (&types.Config{Importer: known}).Check(path, fset, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return known[path]
	}
	check("m/internal/hidden", `package hidden
type (
	Field struct{ X int }
	Embedded struct{ Y int }
	Param struct{}
	Result struct{}
	Target struct{}
	Listed struct{}
	Argument struct{}
	Limit interface{ ~int }
	Private struct{}
)
func (Embedded) Promoted() Result { return Result{} }`)
	open := check("m/open", `package open
import "m/internal/hidden"
type Alias = hidden.Target
type Struct struct {
	Known    map[string][]*hidden.Field
	private  hidden.Private
	Indirect unexported
	hidden.Embedded
}
type unexported struct{ List []hidden.Listed }
type Generic[T any] struct{ Of T }
var Made Generic[hidden.Argument]
func Bounded[T hidden.Limit](T) {}
func (s *Struct) Method(func(hidden.Param)) {}
func local() hidden.Private { return hidden.Private{} }`)
	clean := check("m/clean", `package clean
import ("m/internal/hidden"; "m/open")
type Struct struct {
	Alias open.Alias
	All   *open.Struct
	cache hidden.Private
	err   error
}
func (s *Struct) Failed() error { return s.err }`)
	want := []string{
		"m/open.Alias: m/internal/hidden.Target", "m/open.Bounded: m/internal/hidden.Limit", "m/open.Made: m/internal/hidden.Argument",
		"m/open.Struct.Embedded: m/internal/hidden.Embedded", "m/open.Struct.Known: m/internal/hidden.Field",
		"m/open.Struct.Method: m/internal/hidden.Param", "m/open.Struct.Promoted: m/internal/hidden.Result",
		"m/open.unexported.List: m/internal/hidden.Listed",
	}
	if got := exposed(open); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := exposed(clean); got != nil { // what lies behind another package is reported there
		t.Errorf("got %q", got)
	}
}

type imported map[string]*types.Package

func (known imported) Import(path string) (*types.Package, error) { return known[path], nil }

// exposed lists the names of a package's API with each internal type that they lead to.
func exposed(p *types.Package) []string {
	w := apiWalk{pkg: p, seen: map[*types.TypeName]bool{}}
	for _, name := range p.Scope().Names() {
		if obj := p.Scope().Lookup(name); obj.Exported() {
			w.object(obj)
		}
	}
	slices.Sort(w.shown)
	return slices.Compact(w.shown)
}

func internal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// An apiWalk goes through what a package's exported names lead to: functions, variables, methods, exported and embedded
// fields, the targets of aliases, constraints.
type apiWalk struct {
	pkg   *types.Package
	seen  map[*types.TypeName]bool // types of pkg
	shown []string
}

// object walks what is declared under a name.
func (w *apiWalk) object(obj types.Object) {
	at := w.pkg.Path() + "." + obj.Name()
	name, ok := obj.(*types.TypeName)
	if !ok {
		w.look(at, obj.Type())
		return
	}
	if w.seen[name] {
		return
	}
	w.seen[name] = true
	if alias, ok := name.Type().(*types.Alias); ok {
		w.constraints(at, alias.TypeParams())
		w.look(at, alias.Rhs())
		return
	}
	named, ok := name.Type().(*types.Named)
	if !ok {
		return
	}
	w.constraints(at, named.TypeParams())
	w.look(at, named.Underlying())
	for m := range types.NewMethodSet(types.NewPointer(named)).Methods() { // promoted ones too
		if m.Obj().Exported() {
			w.look(at+"."+m.Obj().Name(), m.Type())
		}
	}
}

func (w *apiWalk) constraints(at string, params *types.TypeParamList) {
	for p := range params.TypeParams() {
		w.look(at, p.Constraint())
	}
}

// name walks a type that the API names: one of this package although it may be unexported, since its fields and methods
// can be used; one of another package is walked with that package.
func (w *apiWalk) name(at string, name *types.TypeName, args *types.TypeList) {
	switch pkg := name.Pkg(); {
	case pkg == nil: // error, any
	case pkg == w.pkg:
		w.object(name)
	case internal(pkg.Path()):
		w.shown = append(w.shown, fmt.Sprintf("%s: %s.%s", at, pkg.Path(), name.Name()))
	}
	for arg := range args.Types() {
		w.look(at, arg)
	}
}

// look walks the parts of a type. A type parameter is walked where it is declared.
func (w *apiWalk) look(at string, t types.Type) {
	switch t := t.(type) {
	case *types.Alias:
		w.name(at, t.Obj(), t.TypeArgs())
	case *types.Named:
		w.name(at, t.Obj(), t.TypeArgs())
	case *types.Map:
		w.look(at, t.Key())
		w.look(at, t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		w.look(at, t.Elem())
	case *types.Signature:
		w.constraints(at, t.TypeParams())
		w.look(at, t.Params())
		w.look(at, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.look(at, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				w.look(at+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			w.look(at+"."+m.Name(), m.Type())
		}
		for e := range t.EmbeddedTypes() {
			w.look(at, e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.look(at, term.Type())
		}
	}
}
