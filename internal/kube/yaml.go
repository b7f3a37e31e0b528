package kube

import (
	"bytes"
	"errors"

	"github.com/gotriage/triage/internal/jsonspan"
)

var (
	// errSubset means that a document is neither JSON nor YAML as Kubernetes' tools write it.
	errSubset = errors.New("neither JSON nor YAML as Kubernetes' tools write it: anchors, aliases, tags, or errors")
	errDeep   = errors.New("nested too deep")
	// errCut ends a value that ends too early, or that has more inside than is kept. What came before stays.
	errCut  = jsonspan.ErrCut
	newline = []byte("\n")
)

// A yamlParser makes a tree of one block of lines. Its position is the first byte of what is next on a line.
type yamlParser struct {
	t    *tree
	b    []byte
	pos  int
	col  int // -1 at the end
	line int32
}

// parse fills t with the document, the list entry or the JSON value in buf and returns its root: JSON is YAML in flow
// style. One that ends too early, or has more inside than is kept, is read as far as that; cut reports it.
func (t *tree) parse(buf []byte) (root int32, cut bool, err error) {
	t.reset(buf)
	p := yamlParser{t: t, b: buf}
	root = t.add(0, 0, 0)
	t.nodes[root].kind = scalarNode // an empty document is null
	if err := p.toLine(); err != nil {
		return 0, false, err
	}
	if p.col < 0 {
		return root, false, nil
	}
	switch c := p.b[p.pos]; {
	case c == '{' || c == '[':
		err = p.document(root)
	case p.isDash():
		err = p.node(root, -1, -1) // an entry's own keys are the object's
	default:
		err = p.node(root, -1, 0)
	}
	switch {
	case errors.Is(err, errCut):
		return root, true, nil
	case err != nil:
		return 0, false, err
	case p.col >= 0:
		return 0, false, errSubset
	}
	return root, false, nil
}

// toLine goes from the beginning of a line to the next line that is neither empty nor comment.
func (p *yamlParser) toLine() error {
	for p.pos < len(p.b) {
		i := p.pos
		for i < len(p.b) && p.b[i] == ' ' {
			i++
		}
		if i == len(p.b) {
			break
		}
		switch p.b[i] {
		case '\n':
			p.pos = i + 1
			p.line++
		case '#', '\r', '\t':
			line, next := lineAt(p.b, i)
			text := bytes.TrimLeft(line, " \t\r")
			if len(text) > 0 && (text[0] == '{' || text[0] == '[') { // JSON may be indented by anything
				i += len(line) - len(text)
				p.col, p.pos = i-p.pos, i
				return nil
			}
			if len(text) > 0 && text[0] != '#' {
				return errSubset
			}
			p.pos = next
			p.line++
		default:
			p.col, p.pos = i-p.pos, i
			return nil
		}
	}
	p.pos, p.col = len(p.b), -1
	return nil
}

// lineAt is the rest of the line at i, without its end, and where the next begins.
func lineAt(b []byte, i int) (line []byte, next int) {
	if n := bytes.IndexByte(b[i:], '\n'); n >= 0 {
		return b[i : i+n], i + n + 1
	}
	return b[i:], len(b)
}

func (p *yamlParser) isDash() bool {
	return p.pos < len(p.b) && p.b[p.pos] == '-' && (p.pos+1 == len(p.b) || isSpace(p.b[p.pos+1]))
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// node reads the value at the token into n; parent is the column of the mapping or sequence around it.
func (p *yamlParser) node(n int32, parent, depth int) error {
	if p.isDash() {
		return p.sequence(n, p.col, depth)
	}
	if ks, ke, st, ok := p.key(); ok {
		return p.mapping(n, p.col, depth, ks, ke, st)
	}
	return p.inline(n, parent, depth)
}

// key looks for a key at the token and, if there is one, goes behind its colon.
func (p *yamlParser) key() (start, end int, st scalarStyle, ok bool) {
	b := p.b
	i := p.pos
	switch b[i] {
	case '"', '\'':
		start = i + 1
		if end, st = quotedEnd(b, i); end < 0 {
			return 0, 0, 0, false
		}
		i = end + 1
		for i < len(b) && b[i] == ' ' {
			i++
		}
		if i == len(b) || b[i] != ':' || i+1 < len(b) && !isSpace(b[i+1]) || bytes.IndexByte(b[start:end], '\n') >= 0 {
			return 0, 0, 0, false
		}
		p.pos = i + 1
		return start, end, st, true
	case '{', '[', '&', '*', '!', '|', '>', '%', '@', '`', '#':
		return 0, 0, 0, false
	case '?':
		if i+1 == len(b) || isSpace(b[i+1]) {
			return 0, 0, 0, false
		}
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case '\n':
			return 0, 0, 0, false
		case '#':
			if b[i-1] == ' ' {
				return 0, 0, 0, false
			}
		case ':':
			if i+1 == len(b) || isSpace(b[i+1]) {
				start, end = p.pos, i
				for end > start && b[end-1] == ' ' {
					end--
				}
				if end == start {
					return 0, 0, 0, false
				}
				p.pos = i + 1
				return start, end, plain, true
			}
		}
	}
	return 0, 0, 0, false
}

// quotedEnd is the offset of the quote that ends the string whose opening quote is at i, negative for none; in single
// quotes, two quotes are one that does not.
func quotedEnd(b []byte, i int) (end int, st scalarStyle) {
	if b[i] == '"' {
		return jsonspan.StringEnd(b, i+1), double
	}
	for i++; ; i += 2 {
		q := bytes.IndexByte(b[i:], '\'')
		if q < 0 {
			return -1, single
		}
		i += q
		if i+1 == len(b) || b[i+1] != '\'' {
			return i, single
		}
	}
}

// mapping reads the keys at that column. The first has been read: its span, and the token is behind its colon.
func (p *yamlParser) mapping(n int32, col, depth, ks, ke int, st scalarStyle) error {
	if depth >= maxDepth {
		return errDeep
	}
	p.t.nodes[n].kind = mapNode
	for prev := int32(0); ; {
		if len(p.t.nodes) >= maxNodes {
			return errCut
		}
		prev = p.t.add(n, prev, p.line)
		c := &p.t.nodes[prev]
		c.keyOff, c.keyEnd, c.keyStyle = int32(ks), int32(ke), st
		if p.t.opaque(depth+1, p.b[ks:ke]) {
			p.skip(prev, col)
			if err := p.toLine(); err != nil {
				return err
			}
		} else {
			if err := p.value(prev, col, depth+1); err != nil {
				return err
			}
			p.t.noteKind(depth+1, prev)
		}
		if p.col != col || p.isDash() {
			break
		}
		var ok bool
		if ks, ke, st, ok = p.key(); !ok {
			return errSubset
		}
	}
	if p.col > col {
		return errSubset
	}
	p.t.nodes[n].end = int32(p.pos)
	return nil
}

func (p *yamlParser) value(n int32, col, depth int) error {
	p.blanks()
	if !p.lineEnds() {
		if p.isDash() {
			return errSubset
		}
		return p.inline(n, col, depth)
	}
	return p.below(n, col, depth, true)
}

// below reads the value that begins on the lines below the key or dash at that column: null where they are indented no
// deeper. A sequence may begin at a key's own column.
func (p *yamlParser) below(n int32, col, depth int, key bool) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.style, nd.off, nd.end = scalarNode, plain, int32(p.pos), int32(p.pos)
	if err := p.nextLine(); err != nil {
		return err
	}
	if p.col > col || key && p.col == col && p.isDash() {
		return p.node(n, col, depth)
	}
	return nil
}

func (p *yamlParser) blanks() {
	for p.pos < len(p.b) && (p.b[p.pos] == ' ' || p.b[p.pos] == '\t') {
		p.pos++
	}
}

// lineEnds reports whether nothing but a comment follows on the line.
func (p *yamlParser) lineEnds() bool {
	if p.pos >= len(p.b) {
		return true
	}
	switch p.b[p.pos] {
	case '\n':
		return true
	case '\r':
		return p.pos+1 == len(p.b) || p.b[p.pos+1] == '\n'
	case '#':
		return p.pos > 0 && isSpace(p.b[p.pos-1])
	}
	return false
}

// nextLine leaves the line that ends and goes to the next one with something on it.
func (p *yamlParser) nextLine() error {
	_, next := lineAt(p.b, p.pos)
	if next > p.pos && p.b[next-1] == '\n' {
		p.line++
	}
	p.pos = next
	return p.toLine()
}

// sequence reads the entries with their dashes at that column.
func (p *yamlParser) sequence(n int32, col, depth int) error {
	if depth >= maxDepth {
		return errDeep
	}
	p.t.nodes[n].kind = seqNode
	for prev := int32(0); p.col == col && p.isDash(); {
		if len(p.t.nodes) >= maxNodes {
			return errCut
		}
		prev = p.t.add(n, prev, p.line)
		p.pos++
		p.col++
		for p.pos < len(p.b) && p.b[p.pos] == ' ' {
			p.pos++
			p.col++
		}
		var err error
		if p.lineEnds() {
			err = p.below(prev, col, depth+1, false)
		} else {
			err = p.node(prev, col, depth+1)
		}
		if err != nil {
			return err
		}
	}
	if p.col > col {
		return errSubset
	}
	p.t.nodes[n].end = int32(p.pos)
	return nil
}

// inline reads a scalar or a flow collection at the token and goes to the next line with something on it.
func (p *yamlParser) inline(n int32, parent, depth int) error {
	nd := &p.t.nodes[n]
	nd.kind, nd.line = scalarNode, p.line
	switch p.b[p.pos] {
	case '|', '>':
		return p.block(nd, parent)
	case '"', '\'':
		if err := p.quoted(nd); err != nil {
			return err
		}
	case '{', '[':
		if err := p.flow(n, depth); err != nil {
			return err
		}
	case '&', '*', '!', '%', '@', '`', '#':
		return errSubset
	case '?', '-':
		if p.pos+1 == len(p.b) || isSpace(p.b[p.pos+1]) {
			return errSubset
		}
		return p.plain(nd, parent)
	default:
		return p.plain(nd, parent)
	}
	if p.blanks(); !p.lineEnds() {
		return errSubset
	}
	return p.nextLine()
}

func (p *yamlParser) quoted(nd *node) error {
	start := p.pos + 1
	end, st := quotedEnd(p.b, p.pos)
	if end < 0 {
		nd.off, nd.end, nd.style = int32(start), int32(len(p.b)), st
		return errCut
	}
	nd.off, nd.end, nd.style = int32(start), int32(end), st
	p.line += int32(bytes.Count(p.b[start:end], newline))
	p.pos = end + 1
	return nil
}

// plain reads an unquoted scalar. Lines that are indented deeper than its parent go on with it.
func (p *yamlParser) plain(nd *node, parent int) error {
	nd.style, nd.off = plain, int32(p.pos)
	for first := true; ; first = false {
		line, next := lineAt(p.b, p.pos)
		text, comment := cutComment(line)
		if !first {
			if nd.style = plainLines; hasColon(text) {
				return errSubset
			}
		}
		nd.end = int32(p.pos + len(text))
		p.pos = next
		p.line++
		if err := p.toLine(); err != nil || p.col <= parent {
			return err
		}
		if comment {
			return errSubset
		}
	}
}

func hasColon(b []byte) bool {
	for i := 0; i < len(b); i++ {
		if b[i] == ':' && (i+1 == len(b) || isSpace(b[i+1])) {
			return true
		}
	}
	return false
}

// cutComment takes a comment and the spaces at the end off a line.
func cutComment(line []byte) (text []byte, comment bool) {
	for i := 0; ; {
		h := bytes.IndexByte(line[i:], '#')
		if h < 0 {
			break
		}
		i += h
		if i > 0 && (line[i-1] == ' ' || line[i-1] == '\t') {
			line, comment = line[:i], true
			break
		}
		i++
	}
	n := len(line)
	for n > 0 && isSpace(line[n-1]) {
		n--
	}
	return line[:n], comment
}

// block reads a literal or folded scalar: all lines that are empty or indented deeper than its parent.
func (p *yamlParser) block(nd *node, parent int) error {
	head, next := lineAt(p.b, p.pos)
	h, ok := parseBlockHeader(head)
	if !ok || h.indent > 0 && parent < 0 {
		return errSubset
	}
	nd.style, nd.off = literal, int32(p.pos)
	nd.child = int32(parent)
	p.line++
	indent := 0 // of the content; 0 until a line shows it
	if h.indent > 0 {
		indent = parent + h.indent
	}
	for next < len(p.b) {
		i := next
		for i < len(p.b) && p.b[i] == ' ' {
			i++
		}
		if i < len(p.b) && p.b[i] != '\n' && p.b[i] != '\r' {
			lead := i - next
			if indent == 0 && lead > parent {
				indent = max(lead, 1)
			}
			if lead < indent || lead <= parent {
				break
			}
		}
		_, next = lineAt(p.b, i)
		p.line++
	}
	nd.end = int32(next)
	p.pos = next
	return p.toLine()
}

// skip takes everything that belongs to the key at that column unread. p.pos is behind the key's colon.
func (p *yamlParser) skip(n int32, col int) {
	nd := &p.t.nodes[n]
	nd.kind, nd.off, nd.line = opaqueNode, int32(p.pos), p.line
	_, next := lineAt(p.b, p.pos)
	p.line++
	for next < len(p.b) {
		i := next
		for i < len(p.b) && i-next <= col && p.b[i] == ' ' {
			i++
		}
		if i < len(p.b) && i-next <= col && p.b[i] != '\n' && p.b[i] != '\r' {
			if i-next < col || p.b[i] != '-' || i+1 < len(p.b) && !isSpace(p.b[i+1]) {
				break
			}
		}
		_, next = lineAt(p.b, i)
		p.line++
	}
	nd.end = int32(next)
	p.pos = next
}
