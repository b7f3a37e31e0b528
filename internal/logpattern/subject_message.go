package logpattern

import (
	"bytes"
	"strings"
)

// subjectOfMessage looks for a kind's word with a name behind it, then for "namespace/name", then for a quoted name.
func subjectOfMessage(text []byte, sh *shape, s *tokenScan) subject {
	late := noSubject // a broad kind, taken where nothing better comes
	slashed, quoted, marked := -1, -1, -1
	for i := range s.n {
		if !sh.msg.holds(s.tokens[i]) {
			continue
		}
		word := s.word(text, i)
		if sub := kindPath(word, i); sub.nameTok >= 0 {
			return sub
		}
		if i+1 < s.n && sh.msg.holds(s.tokens[i+1]) && joined(text[s.tokens[i].end:s.tokens[i+1].start]) {
			next := s.word(text, i+1)
			gap := text[s.tokens[i].end:s.tokens[i+1].start]
			if sub := goStruct(text, sh, s, i); sub.nameTok >= 0 {
				return sub
			}
			if kind, ok := kindWord(word); ok && isSubjectName(next, gap) &&
				(hasSign(next) || bareName(kind) || inNamespace(text, sh, s, i+1)) {
				sub := namedBy(i+1, kind)
				if !isBroad(singular(strings.ToLower(kind))) {
					return sub.behind(text, s, slashed)
				}
				if late.nameTok < 0 {
					late = sub
				}
			}
		}
		switch {
		case !isName(word):
		case slashed < 0 && isNamespaced(word):
			slashed = i
		case quoted < 0 && isQuoted(text, s.tokens[i]) && hasSign(word):
			quoted = i
		case marked < 0 && s.tokens[i].marked && bytes.IndexByte(word, '-') > 0 && bytes.IndexByte(word, '/') < 0:
			marked = i
		}
	}
	if late.nameTok >= 0 {
		return late
	}
	for _, tok := range []int{slashed, quoted, marked} {
		if tok >= 0 {
			return namedBy(tok, "")
		}
	}
	return noSubject
}

// namedBy is the subject that a word names, of a kind or of an unknown one.
func namedBy(tok int, kind string) subject {
	return subject{kind: kind, kindTok: -1, nsTok: -1, nameTok: tok}
}

// behind settles which of two names a line is about: earlier is the word "namespace/name" before sub's, -1 for none.
// A name that comes first is what the line is about (`error syncing 'prod/web': secret "tls" not found`); sub gives
// its kind where both are one.
func (sub subject) behind(text []byte, s *tokenScan, earlier int) subject {
	if earlier < 0 {
		return sub
	}
	first := namedBy(earlier, "")
	if _, name, _ := bytes.Cut(s.word(text, earlier), []byte("/")); bytes.Equal(name, s.word(text, sub.nameTok)) {
		first.kind = sub.kind
	}
	return first
}

// joined accepts what may be between a kind and its name: a blank, quotes, a colon, a bracket.
func joined(gap []byte) bool {
	if len(gap) == 0 || len(gap) > 4 {
		return false
	}
	quotes := 0
	for _, c := range gap {
		switch c {
		case '"', '\'', '`':
			quotes++
		case ' ', '\\', ':', '=', '[', '(':
		default:
			return false
		}
	}
	return quotes < 2 // an empty name
}

// goStruct reads what %#v prints of a reference, from word i on: `Kind:"Pod", Namespace:"prod", Name:"web-0"`.
func goStruct(text []byte, sh *shape, s *tokenScan, i int) subject {
	sub := noSubject
	const reach = 8 // words; a v1.ObjectReference has the three at its front
	for ; i+1 < min(s.n, i+reach) && sh.msg.holds(s.tokens[i+1]); i++ {
		gap := text[s.tokens[i].end:s.tokens[i+1].start]
		if len(gap) == 0 || gap[0] != ':' || len(gap) > 3 {
			if sub == noSubject {
				return sub
			}
			continue
		}
		switch string(s.word(text, i)) {
		case "Kind":
			sub.kindTok = i + 1
		case "Namespace":
			sub.nsTok = i + 1
		case "Name":
			if isName(s.word(text, i+1)) {
				sub.nameTok = i + 1
				return sub
			}
		default:
			if sub == noSubject {
				return sub
			}
		}
	}
	return noSubject
}

// maxKind is longer than any kind of an API with its group.
const maxKind = 128

// kindWord reads a word as a kind: one of kinds whatever its case, "deployments.apps", or a name in CamelCase.
func kindWord(word []byte) (string, bool) {
	if len(word) > maxKind {
		return "", false
	}
	var buf [maxKind]byte
	w := string(lower(buf[:0], word))
	if known(w) {
		return string(word), true
	}
	if group := strings.IndexByte(w, '.'); group > 0 && known(w[:group]) {
		return string(word[:group]), true
	}
	if len(word) < 5 || word[0] < 'A' || word[0] > 'Z' {
		return "", false
	}
	humps := 0
	for i, c := range word {
		switch {
		case 'a' <= c && c <= 'z':
		case 'A' <= c && c <= 'Z':
			if i > 0 && word[i-1] >= 'a' {
				humps++
			}
		default:
			return "", false
		}
	}
	return string(word), humps > 0 && !isNoName(w)
}

// isSubjectName accepts the word behind a kind: with a sign of a name, quoted, or no word of sentences.
func isSubjectName(word, gap []byte) bool {
	if !isName(word) || isNoName(strings.ToLower(string(word))) {
		return false
	}
	if hasSign(word) || bytes.ContainsAny(gap, "\"'`") {
		return true
	}
	// A bare word: only in lower case ("release web"), and not a verb's form.
	return len(word) > 2 && allBytes(word, isLower) && !bytes.HasSuffix(word, []byte("ing")) &&
		!bytes.HasSuffix(word, []byte("ed")) && !bytes.HasSuffix(word, []byte("ly"))
}

// bareName reports that a word without a sign of a name may follow kind: "release web", but not "cluster membership".
func bareName(kind string) bool {
	k := strings.ToLower(kind)
	return known(k) && !isBroad(k) && !isBroad(singular(k))
}

// inNamespace reports whether "in namespace prod" follows a name: then any word is one.
func inNamespace(text []byte, sh *shape, s *tokenScan, name int) bool {
	if name+3 >= s.n || !sh.msg.holds(s.tokens[name+3]) {
		return false
	}
	return string(s.word(text, name+1)) == "in" && string(s.word(text, name+2)) == "namespace" &&
		isName(s.word(text, name+3))
}

// kindPath reads "Deployment/web", "deployment.apps/web" and "Deployment/prod/web" as kind and name.
func kindPath(word []byte, i int) subject {
	slash := bytes.IndexByte(word, '/')
	if slash < 2 || !isName(word) || slash+1 == len(word) {
		return noSubject
	}
	kind, ok := kindWord(word[:slash])
	if !ok && isCapitalised(word[:slash]) && isLowerName(word[slash+1:]) {
		kind, ok = string(word[:slash]), true
	}
	if name := word[slash+1:]; ok && kind == strings.ToLower(kind) && (!isName(name) || kind == "application") {
		return noSubject // "policy/v1beta1", "application/json"
	}
	low := strings.ToLower(kind)
	if !ok || isBroad(singular(low)) && kind == low && strings.HasSuffix(kind, "s") {
		return noSubject
	}
	return namedBy(i, "/"+kind) // the name begins behind the kind: see nameOf
}

// isCapitalised accepts a kind of one hump: "Website".
func isCapitalised(word []byte) bool {
	return len(word) > 2 && isUpper(word[0]) && allBytes(word[1:], isLower)
}

// isLowerName accepts a name as Kubernetes wants it, with a sign that it is one.
func isLowerName(word []byte) bool {
	inName := func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' || c == '.' || c == '/' }
	return len(word) > 2 && word[0] >= 'a' && allBytes(word, inName) && isName(word) && hasSign(word)
}

func isQuoted(text []byte, t token) bool {
	if t.start == 0 || int(t.end) >= len(text) {
		return false
	}
	a, b := text[t.start-1], text[t.end]
	return (a == '\'' || a == '"' || a == '`') && (b == a || b == '\\')
}
