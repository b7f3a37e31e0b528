package logpattern

import "strings"

// keyRole is what a key's value is in naming an object.
type keyRole uint8

const (
	keyNone keyRole = iota
	keyName
	keyNamespace
	keyBoth // "namespace/name"
	keyKind
)

// roleOfKey reads a key: the kind where the key names it, and its rank; the smallest is what the line is about.
func roleOfKey(key string) (r keyRole, kind string, rank int) {
	path, last := "", key
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		path, last = key[:i], key[i+1:]
		if j := strings.LastIndexByte(path, '.'); j >= 0 {
			path = path[j+1:]
		}
	}
	k := plainKey(last)
	if r := qualified[k]; r != keyNone && path != "" {
		if isReference(plainKey(path)) || r == keyKind {
			path = ""
		}
		return r, path, 0
	}
	if r, rank := keyWord(k); r != keyNone {
		return r, "", rank
	}
	if known(k) {
		if isBroad(singular(k)) {
			return keyBoth, last, rankBroad + 1
		}
		return keyBoth, last, 3
	}
	for _, suffix := range []struct {
		text string
		role keyRole
	}{{"namespace", keyNamespace}, {"name", keyName}} {
		if p, ok := strings.CutSuffix(k, suffix.text); ok && known(p) && !isBroad(singular(p)) || ok && isShortKind(p) {
			return suffix.role, last[:len(p)], 4
		}
	}
	return keyNone, "", 0
}

// qualified are the keys that belong to the object around them: "pod.name".
var qualified = map[string]keyRole{"name": keyName, "namespace": keyNamespace, "kind": keyKind}

// keyWord is the role and rank of a key that names an object without its kind, keyNone for any other.
func keyWord(key string) (keyRole, int) {
	switch key {
	case "name", "objectname", "resourcename":
		return keyName, 1
	case "namespace", "ns", "objectnamespace", "resourcenamespace":
		return keyNamespace, 1
	case "key", "object", "obj", "request", "namespacedname", "item", "objectkey", "resourcekey", "ref", "target",
		"nsname":
		return keyBoth, 2
	case "kind", "controllerkind", "reconcilerkind", "objectkind", "resourcekind":
		return keyKind, 1
	case "resource":
		return keyBoth, rankBroad
	}
	return keyNone, 0
}

// rankCustom is the rank of keys that are a kind only by their value: any other name comes first.
const rankCustom = rankBroad + 2

// isNoKind reports a plain key with values that have a slash in the middle and are no objects.
func isNoKind(word string) bool {
	switch word {
	case "path", "file", "filename", "dir", "directory", "url", "uri", "endpoint", "addr", "address", "image",
		"imageid", "repo", "repository", "branch", "tag", "ref", "commit", "revision", "version", "apiversion",
		"groupversion", "gv", "group", "controllergroup", "component", "logger", "caller", "source", "module",
		"package", "pkg", "type", "mediatype", "contenttype", "mimetype", "accept", "useragent", "agent", "method",
		"protocol", "proto", "platform", "os", "arch", "route", "handler", "operation", "action", "topic", "queue",
		"metric", "label", "annotation", "finalizer", "provisioner", "driver", "plugin", "device", "mount",
		"mountpoint", "volumehandle", "socket", "cmd", "command", "args", "error", "err", "msg", "message", "reason",
		"time", "ts", "level", "user", "username", "owner", "team", "rule", "check", "from", "to", "cidr", "subnet",
		"prefix", "bucket", "chart", "template", "status", "state", "phase":
		return true
	}
	return false
}

// isReference reports the key of an object that refers to another: its own name is no kind.
func isReference(word string) bool {
	switch word {
	case "object", "obj", "resource", "involvedobject", "ref", "objectref", "objectreference", "request", "target",
		"item", "metadata", "owner", "parent", "key":
		return true
	}
	return false
}

// isShortKind reports an abbreviation that loggers put before Name and Namespace.
func isShortKind(word string) bool {
	switch word {
	case "catsrc", "sub", "cr", "custom", "parent", "workload", "target":
		return true
	}
	return false
}

func singular(word string) string { return strings.TrimSuffix(word, "s") }

func known(word string) bool {
	return isKind(word) || isKind(singular(word)) || strings.HasSuffix(word, "es") && isKind(word[:len(word)-2])
}

func subjectOfFields(text []byte, sh *shape, s *tokenScan) (sub subject, rank int) {
	best, bestRank := noSubject, 1<<10
	var ns, kindTok = -1, -1
	nsOf := map[string]int{}
	for i := range sh.fields {
		f := &sh.fields[i]
		role, kind, rank := roleOfKey(f.key)
		if role == keyNone && isNoKind(plainKey(f.key)) {
			continue
		}
		tok := onlyToken(f.value, s)
		if tok < 0 {
			continue
		}
		v := s.word(text, tok)
		if role == keyNone {
			// A key that is no kind we know, with "namespace/name" behind it: a custom resource's.
			if !isNamespaced(v) {
				continue
			}
			role, kind, rank = keyBoth, f.key[strings.LastIndexByte(f.key, '.')+1:], rankCustom
		}
		switch role {
		case keyNamespace:
			if isName(v) {
				nsOf[kind] = tok
				if rank <= 1 && kind == "" {
					ns = tok
				}
			}
		case keyKind:
			kindTok = tok
		case keyName, keyBoth:
			if role == keyBoth && rank == 2 && !isNamespaced(v) {
				rank = rankBroad // a request's id, a key of any map
			}
			if !isName(v) || rank >= bestRank {
				continue
			}
			best, bestRank = namedBy(tok, kind), rank
		}
	}
	if best.nameTok < 0 {
		return noSubject, 0
	}
	best.nsTok = ns
	if tok, ok := nsOf[best.kind]; ok {
		best.nsTok = tok
	}
	if best.kind == "" {
		best.kindTok = kindTok
		if kindTok < 0 {
			best.kind = kindInMessage(text, sh, s)
		}
	}
	return best, bestRank
}

// kindInMessage is the last kind in the message, "" for none: "getting history for release".
func kindInMessage(text []byte, sh *shape, s *tokenScan) string {
	for i := s.n - 1; i >= 0; i-- {
		if !sh.msg.holds(s.tokens[i]) {
			continue
		}
		if kind, ok := kindWord(s.word(text, i)); ok && !isBroad(singular(strings.ToLower(kind))) {
			return kind
		}
	}
	return ""
}

// onlyToken is the one word that a value consists of, -1 where there are none or several.
func onlyToken(v span, s *tokenScan) int {
	found := -1
	for i := range s.n {
		if !v.holds(s.tokens[i]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
