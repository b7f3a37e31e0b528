package profile

import (
	"slices"

	"github.com/gotriage/triage/stackparse/frame"
)

// Bounds on the call tree that a path is chosen from.
const (
	// maxTreeDepth is the runtime's depth of stacks since Go 1.23, recursion folded.
	maxTreeDepth = 128
	// maxTreeNodes bounds the nodes: 48,000 distinct stacks of a large profile make 90,000.
	maxTreeNodes = 1 << 19
)

// A Node is a function on the way from the entry to what was selected.
type Node struct {
	frame.Frame // the heaviest line at which the call goes on
	Class       frame.Class
	Weight      Weight
}

// Path returns the heaviest way from the entry to the innermost matched frames of the blamed selection. The stacks are
// merged into a tree, in which recursion is folded into the first call of a function and closures stay apart; the path
// goes on to the heaviest child, the first by name of equal ones.
func (b *Blame) Path() []Node {
	t := tree{v: b.v, index: map[treeKey]int32{}, nodes: []treeNode{{}}}
	for _, h := range b.sel.Hits {
		t.add(h)
	}
	heaviest := make([]int32, len(t.nodes)) // child of each node, 0 for none
	for i := range t.nodes[1:] {
		n := &t.nodes[i+1]
		best := &t.nodes[heaviest[n.parent]]
		if n.weight.Value > 0 && (heaviest[n.parent] == 0 || n.weight.Value > best.weight.Value ||
			n.weight.Value == best.weight.Value && t.v.Functions[n.fn].Name < t.v.Functions[best.fn].Name) {
			heaviest[n.parent] = int32(i + 1)
		}
	}
	var path []Node
	for at := heaviest[0]; at != 0; at = heaviest[at] {
		path = append(path, t.node(at))
	}
	return path
}

type treeKey struct{ parent, fn int32 }

type treeNode struct {
	fn     int32
	parent int32
	stack  int32 // the last one that was counted here, + 1
	latest int32 // the child that the last stack went on to, 0 for none
	weight Weight
	first  lineCount   // of the first frame that was seen here
	others []lineCount // of the others: few
}

// A lineCount is a frame with what was counted for it.
type lineCount struct {
	frame int32
	count int64
}

// A tree is a trie of functions, its root first. path is the nodes of the stack under way, funcs their functions.
type tree struct {
	v     *View
	index map[treeKey]int32
	nodes []treeNode
	path  []int32
	funcs []int32
}

func (t *tree) add(h Hit) {
	s := &t.v.Stacks[h.Stack]
	t.path, t.funcs = append(t.path[:0], 0), append(t.funcs[:0], -1)
	at := int32(0)
	for i := len(s.Frames) - 1; i >= int(h.Inner); i-- {
		f := s.Frames[i]
		fn := t.v.same[t.v.Frames[f].Func]
		// Nodes behind the first call of a function were counted.
		if up := slices.Index(t.funcs, fn); up >= 0 {
			t.path, t.funcs = t.path[:up+1], t.funcs[:up+1]
			at = t.path[up]
			continue
		}
		if at = t.child(at, fn); at == 0 {
			return
		}
		t.path, t.funcs = append(t.path, at), append(t.funcs, fn)
		if n := &t.nodes[at]; n.stack != h.Stack+1 {
			n.stack = h.Stack + 1
			n.weight.add(s, t.v.Value)
			n.line(f, s.Values[t.v.Value])
		}
	}
}

// child is the node of a function that is called from a node, 0 where the tree has no room for it.
func (t *tree) child(at, fn int32) int32 {
	if latest := t.nodes[at].latest; latest != 0 && t.nodes[latest].fn == fn {
		return latest
	}
	next, ok := t.index[treeKey{at, fn}]
	if !ok {
		if len(t.nodes) >= maxTreeNodes || len(t.path) > maxTreeDepth {
			return 0
		}
		next = int32(len(t.nodes))
		t.nodes = append(t.nodes, treeNode{fn: fn, parent: at, first: lineCount{frame: -1}})
		t.index[treeKey{at, fn}] = next
	}
	t.nodes[at].latest = next
	return next
}

// line counts a frame of the node's function.
func (n *treeNode) line(f int32, value int64) {
	l := &n.first
	if l.frame != f && l.frame >= 0 {
		i := slices.IndexFunc(n.others, func(l lineCount) bool { return l.frame == f })
		if i < 0 {
			if len(n.others)+1 >= maxLines {
				return
			}
			i = len(n.others)
			n.others = append(n.others, lineCount{})
		}
		l = &n.others[i]
	}
	l.frame, l.count = f, addSaturated(l.count, value)
}

func (t *tree) node(at int32) Node {
	n, fn := &t.nodes[at], &t.v.Functions[t.nodes[at].fn]
	heaviest := n.first
	for _, l := range n.others {
		if l.count > heaviest.count {
			heaviest = l
		}
	}
	line := t.v.Frames[heaviest.frame].Line
	return Node{frame.Frame{Func: fn.Name, File: fn.File, Line: int(line)}, t.v.Class[n.fn], n.weight}
}
