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
// where nobody else in the package releases what others took: all calls of a function that does have the lock.
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

// HandsOver reports whether functions of the package release a lock of a field that their callers there don't surely
// have: another goroutine may have taken it.
func (p *Package) HandsOver(last *types.Var) (hands bool) {
	ok := p.inLocks(func(l *lockFacts) {
		if l.handed == nil {
			l.handed = l.handedOver(l.lockers(), false)
		}
		hands = l.handed[last] || l.handed[nil]
	})
	return hands || !ok
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
	bodies := l.lockers()
	for _, b := range bodies {
		all = append(all, l.leftBy(b)...)
	}
	if len(all) == 0 {
		return nil
	}
	handed := l.handedOver(bodies, true)
	all = slices.DeleteFunc(all, func(f Left) bool {
		return handed[f.Lock.Last()] || l.mayHandOver(f.Lock.Last(), f.Decl)
	})
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
					at = bodyIn(b.fn).Rbrace
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

// handedOver are the locks that functions release for others than callers of the package which surely have them.
// With exported, callers in other packages may be others.
func (l *lockFacts) handedOver(bodies []body, exported bool) map[*types.Var]bool {
	handed := map[*types.Var]bool{}
	called := map[*ast.Ident]bool{}
	frees := map[*ast.FuncDecl][]release{}
	for _, b := range bodies {
		if b.fn != ast.Node(b.decl) {
			continue
		}
		frees[b.decl] = l.effectOf(b.decl, 0).freed
		if exported && ast.IsExported(b.decl.Name.Name) {
			l.hand(handed, frees[b.decl])
		}
	}
	for _, b := range bodies {
		l.flowOf(b.fn, 0).each(func(n ast.Node, s *state) {
			call, ok := n.(*ast.CallExpr)
			if d, isDefer := n.(*ast.DeferStmt); isDefer {
				call, ok = d.Call, true
			}
			if !ok {
				return
			}
			fn := l.declared(call)
			if fn == nil {
				return
			}
			called[calledIdent(call)] = true
			for _, r := range frees[fn] {
				if !s.held[l.bind(r.Path, call, fn).key()].Must {
					l.hand(handed, []release{r})
				}
			}
		})
	}
	for id, o := range l.p.Info.Uses { // started, or used as a value
		if fn, ok := o.(*types.Func); ok && !called[id] {
			l.hand(handed, frees[l.decls[fn.Origin()]])
		}
	}
	return handed
}

func (l *lockFacts) hand(handed map[*types.Var]bool, all []release) {
	for _, r := range all {
		if !r.own {
			handed[r.Path.Last()] = true
		}
	}
}

// calledIdent is the name of the function that a call calls; nil where it has none.
func calledIdent(call *ast.CallExpr) *ast.Ident {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
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
