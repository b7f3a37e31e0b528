package gocode

import (
	"go/ast"
	"go/types"
)

// A Path is a variable, and fields behind it.
type Path struct {
	// Root is the variable that the path begins with; nil where what is before Fields isn't known.
	Root   types.Object
	Fields []*types.Var // embedded ones included
	text   string       // how the code writes what isn't known
}

// Last is the field that a path ends with, or its variable; nil where neither is known.
func (p Path) Last() *types.Var {
	if n := len(p.Fields); n > 0 {
		return p.Fields[n-1]
	}
	v, _ := p.Root.(*types.Var)
	return v
}

// May reports whether a path may end with a field.
func (p Path) May(last *types.Var) bool {
	v := p.Last()
	return v == nil || v == last
}

// A pathKey is a path that can be compared.
type pathKey struct {
	root types.Object
	text string
}

func (p Path) key() pathKey {
	text := p.text
	for _, f := range p.Fields {
		text += "." + f.Name()
	}
	return pathKey{p.Root, text}
}

// String is a path as the code writes it: "s.mu".
func (p Path) String() string {
	k := p.key()
	if p.Root != nil {
		return p.Root.Name() + k.text
	}
	return k.text
}

// Tail is the path without its root: ".mu".
func (p Path) Tail() string { return p.key().text }

// SameFields reports whether two paths lead to the same lock of an object, whatever they call the object.
func (p Path) SameFields(q Path) bool { return p.Last() == q.Last() && p.Tail() == q.Tail() }

// behind is the path from another path's end on.
func (p Path) behind(q Path) Path {
	fields := append(append([]*types.Var{}, q.Fields...), p.Fields...)
	return Path{Root: q.Root, Fields: fields, text: q.text}
}

// path is the path that an expression names, without the addresses and dereferences on its way. Where it begins with
// something else than a variable, that has no Root.
func (p *Package) path(e ast.Expr) Path {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.path(e.X)
	case *ast.StarExpr:
		return p.path(e.X)
	case *ast.UnaryExpr:
		if e.Op.String() == "&" {
			return p.path(e.X)
		}
	case *ast.Ident:
		if v, ok := p.objectOf(e).(*types.Var); ok {
			return Path{Root: v}
		}
	case *ast.SelectorExpr:
		if sel := p.Info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal {
			q := p.path(e.X)
			fields, ok := fieldsOf(sel.Recv(), sel.Index())
			if ok {
				return Path{Fields: fields}.behind(q)
			}
		}
	}
	return Path{text: types.ExprString(e)}
}

// objectOf is the object that an identifier defines or uses.
func (p *Package) objectOf(id *ast.Ident) types.Object {
	if o := p.Info.Uses[id]; o != nil {
		return o
	}
	return p.Info.Defs[id]
}

// fieldsOf are the fields that an index, as of a types.Selection, leads through.
func fieldsOf(t types.Type, index []int) (fields []*types.Var, ok bool) {
	for _, i := range index {
		if ptr, isPtr := t.Underlying().(*types.Pointer); isPtr {
			t = ptr.Elem()
		}
		s, isStruct := t.Underlying().(*types.Struct)
		if !isStruct || i >= s.NumFields() {
			return nil, false
		}
		f := s.Field(i)
		fields, t = append(fields, f.Origin()), f.Type()
	}
	return fields, true
}

// An op is what a call does with a lock.
type op uint8

const (
	noOp op = iota
	lock
	rlock
	unlock
	try // may have taken it
)

// lockCall is the lock that a call of a method of package sync works on.
func (p *Package) lockCall(call *ast.CallExpr) (Path, op) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return Path{}, noOp
	}
	return p.lockMethod(sel)
}

// lockMethod is the lock whose method an expression names.
func (p *Package) lockMethod(sel *ast.SelectorExpr) (Path, op) {
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() == nil || s.Obj().Pkg().Path() != "sync" {
		return Path{}, noOp
	}
	var o op
	switch sel.Sel.Name {
	case "Lock":
		o = lock
	case "RLock":
		o = rlock
	case "Unlock", "RUnlock":
		o = unlock
	case "TryLock", "TryRLock":
		o = try
	default:
		return Path{}, noOp
	}
	return p.receiver(sel), o
}

// receiver is the path of what a method is called on, through the embedded fields that promote it.
func (p *Package) receiver(sel *ast.SelectorExpr) Path {
	q := p.path(sel.X)
	if s := p.Info.Selections[sel]; s != nil && len(s.Index()) > 1 {
		if fields, ok := fieldsOf(s.Recv(), s.Index()[:len(s.Index())-1]); ok {
			return Path{Fields: fields}.behind(q)
		}
		return Path{text: types.ExprString(sel.X)}
	}
	return q
}

// syncMethod is the method of package sync that a call calls, "WaitGroup.Wait", and what it is called on; "" for
// others.
func (p *Package) syncMethod(call *ast.CallExpr) (Path, string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return Path{}, ""
	}
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() == nil || s.Obj().Pkg().Path() != "sync" {
		return Path{}, ""
	}
	recv := s.Obj().(*types.Func).Signature().Recv()
	if recv == nil {
		return Path{}, ""
	}
	t := recv.Type()
	if ptr, isPtr := t.(*types.Pointer); isPtr {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok {
		return Path{}, ""
	}
	return p.receiver(sel), named.Obj().Name() + "." + sel.Sel.Name
}
