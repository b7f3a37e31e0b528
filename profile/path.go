package profile

import (
	"slices"

	"github.com/gotriage/triage/stackparse/frame"
)

// Bounds on the ways that a path is chosen from.
const (
	// maxDepth is the runtime's depth of stacks since Go 1.23, recursion folded.
	maxDepth = 128
	// maxSteps bounds the frames of all ways: 48,000 distinct stacks of a large profile have 1,200,000.
	maxSteps = 1 << 22
)

// A Node is a function on the way from the entry to what was selected.
type Node struct {
	frame.Frame // the heaviest line at which the call goes on
	Class       frame.Class
	Weight      Weight
}

// Path returns the heaviest way from the entry to the innermost matched frames of the blamed selection: it goes on to
// the heaviest function that the stacks so far call, the first by name of equal ones. Recursion is folded into the
// first call of a function; closures stay apart.
func (b *Blame) Path() []Node {
	v, ways := b.view, b.entryPaths()
	var path []Node
	for depth := 0; len(ways) > 0; depth++ {
		ways = slices.DeleteFunc(ways, func(w entryPath) bool { return depth >= len(w.frames) })
		next, best := map[int32]Weight{}, int32(-1)
		for _, w := range ways {
			fn := v.functionOf(w.frames[depth])
			sum := next[fn]
			sum.add(w.stack, v.Value)
			next[fn] = sum
		}
		for fn, sum := range next {
			if sum.Value > 0 && (best < 0 || sum.Value > next[best].Value ||
				sum.Value == next[best].Value && v.Functions[fn].Name < v.Functions[best].Name) {
				best = fn
			}
		}
		if best < 0 {
			break
		}
		ways = slices.DeleteFunc(ways, func(w entryPath) bool { return v.functionOf(w.frames[depth]) != best })
		lines, heaviest := map[int32]int64{}, ways[0].frames[depth]
		for _, w := range ways {
			f := w.frames[depth]
			if lines[f] = addSaturated(lines[f], w.stack.Values[v.Value]); lines[f] > lines[heaviest] {
				heaviest = f
			}
		}
		path = append(path, Node{v.At(heaviest), v.Class[best], next[best]})
	}
	return path
}

// An entryPath is a stack's frames from the entry on, recursion folded.
type entryPath struct {
	stack  *Stack
	frames []int32
}

func (b *Blame) entryPaths() []entryPath {
	v := b.view
	ways := make([]entryPath, 0, len(b.selection.Hits))
	var arena, funcs []int32
	for _, h := range b.selection.Hits {
		s, from := &v.Stacks[h.Stack], len(arena)
		funcs = funcs[:0]
		for _, f := range slices.Backward(s.Frames[h.Inner:]) {
			if up := slices.Index(funcs, v.functionOf(f)); up >= 0 {
				funcs, arena = funcs[:up+1], arena[:from+up+1]
			} else if len(funcs) < maxDepth && len(arena) < maxSteps {
				funcs, arena = append(funcs, v.functionOf(f)), append(arena, f)
			}
		}
		ways = append(ways, entryPath{s, arena[from:len(arena):len(arena)]})
	}
	return ways
}

// functionOf is the function of a frame; functions of one name are one.
func (v *View) functionOf(f int32) int32 { return v.same[v.Frames[f].Func] }
