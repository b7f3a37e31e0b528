package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// A parsed is a file's text with its syntax, where it is Go that can be parsed.
type parsed struct {
	text   string
	lines  int
	set    *token.FileSet
	syntax *ast.File
	why    string // why there is no syntax
}

func parse(name, text string) *parsed {
	p := &parsed{text: text, lines: strings.Count(text, "\n")}
	if text != "" && !strings.HasSuffix(text, "\n") {
		p.lines++
	}
	switch {
	case !strings.HasSuffix(name, ".go"):
		p.why = "since it is not Go"
	case len(text) > maxParsed:
		p.why = "since it is too large to be parsed"
	default:
		p.set = token.NewFileSet()
		syntax, err := parser.ParseFile(p.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			p.why = "since it can't be parsed"
			return p
		}
		p.syntax = syntax
	}
	return p
}

// holds reports whether a node has a part of the line. Line directives don't count: the lines are those of the file.
func (p *parsed) holds(n ast.Node, line int) bool {
	return p.lineOf(n.Pos()) <= line && line <= p.lineOf(n.End())
}

func (p *parsed) lineOf(pos token.Pos) int { return p.set.PositionFor(pos, false).Line }

// declsAt are the declarations that have a part of the line.
func (p *parsed) declsAt(line int) []ast.Decl {
	all := p.syntax.Decls
	first := sort.Search(len(all), func(i int) bool { return line <= p.lineOf(all[i].End()) })
	last := first
	for last < len(all) && p.lineOf(all[last].Pos()) <= line {
		last++
	}
	return all[first:last]
}

// A match is how a function of the input and a line fit a file.
type match struct {
	fits     string // as rules.Code.Fits: yes where the line does what it did in the build
	text     string // a fragment of a sentence
	decl     *ast.FuncDecl
	encloses bool // the line is in the function that the input names
	other    bool // it is another package's file
}

// match compares: is the function that the input names around the line, and does the line call what it called?
func (p *parsed) match(fn, callee string, line int) match {
	if line > p.lines {
		return match{fits: rules.FitsNo, text: "the file has only " + strconv.Itoa(p.lines) + " lines"}
	}
	name := symbol.ParseName(fn)
	switch {
	case p.syntax == nil:
		return match{fits: rules.FitsUnknown, text: p.why}
	case name.Package == "":
		return match{fits: rules.FitsUnknown, text: "since the input names no function"}
	}
	other := name.Package == "main" && p.syntax.Name.Name != "main"
	wanted, here := written(fn), "line "+strconv.Itoa(line)+" "
	for _, d := range p.declsAt(line) {
		f, isFunc := d.(*ast.FuncDecl)
		switch {
		case !isFunc && outside(name):
			return match{fits: rules.FitsUnknown, text: here + "initialises variables", other: other, encloses: true}
		case !isFunc:
			continue
		case declares(f, name) || p.linked(f, fn):
			m := match{fits: rules.FitsUnknown, text: here + "is in " + funcName(f), decl: f, other: other,
				encloses: true}
			return p.matchAct(m, fn, callee, line)
		}
		return match{fits: rules.FitsNo, text: here + "is in " + funcName(f) + ", not in " + wanted, other: other}
	}
	if at := p.declared(name); at != "" {
		return match{fits: rules.FitsNo, text: wanted + " is in " + at, other: other}
	}
	return match{fits: rules.FitsNo, text: here + "is in no function, and the file has no " + wanted, other: other}
}

// declared is where the file declares a function, "lines 12 to 40", or "".
func (p *parsed) declared(name symbol.Name) string {
	for _, d := range p.syntax.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && declares(f, name) {
			return "lines " + strconv.Itoa(p.lineOf(f.Pos())) + " to " + strconv.Itoa(p.lineOf(f.End()))
		}
	}
	return ""
}

// outside reports whether a name is that of code outside of declared functions: what initialises a package's variables,
// and closures there.
func outside(name symbol.Name) bool {
	return strings.HasPrefix(name.Func, "glob.") || name.Func == "init" || name.Func == "init.ializers"
}

// declares reports whether f declares the function that name is of. A closure's name may hold, behind the function that
// it was inlined into, the one that declares it: main.outer.inner.func1, main.outer.(*T).method.func1.
func declares(f *ast.FuncDecl, name symbol.Name) bool {
	typ := gocode.ReceiverType(f)
	if f.Name.Name == "init" && typ == "" && (name.Func == "init" || strings.HasPrefix(name.Func, "init.")) {
		return true
	}
	if name.Func == f.Name.Name && name.Receiver == typ {
		return true
	}
	if name.Closure == "" {
		return false
	}
	parts := strings.Split(name.Receiver+"."+name.Func+"."+name.Closure, ".")
	for i, part := range parts {
		if i == 1 && name.Pointer && typ == "" {
			continue // (*T).Serve.func1 is in the method, not in a function of its name
		}
		if part == f.Name.Name && (typ == "" || i > 0 && strings.Trim(parts[i-1], "(*)") == typ) {
			return true
		}
	}
	return false
}

// linked reports whether a directive of the file gives f the other name: //go:linkname sync_runtime_Semacquire
// sync.runtime_Semacquire.
func (p *parsed) linked(f *ast.FuncDecl, fn string) bool {
	return strings.Contains(p.text, "//go:linkname "+f.Name.Name+" "+fn+"\n")
}

// funcName is the name of a declared function as people write it: "(*T).Run", "T.Len", "New".
func funcName(f *ast.FuncDecl) string {
	name := shortened(f.Name.Name)
	typ := gocode.ReceiverType(f)
	if typ == "" {
		return name
	}
	if _, pointer := f.Recv.List[0].Type.(*ast.StarExpr); pointer {
		return "(*" + shortened(typ) + ")." + name
	}
	return shortened(typ) + "." + name
}

// written is the name that the input gives a function, without its package: "(*T).Run".
func written(fn string) string {
	_, rest := symbol.SplitPackage(symbol.DropTypeArgs(fn))
	return shortened(rest)
}
