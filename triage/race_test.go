package triage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The Makefile leaves packages that start no goroutine out of the race detector's run.
func TestWhatRunsWithoutTheRaceDetectorStartsNoGoroutine(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^CONCURRENT = ((?:.*\\\n)*.+)$`).FindSubmatch(makefile)
	if list == nil {
		t.Fatal("the Makefile has no list of packages that run under the race detector")
	}
	raced := strings.Fields(strings.ReplaceAll(string(list[1]), "\\", ""))
	for name := range allowed {
		if !slices.Contains(raced, name) && !strings.HasPrefix(name, "cmd/") {
			checkAlone(t, name)
		}
	}
	for _, name := range raced {
		if _, ok := allowed[name]; !ok {
			t.Errorf("CONCURRENT in the Makefile has %s, which is no package", name)
		}
	}
}

// checkAlone fails where a file of a package, its tests included, starts a goroutine, itself or by internal/parallel, or
// runs tests in parallel.
func checkAlone(t *testing.T, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(name), "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", name, err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range parsed.Imports {
			if strings.Trim(imported.Path.Value, `"`) == module+"internal/parallel" {
				t.Errorf("%s runs steps in parallel: add its package to CONCURRENT in the Makefile", file)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			_, starts := n.(*ast.GoStmt)
			if call, ok := n.(*ast.CallExpr); ok {
				f, method := call.Fun.(*ast.SelectorExpr)
				starts = method && (f.Sel.Name == "Parallel" || f.Sel.Name == "Go")
			}
			if starts {
				t.Errorf("%s starts a goroutine: add its package to CONCURRENT in the Makefile", file)
			}
			return true
		})
	}
}
