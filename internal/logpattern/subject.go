package logpattern

import (
	"cmp"
	"strings"
)

// A subject is the words of a form that name what the line is about.
type subject struct {
	kind    string
	kindTok int // the word that gives the kind, -1 where kind is fixed
	nsTok   int // the word that gives the namespace, -1 for none
	nameTok int // the word that gives the name or "namespace/name", -1 for no subject
}

var noSubject = subject{kindTok: -1, nsTok: -1, nameTok: -1}

// subjectOf finds what a line is about: fields first, then the message.
func subjectOf(text []byte, sh *shape, s *tokenScan) subject {
	fields, rank := subjectOfFields(text, sh, s)
	if fields.nameTok >= 0 && rank < rankBroad {
		return fields
	}
	if sub := subjectOfMessage(text, sh, s); sub.nameTok >= 0 {
		if sub.nsTok < 0 {
			sub.nsTok = namespaceTok(text, sh, s, sub.nameTok)
		}
		return sub
	}
	if fields.nameTok >= 0 {
		return fields
	}
	return subjectOfError(text, sh, s)
}

// subjectOfError looks into the error's text: klog's "Unhandled Error" has everything there.
func subjectOfError(text []byte, sh *shape, s *tokenScan) subject {
	for i := range sh.fields {
		if f := &sh.fields[i]; f.key == "err" || f.key == "error" {
			inside := *sh
			inside.msg, inside.fields = f.value, nil
			return subjectOfMessage(text, &inside, s)
		}
	}
	return noSubject
}

// namespaceTok is the word that gives the namespace of a name in the message: "… in namespace prod", or a field.
func namespaceTok(text []byte, sh *shape, s *tokenScan, name int) int {
	const reach = 4 // words behind the name: "web-0 in the namespace prod"
	for i := name + 1; i+1 < min(s.n, name+reach+1) && sh.msg.holds(s.tokens[i+1]); i++ {
		if string(s.word(text, i)) == "namespace" && joined(text[s.tokens[i].end:s.tokens[i+1].start]) &&
			isName(s.word(text, i+1)) {
			return i + 1
		}
	}
	for i := range sh.fields {
		if role, kind, _ := roleOfKey(sh.fields[i].key); role == keyNamespace && kind == "" {
			if tok := onlyToken(sh.fields[i].value, s); tok >= 0 && isName(s.word(text, tok)) {
				return tok
			}
		}
	}
	return -1
}

// rankBroad is the rank of keys that many lines have beside what they are about.
const rankBroad = 5

// nameOf reads the object that a line names, its words given.
func (sub subject) nameOf(text []byte, s *tokenScan) (kind, namespace, name string) {
	kind = cmp.Or(string(s.word(text, sub.kindTok)), sub.kind)
	namespace, name = string(s.word(text, sub.nsTok)), string(s.word(text, sub.nameTok))
	if k, ok := strings.CutPrefix(kind, "/"); ok {
		kind = k
		_, name, _ = strings.Cut(name, "/")
	}
	if i := strings.IndexByte(name, '/'); i > 0 {
		namespace = cmp.Or(namespace, name[:i])
		if namespace == name[:i] {
			name = name[i+1:]
		}
	}
	return clip(kind), clip(namespace), clip(name)
}

func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxName)], "") }
