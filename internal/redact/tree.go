package redact

import (
	"bytes"
	"strings"
)

// A node is an object, a list or a scalar of JSON, or of YAML's own brackets. All of a value is read before any of it
// is redacted, since what says what a member is may follow it: encoders sort keys, so that the kind follows the data.
type node struct {
	parent     int32 // -1 of the outermost
	container  bool
	list       bool
	bare       bool // a scalar without quotes
	key, value span
	// line is what a line of YAML's block style has behind its dashes; empty in brackets and JSON. text marks one whose
	// lines below are the lines of its value.
	line span
	text bool

	// Of objects: what their members say.
	kind   objectKind
	env    bool // its name is that of a secret variable
	patch  bool // an operation of a JSON patch on data
	listed bool // objects in it without a kind are Secrets, since a member names the resource secrets
	nodes  bool // a member names the resource nodes: its name is that of a node
	cut    bool // the text ends in it

	// drop marks one all of whose values are a Secret's, whole one in which lines are replaced with their keys; hidden
	// is the kind of its elements and lines; flag, that its last element was a secret's flag.
	drop, whole, flag bool
	hidden            keyKind
}

// A span is a part of the unit.
type span struct{ start, end int32 }

func (p span) of(b []byte) []byte { return b[p.start:p.end] }

type objectKind uint8

const (
	kindUnknown objectKind = iota
	kindOther
	kindSecret
	kindSecrets // a SecretList
)

const (
	// maxFrames bounds nesting; kube-apiserver refuses objects that are deeper than 10,000, real ones reach 30.
	maxFrames = 512
	// maxNodes bounds what is read before it is redacted, 48 bytes each; what a unit holds beyond them is read by
	// itself, more strictly. manyNodes is how many have room from one value to the next.
	maxNodes  = 1 << 20
	manyNodes = 1 << 15
)

// tree reads the object or list at i, whose quotes have that many backslashes, and redacts what is in it; flow allows
// YAML's scalars without quotes. It returns where to go on; whole is false where that is in the middle, because what is
// there is no JSON or is cut.
func (s *scan) tree(i, hi, slashes int, flow bool) (end int, whole bool) {
	first := len(s.nodes)
	end, whole = s.read(i, hi, slashes, flow, node{parent: -1})
	s.judgeFrom(first, node{listed: s.secrets}, slashes)
	return end, whole
}

// judgeFrom redacts the nodes from first on and forgets them.
func (s *scan) judgeFrom(first int, root node, slashes int) {
	for n, last := first, len(s.nodes); n < last; n++ {
		s.judge(n, root, slashes)
	}
	if s.nodes = s.nodes[:first]; first == 0 && cap(s.nodes) > manyNodes {
		s.nodes = nil
	}
}

// read appends the nodes of the value at i; outer is what is known of it.
func (s *scan) read(i, hi, slashes int, flow bool, outer node) (end int, whole bool) {
	b, depth, top := s.src, 0, outer.parent
	defer func() {
		for ; !whole && depth > 0; depth-- {
			s.nodes[top].cut = true
			top = s.nodes[top].parent
		}
	}()
	for {
		if i = skipSpace(b, i, hi); i >= hi || len(s.nodes) >= maxNodes {
			s.strict, s.secrets = s.strict || i < hi, s.secrets || i < hi
			return i, false
		}
		list := depth > 0 && s.nodes[top].list
		switch {
		case depth == 0:
		case b[i] == ',':
			i++
			continue
		case b[i] == '}' && !list, b[i] == ']' && list:
			i++
			top = s.nodes[top].parent
			if depth--; depth == 0 {
				return i, true
			}
			continue
		}
		n := node{parent: top}
		if depth == 0 {
			n = outer
		} else if flow || !list {
			key, value, ok := s.keyAt(i, hi, slashes, flow)
			if ok {
				n.key, i = key, value
			} else if !list {
				return value, false
			}
		}
		if b[i] == '{' || b[i] == '[' && string(n.key.of(b)) != journalMessage {
			if depth++; depth > maxFrames {
				return i + 1, false
			}
			n.container, n.list, n.value = true, b[i] == '[', span{int32(i), int32(i + 1)}
			top = s.add(n)
			i++
			continue
		}
		ok := false
		if n.value, end, n.bare, ok = s.scalarAt(i, hi, slashes, flow); !ok {
			return end, false
		}
		i = end
		s.add(n)
	}
}

// journalMessage is the member that journald writes as a list of bytes where it is no UTF-8, or holds colours.
const journalMessage = "MESSAGE"

// add appends a node and notes what it says of the object around it. It returns its index.
func (s *scan) add(n node) int32 {
	s.nodes = append(s.nodes, n)
	s.says(&n)
	return int32(len(s.nodes) - 1)
}

// keyAt returns the key at i and where its value begins; where there is none, or its value is cut off, value is where
// to go on.
func (s *scan) keyAt(i, hi, slashes int, flow bool) (key span, value int, ok bool) {
	b := s.src
	key, next, bare, ok := s.scalarAt(i, hi, slashes, flow)
	if !ok || bare {
		return key, max(i, next), false
	}
	if value = skipSpace(b, next, hi); value < hi && b[value] == ':' {
		value = skipSpace(b, value+1, hi)
		ok = value < hi
	} else {
		ok = false
	}
	if !ok {
		value = int(key.start)
	}
	return key, value, ok
}

// scalarAt returns the scalar at i without its quotes, and where to go on; ok is false where there is none, or where
// the text ends in it: next is behind i then.
func (s *scan) scalarAt(i, hi, slashes int, flow bool) (v span, next int, bare, ok bool) {
	b := s.src
	start, end := i, i
	switch n, quoted := quoteAt(b, i, hi); {
	case quoted && n == slashes:
		start = i + slashes + 1
		if end = closing(b, start, hi, slashes); end < 0 {
			return v, start, false, false
		}
		next = end + slashes + 1
	case flow && b[i] == '\'':
		start = i + 1
		if end = bytes.IndexByte(b[start:hi], '\''); end < 0 {
			return v, start, false, false
		}
		end += start
		next = end + 1
	case flow:
		for end < hi && bytes.IndexByte([]byte("{}[],"), b[end]) < 0 &&
			(b[end] != ':' || end+1 < hi && b[end+1] != ' ') {
			end++
		}
		next, end = end, len(bytes.TrimRight(b[:end], " "))
	case b[i] == '[': // numbers
		end = i + bytes.IndexByte(b[i:hi], ']') + 1
		next, bare = end, true
	default:
		for end < hi && (charClass[b[end]]&isWord != 0 || b[end] == '+') {
			end++
		}
		next, bare = end, true
	}
	return span{int32(start), int32(end)}, next, bare, next > i
}

// says notes what a member says of its object.
func (s *scan) says(n *node) {
	if n.parent < 0 || n.container || len(n.key.of(s.src)) == 0 {
		return
	}
	object, v := &s.nodes[n.parent], n.value.of(s.src)
	switch string(n.key.of(s.src)) {
	case "kind":
		switch string(v) {
		case "Secret":
			object.kind = kindSecret
		case "SecretList":
			object.kind = kindSecrets
		default:
			object.kind = kindOther
		}
	case "name", "key": // CRI's variables have keys
		object.env = object.env || secretVariable(v)
	case "path":
		object.patch = bytes.HasPrefix(v, []byte("/data")) || bytes.HasPrefix(v, []byte("/stringData"))
	case "resource":
		object.nodes = string(v) == "nodes"
		if string(v) == "secrets" && object.parent >= 0 {
			s.nodes[object.parent].listed = true
		}
	}
}

// judge redacts one node, after those around it; of a line of YAML's block style, the line.
func (s *scan) judge(i int, around node, slashes int) {
	n := s.nodes[i]
	if n.parent >= 0 {
		around = s.nodes[n.parent]
	}
	if n.container {
		s.nodes[i] = s.inner(n, around, n.key.of(s.src))
	}
	from, content, to := int(n.key.start), int(n.key.end), 0
	kind := s.kindOf(n, around)
	if n.line.end > 0 {
		from, to = bytes.LastIndexByte(s.src[:n.line.start], '\n')+1, int(n.line.end)
		if content = max(int(n.line.start), content); kind == keyPlain && !n.container {
			content = int(n.line.start)
		}
	}
	switch {
	case to > 0 && s.pem.active && !around.whole && !around.drop:
		s.pemLine(from, to)
		return
	case around.whole && to > 0:
		start := int(n.line.start)
		s.text(from, start)
		if around.drop {
			s.dropValue(start, to)
		} else {
			s.hide(Password, start, to)
		}
		return
	case around.whole:
		return
	}
	s.text(from, content)
	if !n.container {
		s.scalar(n, kind, slashes)
	}
	if !n.container || n.value.end == 0 { // no brackets
		s.text(max(content, int(n.value.end)), to)
	}
}

// kindOf is what the key of a scalar, or the list around it, shows of it.
func (s *scan) kindOf(n, around node) keyKind {
	key, v := n.key.of(s.src), n.value.of(s.src)
	inList := len(key) == 0 && (around.list || n.line.end > 0)
	switch { // numbers are no values of variables and flags
	case n.container:
		return keyPlain
	case around.drop || around.patch && around.listed && string(key) == "value":
		return keyData
	case inList:
		kind := around.hidden
		if around.list && !n.bare {
			if around.flag && !bytes.HasPrefix(v, []byte("-")) {
				kind = keyPassword
			}
			s.nodes[n.parent].flag = secretFlag(v)
		}
		return kind
	case !n.bare && around.env && string(key) == "value":
		return keyPassword
	case around.nodes && string(key) == "name":
		return keyHost
	}
	kind := kindOfKey(key)
	switch {
	case kind == keyPlain && ends(key, "_KEY"):
		return keyAuth
	case kind == keyQuery:
		return keyPlain
	}
	return kind
}

// inner returns the container n with what its key and the object around it make of it.
func (s *scan) inner(n, around node, key []byte) node {
	n.drop = n.drop || around.drop
	n.listed = n.listed || around.listed || around.kind == kindSecrets
	unknown := around.kind == kindUnknown && around.cut && s.strict
	switch string(key) {
	case "data", "stringData", "binaryData":
		n.drop = n.drop || !n.list &&
			(around.kind == kindSecret || unknown || around.kind == kindUnknown && around.listed)
	case "items":
		n.listed = n.listed || unknown
	case "value":
		n.drop = n.drop || around.patch && around.listed
	}
	kind := kindOfKey(key)
	if (n.list || n.line.end > 0) && kind.secret() && kind != keyName {
		n.hidden = kind
	} else if n.text {
		n.hidden = around.hidden
	}
	n.whole = n.whole || around.whole || n.line.end > 0 && (around.drop || n.text && kind.secret())
	return n
}

func (s *scan) scalar(n node, kind keyKind, slashes int) {
	start, end := int(n.value.start), int(n.value.end)
	v := s.src[start:end]
	switch {
	case n.bare && v[0] == '[':
		if slashes > 0 || end < start+2 || s.recode(start, end, numbersText) == 0 {
			s.text(start, end)
		}
	case n.bare && isDigit(v[0]) && kind.sure() && !s.lex.kept[kind.class()]: // a number becomes a string
		quote := strings.Repeat(`\`, slashes) + `"`
		s.replace(start, end, quote+s.t.names.of(kind.class(), v)+quote)
	case n.bare:
	case kind == keyData:
		s.dropValue(start, end)
	case s.pem.active && s.pemString(start, end):
	case kind == keyPlain || !s.secretValue(kind, start, end, false):
		if n.line.end > 0 { // its key may show what a part of it is
			start = int(n.line.start)
		}
		s.text(start, end)
	}
}

// dropValue empties a value of a Secret.
func (s *scan) dropValue(start, end int) {
	if start < end && string(s.src[start:end]) != Dropped {
		s.put(Secret, start, end, nil)
	}
}
