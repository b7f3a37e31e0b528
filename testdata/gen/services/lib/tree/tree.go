// Package tree is a sorted tree.
package tree

// A Node has a value and children.
type Node struct {
	Value       int
	Left, Right *Node
}

// Build is a tree of a depth.
func Build(depth int) *Node {
	if depth == 0 {
		return nil
	}
	return &Node{depth, Build(depth - 1), Build(depth - 1)}
}

func (n *Node) visit(to chan<- int) {
	if n == nil {
		return
	}
	n.Left.visit(to)
	to <- n.Value
	n.Right.visit(to)
}

// Iter hands all values out, in order.
func (n *Node) Iter() <-chan int {
	ch := make(chan int)
	go func() {
		n.visit(ch)
		close(ch)
	}()
	return ch
}
