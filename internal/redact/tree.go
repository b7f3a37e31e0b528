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

	// Of objects: what their members say.
	kind   objectKind
	env    bool // its name is that of a secret variable
	patch  bool // an operation of a JSON patch on data
	listed bool // objects in it without a kind are Secrets, since a member names the resource secrets
	cut    bool // the text ends in it

	// drop marks one all of whose values are a Secret's, hidden a list's kind of strings; flag, that its last element
	// was a secret's flag.
	drop, flag bool
	hidden     keyKind
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
	// maxNodes bounds what is read before it is redacted, 32 bytes each; what a unit holds beyond them is read by
	// itself, more strictly. manyNodes is how many have room from one value to the next.
	maxNodes  = 1 << 20
	manyNodes = 1 << 14
)

// tree reads the object or list at i, whose quotes have that many backslashes, and redacts what is in it; flow allows
// YAML's scalars without quotes, drop says that all its values are a Secret's. It returns where to go on; whole is
// false where that is in the middle, because what is there is no JSON or is cut.
func (s *scan) tree(i, hi, slashes int, flow, drop bool) (end int, whole bool) {
	first := len(s.nodes)
	end, whole = s.read(i, hi, slashes, flow)
	root := node{listed: s.secrets, drop: drop}
	for n, last := first, len(s.nodes); n < last; n++ {
		s.judge(n, root, slashes)
	}
	if s.nodes = s.nodes[:first]; first == 0 && cap(s.nodes) > manyNodes {
		s.nodes = nil
	}
	return end, whole
}

// read appends the nodes of the value at i.
func (s *scan) read(i, hi, slashes int, flow bool) (end int, whole bool) {
	b, depth, top := s.src, 0, int32(-1)
	for {
		if i = skipSpace(b, i, hi); i >= hi || len(s.nodes) >= maxNodes {
			s.strict, s.secrets = s.strict || i < hi, s.secrets || i < hi
			s.cut(top)
			return i, false
		}
		list := top >= 0 && s.nodes[top].list
		switch {
		case top < 0:
		case b[i] == ',':
			i++
			continue
		case b[i] == '}' && !list, b[i] == ']' && list:
			i++
			depth--
			if top = s.nodes[top].parent; top < 0 {
				return i, true
			}
			continue
		}
		n := node{parent: top}
		if top >= 0 && (flow || !list) {
			key, value, ok := s.keyAt(i, hi, slashes, flow)
			switch {
			case ok && value >= hi: // it is text where the value is cut off
				s.cut(top)
				return int(key.start), false
			case ok:
				n.key, i = key, value
			case value < 0: // the text ends in the key
				s.cut(top)
				return int(key.start), false
			case !list:
				return value, false
			}
		}
		if b[i] == '{' || b[i] == '[' && (string(n.key.of(b)) != "MESSAGE" || !numbers(b[i:hi])) {
			if depth++; depth > maxFrames {
				return i + 1, false
			}
			n.container, n.list, n.value = true, b[i] == '[', span{int32(i), int32(i)}
			s.nodes = append(s.nodes, n)
			top = int32(len(s.nodes) - 1)
			i++
			continue
		}
		next, ok := 0, false
		if n.value, next, n.bare, ok = s.scalarAt(i, hi, slashes, flow); !ok {
			if next > i {
				s.cut(top)
			}
			return next, false
		}
		i = next
		s.nodes = append(s.nodes, n)
		s.says(&n)
	}
}

// cut notes that the text ends in a container, and in those around it.
func (s *scan) cut(top int32) {
	for ; top >= 0; top = s.nodes[top].parent {
		s.nodes[top].cut = true
	}
}

// numbers accepts a list of bytes: journald writes messages so that are no UTF-8, or hold colours.
func numbers(b []byte) bool {
	i := skipBlanks(b, 1, len(b))
	return i < len(b) && isDigit(b[i])
}

// keyAt returns the key at i and where its value begins; value is where to go on where there is none, and -1 where the
// text ends in the key.
func (s *scan) keyAt(i, hi, slashes int, flow bool) (key span, value int, ok bool) {
	b := s.src
	key, next, bare, ok := s.scalarAt(i, hi, slashes, flow)
	switch {
	case !ok && next > i:
		return span{int32(next), int32(next)}, -1, false
	case !ok || bare:
		return key, i, false
	}
	if value = skipSpace(b, next, hi); value >= hi || b[value] != ':' {
		return key, int(key.start), false
	}
	return key, skipSpace(b, value+1, hi), true
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
	if n.parent < 0 || s.nodes[n.parent].list {
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
		if string(v) == "secrets" && object.parent >= 0 {
			s.nodes[object.parent].listed = true
		}
	}
}

// judge redacts one node, after those around it.
func (s *scan) judge(i int, around node, slashes int) {
	n := s.nodes[i]
	key := n.key.of(s.src)
	s.text(int(n.key.start), int(n.key.end))
	if n.parent >= 0 {
		around = s.nodes[n.parent]
	}
	if n.container {
		s.nodes[i] = s.inner(n, around, key)
		return
	}
	kind := kindOfKey(key)
	v := n.value.of(s.src)
	if around.list && len(key) == 0 {
		kind = around.hidden
	}
	switch { // numbers are no values of variables and flags
	case n.bare:
	case around.list && len(key) == 0:
		if around.flag && !bytes.HasPrefix(v, []byte("-")) {
			kind = keyPassword
		}
		s.nodes[n.parent].flag = secretFlag(v)
	case string(key) == "value" && around.env:
		kind = keyPassword
	}
	s.scalar(n, around.drop || string(key) == "value" && around.patch && around.listed, key, kind, slashes)
}

// inner returns the container n with what its key and the object around it make of it.
func (s *scan) inner(n, around node, key []byte) node {
	n.drop = around.drop
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
	if kind := kindOfKey(key); n.list && kind.secret() && kind != keyName {
		n.hidden = kind
	}
	return n
}

func (s *scan) scalar(n node, drop bool, key []byte, kind keyKind, slashes int) {
	start, end := int(n.value.start), int(n.value.end)
	v := s.src[start:end]
	switch {
	case n.bare && v[0] == '[':
		if slashes > 0 || s.byteArray(start, end) == 0 {
			s.text(start, end)
		}
	case n.bare && isDigit(v[0]) && (drop || kind.sure()): // a number becomes a string
		class, quote := kind.class(), strings.Repeat(`\`, slashes)+`"`
		if drop {
			class = Secret
		}
		s.replace(start, end, quote+s.t.names.of(class, v)+quote)
	case n.bare:
	case drop:
		s.dropValue(start, end)
	case s.pem.active && s.pemString(start, end):
	default:
		s.learnMember(key, v)
		if kind == keyPlain || !s.secretValue(kind, start, end, false) {
			s.text(start, end)
		}
	}
}

// dropValue empties a value of a Secret.
func (s *scan) dropValue(start, end int) {
	if start < end && string(s.src[start:end]) != Dropped {
		s.replace(start, end, s.t.names.of(Secret, nil))
	}
}
