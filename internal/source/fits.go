package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// An act is what a line does, as the next frame of the stack or a wait shows it.
type act struct {
	text string                            // "calls Lock", "sends to a channel"
	part func(n ast.Node) (first ast.Node) // the part of a node with the act's line, nil for a node that isn't one
}

// actOf is the act of a line that calls a function, the runtime's own for channels included; ok is false for what
// source code doesn't name: closures, the compiler's wrappers, the runtime's functions behind maps and panics, C.
func actOf(callee string) (a act, ok bool) {
	switch callee {
	case "runtime.chanrecv1", "runtime.chanrecv2":
		return act{"receives from a channel", receives}, true
	case "runtime.chansend1":
		return act{"sends to a channel", only[*ast.SendStmt]}, true
	case "runtime.selectgo", "runtime.block":
		return act{"selects", only[*ast.SelectStmt]}, true
	}
	name := calledName(callee)
	return act{"calls " + shortened(name), func(n ast.Node) ast.Node {
		if c, ok := n.(*ast.CallExpr); ok && nameOf(c.Fun) == name {
			return c
		}
		return nil
	}}, name != ""
}

// only is a node of one kind, nil for others.
func only[T ast.Node](n ast.Node) ast.Node {
	if _, ok := n.(T); ok {
		return n
	}
	return nil
}

// receives is the part of a node that receives from a channel: <-c, or the head of a range loop, which may run over
// one.
func receives(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return n
		}
	case *ast.RangeStmt:
		return n.X
	}
	return nil
}

// matchAct adds to a match what the line does. Where it does what it did in the build, it is the build's line most
// likely; where only other lines of the function do, they have moved. A function that nowhere does it shows nothing: it
// may call another one as a value. So it is with one that defers the call, or starts it: the line is another one.
func (p *parsed) matchAct(m match, fn, callee string, line int) match {
	a, ok := actOf(callee)
	if !ok {
		return m
	}
	elsewhere, aside, here := 0, false, false
	closure := symbol.ParseName(fn).Closure != ""
	ast.Inspect(m.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return closure
		case *ast.DeferStmt:
			aside = aside || a.part(n.Call) != nil
		case *ast.GoStmt:
			aside = aside || a.part(n.Call) != nil
		}
		first := a.part(n)
		_, loop := n.(*ast.RangeStmt) // over anything
		switch {
		case first == nil:
		case p.does(first, line):
			here = true
		case elsewhere == 0 && !loop:
			elsewhere = p.lineOf(first.Pos())
		}
		return true
	})
	switch {
	case aside:
	case here:
		m.fits = rules.FitsYes
		m.text += " and " + a.text
	case elsewhere > 0:
		m.fits = rules.FitsNo
		m.text = funcName(m.decl) + " " + a.text + " in line " + strconv.Itoa(elsewhere) + ", not in line " +
			strconv.Itoa(line)
	}
	return m
}

// does reports whether a node is at the line. A call may be at any of its lines, but for those of a function that it is
// given, a select at its first one.
func (p *parsed) does(n ast.Node, line int) bool {
	switch n := n.(type) {
	case *ast.SelectStmt:
		return p.lineOf(n.Pos()) == line
	case *ast.CallExpr:
		if slices.ContainsFunc(n.Args, func(e ast.Expr) bool {
			f, ok := e.(*ast.FuncLit)
			return ok && p.lineOf(f.Body.Lbrace) < line && line < p.lineOf(f.Body.Rbrace)
		}) {
			return false
		}
	}
	return p.holds(n, line)
}

// calledName is how source code names a function that it calls, "" for what it doesn't call by a name: closures, the
// compiler's wrappers, the runtime's own functions behind channels, maps and panics, C.
func calledName(callee string) string {
	n := symbol.ParseName(callee)
	private := n.Func == "" || n.Func[0] < 'A' || n.Func[0] > 'Z'
	if n.Package == "" || n.Closure != "" || strings.HasPrefix(n.Func, "_C") || strings.Contains(n.Func, ".") ||
		private && (n.Package == "runtime" || strings.HasPrefix(n.Package, "internal/runtime/")) {
		return ""
	}
	return n.Func
}

// nameOf is the last name of what is called: "Lock" of s.mu.Lock, "" of a function literal.
func nameOf(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.ParenExpr:
		return nameOf(f.X)
	case *ast.IndexExpr:
		return nameOf(f.X)
	case *ast.IndexListExpr:
		return nameOf(f.X)
	}
	return ""
}
