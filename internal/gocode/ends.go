package gocode

import (
	"go/ast"
	"go/types"
	"slices"
)

// CouldEnd returns the places in the package of a site where the code could end its wait of a kind. They are what a
// reader of the code would look for, and prove nothing: others may have the channel too. There are none where the line
// does not show what it waits for, and where a timer ends the wait.
func (s *Site) CouldEnd(kind Kind) (all []Use) {
	w := s.Wait(kind)
	if w == nil || w.Default || slices.ContainsFunc(w.On, s.timed) {
		return nil
	}
	for i, e := range w.On {
		if o := s.Object(e); o != nil {
			all = append(all, o.Enders(w.Ops[i])...)
		}
	}
	if slices.ContainsFunc(all, func(u Use) bool { return len(s.index.literals[u.Decl]) > maxLiterals }) {
		return nil
	}
	return all
}

// maxLiterals bounds the function literals of a function whose operations are looked at: looking up the function of a
// line goes through all of them.
const maxLiterals = 512

// timed reports whether a channel is a timer's: a call of package time, or the field C of one of its types.
func (p *Package) timed(e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok {
		e = call.Fun
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := p.Info.Uses[sel.Sel]
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "time"
}

// maxText is how many bytes of an expression are quoted.
const maxText = 40

// Text is an expression as the code writes it, cut.
func (p *Package) Text(e ast.Expr) string {
	text := types.ExprString(e)
	if len(text) > maxText {
		return text[:maxText] + "…"
	}
	return text
}
