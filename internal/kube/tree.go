package kube

import "bytes"

// maxDepth bounds the nesting that is looked into. CustomResourceDefinitions reach 40 levels.
const maxDepth = 100

// maxNodes bounds the values of one item: the largest real object here has 60,000 lines.
const maxNodes = 1 << 19

// A tree is one item, parsed: nodes that are spans over its bytes. It is reused from item to item.
type tree struct {
	buf   []byte
	nodes []node // nodes[0] is what is absent
	// whole parses everything; else subtrees that no rule asks for are one opaque node each.
	whole bool
	// crd is set once the item says that it is a CustomResourceDefinition: its spec is a schema of up to a megabyte.
	crd bool
}

type nodeKind uint8

const (
	absent nodeKind = iota
	scalarNode
	mapNode
	seqNode
	opaqueNode // skipped: its span is its raw text
)

// A scalarStyle is how a scalar's span is decoded.
type scalarStyle uint8

const (
	plain      scalarStyle = iota // no decoding: numbers, true, null, unquoted strings
	plainLines                    // unquoted over many lines
	single
	double
	literal // begins at the indicator | or >; node.child is its parent's column
)

// A node is a value, with its key where it is in a mapping.
type node struct {
	keyOff, keyEnd int32
	off, end       int32
	child, next    int32 // the first child, the next sibling; 0 where there is none
	line           int32 // line breaks in buf before it
	kind           nodeKind
	style          scalarStyle
	keyStyle       scalarStyle
}

func (t *tree) reset(buf []byte) {
	t.buf = buf
	t.nodes = append(t.nodes[:0], node{})
	t.crd = false
}

// add appends a node and links it behind prev, or as the first child of parent where prev is 0.
func (t *tree) add(parent, prev int32, line int32) int32 {
	n := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{line: line})
	switch {
	case prev != 0:
		t.nodes[prev].next = n
	case parent != 0:
		t.nodes[parent].child = n
	}
	return n
}

// get is the value of key in the mapping n, 0 where there is none.
func (t *tree) get(n int32, key string) int32 {
	if t.nodes[n].kind != mapNode {
		return 0
	}
	for c := t.nodes[n].child; c != 0; c = t.nodes[c].next {
		if nd := &t.nodes[c]; string(t.buf[nd.keyOff:nd.keyEnd]) == key {
			return c
		}
	}
	return 0
}

func (t *tree) at(n int32, keys ...string) int32 {
	for _, k := range keys {
		if n = t.get(n, k); n == 0 {
			return 0
		}
	}
	return n
}

// raw is the span of n, not decoded.
func (t *tree) raw(n int32) []byte { return t.buf[t.nodes[n].off:t.nodes[n].end] }

func (t *tree) key(n int32) []byte {
	nd := &t.nodes[n]
	return decodeScalar(t.buf[nd.keyOff:nd.keyEnd], nd.keyStyle, 0)
}

// text is the scalar n, decoded; nil where n is no scalar, or null. It may lie in the item's bytes.
func (t *tree) text(n int32) []byte {
	nd := &t.nodes[n]
	if nd.kind != scalarNode {
		return nil
	}
	b := t.buf[nd.off:nd.end]
	if nd.style == plain {
		if isNull(b) {
			return nil
		}
		return b
	}
	return decodeScalar(b, nd.style, int(nd.child))
}

func (t *tree) isTrue(n int32) bool { return bytes.EqualFold(t.text(n), []byte("true")) }

// integer is the number n, 0 where it is none.
func (t *tree) integer(n int32) int64 {
	v, _ := parseInt(t.text(n))
	return v
}

// opaque reports whether the value under key at that depth of an item (1: a key of the object) is skipped: managed
// fields' trees are up to half of an object, data of ConfigMaps and Secrets is private, and a
// CustomResourceDefinition's spec is its schema.
func (t *tree) opaque(depth int, key []byte) bool {
	if t.whole {
		return false
	}
	switch string(key) {
	case "data", "binaryData", "stringData":
		return depth == 1
	case "spec":
		return depth == 1 && t.crd
	}
	return string(key) == "fieldsV1"
}

// noteKind looks at a key of the object itself.
func (t *tree) noteKind(depth int, n int32) {
	if nd := &t.nodes[n]; depth == 1 && nd.kind == scalarNode && string(t.buf[nd.keyOff:nd.keyEnd]) == "kind" {
		t.crd = string(t.buf[nd.off:nd.end]) == "CustomResourceDefinition"
	}
}
