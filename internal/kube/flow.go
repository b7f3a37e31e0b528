package kube

import (
	"bytes"

	"github.com/gotriage/triage/internal/jsonspan"
)

// document reads a flow collection that is the whole text, as JSON is.
func (p *yamlParser) document(n int32) error {
	if err := p.flow(n, 0); err != nil {
		return err
	}
	if p.skipTo(jsonspan.SkipSpace(p.b, p.pos)); p.pos < len(p.b) {
		return errSubset
	}
	p.col = -1
	return nil
}

// flow reads a flow collection, {a: b} or [a, b], over many lines if need be.
func (p *yamlParser) flow(n int32, depth int) error {
	nd := &p.t.nodes[n]
	nd.line, nd.off, nd.end = p.line, int32(p.pos), int32(p.pos) // of what is cut off nothing is left
	if depth >= maxDepth {
		return p.skipFlow(n, depth)
	}
	open := p.b[p.pos]
	nd.kind = seqNode
	closing := byte(']')
	if open == '{' {
		nd.kind, closing = mapNode, '}'
	}
	p.pos++
	for prev, first := int32(0), true; ; first = false {
		if err := p.flowSpace(); err != nil {
			return err
		}
		if p.b[p.pos] == ',' && !first {
			p.pos++
			if err := p.flowSpace(); err != nil {
				return err
			}
		} else if !first && p.b[p.pos] != closing {
			return errSubset
		}
		if p.b[p.pos] == closing {
			p.pos++
			p.t.nodes[n].end = int32(p.pos)
			return nil
		}
		if len(p.t.nodes) >= maxNodes {
			return errCut
		}
		prev = p.t.add(n, prev, p.line)
		if open == '{' {
			if err := p.flowKey(prev); err != nil {
				return err
			}
			if p.t.opaque(depth+1, p.t.buf[p.t.nodes[prev].keyOff:p.t.nodes[prev].keyEnd]) {
				if err := p.skipFlow(prev, depth+1); err != nil {
					return err
				}
				continue
			}
		}
		if err := p.flowValue(prev, depth+1); err != nil {
			return err
		}
		p.t.noteKind(depth+1, prev)
	}
}

// skipFlow takes a value unread where it is JSON. Any other is read and forgotten: its end is not to be seen from
// outside.
func (p *yamlParser) skipFlow(n int32, depth int) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.off, nd.line = opaqueNode, int32(p.pos), p.line
	end := jsonspan.SkipValue(p.b, p.pos)
	switch {
	case end == jsonspan.Cut:
		nd.end = int32(len(p.b))
		return errCut
	case end >= 0:
		nd.end = int32(end)
		p.skipTo(end)
		return nil
	case depth >= maxDepth:
		return errDeep
	}
	count := len(p.t.nodes)
	if err := p.flowValue(n, depth); err != nil {
		return err
	}
	p.t.nodes = p.t.nodes[:count]
	p.t.nodes[n].kind, p.t.nodes[n].child = opaqueNode, 0
	return nil
}

func (p *yamlParser) skipTo(pos int) {
	p.line += int32(bytes.Count(p.b[p.pos:pos], newline))
	p.pos = pos
}

// flowSpace goes to the next byte that is neither white space nor comment.
func (p *yamlParser) flowSpace() error {
	for i := p.pos; i < len(p.b); i++ {
		switch p.b[i] {
		case ' ', '\t', '\r':
		case '\n':
			p.line++
		case '#':
			if !isSpace(p.b[i-1]) {
				return errSubset
			}
			_, next := lineAt(p.b, i)
			i = next - 1
			p.line++
		default:
			p.pos = i
			return nil
		}
	}
	return errCut
}

// flowKey reads a key and goes to its value, or to what ends the pair where it has none.
func (p *yamlParser) flowKey(n int32) error {
	var k node
	var err error
	if c := p.b[p.pos]; c == '"' || c == '\'' {
		err = p.quoted(&k)
	} else {
		err = p.flowPlain(&k)
	}
	if err != nil {
		return err
	}
	nd := &p.t.nodes[n]
	nd.keyOff, nd.keyEnd, nd.keyStyle = k.off, k.end, k.style
	if p.pos == len(p.b) || p.b[p.pos] != ':' {
		if err := p.flowSpace(); err != nil || p.b[p.pos] != ':' {
			return err
		}
	}
	p.pos++
	return p.flowSpace()
}

func (p *yamlParser) flowValue(n int32, depth int) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.line = scalarNode, p.line
	switch p.b[p.pos] {
	case '{', '[':
		return p.flow(n, depth)
	case '"', '\'':
		return p.quoted(nd)
	case ',', '}', ']':
		nd.style, nd.off, nd.end = plain, int32(p.pos), int32(p.pos)
		return nil
	}
	return p.flowPlain(nd)
}

// flowPlain reads an unquoted scalar inside a flow collection; on one line, as everybody writes it.
func (p *yamlParser) flowPlain(nd *node) error {
	switch p.b[p.pos] {
	case '&', '*', '!', '|', '>', '%', '@', '`', '#', ',', '{', '}', '[', ']':
		return errSubset
	case '?', '-', ':':
		if p.pos+1 == len(p.b) || isSpace(p.b[p.pos+1]) || bytes.IndexByte([]byte(",{}[]"), p.b[p.pos+1]) >= 0 {
			return errSubset
		}
	}
	nd.style, nd.off = plain, int32(p.pos)
	i := p.pos
scan:
	for ; i < len(p.b); i++ {
		switch p.b[i] {
		case ',', '}', ']', '{', '[', '\n':
			break scan
		case ':':
			if i+1 == len(p.b) || isSpace(p.b[i+1]) || bytes.IndexByte([]byte(",{}[]"), p.b[i+1]) >= 0 {
				break scan
			}
		case '#':
			if isSpace(p.b[i-1]) {
				break scan
			}
		}
	}
	end := i
	for end > p.pos && isSpace(p.b[end-1]) {
		end--
	}
	nd.end = int32(end)
	p.pos = i // what goes on in the next line, as no tool writes it, is not followed by a comma or the end
	return nil
}
