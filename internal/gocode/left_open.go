package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// A Resource is what a call returns and its caller must give back.
type Resource uint8

// The resources. A client with a Transport of its own keeps connections until someone closes them.
const (
	Response Resource = iota
	Rows
	Tx
	Conn
	OwnTransport
)

// An owed type is one whose values must be given back.
type owed struct {
	pkg, name string
	resource  Resource
	field     string   // of the value, which has the method; "" for the value itself
	methods   []string // of which a defer calls the last
	usual     string   // how code usually names the value
}

// owedTypes are the types whose callers must give them back, as their documentation says (net/http.Response.Body,
// database/sql.Rows, Tx and Conn).
var owedTypes = [...]owed{
	{"net/http", "Response", Response, "Body", []string{"Close"}, "resp"},
	{"database/sql", "Rows", Rows, "", []string{"Close"}, "rows"},
	{"database/sql", "Tx", Tx, "", []string{"Commit", "Rollback"}, "tx"},
	{"database/sql", "Conn", Conn, "", []string{"Close"}, "conn"},
}

// An Opening is a call whose result is never given back, or not on all ways out.
type Opening struct {
	Resource Resource
	Fn       ast.Node // the function that calls, as Site has it
	Decl     *ast.FuncDecl
	At       token.Pos // of the call
	Name     string    // of the variable that has the result; what code usually names it, where none has
	Release  string    // the method that gives the result back, as a defer would call it
	Leaves   token.Pos // of a return before the result is given back; not valid where it never is
}

// Openings are the calls of the package whose results are left open, in order of the source. A result that the function
// returns, stores or hands to other code of the program is not judged.
func (p *Package) Openings() (all []Opening) {
	p.locked(func() {
		for c := range inspector.New(p.Files).Root().Preorder((*ast.CallExpr)(nil)) {
			o := p.owes(c.Node().(*ast.CallExpr))
			decl, ok := first(c.Enclosing((*ast.FuncDecl)(nil)))
			if o == nil || !ok {
				continue
			}
			fn, _ := first(c.Enclosing(functions...))
			u := use{p: p, at: c, fn: fn, decl: decl, owed: o}
			leaves, left := u.left()
			found := Opening{o.resource, fn.Node(), decl.Node().(*ast.FuncDecl), c.Node().Pos(), o.usual,
				o.methods[len(o.methods)-1], leaves}
			if u.value != nil {
				found.Name = u.value.Name()
			}
			if !left {
				if o.resource != Response || !u.ownTransport() {
					continue
				}
				found.Resource = OwnTransport
			}
			all = append(all, found)
		}
	})
	return all
}

// functions and loops are nodes to look for around another one.
var (
	functions = []ast.Node{(*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)}
	loops     = []ast.Node{(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)}
)

// first is the first of several nodes; false for none.
func first(all func(yield func(inspector.Cursor) bool)) (c inspector.Cursor, ok bool) {
	for c := range all {
		return c, true
	}
	return c, false
}

// owes is what the caller of a call must give back; nil for nothing.
func (p *Package) owes(call *ast.CallExpr) *owed {
	// A function that returns it alone returns what is kept elsewhere; one that returns more has read the body.
	results, ok := p.Info.Types[call].Type.(*types.Tuple)
	if !ok || results.Len() != 2 {
		return nil
	}
	i := slices.IndexFunc(owedTypes[:], func(o owed) bool { return isType(results.At(0).Type(), o.pkg, o.name) })
	if i < 0 {
		return nil
	}
	return &owedTypes[i]
}

// isType reports whether a type is one of a package, or a pointer to it.
func isType(t types.Type, pkg, name string) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg
}

// A use is a call whose result must be given back, and what becomes of the result.
type use struct {
	p        *Package
	at       inspector.Cursor // the call
	fn, decl inspector.Cursor // the functions around it: the innermost, and the declared one
	owed     *owed
	value    types.Object // the variable that has the result
	err      types.Object // the variable that has the error, nil for none
	released token.Pos    // where it is given back first
	next     bool         // a loop over its rows, which closes them at their end
}

// left reports whether a result is left open, and the return before it is given back, if there is one.
func (u *use) left() (leaves token.Pos, left bool) {
	switch dropped, kept := u.assigned(); {
	case dropped:
		return token.NoPos, true
	case !kept || !u.follow():
		return token.NoPos, false
	}
	if u.released.IsValid() && u.released < u.at.Node().Pos() {
		return token.NoPos, false // a deferred call that was set up before
	}
	leaves = u.leaves()
	return leaves, leaves.IsValid() || !u.released.IsValid() && !u.next
}

// parent is the node around another one, parentheses aside.
func parent(c inspector.Cursor) inspector.Cursor {
	for c = c.Parent(); ; c = c.Parent() {
		if _, ok := c.Node().(*ast.ParenExpr); !ok {
			return c
		}
	}
}

// assigned finds the variables that have the result: dropped reports that none has it, kept that one of the function
// does.
func (u *use) assigned() (dropped, kept bool) {
	var to []ast.Expr
	switch n := parent(u.at).Node().(type) {
	case *ast.ExprStmt:
		return true, false
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			to = n.Lhs
		}
	case *ast.ValueSpec:
		for _, id := range n.Names {
			to = append(to, id)
		}
	}
	if len(to) == 0 {
		return false, false
	}
	id, ok := to[0].(*ast.Ident)
	if !ok {
		return false, false
	}
	if id.Name == "_" {
		return true, false
	}
	u.value = u.p.Info.ObjectOf(id)
	if id, ok := to[len(to)-1].(*ast.Ident); ok && len(to) > 1 {
		u.err = u.p.Info.ObjectOf(id)
	}
	return false, u.value != nil && u.local(u.value)
}

// local reports whether the declared function has a variable in its body.
func (u *use) local(o types.Object) bool { return within(o, bodyOf(u.decl.Node())) }

// follow looks at all uses of the variable. It reports false where other code may give the result back.
func (u *use) follow() bool {
	for c := range u.decl.Preorder((*ast.Ident)(nil)) {
		if u.p.Info.Uses[c.Node().(*ast.Ident)] == u.value && !u.harmless(c) {
			return false
		}
	}
	return true
}

// harmless reports whether a use of the variable leaves the result with the function, and notes where it is given back.
func (u *use) harmless(id inspector.Cursor) bool {
	around := parent(id)
	switch n := around.Node().(type) {
	case *ast.BinaryExpr:
		return true // a comparison with nil
	case *ast.AssignStmt:
		return id.ParentEdgeKind() == edge.AssignStmt_Lhs
	case *ast.SelectorExpr:
		switch {
		case u.owed.field == "":
			u.selected(around, n.Sel.Name)
		case n.Sel.Name == u.owed.field:
			return u.harmlessField(around)
		}
		return true
	}
	return false
}

// harmlessField is harmless for a use of the field that must be closed.
func (u *use) harmlessField(field inspector.Cursor) bool {
	around := parent(field)
	switch n := around.Node().(type) {
	case *ast.SelectorExpr:
		u.selected(around, n.Sel.Name)
		return true
	case *ast.CallExpr:
		u.readBy(around)
		return u.p.standard(n) != ""
	}
	return false
}

// readBy notes where a body is read to its end, directly or through a reader of the standard library.
func (u *use) readBy(at inspector.Cursor) {
	for call, ok := at.Node().(*ast.CallExpr); ok; call, ok = at.Node().(*ast.CallExpr) {
		name := u.p.standard(call)
		if slices.Contains(readToEnd[:], name) {
			u.selected(at, u.owed.methods[0])
		}
		if name == "" {
			return
		}
		at = parent(at)
	}
}

// readToEnd are functions that read a body to its end, which gives its connection back as Close does.
var readToEnd = [...]string{"io.ReadAll", "io/ioutil.ReadAll", "io.Copy"}

// selected notes what a method of the result does.
func (u *use) selected(at inspector.Cursor, method string) {
	if pos := at.Node().Pos(); slices.Contains(u.owed.methods, method) && (!u.released.IsValid() || pos < u.released) {
		u.released = pos
	}
	if loop, ok := first(at.Enclosing(loops...)); ok && method == "Next" {
		f, ok := loop.Node().(*ast.ForStmt)
		u.next = u.next || ok && f.Cond != nil && contains(f.Cond, at.Node()) && !breaks(loop)
	}
}

// breaks reports whether a loop over rows may end before the last of them.
func breaks(loop inspector.Cursor) bool {
	for c := range loop.Preorder((*ast.ReturnStmt)(nil), (*ast.BranchStmt)(nil)) {
		b, ok := c.Node().(*ast.BranchStmt)
		around, _ := first(c.Enclosing(append([]ast.Node{(*ast.SwitchStmt)(nil), (*ast.TypeSwitchStmt)(nil),
			(*ast.SelectStmt)(nil), (*ast.FuncLit)(nil)}, loops...)...))
		if !ok || b.Tok == token.GOTO || b.Tok == token.BREAK && (b.Label != nil || around == loop) {
			return true
		}
	}
	return false
}

// standard is the name of the function of the standard library that is called, which reads a body and closes none; ""
// for other code.
func (p *Package) standard(call *ast.CallExpr) string {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok {
			if name, ok := p.Info.Uses[id].(*types.PkgName); ok {
				path := name.Imported().Path()
				if domain, _, _ := strings.Cut(path, "/"); !strings.Contains(domain, ".") {
					return path + "." + sel.Sel.Name
				}
			}
		}
	}
	return ""
}

// leaves is the first return between the call and where its result is given back that is not about the call's own
// error.
func (u *use) leaves() token.Pos {
	for c := range u.fn.Preorder((*ast.ReturnStmt)(nil)) {
		around, _ := first(c.Enclosing(functions...))
		if n := c.Node(); around == u.fn && u.at.Node().End() < n.Pos() && n.End() < u.released && !u.failed(c) {
			return n.Pos()
		}
	}
	return token.NoPos
}

// failed reports whether a return is reached only if the call has failed, or has no result.
func (u *use) failed(at inspector.Cursor) bool {
	for c := range at.Enclosing() {
		if c.ParentEdgeKind() != edge.IfStmt_Body {
			continue
		}
		branch := c.Parent()
		test := branch.Node().(*ast.IfStmt).Cond
		if branch.Node().Pos() < u.at.Node().Pos() && !branch.Contains(u.at) || u.orLooks(test) {
			continue
		}
		if u.mentions(test, u.value) || u.err != nil && u.mentions(test, u.err) && !u.setAgain(test) {
			return true
		}
	}
	return false
}

// mentions reports whether a test is about a variable itself: in "resp.StatusCode != 200" the result is there.
func (u *use) mentions(test ast.Node, o types.Object) bool {
	found := false
	ast.Inspect(test, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && u.p.Info.Uses[id] == o
		_, selects := n.(*ast.SelectorExpr)
		return !found && !selects
	})
	return found
}

// orLooks reports whether a test is true of some results too: "err != nil || resp.StatusCode != 200".
func (u *use) orLooks(test ast.Expr) bool {
	b, ok := ast.Unparen(test).(*ast.BinaryExpr)
	if !ok || b.Op != token.LOR {
		return false
	}
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && u.p.Info.Uses[id] == u.value
		}
		return !found
	})
	return found
}

// setAgain reports whether the error is that of a later call where it is tested.
func (u *use) setAgain(test ast.Node) bool {
	for c := range u.decl.Preorder((*ast.AssignStmt)(nil)) {
		a := c.Node().(*ast.AssignStmt)
		if a.Pos() > u.at.Node().End() && a.Pos() < test.Pos() && slices.ContainsFunc(a.Lhs, func(e ast.Expr) bool {
			id, ok := e.(*ast.Ident)
			return ok && u.p.Info.ObjectOf(id) == u.err
		}) {
			return true
		}
	}
	return false
}
