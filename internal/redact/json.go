package redact

import (
	"bytes"
	"strings"
)

// A frame is an object or array that is being read.
type frame struct {
	object bool
	kind   string // the object's kind, "" while it isn't known
	// drop marks an object all of whose values are a Secret's; byDefault, that objects in it without a kind are
	// Secrets: the elements of a SecretList, the bodies of an audit event about secrets.
	drop, byDefault bool
	// refers marks one that names the resource secrets: its parent's other members are about one.
	refers bool
	hidden keyKind // of an array: what its strings are
	// patch marks an operation of a JSON patch on a Secret's values.
	patch bool
	env   bool // the object's name is that of a secret variable, or the array's last element a secret's flag
}

// maxFrames bounds nesting; kube-apiserver refuses objects that are deeper than 10,000, real ones reach 30.
const maxFrames = 512

// object reads the JSON object at i, whose quotes have that many backslashes, and redacts what is in it. It returns
// where to go on; whole is false where that is in the middle, because what is there is no JSON or is cut.
func (s *scan) object(i, hi, slashes int) (end int, whole bool) {
	var room [16]frame
	stack := append(room[:0], frame{object: true, byDefault: s.secrets})
	b := s.src
	for i++; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if i = skipSpace(b, i, hi); i >= hi {
			return hi, false
		}
		switch c := b[i]; {
		case c == ',':
			i++
			continue
		case c == '}' && top.object, c == ']' && !top.object:
			refers := top.refers
			stack = stack[:len(stack)-1]
			if refers && len(stack) > 0 {
				stack[len(stack)-1].byDefault = true
			}
			i++
			continue
		}
		kind, key := top.hidden, []byte(nil)
		if top.object {
			start, end, value, ok := s.memberAt(i, hi, slashes)
			if !ok {
				return value, false
			}
			s.text(start, end)
			key, i = b[start:end], value
			kind = kindOfKey(key)
		}
		if i >= hi {
			return hi, false
		}
		if b[i] != '{' && b[i] != '[' {
			var ok bool
			if i, ok = s.scalar(top, key, kind, i, hi, slashes); !ok {
				return i, false
			}
			continue
		}
		if string(key) == "MESSAGE" && b[i] == '[' && slashes == 0 {
			if end := s.byteArray(i, hi); end > 0 {
				i = end
				continue
			}
		}
		if len(stack) >= maxFrames {
			return i + 1, false
		}
		stack = append(stack, s.inner(top, key, kind, i, hi, slashes))
		i++
	}
	return i, true
}

// inner is the frame of the object or array that begins at i, the value of key in parent.
func (s *scan) inner(parent *frame, key []byte, kind keyKind, i, hi, slashes int) frame {
	f := frame{object: s.src[i] == '{', drop: parent.drop, byDefault: parent.byDefault}
	if !f.object && kind.secret() && kind != keyName {
		f.hidden = kind
	}
	switch string(key) {
	case "data", "stringData", "binaryData":
		if f.drop || !f.object {
			break
		}
		if parent.kind == "" { // it may follow the data: encoders sort keys
			parent.kind = s.kindBehind(i, hi, slashes)
		}
		f.drop = parent.kind == "Secret" || parent.kind == unknownKind || parent.kind == "" && parent.byDefault
	case "value":
		f.drop = f.drop || parent.patch
	case "items":
		if !f.object && parent.kind == "" {
			parent.kind = s.kindBehind(i, hi, slashes)
		}
	}
	if parent.kind == "SecretList" || parent.kind == unknownKind {
		f.byDefault = true
	}
	return f
}

// unknownKind is what can't be found out, because the text ends or looking on would cost too much.
const unknownKind = "?"

// stringAt returns where the text of the string at i begins and ends: both are -1 where there is none, end where what
// is read ends in it.
func (s *scan) stringAt(i, hi, slashes int) (start, end int) {
	if n, quoted := quoteAt(s.src, i, hi); !quoted || n != slashes {
		return -1, -1
	}
	start = i + slashes + 1
	return start, closing(s.src, start, hi, slashes)
}

// memberAt finds the bounds of the key that begins at i and where its value begins; ok is false where there is no
// member, and end -1 then where the text ends in the key.
func (s *scan) memberAt(i, hi, slashes int) (start, end, value int, ok bool) {
	start, end = s.stringAt(i, hi, slashes)
	switch {
	case start < 0:
		return i, i, i, false
	case end < 0:
		return start, end, start, false
	}
	value = skipSpace(s.src, end+slashes+1, hi)
	if value >= hi || s.src[value] != ':' {
		return start, end, start, false
	}
	return start, end, skipSpace(s.src, value+1, hi), true
}

// kindBehind looks for the member "kind" behind the value at i, in the same object.
func (s *scan) kindBehind(i, hi, slashes int) string {
	b, start := s.src, i
	defer func() { s.steps -= i - start }()
	cut := ""
	if s.strict {
		cut = unknownKind
	}
	for {
		if i = s.skipValue(i, hi, slashes); i < 0 {
			i = hi
			return cut
		}
		for i = skipSpace(b, i, hi); i < hi && b[i] == ','; {
			i = skipSpace(b, i+1, hi)
		}
		if s.steps < i-start {
			return unknownKind
		}
		if i >= hi {
			return cut
		}
		from, to, value, ok := s.memberAt(i, hi, slashes)
		if to < 0 {
			i = hi
			return cut
		}
		if !ok {
			return ""
		}
		if i = value; string(b[from:to]) == "kind" {
			if from, to = s.stringAt(i, hi, slashes); to < 0 {
				return ""
			}
			return string(b[from:to])
		}
	}
}

// skipValue returns where the value at i ends, -1 where it doesn't.
func (s *scan) skipValue(i, hi, slashes int) int {
	b, depth := s.src, 0
	for start := i; i < hi && i-start <= s.steps; i++ {
		switch c := b[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return i
			}
			if depth == 0 {
				return i + 1
			}
		case c == ',' && depth == 0:
			return i
		case c == '"' || c == '\\':
			start, end := s.stringAt(i, hi, slashes)
			if start < 0 {
				continue
			}
			if end < 0 {
				return -1
			}
			if i = end + slashes; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// scalar redacts the string, number or word at i, the value of key in f or an element of f.
func (s *scan) scalar(f *frame, key []byte, kind keyKind, i, hi, slashes int) (next int, ok bool) {
	b := s.src
	start, end := s.stringAt(i, hi, slashes)
	if start < 0 {
		end = i
		for end < hi && (charClass[b[end]]&isWord != 0 || b[end] == '+') {
			end++
		}
		if end == i {
			return i, false
		}
		if isDigit(b[i]) && (f.drop || kind.secret() && kind != keyName && kind != keyAuth) {
			class, quote := kind.class(), strings.Repeat(`\`, slashes)+`"`
			if f.drop {
				class = Secret
			}
			s.replace(i, end, quote+s.t.names.of(class, b[i:end])+quote)
		}
		return end, true
	}
	if end < 0 {
		return start, false
	}
	s.str(f, key, kind, start, end, hi, slashes)
	return end + slashes + 1, true
}

func (s *scan) str(f *frame, key []byte, kind keyKind, start, end, hi, slashes int) {
	v := s.src[start:end]
	if f.drop {
		s.dropValue(start, end)
		return
	}
	if s.pem.active && s.pemString(start, end) {
		return
	}
	if !f.object {
		if f.env && !bytes.HasPrefix(v, []byte("-")) {
			kind = keyPassword
		}
		f.env = secretFlag(v)
	}
	switch string(key) {
	case "kind":
		f.kind = string(v)
	case "name", "key": // CRI's variables have keys
		f.env = secretVariable(v)
	case "value":
		if f.patch {
			s.dropValue(start, end)
			return
		}
		if f.env || s.nameBehind(end+slashes+1, hi, slashes) {
			kind = keyPassword
		}
	case "path":
		f.patch = f.byDefault && (bytes.HasPrefix(v, []byte("/data")) || bytes.HasPrefix(v, []byte("/stringData")))
	case "resource":
		f.refers = f.refers || string(v) == "secrets"
	default:
		s.learnMember(key, v)
	}
	if kind != keyPlain && s.secretValue(kind, start, end, false) {
		return
	}
	s.text(start, end)
}

// dropValue empties a value of a Secret.
func (s *scan) dropValue(start, end int) {
	if start < end && string(s.src[start:end]) != Dropped {
		s.replace(start, end, s.t.names.of(Secret, nil))
	}
}

// nameBehind looks for a member "name" behind a value, with the name of a secret variable.
func (s *scan) nameBehind(i, hi, slashes int) bool {
	i = skipSpace(s.src, i, hi)
	if i >= hi || s.src[i] != ',' {
		return false
	}
	start, end, value, ok := s.memberAt(skipSpace(s.src, i+1, hi), hi, slashes)
	if !ok || string(s.src[start:end]) != "name" {
		return false
	}
	start, end = s.stringAt(value, min(hi, value+slashes+256), slashes)
	return start < end && secretVariable(s.src[start:end])
}
