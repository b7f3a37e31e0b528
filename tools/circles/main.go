// Command circles prints for each package how many files it has and the largest circle among them: files that reach
// each other through the names they use. The files of a circle can only be understood and moved together, so a package
// in layers has small ones.
//
//	go run ./circles -dir .. -max 24 ./...
//
// A file uses another where it names a function, type, variable, constant, method or field that the other one declares.
// Tests do not count, generated files do. The exit status is 1 where a circle is larger than -max, 2 where a package
// does not compile.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("circles", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("dir", ".", "the module's folder")
	most := flags.Int("max", 0, "files that a circle may have; 0 for no limit")
	names := flags.Bool("files", false, "list the files of each circle")
	markdown := flags.Bool("markdown", false, "print a table in Markdown")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	sizes, err := measure(*dir, flags.Args())
	if err != nil {
		fmt.Fprintln(stderr, "circles:", err)
		return 2
	}
	if *markdown {
		fmt.Fprint(stdout, "| package | files | largest circle |\n|---|--:|--:|\n")
	}
	status := 0
	for _, s := range sizes {
		switch {
		case *markdown:
			fmt.Fprintf(stdout, "| `%s` | %d | %d |\n", s.path, s.files, len(s.circle))
		default:
			fmt.Fprintf(stdout, "%3d of %3d files  %s\n", len(s.circle), s.files, s.path)
		}
		if *names && len(s.circle) > 1 {
			fmt.Fprintln(stdout, "    "+strings.Join(s.circle, " "))
		}
		if *most > 0 && len(s.circle) > *most {
			fmt.Fprintf(stderr, "circles: %s: %d files, more than %d (-files)\n", s.path, len(s.circle), *most)
			status = 1
		}
	}
	return status
}

// A size is what is printed about one package.
type size struct {
	path   string // below the module
	files  int
	circle []string
}

// measure loads the packages that the patterns match, in the module that dir is a part of.
func measure(dir string, patterns []string) ([]size, error) {
	const mode = packages.NeedName | packages.NeedModule | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	pkgs, err := packages.Load(&packages.Config{Dir: dir, Mode: mode}, patterns...)
	if err != nil {
		return nil, err
	}
	var sizes []size
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		path := p.PkgPath
		if p.Module != nil {
			path = cmp.Or(strings.TrimPrefix(strings.TrimPrefix(path, p.Module.Path), "/"), ".")
		}
		sizes = append(sizes, size{path: path, files: len(p.Syntax), circle: largestCircle(uses(p))})
	}
	if len(sizes) == 0 {
		return nil, errors.New("no packages")
	}
	slices.SortFunc(sizes, func(a, b size) int { return strings.Compare(a.path, b.path) })
	return sizes, nil
}

// uses maps each file of a package to the files whose names it uses.
func uses(p *packages.Package) map[string][]string {
	graph := map[string][]string{}
	for _, f := range p.Syntax {
		from := filepath.Base(p.Fset.Position(f.Package).Filename)
		graph[from] = nil
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if obj := p.TypesInfo.Uses[id]; obj != nil && obj.Pkg() == p.Types && shared(obj) {
				to := filepath.Base(p.Fset.Position(obj.Pos()).Filename)
				if to != from && !slices.Contains(graph[from], to) {
					graph[from] = append(graph[from], to)
				}
			}
			return true
		})
	}
	return graph
}

// shared reports whether other files can name the object: it is no local variable, type or label.
func shared(obj types.Object) bool {
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		return true
	}
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return obj.Parent() == obj.Pkg().Scope()
}

// largestCircle returns the largest strongly connected component of a graph in alphabetical order (Tarjan 1972).
func largestCircle(graph map[string][]string) []string {
	var best, stack []string
	order, low := map[string]int{}, map[string]int{} // order is 0 before the visit, low the first file in reach
	var visit func(string)
	visit = func(file string) {
		order[file] = len(order) + 1
		low[file] = order[file]
		stack = append(stack, file)
		for _, to := range graph[file] {
			if order[to] == 0 {
				visit(to)
				low[file] = min(low[file], low[to])
			} else if slices.Contains(stack, to) {
				low[file] = min(low[file], order[to])
			}
		}
		if low[file] == order[file] {
			i := slices.Index(stack, file)
			if len(stack)-i > len(best) {
				best = slices.Clone(stack[i:])
			}
			stack = stack[:i]
		}
	}
	files := make([]string, 0, len(graph))
	for file := range graph {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		if order[file] == 0 {
			visit(file)
		}
	}
	slices.Sort(best)
	return best
}
