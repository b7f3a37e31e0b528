package source

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// matchCall adds to a match what the line calls. That the function calls the callee in other lines only means that its
// lines have moved; that it never names the callee means nothing: it may call it as a value.
func (p *parsed) matchCall(m match, callee string, line int) match {
	name := calledName(callee)
	if name == "" {
		return m
	}
	elsewhere, deferred, here := 0, false, false
	ast.Inspect(m.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt: // it is called where the function returns
			deferred = deferred || nameOf(n.Call.Fun) == name
		case *ast.GoStmt: // it is called on another stack
			return nameOf(n.Call.Fun) != name
		case *ast.CallExpr:
			if nameOf(n.Fun) != name {
				break
			}
			if p.holds(n, line) {
				here = true
			} else if elsewhere == 0 {
				elsewhere = p.lineOf(n.Pos())
			}
		}
		return true
	})
	switch {
	case here:
		m.text += " and calls " + shortened(name)
	case elsewhere > 0 && !deferred:
		m.fits = rules.FitsNo
		m.text = funcName(m.decl) + " calls " + shortened(name) + " in line " + strconv.Itoa(elsewhere) + ", not in line " +
			strconv.Itoa(line)
	}
	return m
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
