package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A Hand is a function through which a lock changes hands: it returns with the lock that it has taken, or releases
// what others have taken. At is the place where it does so.
type Hand struct {
	Decl *ast.FuncDecl
	At   token.Pos
}

// Hands are the functions of the package that take a lock of a field and return with it on some way, and those that
// release one which others have taken; in order of the source. They are what a reader of the code would look for, and
// prove nothing.
func (p *Package) Hands(last *types.Var) (kept, freed []Hand) {
	p.inLocks(func(l *lockFacts) {
		for _, b := range l.lockers() {
			if b.fn != ast.Node(b.decl) {
				continue
			}
			e := l.effectOf(b.decl, 0)
			for _, h := range e.held {
				if h.Path.Last() == last && h.By == nil {
					kept = append(kept, Hand{b.decl, h.Pos})
					break
				}
			}
			for _, r := range e.freed {
				if at := l.unlocks(b.decl, last); r.Path.Last() == last && !r.own && at.IsValid() {
					freed = append(freed, Hand{b.decl, at})
					break
				}
			}
		}
	})
	return kept, freed
}

// unlocks is where a function itself releases a lock of a field; no place where it doesn't.
func (l *lockFacts) unlocks(decl *ast.FuncDecl, last *types.Var) (at token.Pos) {
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !at.IsValid() {
			if p, o := l.p.lockCall(call); o == unlock && p.Last() == last {
				at = call.Pos()
			}
		}
		return !at.IsValid()
	})
	return at
}
