// Command lint holds the limits of CONTRIBUTING.md that gofmt, vet and staticcheck know nothing of:
//
//		go run ./lint ..
//
//	  - a Go file has at most 500 lines, a function at most 60 and a cyclomatic complexity of at most 30;
//	  - a line has at most 120 columns, where a tab takes 4, unless it is a single word, such as an address;
//	  - comments use none of the words in avoided, and identifiers none of those in avoidedInNames;
//	  - Markdown, YAML and sentences in Go code, which users read, use none of those in avoidedInTexts.
//
// It prints file:line: what, and exits with 1 where there is something to print. Of tests, whose tables have a case a
// line, it checks the words only. Generated files and folders named testdata are left out.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxFile       = 500
	maxFunction   = 60
	maxComplexity = 30
	maxColumns    = 120
	tabColumns    = 4
)

// avoided are words that have a plainer one: fix, expensive, instead of, reports, is, a user. What a sign stands for,
// what stands out and a stand-in are fine: the first group matches these, and they are left alone.
const avoided = `\b(stands?(?:\s+for|\s+out|-in)\b)|` +
	`\b(mend(s|ed|ing)?|dear(er|ly)?|in\s+place\s+of|somebody|whoever|tells?|telling|told|stands?|standing|stood|` +
	`hand(s|ed|ing)?\s+((it|them)\s+)?out)\b`

// avoidedInNames are those of them that no identifier has.
const avoidedInNames = `\b(mend(s|ed|ing)?|dear(er|ly)?|in\s+place\s+of|(is|are)\s+told|somebody|whoever)\b`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("lint", flag.ContinueOnError)
	flags.SetOutput(stderr)
	table := flags.Bool("table", false, "print how many there are of each kind in each folder")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	l := &linter{
		avoided: regexp.MustCompile(`(?i)` + avoided),
		inNames: regexp.MustCompile(`(?i)` + avoidedInNames),
		inTexts: regexp.MustCompile(`(?i)` + avoidedInTexts),
		humps:   regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`),
	}
	for _, root := range flags.Args() {
		if err := l.walk(root); err != nil {
			fmt.Fprintln(stderr, "lint:", err)
			return 2
		}
	}
	if *table {
		printTable(stdout, l.problems)
		return 0
	}
	slices.SortStableFunc(l.problems, func(a, b problem) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	for _, p := range l.problems {
		fmt.Fprintf(stdout, "%s:%d: %s\n", p.file, p.line, p.text)
	}
	return min(len(l.problems), 1)
}

// The kinds of problems, in the order of the table's columns.
var kinds = []string{"line", "file", "function", "complexity", "word"}

// A problem is one breach of a limit.
type problem struct {
	file string
	line int
	kind string
	text string
}

// A linter collects the problems of several folders.
type linter struct {
	avoided  *regexp.Regexp
	inNames  *regexp.Regexp
	inTexts  *regexp.Regexp
	humps    *regexp.Regexp // where a part of an identifier in camel case ends and the next begins
	problems []problem
}

// walk checks all Go files and texts below root.
func (l *linter) walk(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "testdata" || len(name) > 2 && name[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_gen.go"):
			return nil
		}
		check := l.file
		switch filepath.Ext(path) {
		case ".go":
		case ".md", ".yaml":
			check = l.text
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return check(path, string(text))
	})
}

// file checks one file.
func (l *linter) file(path, text string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return err
	}
	add := func(line int, kind, format string, args ...any) {
		l.problems = append(l.problems, problem{path, line, kind, fmt.Sprintf(format, args...)})
	}
	l.words(fset, f, func(line int, word string) { add(line, "word", "avoid %q", word) })
	if strings.HasSuffix(path, "_test.go") {
		return nil
	}
	l.sentences(fset, f, func(line int, word string) { add(line, "word", "avoid %q", word) })
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		n := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
		if words := strings.TrimPrefix(strings.TrimSpace(line), "// "); n > maxColumns && strings.Contains(words, " ") {
			add(i+1, "line", "%d columns, more than %d", n, maxColumns)
		}
	}
	if len(lines) > maxFile {
		add(1, "file", "%d lines in a file, more than %d", len(lines), maxFile)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		first, last := fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line
		if n := last - first + 1; n > maxFunction {
			add(first, "function", "%d lines in %s, more than %d", n, fn.Name.Name, maxFunction)
		}
		if n := complexity(fn); n > maxComplexity {
			add(first, "complexity", "complexity %d of %s, more than %d", n, fn.Name.Name, maxComplexity)
		}
	}
	return nil
}

// words reports the words to avoid: in comments, and in each identifier where the file first has it.
func (l *linter) words(fset *token.FileSet, f *ast.File, report func(line int, word string)) {
	for _, group := range f.Comments {
		var text strings.Builder // as many lines as the group has
		for _, c := range group.List {
			text.WriteString(strings.TrimPrefix(c.Text, "//") + "\n")
		}
		first := fset.Position(group.Pos()).Line
		avoid(l.avoided, text.String(), func(line int, word string) { report(first+line-1, word) })
	}
	seen := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
			seen[id.Name] = true
			if l.inNames.MatchString(l.humps.ReplaceAllString(id.Name, "$1$3 $2$4")) {
				report(fset.Position(id.Pos()).Line, id.Name)
			}
		}
		return true
	})
}

// complexity counts the paths through a function as McCabe (1976) does, its function literals included: one, and one
// for each condition.
func complexity(fn *ast.FuncDecl) int {
	paths := 1
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			paths++
		case *ast.CaseClause:
			if n.List != nil {
				paths++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				paths++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				paths++
			}
		}
		return true
	})
	return paths
}

func printTable(w io.Writer, problems []problem) {
	counts := map[string]map[string]int{}
	for _, p := range problems {
		dir := filepath.Dir(p.file)
		if strings.HasSuffix(p.file, "_test.go") {
			dir += " (tests)"
		}
		if counts[dir] == nil {
			counts[dir] = map[string]int{}
		}
		counts[dir][p.kind]++
	}
	fmt.Fprintf(w, "%-40s", "")
	for _, kind := range kinds {
		fmt.Fprintf(w, "%12s", kind)
	}
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "\n%-40s", dir)
		for _, kind := range kinds {
			fmt.Fprintf(w, "%12d", counts[dir][kind])
		}
	}
	fmt.Fprintln(w)
}
