package redact

import (
	"bytes"
	"strings"
)

// A yamlLine is a line taken apart: dashes of lists, key and value.
type yamlLine struct {
	hi         int // without the line break
	indent     int // column of the content behind dashes
	item       bool
	dash       int // column of the first dash of an item
	key        span
	start, end int  // the value, without spaces and quotes
	content    int  // where the content begins
	below      bool // the value is in the lines below, or goes on there
	text       bool // and is one text: that of a block, or in quotes
}

func parseYAML(b []byte, lo, hi int) yamlLine {
	if hi > lo && b[hi-1] == '\r' {
		hi--
	}
	l := yamlLine{hi: hi}
	i := skipBlanks(b, lo, hi)
	for bytes.HasPrefix(b[i:hi], []byte("- ")) {
		if !l.item {
			l.item, l.dash = true, i-lo
		}
		i = skipBlanks(b, i+1, hi)
	}
	l.content, l.indent = i, i-lo
	l.start, l.end = i, hi
	if i >= hi {
		return l
	}
	start, k := i, i
	if q := b[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(b[i+1:hi], q)
		if end < 0 {
			return l
		}
		start, k = i+1, i+1+end
		if k+1 == hi {
			l.start, l.end = i+1, k
		}
		if k+1 == hi || b[k+1] != ':' || k+2 < hi && b[k+2] != ' ' {
			return l
		}
		l.key = span{int32(start), int32(k)}
		k++
	} else {
		for k < hi && (b[k] != ':' || k+1 < hi && b[k+1] != ' ') {
			if b[k] == '{' || b[k] == '[' || b[k] == '"' || b[k] == ' ' {
				return l
			}
			k++
		}
		if k == hi || k == i {
			return l
		}
		l.key = span{int32(start), int32(k)}
	}
	l.value(b, k+1)
	return l
}

// value finds a member's value behind its colon.
func (l *yamlLine) value(b []byte, i int) {
	i = skipBlanks(b, i, l.hi)
	v := bytes.TrimRight(b[i:l.hi], " ")
	if k := bytes.Index(v, []byte(" #")); k >= 0 && v[0] != '"' && v[0] != '\'' {
		v = bytes.TrimRight(v[:k], " ")
	}
	if len(v) > 0 && v[0] == '#' {
		v = nil
	}
	if k := bytes.IndexByte(v, ' '); k > 1 && (v[0] == '&' || v[0] == '!') { // an anchor or a tag before the value
		i += k + 1
		v = v[k+1:]
	}
	l.start, l.end = i, i+len(v)
	switch {
	case len(v) == 0:
		l.below = true
	case (v[0] == '|' || v[0] == '>') && len(v) <= 4:
		l.below, l.text, l.end = true, true, i
	case v[0] == '"' || v[0] == '\'':
		l.start, l.end = i+1, l.hi
		if end := bytes.LastIndexByte(v[1:], v[0]); end >= 0 {
			l.end = i + 1 + end
		} else {
			l.below, l.text = true, true
		}
	}
}

// An openNode is a container that lines are added to, and how far they must be indented: its rank is two times the
// column of its key, and one more than that of its dash.
type openNode struct {
	node int32
	rank int
}

// yaml redacts src[lo:hi], lines of YAML that begin at a column, as what is below root.
func (s *scan) yaml(lo, hi, column int, root node) {
	b, first := s.src, len(s.nodes)
	root.parent, root.container, root.cut = -1, true, true
	root.listed = root.listed || s.secrets
	open := []openNode{{s.add(root), -2}}
	for lo < hi && len(s.nodes) < maxNodes {
		end := min(lineEnd(b, lo), hi)
		l := parseYAML(b, min(lo+column, end), end)
		lo = end + 1
		switch {
		case l.content == l.hi:
			continue
		case l.indent == 0 && bytes.HasPrefix(b[l.content:l.hi], []byte("---")):
			open = append(open[:0], openNode{s.add(node{parent: -1, container: true, listed: s.secrets}), -2})
		}
		kept, rank := len(open), 2*l.indent-1
		if l.item {
			rank = 2 * l.dash
		}
		for open[kept-1].rank > rank {
			kept--
		}
		if b[l.content] != '#' {
			open = open[:kept]
		}
		open = s.yamlNode(l, open, kept-1)
	}
	for _, o := range open {
		s.nodes[o.node].cut = true
	}
	s.judgeFrom(first, node{}, 0)
	if lo < hi { // more nodes than are read at a time
		s.strict, s.secrets = true, true
		s.yaml(lo, hi, column, node{})
	}
}

// yamlNode adds the nodes of a line to those that are open, below the one at at.
func (s *scan) yamlNode(l yamlLine, open []openNode, at int) []openNode {
	b, keyed := s.src, l.key.end > 0
	around := open[at].node
	if l.item {
		s.nodes[around].list = true
		if keyed {
			around = s.add(node{parent: around, container: true})
			open = append(open, openNode{around, 2*l.dash + 1})
		}
	}
	n := node{
		parent: around, key: l.key, value: span{int32(l.start), int32(l.end)},
		line: span{int32(l.content), int32(l.hi)}, text: l.text,
	}
	if (keyed || l.item || l.indent == 0) && l.collection(b) {
		end, _ := s.read(l.start, l.hi, 0, true, n)
		s.add(node{parent: -1, line: span{int32(end), int32(l.hi)}, value: span{int32(end), int32(l.hi)}})
		return open
	}
	if l.start < l.end || !l.below {
		s.add(n)
	}
	if l.below {
		n.container, n.value = true, span{}
		open = append(open, openNode{s.add(n), 2 * l.indent})
	}
	return open
}

// collection reports whether the value is one in YAML's own brackets.
func (l *yamlLine) collection(b []byte) bool {
	if l.start >= l.end || b[l.start] != '[' && b[l.start] != '{' ||
		l.start > 0 && (b[l.start-1] == '\'' || b[l.start-1] == '"') {
		return false
	}
	key := l.key.of(b)
	return b[l.start] == '[' || kindOfKey(key) == keyPlain &&
		(bytes.HasSuffix(key, []byte("ata")) || flowMapping(b[l.start:l.hi]))
}

// A block is one of YAML in a log: the lines below its first that are deeper, behind a prefix like that of the first.
type block struct {
	prefix []byte
	root   node // what they are; a container where there is a block
}

// blockBegins looks whether the line src[lo:hi] of a log has a secret's key and its value in the lines below, or begins
// the data of a Secret. It redacts such a line, and reports whether it is one.
func (s *scan) blockBegins(lo, hi int) bool {
	b := s.src
	for hi > lo && (b[hi-1] == ' ' || b[hi-1] == '\r') {
		hi--
	}
	if hi == lo || strings.IndexByte(":|>-+", b[hi-1]) < 0 {
		return false
	}
	colon := lo + bytes.LastIndexByte(b[lo:hi], ':')
	at := lo + bytes.LastIndexByte(b[lo:max(lo, colon)], ' ') + 1
	l := parseYAML(b, at, hi)
	if l.key.end == 0 || !l.below || l.start < l.end {
		return false
	}
	kind := kindOfKey(l.key.of(b))
	root := node{container: true, hidden: kind, whole: l.text && kind.secret()}
	switch key := string(l.key.of(b)); {
	case kind.sure():
	case (key == "data" || key == "stringData") && s.manifest(lo, at-lo):
		root.drop = true
	default:
		return false
	}
	s.text(lo, int(l.key.end))
	s.block = block{bytes.Clone(b[lo:at]), root}
	return true
}

// blockLines redacts the lines of the block that go on at i, and returns where those behind them begin.
func (s *scan) blockLines(i int) int {
	b, column, end := s.src, len(s.block.prefix), i
	root := s.block.root
	for end < len(b) {
		stop := lineEnd(b, end)
		at := min(end+column, stop)
		l := parseYAML(b, at, stop)
		if l.content >= l.hi || l.indent == 0 || !sameFrame(b[end:at], s.block.prefix) {
			s.block = block{}
			break
		}
		end = stop + 1
	}
	if i < end {
		s.yaml(i, min(end, len(b)), column, root)
	}
	return end
}

// manifest reports whether a log holds the manifest of a Secret around the line at lo: a member of the same manifest,
// indented to the same column, says so.
func (s *scan) manifest(lo, column int) bool {
	b, kind := s.src, []byte("kind: Secret")
	for at := 0; ; at++ {
		k := bytes.Index(b[at:], kind)
		if k < 0 {
			return false
		}
		at += k
		start := bytes.LastIndexByte(b[:at], '\n') + 1
		if at-start != column {
			continue
		}
		between := b[min(start, lo):max(start, lo)]
		if s.steps -= len(between); s.steps < 0 {
			return true
		}
		another := false
		for line := range bytes.Lines(between) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			l := parseYAML(line, min(column, len(line)), len(line))
			another = another || l.item && l.dash == 0 ||
				l.indent == 0 && (bytes.HasPrefix(line[l.content:], []byte("---")) ||
					string(l.key.of(line)) == "kind" && string(line[l.start:l.end]) != "Secret")
		}
		if !another {
			return true
		}
	}
}
