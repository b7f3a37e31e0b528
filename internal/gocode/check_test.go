package gocode

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"strings"
	"testing"
	"time"
)

// parsedPackage is a package of one file that isn't checked yet.
func parsedPackage(t *testing.T, text string) *Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return &Package{Set: set, Files: []*ast.File{file}, Info: types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}}
}

func TestACheckThatIsGivenUpEndsAtTheNextError(t *testing.T) {
	var text strings.Builder
	text.WriteString("package p\n\nimport \"example.com/q\"\n")
	for i := range 30_000 {
		fmt.Fprintf(&text, "func f%d() { n := q.N(%d); missing(n); n.also() }\n", i, i)
	}
	p := parsedPackage(t, text.String())
	before := runtime.NumGoroutine()
	if p.checkWithin("p", time.Nanosecond) {
		t.Error("a check of a nanosecond came to its end")
	}
	start := time.Now()
	for runtime.NumGoroutine() > before && time.Since(start) < time.Minute {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left of a check that was given up", n-before)
	}
	// Near miss: one that has its time comes to its end, errors or not.
	if p := parsedPackage(t, "package p\n\nfunc f() { missing() }\n"); !p.checkWithin("p", time.Minute) || p.Types == nil {
		t.Error("a package with an error isn't checked")
	}
}
