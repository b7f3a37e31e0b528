package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
)

// An Ender is a place in the code that may end a wait for a channel or a WaitGroup in a field.
type Ender struct {
	// Fn is the function that does it: that around a literal which is called at once, or deferred.
	Fn   ast.Node
	Decl *ast.FuncDecl // Fn, or the declared function that it lies in
	node ast.Node
	path Path // of the channel or WaitGroup
	// Deferred reports that it is done where Fn returns.
	Deferred bool
}

// Awaited is what a goroutine waits for.
type Awaited uint8

// What goroutines wait for.
const (
	ForValue Awaited = iota + 1 // to receive
	ForRoom                     // to send
	ForDone                     // a WaitGroup
)

// WaitField is the field of a channel or WaitGroup that the frame at s waits for, and the path to it; ok is false where
// the line doesn't show one for sure.
func (s *Site) WaitField(callee string) (p Path, what Awaited, ok bool) {
	nodes := s.calls(callee)
	if len(nodes) != 1 {
		return Path{}, 0, false
	}
	switch n := nodes[0].(type) {
	case *ast.UnaryExpr:
		p, what = s.path(n.X), ForValue
	case *ast.SendStmt:
		p, what = s.path(n.Chan), ForRoom
	case *ast.CallExpr:
		q, name := s.syncMethod(n)
		if name != "WaitGroup.Wait" {
			return Path{}, 0, false
		}
		p, what = q, ForDone
	}
	last := p.Last()
	return p, what, last != nil && last.IsField() && !last.Exported() && p.Root != nil
}

// Enders are the places of the package that may end a wait for an unexported field; ok is false where the field is
// handed to others, so that anybody may.
func (p *Package) Enders(field *types.Var, what Awaited) (all []Ender, ok bool) {
	ok = true
	for _, file := range p.Files {
		for _, d := range file.Decls {
			w := &useWalk{p: p, field: field, what: what}
			ast.Walk(w, d)
			all = append(all, w.found...)
			ok = ok && !w.escapes
		}
	}
	return all, ok && !p.index.unknown[field.Name()]
}

// A useWalk looks for the uses of a field.
type useWalk struct {
	p       *Package
	field   *types.Var
	what    Awaited
	around  []ast.Node
	found   []Ender
	escapes bool
	at      Path // of the use at hand
}

// Visit implements ast.Visitor.
func (w *useWalk) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		w.around = w.around[:len(w.around)-1]
		return nil
	}
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s := w.p.Info.Selections[n]; s != nil && s.Kind() == types.FieldVal && fieldOf(s.Obj()) == w.field {
			w.use(n)
		}
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok && fieldOf(w.p.Info.Uses[id]) == w.field && !isMade(n.Value) {
			w.escapes = true
		}
	}
	w.around = append(w.around, n)
	return w
}

func fieldOf(o types.Object) *types.Var {
	v, ok := o.(*types.Var)
	if !ok {
		return nil
	}
	return v.Origin()
}

// isMade reports whether an expression makes a channel, or is none.
func isMade(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	}
	return false
}

// use judges a use of the field by what is around it.
func (w *useWalk) use(n *ast.SelectorExpr) {
	w.at = w.p.path(n)
	at := len(w.around) - 1
	for at >= 0 {
		if _, ok := w.around[at].(*ast.ParenExpr); !ok {
			break
		}
		at--
	}
	if at < 0 {
		w.escapes = true
		return
	}
	switch up := w.around[at].(type) {
	case *ast.SendStmt:
		if up.Chan != ast.Expr(n) {
			w.escapes = true
		} else if w.what == ForValue {
			w.add(up)
		}
	case *ast.UnaryExpr:
		if up.Op != token.ARROW {
			w.escapes = true
		} else if w.what == ForRoom {
			w.add(up)
		}
	case *ast.RangeStmt:
		if w.what == ForRoom {
			w.add(up)
		}
	case *ast.CallExpr:
		w.call(up)
	case *ast.AssignStmt:
		w.assigned(up, n)
	case *ast.BinaryExpr: // compared
	case *ast.SelectorExpr:
		w.method(up, at)
	default:
		w.escapes = true
	}
}

func (w *useWalk) call(call *ast.CallExpr) {
	id, _ := call.Fun.(*ast.Ident)
	switch {
	case id == nil:
		w.escapes = true
	case id.Name == "close":
		if w.what == ForValue {
			w.add(call)
		}
	case id.Name != "len" && id.Name != "cap":
		w.escapes = true
	}
}

func (w *useWalk) assigned(a *ast.AssignStmt, n ast.Expr) {
	for i, l := range a.Lhs {
		if ast.Unparen(l) == n && len(a.Lhs) == len(a.Rhs) && isMade(a.Rhs[i]) {
			return
		}
	}
	w.escapes = true
}

// method judges a call of a method of a WaitGroup.
func (w *useWalk) method(sel *ast.SelectorExpr, at int) {
	call, ok := (*ast.CallExpr)(nil), false
	if at > 0 {
		call, ok = w.around[at-1].(*ast.CallExpr)
	}
	if w.what != ForDone || !ok || ast.Unparen(call.Fun) != ast.Expr(sel) {
		w.escapes = true
		return
	}
	switch sel.Sel.Name {
	case "Done":
		w.add(call)
	case "Add":
		if lit, ok := call.Args[0].(*ast.BasicLit); !ok || lit.Kind != token.INT {
			w.escapes = true // perhaps a negative number
		}
	case "Wait":
	default:
		w.escapes = true
	}
}

// add notes a use that ends a wait.
func (w *useWalk) add(n ast.Node) {
	e := Ender{node: n, path: w.at}
	e.Decl, _ = w.around[0].(*ast.FuncDecl)
	for i := len(w.around) - 1; i >= 0; i-- {
		switch up := w.around[i].(type) {
		case *ast.DeferStmt:
			if up.Call == n {
				e.Deferred = true
			}
		case *ast.FuncLit:
			call, ok := (*ast.CallExpr)(nil), false
			if i > 1 {
				call, ok = w.around[i-1].(*ast.CallExpr)
			}
			if !ok || ast.Unparen(call.Fun) != ast.Expr(up) {
				e.Fn = up
				w.found = append(w.found, e)
				return
			}
			switch w.around[i-2].(type) {
			case *ast.DeferStmt:
				e.Deferred = true
			case *ast.GoStmt:
				e.Fn = up
				w.found = append(w.found, e)
				return
			}
		case *ast.FuncDecl:
			e.Fn = up
			w.found = append(w.found, e)
			return
		}
	}
	w.escapes = true
}

// Of is the path to the object whose channel or WaitGroup it is, where that is a variable with one value; ok is false
// for others.
func (p *Package) Of(e Ender) (object Path, ok bool) {
	if e.Decl == nil || e.path.Root == nil || len(e.path.Fields) != 1 || !p.setOnce(e.path.Root, e.Decl) {
		return Path{}, false
	}
	return Path{Root: e.path.Root}, true
}

// Needs reports whether an ender is reached only with the lock of its object to which the fields of a path lead.
func (p *Package) Needs(e Ender, lock Path) (needs bool) {
	of, ok := p.Of(e)
	if !ok {
		return false
	}
	p.inLocks(func(l *lockFacts) {
		seen, free := false, false
		l.flowOf(e.Fn, 0).each(func(n ast.Node, s *state) {
			if n != e.node {
				return
			}
			seen = true
			has := false
			for _, h := range s.held {
				has = has || h.Must && h.Path.SameFields(lock) && h.Path.Root == of.Root && !s.vague
			}
			free = free || !has
		})
		needs = seen && !free && !e.Deferred
	})
	return needs
}

// Has reports whether a node is in one of the package's files.
func (p *Package) Has(n ast.Node) bool {
	for _, f := range p.Files {
		if contains(f, n) {
			return true
		}
	}
	return false
}
