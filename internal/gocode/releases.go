package gocode

import (
	"go/ast"
	"go/types"
	"slices"
)

// WillRelease reports whether a goroutine in a function's call of callee, at s, may come to a place of that function
// which releases a lock of a field that others have taken.
func (s *Site) WillRelease(callee string, last *types.Var) (will bool) {
	s.inLocks(func(l *lockFacts) {
		var places []ast.Node
		here := s.calls(callee)
		f := l.flowOf(s.Fn, 0)
		f.each(func(n ast.Node, st *state) {
			if slices.Contains(here, n) {
				for k, p := range st.later {
					_, held := st.held[k]
					will = will || p.Last() == last && !held
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			p, o := l.p.lockCall(call)
			if _, held := st.held[p.key()]; o == unlock && p.Last() == last && !held {
				places = append(places, call)
			}
		})
		will = will || len(here) > 0 && len(places) > 0 && reaches(f.graph, here, places)
	})
	return will
}

// OnlyOwnCalls reports whether a function has called nothing, before its call of callee at s, that could leave it a
// lock: functions that the package declares, whose locks are known, and such of the standard library, have not.
func (s *Site) OnlyOwnCalls(callee string) (only bool) {
	s.inLocks(func(l *lockFacts) {
		here := s.calls(callee)
		only = len(here) > 0
		ast.Inspect(s.Fn, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !only || call.Pos() > here[0].End() {
				return only
			}
			_, lit := calledLit(call)
			_, name := l.p.syncMethod(call)
			only = n == here[0] || lit || name != "" || l.declared(call) != nil || l.isBuiltin(call)
			return only
		})
	})
	return only
}

// CallsValues reports whether the function at s calls any function that is a value, or a method of an interface: one of
// another package may be behind it.
func (s *Site) CallsValues() (calls bool) {
	ast.Inspect(s.Fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return !calls
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		calls = calls || s.callsValue(call) || isSel && isInterface(s.Info.TypeOf(sel.X))
		return !calls
	})
	return calls
}

func isInterface(t types.Type) bool { return t != nil && types.IsInterface(t) }

// isBuiltin reports whether a call is of a function of the language, or a conversion.
func (l *lockFacts) isBuiltin(call *ast.CallExpr) bool {
	tv := l.p.Info.Types[call.Fun]
	return tv.IsBuiltin() || tv.IsType()
}

// FreesOthers reports whether the function at s may release a lock that it hasn't taken.
func (s *Site) FreesOthers() (frees bool) {
	ok := s.inLocks(func(l *lockFacts) {
		e := l.effectOf(s.Fn, 0)
		frees = e.vague || len(e.freed) > 0
	})
	return frees || !ok
}
