package gocode

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/cfg"
)

// leadsTo reports whether a target comes behind one of some nodes of the function at s; also where that isn't known.
func (s *Site) leadsTo(from, targets []ast.Node) bool {
	if len(targets) == 0 {
		return false
	}
	leads := true
	s.inLocks(func(l *lockFacts) {
		if f := l.flowOf(s.Fn, 0); len(from) > 0 && !f.failed {
			leads = reaches(f.graph, from, targets)
		}
	})
	return leads
}

// reaches reports whether a target comes behind one of some nodes in a graph, which may be one of them again. In a node
// that has both a target may come behind.
func reaches(g *cfg.CFG, from, targets []ast.Node) bool {
	has := func(n ast.Node, all, but []ast.Node) bool {
		return slices.ContainsFunc(all, func(t ast.Node) bool { return contains(n, t) && !slices.Contains(but, t) })
	}
	received := func(b *cfg.Block) bool { // a range statement receives at the head of its loop
		return b.Kind == cfg.KindRangeLoop && slices.Contains(targets, ast.Node(b.Stmt))
	}
	seen := map[*cfg.Block]bool{}
	var work []*cfg.Block
	found := false
	for _, b := range g.Blocks {
		behind := false
		for _, n := range b.Nodes {
			switch {
			case has(n, from, nil):
				behind, found = true, true
				if has(n, targets, from) {
					return true
				}
			case behind && has(n, targets, nil):
				return true
			}
		}
		if behind {
			work = append(work, b.Succs...)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		if seen[b] = true; received(b) || slices.ContainsFunc(b.Nodes, func(n ast.Node) bool {
			return has(n, targets, nil)
		}) {
			return true
		}
		work = append(work, b.Succs...)
	}
	return !found
}
