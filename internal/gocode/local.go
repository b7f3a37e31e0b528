package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// An Op is what code does with a variable that goroutines wait on.
type Op uint8

// The operations.
const (
	OpSend Op = iota
	OpReceive
	OpClose
	OpAdd
	OpDone
	OpWait
	OpSignal // of a Cond, to one or all
)

// A Use is an operation on a variable.
type Use struct {
	Op       Op
	At       token.Pos
	Fn       ast.Node        // the function that does it
	Decl     *ast.FuncDecl   // Fn, or the one that it lies in
	Select   *ast.SelectStmt // whose case it is; nil for none
	Deferred bool
	since    token.Pos // where the function, or one around it, declares the variable
}

// A World is everybody who can ever do anything with a variable of a function: it is closed.
type World struct {
	Var  *types.Var
	Made token.Pos
	Decl *ast.FuncDecl // that Made is in
	Uses []Use         // in order of the source, function by function
	// ByGroup reports that a holder is given to (*sync.WaitGroup).Go: the goroutine that it starts holds the variable
	// before the holder is on its stack.
	ByGroup bool
	// Returned reports that a function returns it to callers, which are those of the package's own code: a test may
	// call it too.
	Returned bool

	p       *Package
	holders map[ast.Node]*ast.FuncDecl // functions that hold it, with the declared ones that they lie in
}

// Bounds of one world: what hostile code could make endless.
const (
	maxSteps = 1 << 19 // nodes looked at, or bytes of code where it is looked for a literal's name
	maxDepth = 24      // calls that a variable is passed on through
)

// World returns who holds a variable of a function, a channel, a sync.WaitGroup or a sync.Cond; nil where that can't be
// known: the variable is a parameter, is not made where it is declared, or leaves what is seen: it is stored, given to
// another package, returned by a function that others may call, or captured by a function that is given away.
func (p *Package) World(v *types.Var) *World {
	w := &World{Var: v, p: p, holders: map[ast.Node]*ast.FuncDecl{}}
	b := builder{Package: p, World: w, seen: map[*types.Var]bool{}, gets: map[*types.Var]bool{}}
	if !isChan(v.Type()) && syncName(v.Type()) != "WaitGroup" && syncName(v.Type()) != "Cond" {
		return nil
	}
	if !b.follow(v, 0) || w.Made == token.NoPos ||
		slices.ContainsFunc(w.Files(), func(name string) bool { return p.renamed[name] }) {
		return nil
	}
	slices.SortStableFunc(w.Uses, func(a, b Use) int { return int(a.At) - int(b.At) })
	return w
}

// A builder collects a world.
type builder struct {
	*Package
	*World
	seen  map[*types.Var]bool
	gets  map[*types.Var]bool // variables that get it from a function that returns it
	steps int
}

// follow takes in all uses of a variable: the world's own, a parameter that it is passed for, or a function that
// captures it. It reports whether none leads out.
func (b *builder) follow(v *types.Var, depth int) bool {
	if b.seen[v] {
		return true
	}
	if depth > maxDepth {
		return false
	}
	b.seen[v] = true
	decl := b.declOf(v.Pos())
	if decl == nil || decl.Body == nil || b.isResult(decl, v) {
		return false
	}
	ok := true
	var path []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if b.steps++; !ok || b.steps > maxSteps {
			ok = false
			return false
		}
		if id, isIdent := n.(*ast.Ident); isIdent && id.Name == v.Name() {
			switch b.object(id) {
			case v:
				ok = b.use(v, id, path, depth) && b.hold(v, decl, path, depth)
			case nil:
				ok = b.harmless(id, path)
			}
		}
		path = append(path, n)
		return true
	})
	return ok
}

func (p *Package) object(id *ast.Ident) types.Object {
	if o := p.Info.Uses[id]; o != nil {
		return o
	}
	return p.Info.Defs[id]
}

// harmless reports whether a name that nothing was found for is no variable's: that of a field, a method or a label. A
// key is a field's where the type is known to be a struct: in a map it may be a variable.
func (p *Package) harmless(id *ast.Ident, path []ast.Node) bool {
	switch parent := path[len(path)-1].(type) {
	case *ast.SelectorExpr:
		return parent.Sel == id
	case *ast.KeyValueExpr:
		lit, ok := path[len(path)-2].(*ast.CompositeLit)
		if t := p.Info.Types[lit].Type; ok && !unknown(t) {
			_, isStruct := t.Underlying().(*types.Struct)
			return isStruct && parent.Key == ast.Expr(id)
		}
	case *ast.LabeledStmt:
		return true
	case *ast.BranchStmt:
		return true
	case *ast.Field:
		return true // of a struct or an interface
	}
	return false
}

// hold notes the functions around a use as holders, from that in which the variable is declared, and checks that the
// literals among them are run by those only who are seen.
func (b *builder) hold(v *types.Var, decl *ast.FuncDecl, path []ast.Node, depth int) bool {
	for i, n := range path {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if b.declares(n, path[i+1:], v) {
				b.holders[n] = decl
			}
		case *ast.FuncLit:
			if b.steps += len(path); b.steps > maxSteps {
				return false
			}
			_, known := b.holders[n]
			own := b.declares(n, path[i+1:], v) // then it doesn't matter who runs it: each call makes a variable
			switch {
			case known:
			case own:
				b.holders[n] = decl
			case n.Pos() <= v.Pos() && v.Pos() < n.End(): // the variable is that of a literal in it
			default:
				b.holders[n] = decl
				if !b.literal(v, n, path[:i], depth) {
					return false
				}
			}
		}
	}
	return true
}

// declares reports whether a variable is declared in a function itself, not in a literal in it that a path leads
// through.
func (b *builder) declares(fn ast.Node, path []ast.Node, v *types.Var) bool {
	if v.Pos() < fn.Pos() || fn.End() <= v.Pos() {
		return false
	}
	return !slices.ContainsFunc(path, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		return ok && n.Pos() <= v.Pos() && v.Pos() < n.End()
	})
}

// use takes in one mention of a variable.
func (b *builder) use(v *types.Var, id *ast.Ident, path []ast.Node, depth int) bool {
	e, path := outOfParens(id, path)
	_, isFunc := v.Type().Underlying().(*types.Signature)
	switch n := path[len(path)-1].(type) {
	case *ast.SendStmt:
		return n.Chan == e && b.add(v.Pos(), OpSend, n.Arrow, path)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return b.address(v, n, path[:len(path)-1], depth)
		}
		return n.Op == token.ARROW && b.add(v.Pos(), OpReceive, n.OpPos, path)
	case *ast.RangeStmt:
		return n.X == e && isChan(v.Type()) && b.add(v.Pos(), OpReceive, n.For, path)
	case *ast.BinaryExpr:
		return n.Op == token.EQL || n.Op == token.NEQ
	case *ast.SelectorExpr:
		return n.X == e && b.method(v, n, path[:len(path)-1], depth)
	case *ast.CallExpr:
		if n.Fun == e {
			return isFunc
		}
		return b.argument(v, e, n, path, depth)
	case *ast.AssignStmt:
		return b.assigned(v, e, n, path, isFunc)
	case *ast.ValueSpec:
		return b.declared(v, id, n, isFunc)
	case *ast.ReturnStmt:
		return !isFunc && b.returned(e, n, path, depth)
	case *ast.Field:
		return true // a parameter
	}
	return false
}

// outOfParens goes out of the parentheses around an expression.
func outOfParens(id *ast.Ident, path []ast.Node) (ast.Expr, []ast.Node) {
	e := ast.Expr(id)
	for {
		p, ok := path[len(path)-1].(*ast.ParenExpr)
		if !ok {
			return e, path
		}
		e, path = p, path[:len(path)-1]
	}
}

// add notes an operation on a variable that is known since a place. The last of path is its node, or what that is the
// operand of.
func (b *builder) add(since token.Pos, op Op, at token.Pos, path []ast.Node) bool {
	u := Use{Op: op, At: at, since: since}
	for i := len(path) - 1; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			if u.Fn == nil {
				u.Fn = n
			}
			if d, ok := n.(*ast.FuncDecl); ok {
				u.Decl = d
			}
		case *ast.CommClause:
			if u.Fn == nil && n.Comm != nil && n.Comm.Pos() <= at && at < n.Comm.End() && i > 1 {
				u.Select, _ = path[i-2].(*ast.SelectStmt)
			}
		case *ast.DeferStmt:
			u.Deferred = u.Deferred || u.Fn == nil
		}
	}
	b.Uses = append(b.Uses, u)
	return true
}

// Holds reports whether a frame may be of a function that holds the variable.
func (w *World) Holds(file string, line int, name string) bool {
	fn, decl := w.p.At(file, line, name)
	if fn != nil {
		return w.holders[fn] != nil
	}
	for _, d := range w.holders {
		if decl == d || decl == nil && w.p.fileOf(d.Pos()) == path.Base(file) && w.p.has(d, line) {
			return true
		}
	}
	return false
}

// Fits reports whether a frame can be of the code at its place: where another function is there, the source is not what
// was built. Functions of variables of the package are in no declared one.
func (w *World) Fits(file string, line int, name string) bool {
	_, fn := symbol.SplitPackage(name)
	if _, decl := w.p.At(file, line, name); decl != nil {
		return strings.Contains(fn, decl.Name.Name)
	}
	return strings.HasPrefix(fn, "glob..") || strings.HasPrefix(fn, "init.")
}

// Files are the names of the files that its holders are in.
func (w *World) Files() []string {
	var names []string
	for _, d := range w.holders {
		if name := w.p.fileOf(d.Pos()); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (p *Package) fileOf(pos token.Pos) string {
	name, _ := p.Place(pos)
	return path.Base(name)
}

// innermost is the innermost function of a declaration that a place is in.
func (p *Package) innermost(decl *ast.FuncDecl, pos token.Pos) ast.Node {
	fn := ast.Node(decl)
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() <= pos {
			return false
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			fn = lit
		}
		return true
	})
	return fn
}

// Enders are the uses by which an operation on the variable could end.
func (w *World) Enders(op Op) []Use {
	var all []Use
	for _, u := range w.Uses {
		ends := false
		switch op {
		case OpSend:
			ends = u.Op == OpReceive
		case OpReceive:
			ends = u.Op == OpSend || u.Op == OpClose
		case OpWait:
			ends = u.Op == OpDone || u.Op == OpSignal
		}
		if ends {
			all = append(all, u)
		}
	}
	return all
}

// Maker is the function that makes the variable.
func (w *World) Maker() (fn ast.Node, decl *ast.FuncDecl) {
	return w.p.innermost(w.Decl, w.Made), w.Decl
}

// Others are the channels of the other cases of the select that a use is a case of, and whether it has a default.
func (u *Use) Others() (channels []ast.Expr, hasDefault bool) {
	if u.Select == nil {
		return nil, false
	}
	for _, c := range u.Select.Body.List {
		c, ok := c.(*ast.CommClause)
		switch {
		case !ok || c.Comm != nil && c.Comm.Pos() <= u.At && u.At < c.Comm.End():
		case c.Comm == nil:
			hasDefault = true
		default:
			if ch, _ := channelOf(operation(c)); ch != nil {
				channels = append(channels, ch)
			}
		}
	}
	return channels, hasDefault
}

// ReturnsBefore are the return statements of a use's function that come before it in the source, and after the function
// has got the variable.
func (u *Use) ReturnsBefore() []token.Pos {
	var all []token.Pos
	ast.Inspect(bodyOf(u.Fn), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if u.since < n.Pos() && n.End() <= u.At {
				all = append(all, n.Pos())
			}
		}
		return true
	})
	return all
}
