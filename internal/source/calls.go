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
	here func(n ast.Node) (first ast.Node) // the part of a node with the act's line, nil for a node that isn't one
	// aside reports that the act may be of another line than that of the node: what is deferred is done where the
	// function returns, what a go statement calls on another stack.
	aside func(n ast.Node) bool
}

// actOf is the act of a line that calls a function, the runtime's own for channels included; ok is false for what
// source code doesn't name: closures, the compiler's wrappers, the runtime's functions behind maps and panics, C.
func actOf(callee string) (a act, ok bool) {
	switch callee {
	case "runtime.chanrecv1", "runtime.chanrecv2":
		return act{text: "receives from a channel", here: receives}, true
	case "runtime.chansend1":
		return act{text: "sends to a channel", here: func(n ast.Node) ast.Node {
			if s, ok := n.(*ast.SendStmt); ok {
				return s
			}
			return nil
		}}, true
	case "runtime.selectgo", "runtime.block":
		return act{text: "selects", here: func(n ast.Node) ast.Node {
			if s, ok := n.(*ast.SelectStmt); ok {
				return s
			}
			return nil
		}}, true
	}
	name := calledName(callee)
	return act{
		text: "calls " + shortened(name),
		here: func(n ast.Node) ast.Node {
			if c, ok := n.(*ast.CallExpr); ok && nameOf(c.Fun) == name {
				return c
			}
			return nil
		},
		aside: func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.DeferStmt:
				return nameOf(n.Call.Fun) == name
			case *ast.GoStmt:
				return nameOf(n.Call.Fun) == name
			}
			return false
		},
	}, name != ""
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

// matchAct adds to a match what the line does in the function fn of the build. Where the line does it, the build's line
// does most likely too; where only other lines of the function do it, they have moved. A function that nowhere does it
// shows nothing: it may call another one as a value.
func (p *parsed) matchAct(m match, fn, callee string, line int) match {
	a, ok := actOf(callee)
	if !ok {
		return m
	}
	c := calleeOf(callee, fn)
	other := func(n ast.Node) bool { // what is called may be another function of that name
		call, isCall := n.(*ast.CallExpr)
		return isCall && a.aside != nil && !p.is(c, call.Fun, m.decl)
	}
	literal := literalOf(symbol.ParseName(fn).Closure)
	elsewhere, aside, here, unsure := 0, false, false, false
	var around []ast.Node
	var in literals
	ast.Inspect(m.decl, func(n ast.Node) bool {
		if n == nil {
			if _, ok := around[len(around)-1].(*ast.FuncLit); ok {
				in.leave()
			}
			around = around[:len(around)-1]
			return true
		}
		around = append(around, n)
		if _, ok := n.(*ast.FuncLit); ok {
			in.enter()
		}
		if a.aside != nil && a.aside(n) {
			aside = true
		}
		first := a.here(n)
		_, loop := n.(*ast.RangeStmt) // over anything
		switch {
		case first == nil:
		case p.does(first, line) && (!slices.Equal(in.at, literal) || p.inLiteral(first, line)):
			aside = true // another function's line: that of another literal, or of the function around it
		case other(first):
			unsure = unsure || p.does(first, line)
		case p.does(first, line):
			here = true
		case elsewhere == 0 && !loop:
			elsewhere = p.lineOf(first.Pos())
		}
		return true
	})
	switch {
	case unsure && !here && !aside:
		m.text += " and " + a.text + ", perhaps another one"
	case here && !aside:
		m.fits = rules.FitsYes
		m.text += " and " + a.text
	case !here && !aside && elsewhere > 0:
		m.fits = rules.FitsNo
		m.text = funcName(m.decl) + " " + a.text + " in line " + strconv.Itoa(elsewhere) + ", not in line " +
			strconv.Itoa(line)
	}
	return m
}

// inLiteral reports whether a line lies between the braces of a function literal in a node, as of a call's argument.
func (p *parsed) inLiteral(n ast.Node, line int) bool {
	inside := false
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && p.lineOf(f.Body.Lbrace) < line && line < p.lineOf(f.Body.Rbrace) {
			inside = true
		}
		return !inside
	})
	return inside
}

// does reports whether a node is at the line. A call may be at any of its lines, a select at its first one.
func (p *parsed) does(n ast.Node, line int) bool {
	if s, ok := n.(*ast.SelectStmt); ok {
		return p.lineOf(s.Pos()) == line
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
