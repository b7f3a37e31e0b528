package gocode

import "go/ast"

// An Ender is an operation that may end a wait for a field. Fn is the function that runs it: that around a literal
// which is called at once, or deferred.
type Ender fieldUse

// Enders are the operations of the package that may end a wait for a field; ok is false where others may end it, or a
// variable has what the field has: it doesn't show of which object that is.
func (p *Package) Enders(sub Subject) (all []Ender, ok bool) {
	v := sub.Path.Last()
	if v == nil || !v.IsField() || sub.Path.Root == nil {
		return nil, false
	}
	sound := p.inCalls(func(g *callGraph) {
		uses := g.usesOf(v)
		for _, u := range uses.enders(sub.Op) {
			g.lift(&u)
			all = append(all, Ender(u))
		}
		ok = !uses.otherSends && !uses.otherReceives && len(uses.aliases) == 1
	})
	return all, sound && ok
}

// lift gives a use in a literal that is called at once, or deferred, to the function around it.
func (g *callGraph) lift(u *fieldUse) {
	for {
		lit, ok := u.Fn.(*ast.FuncLit)
		if !ok || len(g.callers[lit]) != 1 {
			return
		}
		c := g.callers[lit][0]
		if c.kind == begun || c.handed {
			return
		}
		u.Fn, u.Deferred = c.in, u.Deferred || c.kind == deferred
	}
}

// Begins returns how the function of an ender may be begun for the object whose field it uses; nil where that isn't
// known.
func (p *Package) Begins(e Ender) *Endings {
	found := newEndings(e.path.Last())
	if !p.inCalls(func(g *callGraph) {
		found.Open = g.open[e.Fn]
		use := fieldUse(e)
		g.climb(found, g.above(use.step()))
	}) {
		return nil
	}
	return found
}

// Of is the path to the object whose channel or WaitGroup it is, where that is a variable with one value; ok is false
// for others.
func (p *Package) Of(e Ender) (object Path, ok bool) {
	if e.path.Root == nil || len(e.path.Fields) != 1 || !p.setOnce(e.path.Root, e.Decl) {
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
