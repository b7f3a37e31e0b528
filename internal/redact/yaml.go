package redact

import (
	"bytes"
	"strings"
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

// secretList begins the line by which a list in YAML says that its items, which may lack a kind, are Secrets.
var secretList = []byte("\nkind: SecretList")

func (s *scan) yamlLines() {
	b := s.src
	if bytes.Contains(b, secretList) || bytes.HasPrefix(b, secretList[1:]) {
		defer func(was bool) { s.secrets = was }(s.secrets)
		s.secrets = true
	}
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
	deeper := l.indent > y.indent && !(l.item && l.dash <= y.indent)
	if y.mode == hideScalars && l.key == nil && l.indent > y.indent && (!l.item || l.dash >= y.indent) {
		if !s.secretValue(keyPassword, l.start, trimQuote(s.src, l.start, l.end), false) {
			s.text(lo, hi)
		}
		return
	}
	if y.mode != hideNothing && y.mode != hideScalars && deeper {
		s.hiddenLine(l)
		return
	}
	y.mode = hideNothing
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
		s.flow(lo, l.start, hi, false)
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
		switch {
		case l.start == l.end && s.yamlSecret(l):
			y.mode, y.indent, y.inner = hideSecret, l.indent, 0
			return
		case l.start < l.end && b[l.start] == '{' && s.yamlSecret(l):
			s.flow(l.lo, l.start, l.hi, true)
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
	default:
		s.learnMember(l.key, v)
	}
	if kind == keyPlain {
		s.flow(l.lo, l.start, l.hi, false)
		return
	}
	s.text(l.content, l.colon)
	if l.block {
		if kind.secret() {
			y.mode, y.indent = hideBlock, l.indent
		}
		return
	}
	if l.start == l.end && kind.sure() {
		y.mode, y.indent = hideScalars, l.indent
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
	case (v[0] == '|' || v[0] == '>') && len(v) <= 4:
		l.block, l.end = true, i
	case v[0] == '"' || v[0] == '\'':
		l.start, l.end, l.quoted = i+1, l.hi, v[0]
		if end := bytes.LastIndexByte(v[1:], v[0]); end >= 0 {
			l.end = i + 1 + end
		}
	}
}

// yamlSecret reports whether the mapping that holds the member l is a Secret: its kind may come before or after it.
func (s *scan) yamlSecret(l yamlLine) bool {
	kind, found, over := s.kindBeyond(l, true, 0)
	if !found && !l.item {
		before, found, begun := s.kindBeyond(l, false, 0)
		kind, over = before, found || over && (begun || !s.strict)
	}
	return kind == "Secret" || kind == "" && (s.secrets || !over && s.strict)
}

// kindBeyond looks for the member kind of the mapping that l is a member of, in the lines behind it or before it. over
// reports that the mapping ends there, and not with the unit. column is where the lines of YAML begin.
func (s *scan) kindBeyond(l yamlLine, behind bool, column int) (kind string, found, over bool) {
	b := s.src
	for lo, hi := l.lo-column, lineEnd(b, l.lo); ; {
		if behind {
			if lo = hi + 1; lo >= len(b) {
				return "", false, false
			}
			hi = lineEnd(b, lo)
		} else {
			if hi = lo - 1; hi <= 0 {
				return "", false, false
			}
			lo = bytes.LastIndexByte(b[:hi], '\n') + 1
		}
		n := s.parseYAML(min(lo+column, hi), hi)
		if s.steps -= hi - lo; s.steps < 0 {
			return "Secret", true, true
		}
		begins := n.item && n.dash < l.indent // an item of a list around the mapping, or its own first line
		switch {
		case n.content >= hi:
		case n.indent < l.indent || bytes.HasPrefix(b[n.lo:hi], []byte("---")) || behind && begins:
			return "", false, true
		case n.indent != l.indent:
		case string(n.key) == "kind":
			return string(b[n.start:n.end]), true, true
		case begins:
			return "", false, true
		}
	}
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

// flow redacts src[lo:hi] of a line of YAML, where a collection in YAML's own brackets may begin at at; drop says that
// its values are a Secret's.
func (s *scan) flow(lo, at, hi int, drop bool) {
	if b := s.src; at < hi && (b[at] == '[' || b[at] == '{' && (drop || flowMapping(b[at:hi]))) {
		s.text(lo, at)
		lo, _ = s.tree(at, hi, 0, true, drop)
	}
	s.text(lo, hi)
}

// trimQuote is where the scalar b[start:end] ends without a quote at its end.
func trimQuote(b []byte, start, end int) int {
	if end > start && (b[end-1] == '"' || b[end-1] == '\'') {
		return end - 1
	}
	return end
}

// blockLine redacts a line of YAML within other text that has a secret's key and its value in the lines below, or the
// data of a Secret, and those lines. It reports whether the line is one of these.
func (s *scan) blockLine(lo, hi int) bool {
	b, y := s.src, &s.yaml
	if y.mode != hideNothing {
		at := min(lo+y.column, hi)
		l := s.parseYAML(at, hi)
		if l.content < l.hi && l.indent > y.indent {
			s.text(lo, at)
			s.yamlLine(at, hi)
			return true
		}
		y.mode, y.column = hideNothing, 0
	}
	end := hi
	for end > lo && (b[end-1] == ' ' || b[end-1] == '\r') {
		end--
	}
	if end == lo || strings.IndexByte(":|>-+", b[end-1]) < 0 {
		return false
	}
	if bytes.HasSuffix(b[lo:end], []byte("ata:")) && s.manifest(lo, end) {
		return true
	}
	l := s.parseYAML(lo, end)
	if kind := kindOfKey(l.key); !kind.sure() || !l.block && l.start < l.end {
		return false
	}
	s.yamlLine(lo, hi)
	return true
}

// manifestKind is the line that makes a manifest in a log a Secret's.
var manifestKind = []byte("kind: Secret")

// manifest reports whether the line src[lo:hi] begins the data of a Secret's manifest that a log holds, behind a prefix
// as wide in each line. The lines below are hidden then.
func (s *scan) manifest(lo, hi int) bool {
	b := s.src
	at := lo + bytes.LastIndexByte(b[lo:hi], ' ') + 1
	if key := string(b[at:hi]); key != "data:" && key != "stringData:" || !bytes.Contains(b, manifestKind) {
		return false
	}
	l := s.parseYAML(at, hi)
	before, _, _ := s.kindBeyond(l, false, at-lo)
	behind, _, _ := s.kindBeyond(l, true, at-lo)
	if before != "Secret" && behind != "Secret" {
		return false
	}
	s.text(lo, hi)
	s.yaml = yamlState{mode: hideSecret, column: at - lo}
	return true
}
