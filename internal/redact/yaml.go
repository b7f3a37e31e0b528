package redact

import "bytes"

// maxFlow bounds the scalars of a line's flow collections that are looked at.
const maxFlow = 4096

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
		switch {
		case l.start == l.end && s.yamlSecret(l):
			y.mode, y.indent, y.inner = hideSecret, l.indent, 0
			return
		case l.start < l.end && b[l.start] == '{' && s.yamlSecret(l):
			s.dropFlow(flowScalars(b[:l.hi], l.start), l.lo, l.hi)
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
	if l.start == l.end && kind.secret() && kind != keyName && kind != keyAuth {
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
	kind, found, over := s.kindBeyond(l, true)
	if !found && !l.item {
		before, found, begun := s.kindBeyond(l, false)
		kind, over = before, found || over && (begun || !s.strict)
	}
	return kind == "Secret" || kind == "" && (s.secrets || !over && s.strict)
}

// kindBeyond looks for the member kind of the mapping that l is a member of, in the lines behind it or before it. over
// reports that the mapping ends there, and not with the unit.
func (s *scan) kindBeyond(l yamlLine, behind bool) (kind string, found, over bool) {
	b := s.src
	for lo, hi := l.lo, l.hi; ; {
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
		n := s.parseYAML(lo, hi)
		if s.steps -= hi - lo; s.steps < 0 {
			return "Secret", true, true
		}
		begins := n.item && n.dash < l.indent // an item of a list around the mapping, or its own first line
		switch {
		case n.content >= hi:
		case n.indent < l.indent || bytes.HasPrefix(b[lo:hi], []byte("---")) || behind && begins:
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

// flow redacts src[lo:hi] of a line of YAML. Where a collection in YAML's own brackets begins at at, values are
// replaced whose neighbours identify them: {name: API_TOKEN, value: x} and ["--password", "x"].
func (s *scan) flow(lo, at, hi int) {
	if at < hi && (s.src[at] == '{' || s.src[at] == '[') {
		if found := flowData(s.src[:hi], at); len(found) > 0 {
			s.dropFlow(found, lo, hi)
			return
		}
		for _, v := range flowSecrets(s.src[:hi], at) {
			s.text(lo, v[0])
			s.secretValue(keyPassword, v[0], v[1], false)
			lo = v[0]
		}
	}
	s.text(lo, hi)
}

// flowSecrets goes over the scalars of the flow collections at b[i:], which is the rest of a line, and returns where
// the secret values are, in order; none where the line holds JSON, which is read as such.
func flowSecrets(b []byte, i int) (found [][2]int) {
	flag := false // the scalar before was --password
	// Of the mapping under way: its name is that of a secret variable, where its value is, and the key at hand.
	secret, value, key := false, [2]int{}, ""
	for range maxFlow {
		if i = skipSpace(b, i, len(b)); i >= len(b) {
			return found
		}
		switch c := b[i]; c {
		case '{', '}':
			i++
			if k := skipSpace(b, i, len(b)); c == '{' && k < len(b) && b[k] == '"' {
				return nil
			}
			if c == '}' && secret && value[1] > 0 {
				found = append(found, value)
			}
			flag = flag && c == '}'
			secret, value, key = false, [2]int{}, ""
		case '[', ']', ',':
			i++
			key = ""
		default:
			var start, end int
			start, end, i = flowScalar(b, i)
			v := b[start:end]
			if k := skipSpace(b, i, len(b)); k < len(b) && b[k] == ':' {
				key, i = string(v[:min(len(v), maxKey)]), k+1
				continue
			}
			switch {
			case flag:
				found = append(found, [2]int{start, end})
			case key == "name":
				secret = secretVariable(v)
			case key == "value":
				value = [2]int{start, end}
			}
			flag = !flag && key == "" && secretFlag(v)
		}
	}
	return found
}

// dropFlow drops the values of a Secret at those places of a line, and redacts what is around them.
func (s *scan) dropFlow(values [][2]int, lo, hi int) {
	for _, v := range values {
		s.text(lo, v[0])
		s.dropValue(v[0], v[1])
		lo = max(v[1], s.from)
	}
	s.text(lo, hi)
}

// flowScalars returns where the scalars of the flow mapping at b[i:] are that are no keys.
func flowScalars(b []byte, i int) (found [][2]int) {
	for depth := 0; len(found) < maxFlow; {
		if i = skipSpace(b, i, len(b)); i >= len(b) {
			return found
		}
		switch b[i] {
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth--; depth == 0 {
				return found
			}
			i++
		case ',':
			i++
		default:
			var start, end int
			start, end, i = flowScalar(b, i)
			if k := skipSpace(b, i, len(b)); k < len(b) && b[k] == ':' {
				i = k + 1
				continue
			}
			found = append(found, [2]int{start, end})
			i = max(i, end)
		}
	}
	return found
}

// flowData returns where the values of data and stringData are in the Secret that the flow mapping at b[i:] is; none
// where it is none.
func flowData(b []byte, i int) (found [][2]int) {
	secret, key, depth := false, "", 0
	for range maxFlow {
		if i = skipSpace(b, i, len(b)); i >= len(b) {
			break
		}
		switch c := b[i]; c {
		case '{', '[':
			if depth == 1 && (key == "data" || key == "stringData") {
				found = append(found, flowScalars(b, i)...)
			}
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',':
			i++
		default:
			start, end, next := flowScalar(b, i)
			v := b[start:end]
			if i = next; depth == 1 {
				if k := skipSpace(b, i, len(b)); k < len(b) && b[k] == ':' {
					key, i = string(v[:min(len(v), maxKey)]), k+1
					continue
				}
				secret = secret || key == "kind" && string(v) == "Secret"
			} else if k := skipSpace(b, i, len(b)); k < len(b) && b[k] == ':' {
				i = k + 1
			}
		}
	}
	if !secret {
		return nil
	}
	return found
}

// trimQuote is where the scalar b[start:end] ends without a quote at its end.
func trimQuote(b []byte, start, end int) int {
	if end > start && (b[end-1] == '"' || b[end-1] == '\'') {
		return end - 1
	}
	return end
}

// flowScalar returns where the scalar at b[i] is without its quotes, and where to go on.
func flowScalar(b []byte, i int) (start, end, next int) {
	if q := b[i]; q == '"' || q == '\'' {
		if k := bytes.IndexByte(b[i+1:], q); k >= 0 {
			return i + 1, i + 1 + k, i + 2 + k
		}
		return i + 1, len(b), len(b)
	}
	for end = i; end < len(b) && bytes.IndexByte([]byte("{}[],"), b[end]) < 0; end++ {
		if b[end] == ':' && (end+1 == len(b) || b[end+1] == ' ') && end > i {
			break
		}
	}
	return i, len(bytes.TrimRight(b[:end], " ")), end
}
