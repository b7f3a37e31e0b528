package profile

import (
	"cmp"
	"slices"
)

// Bounds on call trees: what is below a hundredth of the selection is left out, and so is what is past a screenful.
const (
	treeShare    = 0.01
	maxTreeNodes = 200
	// maxTreeDepth is the runtime's depth of stacks since Go 1.23, recursion folded.
	maxTreeDepth = 128
	// maxTreeBuild bounds the nodes before pruning: 48,000 distinct stacks of a large profile make 90,000.
	maxTreeBuild = 1 << 19
)

// A Node is a function on the way from the entry to what was selected. The root has no function; its Weight is the
// selection's.
type Node struct {
	Function, File string
	Line           int // the heaviest line at which the call goes on
	Class          Class
	Weight         Weight
	Children       []*Node // the heaviest first
	// Left is the part of the weight that no child shows: it ends here, or its nodes are too small.
	Left Weight
}

// Tree merges the call paths of a selection, from the entry to each stack's innermost matched frame, into a tree:
// recursion is folded into the first call of a function, closures stay apart, and only nodes that hold 1 % of the
// selection, and the heaviest 200 of them, stay.
func (v *View) Tree(sel *Selection) *Node {
	b := treeBuilder{v: v, index: map[treeKey]int32{}, nodes: []treeNode{{}}}
	for _, h := range sel.Hits {
		b.add(h)
	}
	return b.prune()
}

type treeKey struct{ parent, fn int32 }

type treeNode struct {
	fn     int32
	parent int32
	stack  int32 // the last one that was counted here, + 1
	weight Weight
	lines  []int32 // frames that were seen here: few
	counts []int64
}

// A treeBuilder is a trie of functions. path is the nodes of the stack under way.
type treeBuilder struct {
	v     *View
	index map[treeKey]int32
	nodes []treeNode
	path  []int32
}

func (b *treeBuilder) add(h Hit) {
	s := &b.v.Stacks[h.Stack]
	b.path = append(b.path[:0], 0)
	b.nodes[0].weight.add(s, b.v.Value)
	at := int32(0)
	for i := len(s.Frames) - 1; i >= int(h.Inner); i-- {
		f := s.Frames[i]
		fn := b.v.same[b.v.Frames[f].Func]
		if up := b.recursion(fn); up > 0 {
			b.path = b.path[:up+1]
			at = b.path[up]
			continue
		}
		next, ok := b.index[treeKey{at, fn}]
		if !ok {
			if len(b.nodes) >= maxTreeBuild || len(b.path) > maxTreeDepth {
				return
			}
			next = int32(len(b.nodes))
			b.nodes = append(b.nodes, treeNode{fn: fn, parent: at})
			b.index[treeKey{at, fn}] = next
		}
		at = next
		b.path = append(b.path, at)
		if n := &b.nodes[at]; n.stack != h.Stack+1 {
			n.stack = h.Stack + 1
			n.weight.add(s, b.v.Value)
			n.line(f, s.Values[b.v.Value])
		}
	}
}

// recursion returns the position in the path that has fn already, 0 for none. Nodes behind it were counted.
func (b *treeBuilder) recursion(fn int32) int {
	for i := len(b.path) - 1; i > 0; i-- {
		if b.nodes[b.path[i]].fn == fn {
			return i
		}
	}
	return 0
}

// line counts a frame of the node's function.
func (n *treeNode) line(f int32, value int64) {
	i := slices.Index(n.lines, f)
	if i < 0 {
		if len(n.lines) >= maxLines {
			return
		}
		i = len(n.lines)
		n.lines, n.counts = append(n.lines, f), append(n.counts, 0)
	}
	n.counts[i] = addSaturated(n.counts[i], value)
}

// prune keeps the nodes that matter. A node's weight is at most its parent's, so that the kept ones are a tree.
func (b *treeBuilder) prune() *Node {
	least := int64(float64(b.nodes[0].weight.Value) * treeShare)
	var keep []int32
	for i := range b.nodes[1:] {
		if b.nodes[i+1].weight.Value >= max(least, 1) {
			keep = append(keep, int32(i+1))
		}
	}
	slices.SortStableFunc(keep, func(x, y int32) int {
		return cmp.Compare(b.nodes[y].weight.Value, b.nodes[x].weight.Value)
	})
	keep = keep[:min(len(keep), maxTreeNodes)]
	slices.Sort(keep) // parents come before their children
	root := &Node{Weight: b.nodes[0].weight, Left: b.nodes[0].weight}
	made := map[int32]*Node{0: root}
	for _, i := range keep {
		n := &b.nodes[i]
		parent := made[n.parent]
		if parent == nil {
			continue // equal to its parent in weight, which fell over the edge of the list
		}
		node := b.node(n)
		made[i] = node
		parent.Children = append(parent.Children, node)
		// A stack that recurs may lie below two children.
		parent.Left.Value = max(0, parent.Left.Value-n.weight.Value)
		parent.Left.Samples = max(0, parent.Left.Samples-n.weight.Samples)
	}
	for _, n := range made {
		slices.SortStableFunc(n.Children, func(x, y *Node) int {
			return cmp.Or(cmp.Compare(y.Weight.Value, x.Weight.Value), cmp.Compare(x.Function, y.Function))
		})
	}
	return root
}

func (b *treeBuilder) node(n *treeNode) *Node {
	heaviest := 0
	for i := range n.counts {
		if n.counts[i] > n.counts[heaviest] {
			heaviest = i
		}
	}
	fn := &b.v.Functions[n.fn]
	out := &Node{Function: fn.Name, File: fn.File, Class: b.v.Class[n.fn], Weight: n.weight, Left: n.weight}
	if len(n.lines) > 0 {
		out.Line = int(b.v.Frames[n.lines[heaviest]].Line)
	}
	return out
}

// Path is the heaviest way from the root down, without the root.
func (n *Node) Path() []*Node {
	var path []*Node
	for len(n.Children) > 0 {
		n = n.Children[0]
		path = append(path, n)
	}
	return path
}
