package gocode

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Left is a return of a function with a lock that the function has taken, and that its other ways release.
type Left struct {
	Fn     ast.Node
	Decl   *ast.FuncDecl
	Lock   Path
	Taken  token.Pos
	Return token.Pos // of the return statement, or the function's last brace
}

// LeftLocked are the returns of the package's functions that leave a lock taken while other returns have released it,
// where nobody else may release it: a lock that is Sure.
func (p *Package) LeftLocked() (all []Left) {
	p.inLocks(func(l *lockFacts) {
		if !l.searched {
			l.searched = true
			l.left = l.findLeft()
		}
		all = l.left
	})
	return all
}

// lockers are the bodies that work on locks.
func (l *lockFacts) lockers() []body {
	return slices.DeleteFunc(l.p.bodies(), func(b body) bool { return !l.touch[b.decl] })
}

// A body is a function with a body.
type body struct {
	fn   ast.Node
	decl *ast.FuncDecl
}

// bodies are the functions of the package, the literals in them included.
func (p *Package) bodies() (all []body) {
	for _, file := range p.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			all = append(all, body{decl, decl})
			ast.Inspect(decl.Body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok {
					all = append(all, body{lit, decl})
				}
				return true
			})
		}
	}
	return all
}

func (l *lockFacts) findLeft() (all []Left) {
	for _, b := range l.lockers() {
		all = append(all, l.leftBy(b)...)
	}
	all = slices.DeleteFunc(all, func(f Left) bool { return !l.sure(f.Lock.Last()) })
	slices.SortStableFunc(all, func(a, b Left) int { return cmp.Compare(a.Return, b.Return) })
	return all
}

// leftBy are the returns of one function with a lock that its other returns have released.
func (l *lockFacts) leftBy(b body) (all []Left) {
	released := map[pathKey]bool{} // by a return
	l.flowOf(b.fn, 0).each(func(n ast.Node, s *state) {
		ret, ok := n.(*ast.ReturnStmt)
		if !ok {
			return
		}
		for k := range s.past {
			if _, held := s.held[k]; !held {
				released[k] = true
			}
		}
		for k, h := range s.held {
			switch {
			case s.defers(h.Path.Last()):
				released[k] = released[k] || h.Must
			case h.Must && !s.vague && h.Path.Root != nil && h.Path.Last() != nil:
				at := ret.Pos()
				if !at.IsValid() || ret.End() > b.fn.End() {
					at = bodyOf(b.fn).Rbrace
				}
				all = append(all, Left{b.fn, b.decl, h.Path, h.Pos, at})
			}
		}
	})
	return slices.DeleteFunc(all, func(f Left) bool { return !released[f.Lock.key()] })
}

// defers reports whether a lock is released where the function returns.
func (s *state) defers(last *types.Var) bool {
	for _, p := range s.later {
		if v := p.Last(); v == nil || v == last {
			return true
		}
	}
	return false
}

// Takes reports whether a function, or one that it calls, may have a lock of a field at any place of it.
func (p *Package) Takes(fn ast.Node, last *types.Var) (takes bool) {
	ok := p.inLocks(func(l *lockFacts) { takes = l.takes(fn, last) })
	return takes || !ok
}

func (l *lockFacts) takes(fn ast.Node, last *types.Var) bool {
	f := l.flowOf(fn, 0)
	takes := f.failed
	f.each(func(_ ast.Node, s *state) {
		for _, h := range s.held {
			if v := h.Path.Last(); v == last || v == nil {
				takes = true
			}
		}
	})
	return takes
}
