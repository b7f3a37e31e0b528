package kube

import (
	"bytes"
	"errors"

	"github.com/gotriage/triage/internal/jsonspan"
)

var (
	errJSON = errors.New("not JSON")
	errDeep = errors.New("nested too deep")
	// errCut ends a value that ends too early, or that has more inside than is kept. What came before stays.
	errCut  = errors.New("ends too early")
	newline = []byte("\n")
)

// A jsonParser makes a tree of one JSON value. It takes what comes before a cut for the whole.
type jsonParser struct {
	t    *tree
	b    []byte
	pos  int
	line int32 // line breaks before pos
}

// parseJSON fills t with the JSON value in buf and returns its root; cut: it ended too early.
func (t *tree) parseJSON(buf []byte) (root int32, cut bool, err error) {
	t.reset(buf)
	p := jsonParser{t: t, b: buf}
	root = t.add(0, 0, 0)
	p.to(jsonspan.SkipSpace(buf, 0))
	if err = p.value(root, 0); err == nil && jsonspan.SkipSpace(buf, p.pos) < len(buf) {
		err = errJSON
	}
	if errors.Is(err, errCut) {
		return root, true, nil
	}
	return root, false, err
}

func (p *jsonParser) to(pos int) {
	p.line += int32(bytes.Count(p.b[p.pos:pos], newline))
	p.pos = pos
}

func failed(pos int) error {
	if pos == jsonspan.Cut {
		return errCut
	}
	return errJSON
}

// value reads a value into n. p.pos is at its first byte.
func (p *jsonParser) value(n int32, depth int) error {
	if p.pos >= len(p.b) {
		return errCut
	}
	nd := &p.t.nodes[n]
	nd.line, nd.off, nd.end = p.line, int32(p.pos), int32(p.pos) // of what is cut off nothing is left
	switch c := p.b[p.pos]; {
	case (c == '{' || c == '[') && depth >= maxDepth:
		return p.skip(n)
	case c == '{':
		return p.children(n, depth, mapNode)
	case c == '[':
		return p.children(n, depth, seqNode)
	case c == '"':
		nd.kind, nd.style, nd.off = scalarNode, double, int32(p.pos+1)
		end := jsonspan.StringEnd(p.b, p.pos+1)
		if end < 0 {
			nd.end = int32(len(p.b))
			return errCut
		}
		nd.end, p.pos = int32(end), end+1
		return nil
	}
	end := jsonspan.SkipValue(p.b, p.pos)
	if end < 0 {
		return failed(end)
	}
	nd.kind, nd.style, nd.end = scalarNode, plain, int32(end)
	p.pos = end
	return nil
}

// children reads the members of an object or the elements of a list.
func (p *jsonParser) children(n int32, depth int, kind nodeKind) error {
	p.t.nodes[n].kind = kind
	p.pos++
	for prev := int32(0); ; {
		if len(p.t.nodes) >= maxNodes {
			return errCut
		}
		var key []byte
		var v int
		more := false
		if kind == seqNode {
			v, more = jsonspan.Element(p.b, p.pos)
		} else {
			key, v = jsonspan.Member(p.b, p.pos)
			more = key != nil
		}
		if v < 0 {
			return failed(v)
		}
		from := p.pos
		p.to(v)
		if !more {
			p.t.nodes[n].end = int32(v)
			return nil
		}
		prev = p.t.add(n, prev, p.line)
		var err error
		switch {
		case kind == seqNode:
			err = p.value(prev, depth+1)
		default:
			from += bytes.IndexByte(p.b[from:], '"') + 1
			c := &p.t.nodes[prev]
			c.keyOff, c.keyEnd, c.keyStyle = int32(from), int32(from+len(key)), double
			if p.t.opaque(depth+1, key) {
				err = p.skip(prev)
				break
			}
			err = p.value(prev, depth+1)
			p.t.noteKind(depth+1, prev)
		}
		if err != nil {
			return err
		}
	}
}

func (p *jsonParser) skip(n int32) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.off, nd.line = opaqueNode, int32(p.pos), p.line
	end := jsonspan.SkipValue(p.b, p.pos)
	if end < 0 {
		p.to(len(p.b))
		nd.end = int32(len(p.b))
		return failed(end)
	}
	p.to(end)
	nd.end = int32(end)
	return nil
}
