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

// A Resource is a kind of result that the caller of a function must release.
type Resource uint8

// The resources. A client with a Transport of its own keeps connections until someone closes them.
const (
	Response Resource = iota
	Rows
	Tx
	Conn
	OwnTransport
)

// An owed is a type of results that callers must release.
type owed struct {
	pkg, name string
	resource  Resource
	field     string   // of the value, which has the method; "" for the value itself
	methods   []string // of which a defer calls the last
	usual     string   // how code usually names the value
}

// owedTypes are those types. Their documentation says so: net/http.Response.Body, database/sql.Rows, Tx and Conn.
var owedTypes = [...]owed{
	{"net/http", "Response", Response, "Body", []string{"Close"}, "resp"},
	{"database/sql", "Rows", Rows, "", []string{"Close"}, "rows"},
	{"database/sql", "Tx", Tx, "", []string{"Commit", "Rollback"}, "tx"},
	{"database/sql", "Conn", Conn, "", []string{"Close"}, "conn"},
}

// An Opening is a call whose function does not release the result on every path out.
type Opening struct {
	Resource Resource
	Decl     *ast.FuncDecl // that the call lies in
	At       token.Pos     // of the call
	Name     string        // of the variable that has the result; what code usually names it, where none has
	Release  string        // the method that a defer would call
	Leaves   token.Pos     // of the first return before the result is released; not valid if it never is
}

// Openings returns the calls of the package whose results stay open, in the order of the source. It does not judge a
// result that the function returns, stores or passes to other code of the program. Nor does it judge the result of a
// function of the package that releases it itself.
func (p *Package) Openings() (all []Opening) {
	p.locked(func() {
		work := maxWork
		givers := map[*ast.FuncDecl]bool{}
		for decl := range inspector.New(p.Files).Root().Preorder((*ast.FuncDecl)(nil)) {
			for c := range decl.Preorder((*ast.CallExpr)(nil)) {
				if o := p.owes(c.Node().(*ast.CallExpr), givers); o != nil && work > 0 {
					u := use{p: p, at: c, decl: decl, owed: o, work: &work}
					if found, ok := u.opening(); ok && work > 0 {
						all = append(all, found)
					}
				}
			}
		}
	})
	return all
}

// opening is what the call leaves open; false for nothing.
func (u *use) opening() (Opening, bool) {
	u.spend()
	u.fn = u.nearest(u.at, isFunction)
	leaves, left := u.left()
	found := Opening{u.owed.resource, u.decl.Node().(*ast.FuncDecl), u.at.Node().Pos(), u.owed.usual,
		u.owed.methods[len(u.owed.methods)-1], leaves}
	if u.value != nil {
		found.Name = u.value.Name()
	}
	if !left && u.owed.resource == Response && u.ownTransport() {
		found.Resource, left = OwnTransport, true
	}
	return found, left
}

// maxWork bounds the nodes of a package that are looked at, about which what many calls in one function need is
// quadratic. Chosen: 60 calls in one function of 64 KiB, a thousand in functions of 2 KiB.
const maxWork = 1 << 21

// nodeBytes is how many bytes of source count as one node. Chosen.
const nodeBytes = 8

// spend counts that the declared function is looked at once.
func (u *use) spend() { *u.work -= int(u.decl.Node().End()-u.decl.Node().Pos()) / nodeBytes }

// nearest is the innermost node of a kind around another one: the declared function where there is none.
func (u *use) nearest(c inspector.Cursor, is func(ast.Node) bool) inspector.Cursor {
	for c = c.Parent(); c != u.decl && !is(c.Node()); c = c.Parent() {
		*u.work--
	}
	return c
}

func isFunction(n ast.Node) bool {
	switch n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return true
	}
	return false
}

// owes is what the caller of a call must give back; nil for nothing.
func (p *Package) owes(call *ast.CallExpr, givers map[*ast.FuncDecl]bool) *owed {
	// A function that returns it alone returns what is kept elsewhere; one that returns more has read the body.
	results, ok := p.Info.Types[call].Type.(*types.Tuple)
	if !ok || results.Len() != 2 {
		return nil
	}
	i := slices.IndexFunc(owedTypes[:], func(o owed) bool { return isType(results.At(0).Type(), o.pkg, o.name) })
	if i < 0 || p.exempt(call, &owedTypes[i]) || p.givesBack(call, &owedTypes[i], givers, maxWrappers) {
		return nil
	}
	return &owedTypes[i]
}

// exempt reports whether the result of a call needs not be given back by itself: the answer to a HEAD request has no
// body, and the end of a transaction closes its rows.
func (p *Package) exempt(call *ast.CallExpr, o *owed) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return o.resource == Response && sel.Sel.Name == "Head" && p.declared(call) == nil ||
		o.resource == Rows && isType(p.Info.Types[sel.X].Type, "database/sql", "Tx")
}

// maxWrappers is through how many functions of the package a result is followed.
const maxWrappers = 32

// givesBack reports whether a call is of a function of the package that closes what it returns, reads it or replaces
// it, or that has this done by another one; givers are the functions for which that is known.
func (p *Package) givesBack(call *ast.CallExpr, o *owed, givers map[*ast.FuncDecl]bool, depth int) bool {
	d := p.declared(call)
	if d == nil || d.Body == nil {
		return false
	}
	if gives, ok := givers[d]; ok {
		return gives
	}
	givers[d] = false // while it is worked out
	found := depth == 0 || slices.ContainsFunc(releasing[:], func(name string) bool { return mentions(d.Body, name) })
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok && !found {
			found = p.handles(inner, o) && p.givesBack(inner, o, givers, depth-1)
		}
		return !found
	})
	givers[d] = found
	return found
}

// handles reports whether a call returns a value that must be given back, or gets it or the field that is closed.
func (p *Package) handles(call *ast.CallExpr, o *owed) bool {
	results, ok := p.Info.Types[call].Type.(*types.Tuple)
	return ok && results.Len() > 0 && isType(results.At(0).Type(), o.pkg, o.name) ||
		slices.ContainsFunc(call.Args, func(e ast.Expr) bool {
			sel, ok := e.(*ast.SelectorExpr)
			return ok && sel.Sel.Name == o.field || isType(p.Info.Types[e].Type, o.pkg, o.name)
		})
}

// releasing are names in a function that closes, reads or replaces a body or rows.
var releasing = [...]string{"Close", "ReadAll", "NopCloser", "DumpResponse"}

// isType reports whether a type is one of a package, or a pointer to it.
func isType(t types.Type, pkg, name string) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pkg
}

// A use is a call whose result must be released, and what the function does with that result.
type use struct {
	p        *Package
	at       inspector.Cursor // the call
	fn, decl inspector.Cursor // the functions around it: the innermost, and the declared one
	owed     *owed
	value    types.Object          // the variable that has the result
	err      types.Object          // the variable that has the error, nil for none
	released token.Pos             // where it is released first
	about    map[types.Object]bool // the error, and what is made of it
	again    token.Pos             // where the error is set next by another call
	work     *int                  // how many nodes may be looked at yet
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
	u.learn()
	leaves = u.leaves()
	return leaves, leaves.IsValid() || !u.released.IsValid()
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
	return false, u.value != nil && u.local(u.value) && !u.isResult(u.value) && !u.canceled() && !u.asksForHead()
}

// isResult reports whether a variable is a parameter or result of a function literal around the call.
func (u *use) isResult(o types.Object) bool {
	for c := u.fn; c != u.decl; c = u.nearest(c, isFunction) {
		if within(o, c.Node().(*ast.FuncLit).Type) {
			return true
		}
	}
	return false
}

// contextless are the functions of net/http and database/sql that have no context.
var contextless = [...]string{"Get", "Head", "Post", "PostForm", "Query", "Begin"}

// canceled reports whether a deferred call of the function ends a context that the call may have, which gives back
// all but a Conn.
func (u *use) canceled() bool {
	sel, ok := ast.Unparen(u.at.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if u.owed.resource == Conn || ok && slices.Contains(contextless[:], sel.Sel.Name) {
		return false
	}
	for c := range u.fn.Preorder((*ast.DeferStmt)(nil)) {
		id, ok := c.Node().(*ast.DeferStmt).Call.Fun.(*ast.Ident)
		if ok && isType(u.p.Info.Types[id].Type, "context", "CancelFunc") {
			return true
		}
	}
	return false
}

// asksForHead reports whether the function asks for the head of a response alone, which has no body.
func (u *use) asksForHead() bool {
	found := false
	ast.Inspect(u.decl.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			found = found || n.Name == "MethodHead"
		case *ast.BasicLit:
			found = found || n.Value == `"HEAD"`
		}
		return !found
	})
	return found
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
			u.release(at.Node().Pos())
		}
		if name == "" {
			return
		}
		at = parent(at)
	}
	if a, ok := at.Node().(*ast.AssignStmt); ok && len(a.Rhs) == 1 {
		u.readByLoop(a.Lhs[0])
	}
}

// readByLoop notes where a loop uses a reader of a body, which may read to its end.
func (u *use) readByLoop(reader ast.Expr) {
	id, ok := reader.(*ast.Ident)
	if !ok || id.Name == "_" {
		return
	}
	u.spend()
	for c := range u.decl.Preorder((*ast.Ident)(nil)) {
		if u.p.Info.Uses[c.Node().(*ast.Ident)] == u.p.Info.ObjectOf(id) {
			if loop := u.nearest(c, isLoop); loop != u.decl && !contains(loop.Node(), u.at.Node()) {
				u.release(loop.Node().Pos())
			}
		}
	}
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// readToEnd are functions that read a body to its end, which gives its connection back as Close does. A csv.Reader is
// mostly used so.
var readToEnd = [...]string{"io.ReadAll", "io/ioutil.ReadAll", "io.Copy", "io.CopyBuffer", "encoding/csv.NewReader"}

// selected notes what a method of the result does. A loop over all rows closes them at its end, and so may other loops;
// a loop that reads a body may read it to its end.
func (u *use) selected(at inspector.Cursor, method string) {
	if slices.Contains(u.owed.methods, method) {
		u.release(at.Node().Pos())
	}
	if method != "Next" && method != "Read" {
		return
	}
	loop := u.nearest(at, isLoop)
	if loop == u.decl || contains(loop.Node(), u.at.Node()) {
		return
	}
	f, ok := loop.Node().(*ast.ForStmt)
	if !ok || f.Cond == nil || !contains(f.Cond, at.Node()) || !u.breaks(loop) {
		u.release(loop.Node().End())
	}
}

// release notes a place where the result is given back.
func (u *use) release(at token.Pos) {
	if !u.released.IsValid() || at < u.released {
		u.released = at
	}
}

// breaks reports whether a loop over rows may end before the last of them.
func (u *use) breaks(loop inspector.Cursor) bool {
	u.spend()
	for c := range loop.Preorder((*ast.ReturnStmt)(nil), (*ast.BranchStmt)(nil)) {
		b, ok := c.Node().(*ast.BranchStmt)
		switch {
		case !ok && u.nearest(c, isFunction) == u.fn, ok && b.Tok != token.BREAK && b.Tok != token.CONTINUE,
			ok && b.Label != nil, ok && b.Tok == token.BREAK && u.nearest(c, isBroken) == loop:
			return true
		}
	}
	return false
}

// isBroken reports whether a break may end a statement.
func isBroken(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
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
				if family, _, _ := strings.Cut(path, "/"); slices.Contains(readers[:], family) {
					return path + "." + sel.Sel.Name
				}
			}
		}
	}
	return ""
}

// readers are what the paths of the standard library's packages that read from others begin with. The path of a module
// may lack a domain as they do.
var readers = [...]string{"archive", "bufio", "compress", "encoding", "fmt", "image", "io", "mime", "net"}
