package redact

import "bytes"

// yamlState is what lines of YAML need to know of those before: the block that is being hidden.
type yamlState struct {
	indent int    // of the key whose deeper lines are hidden
	mode   hiding // what to do with them
	inner  int    // indent+1 of the member of a Secret's data whose lines are dropped whole
	env    int    // indent+1 of the keys of an item whose name is that of a secret variable
	arg    int    // indent+1 of the items of a list whose last element was a secret's flag
}

type hiding uint8

const (
	hideNothing hiding = iota
	hideSecret         // the members of a Secret's data: values are dropped, keys stay
	hideBlock          // the lines of one secret value
)

// A yamlLine is a line taken apart: dashes of lists, key and value.
type yamlLine struct {
	lo, hi     int // without the line break
	indent     int // column of the content behind dashes
	item       bool
	dash       int // column of the first dash of an item
	key        []byte
	start, end int // the value, without spaces and quotes
	content    int // where the content begins
	colon      int // behind the key
	block      bool
	quoted     byte
}

func (s *scan) yamlLines() {
	b := s.src
	for i := 0; i < len(b); {
		end := lineEnd(b, i)
		s.yamlLine(i, end)
		i = end + 1
	}
}

func (s *scan) yamlLine(lo, hi int) {
	l := s.parseYAML(lo, hi)
	y := &s.yaml
	hi = l.hi
	if l.content == hi {
		return
	}
	if y.mode != hideNothing {
		deeper := l.indent > y.indent && !(l.item && l.dash <= y.indent)
		if deeper {
			s.hiddenLine(l)
			return
		}
		y.mode = hideNothing
	}
	if y.env > 0 && (l.indent < y.env-1 || l.item && l.indent <= y.env-1) {
		y.env = 0
	}
	if s.pem.active {
		s.pemLine(lo, hi)
		return
	}
	if y.arg > 0 {
		was := y.arg
		y.arg = 0
		if l.item && l.indent == was-1 && l.key == nil && s.secretValue(keyPassword, l.start, l.end, false) {
			return
		}
	}
	if l.key == nil {
		if l.item && secretFlag(s.src[l.start:l.end]) {
			y.arg = l.indent + 1
		}
		s.flow(lo, l.start, hi)
		return
	}
	s.member(l)
}

func (s *scan) member(l yamlLine) {
	b, y := s.src, &s.yaml
	v := b[l.start:l.end]
	kind := kindOfKey(l.key)
	switch string(l.key) {
	case "data", "stringData", "binaryData":
		if l.start == l.end && s.yamlSecret(l) {
			y.mode, y.indent, y.inner = hideSecret, l.indent, 0
			return
		}
	case "name":
		if secretVariable(v) {
			y.env = l.indent + 1
		}
	case "value":
		if y.env == l.indent+1 || l.item && s.yamlNameBehind(l) {
			kind = keyPassword
		}
	case "apiVersion":
		s.learnGroup(v)
	case "nodeName", "kubernetes.io/hostname":
		s.learnHost(v)
	}
	if kind == keyPlain {
		s.flow(l.lo, l.start, l.hi)
		return
	}
	s.text(l.content, l.colon)
	if l.block {
		if kind.secret() {
			y.mode, y.indent = hideBlock, l.indent
		}
		return
	}
	if l.start == l.end || b[l.start] == '{' || b[l.start] == '&' ||
		kind == keyAuth && !random(v) && !basicCredentials(v) || !s.secretValue(kind, l.start, l.end, false) {
		s.text(l.lo, l.hi)
		return
	}
	if l.quoted != 0 && l.end == l.hi { // the quote closes in a later line
		y.mode, y.indent = hideBlock, l.indent
	}
}

func (s *scan) hiddenLine(l yamlLine) {
	y := &s.yaml
	if y.inner > 0 && l.indent < y.inner {
		y.inner = 0
	}
	switch {
	case y.mode == hideSecret && y.inner == 0 && l.key != nil:
		y.inner = l.indent + 1
		s.text(l.content, l.colon)
		s.dropValue(l.start, l.end)
	case y.mode == hideBlock:
		s.hide(Password, l.content, l.hi)
	default:
		s.dropValue(l.content, l.hi)
	}
}

func (s *scan) parseYAML(lo, hi int) yamlLine {
	b := s.src
	if hi > lo && b[hi-1] == '\r' {
		hi--
	}
	l := yamlLine{lo: lo, hi: hi}
	i := lo
	for i < hi && b[i] == ' ' {
		i++
	}
	for i+1 < hi && b[i] == '-' && b[i+1] == ' ' {
		if !l.item {
			l.item, l.dash = true, i-lo
		}
		i++
		for i < hi && b[i] == ' ' {
			i++
		}
	}
	l.content, l.indent = i, i-lo
	l.start, l.end = i, hi
	if i >= hi {
		return l
	}
	k := i
	if q := b[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(b[i+1:hi], q)
		if end < 0 {
			return l
		}
		k = i + 1 + end
		if k+1 >= hi || b[k+1] != ':' || k+2 < hi && b[k+2] != ' ' {
			l.start, l.end = i+1, k
			return l
		}
		l.key = b[i+1 : k]
		k++
	} else {
		for k < hi && (b[k] != ':' || k+1 < hi && b[k+1] != ' ') {
			if b[k] == '{' || b[k] == '[' || b[k] == '"' {
				return l
			}
			k++
		}
		if k == hi || k == i || bytes.IndexByte(b[i:k], ' ') >= 0 {
			return l
		}
		l.key = b[i:k]
	}
	l.colon = k
	l.value(b, k+1)
	return l
}

// value finds a member's value behind its colon.
func (l *yamlLine) value(b []byte, i int) {
	hi := l.hi
	for i < hi && b[i] == ' ' {
		i++
	}
	for hi > i && b[hi-1] == ' ' {
		hi--
	}
	if i < hi && (b[i] == '|' || b[i] == '>') && hi-i <= 4 {
		l.block = true
		l.start, l.end = i, i
		return
	}
	l.start, l.end = i, hi
	if i >= hi {
		return
	}
	if q := b[i]; q == '"' || q == '\'' {
		l.start, l.quoted = i+1, q
		if end := bytes.LastIndexByte(b[i+1:hi], q); end >= 0 {
			l.end = i + 1 + end
		} else {
			l.end = l.hi
		}
	}
}

// yamlSecret reports whether the mapping that holds the member l is a Secret: its kind may come before or after it.
func (s *scan) yamlSecret(l yamlLine) bool {
	kind, cut := s.siblingKind(l)
	return kind == "Secret" || kind == "" && (s.secrets || cut && s.strict)
}

// siblingKind looks for the member kind of the mapping that l is a member of, behind it and before it. cut reports that
// the mapping may go on beyond the unit.
func (s *scan) siblingKind(l yamlLine) (kind string, cut bool) {
	b := s.src
	i := min(l.hi+1, len(b))
	closed := false
	for i < len(b) {
		end := lineEnd(b, i)
		n := s.parseYAML(i, end)
		s.steps -= end - i
		if s.steps < 0 {
			return "Secret", false
		}
		if n.content < end {
			if n.indent < l.indent || n.item && n.dash < l.indent || bytes.HasPrefix(b[i:end], []byte("---")) {
				closed = true
				break
			}
			if n.indent == l.indent && string(n.key) == "kind" {
				return string(b[n.start:n.end]), false
			}
		}
		i = end + 1
	}
	if l.item {
		return "", !closed
	}
	for end := l.lo - 1; end > 0; {
		start := bytes.LastIndexByte(b[:end], '\n') + 1
		n := s.parseYAML(start, end)
		s.steps -= end - start
		if s.steps < 0 {
			return "Secret", false
		}
		if n.content < end {
			if n.indent < l.indent || bytes.HasPrefix(b[start:end], []byte("---")) {
				return "", !closed
			}
			if n.indent == l.indent && string(n.key) == "kind" {
				return string(b[n.start:n.end]), false
			}
			if n.item && n.dash < l.indent && n.indent == l.indent {
				return "", !closed
			}
		}
		end = start - 1
	}
	return "", !closed || s.strict
}

// yamlNameBehind looks at the line behind an item's value for the name of a secret variable.
func (s *scan) yamlNameBehind(l yamlLine) bool {
	b := s.src
	if l.hi+1 >= len(b) {
		return false
	}
	n := s.parseYAML(l.hi+1, lineEnd(b, l.hi+1))
	return !n.item && n.indent == l.indent && string(n.key) == "name" && secretVariable(b[n.start:n.end])
}
