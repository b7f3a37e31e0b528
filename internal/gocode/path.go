package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
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

// behind is the path from another path's end on.
func (p Path) behind(q Path) Path {
	fields := append(append([]*types.Var{}, q.Fields...), p.Fields...)
	return Path{Root: q.Root, Fields: fields, text: q.text}
}

// Path is the path that an expression names.
func (p *Package) Path(e ast.Expr) Path { return p.path(e) }

// path is the path that an expression names, without the addresses and dereferences on its way. Where it begins with
// something else than a variable, that has no Root.
func (p *Package) path(e ast.Expr) Path {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.path(e.X)
	case *ast.StarExpr:
		return p.path(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return p.path(e.X)
		}
	case *ast.Ident:
		if v, ok := p.objectOf(e).(*types.Var); ok {
			return Path{Root: v}
		}
	case *ast.SelectorExpr:
		if sel := p.Info.Selections[e]; sel != nil && sel.Kind() == types.FieldVal {
			if fields, ok := fieldsOf(sel.Recv(), sel.Index()); ok {
				return Path{Fields: fields}.behind(p.path(e.X))
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

// syncMethod is the method of package sync that an expression names, "WaitGroup.Wait", and what it is called on; "" for
// others.
func (p *Package) syncMethod(fun ast.Expr) (Path, string) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return Path{}, ""
	}
	s := p.Info.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal || s.Obj().Pkg() == nil || s.Obj().Pkg().Path() != "sync" {
		return Path{}, ""
	}
	recv := s.Obj().(*types.Func).Signature().Recv()
	return p.receiver(sel), syncName(recv.Type()) + "." + sel.Sel.Name
}

// lockCall is the lock that a call works on, and its method; "" for other calls.
func (p *Package) lockCall(call *ast.CallExpr) (Path, string) {
	q, name := p.syncMethod(call.Fun)
	typ, method, _ := strings.Cut(name, ".")
	if typ != "Mutex" && typ != "RWMutex" && typ != "Locker" {
		return Path{}, ""
	}
	return q, method
}

// argument is the path that a call gives to a parameter of a function, or to its receiver; ok is false where that isn't
// known.
func (p *Package) argument(param types.Object, call *ast.CallExpr, fn ast.Node) (Path, bool) {
	if d, ok := fn.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List) > 0 && len(d.Recv.List[0].Names) > 0 &&
		p.Info.Defs[d.Recv.List[0].Names[0]] == param {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return p.receiver(sel), true
		}
		return Path{}, false
	}
	for i, v := range p.params(fn) {
		if v != nil && types.Object(v) == param && i < len(call.Args) && !call.Ellipsis.IsValid() {
			return p.path(call.Args[i]), true
		}
	}
	return Path{}, false
}

// params are the parameters of a function, nil for those without a name, from the one that takes several values on.
func (p *Package) params(fn ast.Node) (all []*types.Var) {
	var typ *ast.FuncType
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		typ = fn.Type
	case *ast.FuncLit:
		typ = fn.Type
	default:
		return nil
	}
	for _, field := range typ.Params.List {
		if len(field.Names) == 0 {
			all = append(all, nil)
		}
		_, several := field.Type.(*ast.Ellipsis)
		for _, name := range field.Names {
			v, _ := p.Info.Defs[name].(*types.Var)
			if several {
				v = nil
			}
			all = append(all, v)
		}
	}
	return all
}

// Same reports whether two paths begin with one variable and lead through the same fields.
func (p Path) Same(q Path) bool { return p.Root != nil && p.key() == q.key() }

// SameFields reports whether two paths lead to the same lock of an object, whatever they call the object.
func (p Path) SameFields(q Path) bool { return p.Last() == q.Last() && p.key().text == q.key().text }
