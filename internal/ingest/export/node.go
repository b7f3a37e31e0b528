package export

import "strings"

const (
	// maxNodes bounds the different paths, maxNesting how deep they go: what lies beyond is stepped over.
	maxNodes   = 4096
	maxNesting = 24
	// maxKey is the longest key that is looked at.
	maxKey = 256
	// maxTuple is how many scalars of a list have a place each.
	maxTuple = 16
)

// A node is one place in the records: a member, the elements of a list, or a column. The places of one tree are those
// that a sample has; a record's own are found in it by name.
type node struct {
	parent   *node
	key      string
	depth    int
	children map[string]*node
	// element marks what a list repeats, or what the text does: a record is one of them. pair marks what a list names
	// by its first member: {"key": "pod", "value": …}.
	element, pair bool
	// wanted marks places whose values are asked for, and those on the way to them.
	wanted bool
	id     int // index into tree.nodes
}

// A tree holds the nodes of a sample, the root first.
type tree struct {
	nodes  []*node
	frozen bool // nothing is added any more
}

func newTree() *tree {
	return &tree{nodes: []*node{{element: true, wanted: true}}}
}

func (t *tree) root() *node { return t.nodes[0] }

// child returns n's child of that name, nil where there is none and none may be added.
func (t *tree) child(n *node, key []byte, element, pair bool) *node {
	if c := n.children[string(key)]; c != nil {
		if t.frozen && !c.wanted {
			return nil
		}
		return c
	}
	if t.frozen || len(t.nodes) >= maxNodes || n.depth+1 >= maxNesting || len(key) > maxKey {
		return nil
	}
	c := &node{
		parent: n, key: string(key), depth: n.depth + 1, element: element, pair: pair, wanted: true, id: len(t.nodes),
	}
	if n.children == nil {
		n.children = make(map[string]*node)
	}
	n.children[c.key] = c
	t.nodes = append(t.nodes, c)
	return c
}

// freeze keeps the places that are asked for.
func (t *tree) freeze(asked []*node) {
	t.frozen = true
	for _, n := range t.nodes {
		n.wanted = false
	}
	for _, n := range asked {
		for ; n != nil && !n.wanted; n = n.parent {
			n.wanted = true
		}
	}
}

// container is the element that a value is one of: that of its list for a pair, which is no record by itself.
func (n *node) container() *node {
	c := n.parent
	if n.pair && c.element && c.parent != nil {
		c = c.parent
	}
	for ; !c.element; c = c.parent {
	}
	return c
}

// within reports whether n lies in the element e.
func (n *node) within(e *node) bool {
	for ; n != nil; n = n.parent {
		if n == e {
			return true
		}
	}
	return false
}

// names are the keys of the path to n, without what lists and OTLP's typed values add.
func (n *node) names() []string {
	if n.parent == nil {
		return nil
	}
	above := n.parent.names()
	switch {
	case n.element, n.key == "stringValue", strings.HasPrefix(n.key, "#"):
		return above
	case n.pair:
		return append(above, n.key[len("="):])
	}
	return append(above, n.key)
}

// name is the last of names.
func (n *node) name() string {
	if all := n.names(); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// inTuple reports whether n is a place in a list of a few scalars that a list repeats.
func (n *node) inTuple() bool { return strings.HasPrefix(n.key, "#") && n.parent.element }
