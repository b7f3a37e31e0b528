package redact

import (
	"bytes"
	"encoding/base64"
)

// maxKey bounds what of a key is looked at: of longer ones, the end.
const maxKey = 64

// A keyKind is what the name of a key shows of its value.
type keyKind uint8

const (
	keyPlain    keyKind = iota
	keyPassword         // a password
	keyOther            // a private key, a secret of another kind
	keyToken            // a token, a cookie, a credential of a request
	keyName             // "secret": its value may as well be the name of a Secret
	keyAuth             // "auth" alone: credentials where it looks like them
	keyHeader           // Authorization: a scheme precedes the credentials
	keyCookie           // Cookie, Set-Cookie: the rest of the line
	keyDir              // PWD: a folder, most often
	keyData             // a member of a Secret's data
	keyHost             // a host's or node's name
	keyQuery            // a parameter of a URL's query, and nothing elsewhere
	keyMachine          // the id of a machine
	keyUser             // a person's name
)

func (k keyKind) secret() bool { return k != keyPlain && k < keyHost }

// sure reports keys whose value is a secret, whatever it looks like.
func (k keyKind) sure() bool { return k.secret() && k != keyName && k != keyAuth }

// kindOfKey goes by what a key's name ends in: DB_PASSWORD, spring.datasource.password, clientSecret, tls.key,
// X-Auth-Token.
func kindOfKey(raw []byte) keyKind {
	if len(raw) > maxKey {
		raw = raw[len(raw)-maxKey:]
	}
	var buf [maxKey]byte
	n := 0
	for _, c := range raw {
		switch {
		case isSeparator(c):
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		buf[n] = c
		n++
	}
	for n > 0 && isDigit(buf[n-1]) {
		n--
	}
	if n < 3 {
		return keyPlain
	}
	k := buf[:n]
	for _, e := range tables().keys[k[n-1]] {
		if string(k) == e.text || !e.whole && ends(k, e.text) {
			if e.text == "secret" && ends(raw, "SECRET") { // a variable of the environment: it holds no name
				return keyOther
			}
			if e.of.kind == keyHost && pseudonym(raw) { // a host that has its pseudonym already
				return keyPlain
			}
			return e.of.kind
		}
	}
	if ends(k, "pass") && (n < len(raw) && isSeparator(raw[len(raw)-len("pass")-1]) || ends(raw, "Pass")) {
		return keyPassword
	}
	return keyPlain
}

func isSeparator(c byte) bool { return c == '-' || c == '_' || c == '.' || c == '/' }

func ends[T []byte | string](k T, end string) bool {
	return len(k) >= len(end) && string(k[len(k)-len(end):]) == end
}

// class returns the class of the value of such a key.
func (k keyKind) class() Class {
	switch k {
	case keyToken, keyHeader, keyCookie, keyAuth, keyQuery:
		return Token
	case keyMachine:
		return Machine
	case keyUser:
		return User
	case keyData:
		return Secret
	}
	return Password
}

// noSecret reports values that mean the absence of a secret or name where one lies.
func noSecret(v []byte) bool {
	return len(v) == 0 || pseudonym(v) || pathLike(v) || len(v) <= maxNoSecret && noSecretForm().Match(v) ||
		bytes.ContainsAny(v, "<{$[") && placeholder().Match(v)
}

// maxNoSecret is the length of the longest value that a word or the name of a file is.
const maxNoSecret = 128

// noSecretForm are words for nothing, what other tools leave (***, xxxx, [REDACTED], ***HIDDEN***, %!s), and names of
// files in which secrets lie.
var noSecretForm = onUse(`(?s)^(?:(?i:all|true|false|null|nil|none|yes|no|unset|string|redacted|undefined|required|` +
	`optional|hidden|masked|~|-|0|1)|[*xX[](?:[*xX[\]]*(?i:hidden|redacted)?[*xX[\]]*)|%.{0,3}|` +
	`[\w./@%~+!-]+\.(?:pem|key|crt|cert|json|yaml|yml|csv|txt|conf))$`)

// placeholder is what stands for a value: <password>, {{ .Values.x }}, $(DB_PASSWORD), ${DB_PASSWORD}. A random value
// may begin so, but rarely ends with what closes it.
var placeholder = onUse(`(?s)^(?:<|<.*>|\{.*\}|\{.?|\{[{"\\].*|\$\(.*\))$|\$\{.*\}|^map\[|^\[\]`)

// pathLike accepts absolute paths of the folders in which secrets are mounted; a random value may begin with a slash
// too.
func pathLike(v []byte) bool {
	if v[0] != '/' {
		return false
	}
	root, rest, ok := bytes.Cut(v[1:], []byte("/"))
	return has(secretRoots, root) && (ok || len(root) == len(v)-1) && !chosen(rest)
}

// A makeup counts what a value is made of.
type makeup struct{ digits, capitals, small, other int }

func makeupOf(v []byte) (m makeup) {
	for _, c := range v {
		switch {
		case isDigit(c):
			m.digits++
		case !isAlpha(c):
			m.other++
		case c < 'a':
			m.capitals++
		default:
			m.small++
		}
	}
	return m
}

// chosen accepts one word with capitals, small letters and digits, as passwords have them and names of files do not.
func chosen(v []byte) bool {
	m := makeupOf(v)
	return m.digits > 0 && m.capitals > 0 && m.small > 0 && m.other == 0
}

var secretRoots = wordSet("etc var run opt usr home root tmp mnt srv data secrets proc dev sys app config certs")

// proseSecret decides whether what follows `key: ` in the middle of a sentence is a value: "invalid password: mismatch"
// has none.
func proseSecret(k keyKind, v []byte) bool {
	if len(v) < 3 || v[len(v)-1] == ':' {
		return false
	}
	return drawnValue(v) || k == keyPassword && !has(afterPassword, lower(v))
}

// afterPassword are words that follow "password:" in sentences.
var afterPassword = wordSet("authentication failed invalid not error mismatch the hash must cannot missing " +
	"expired incorrect wrong rpc unable could access permission user was has should too request unauthorized for " +
	"and but please can't length empty failure unexpected denied secret secrets context")

// random reports generated values, not words and names: digits among letters, several digits, or many letters.
func random(v []byte) bool {
	m := makeupOf(v)
	return !bytes.ContainsAny(v, "/:(") && (len(v) >= 32 && m.other <= 2 ||
		len(v) >= 6 && (m.digits > 0 && m.capitals+m.small > 0 && m.other == 0 || m.digits > 3))
}

// drawnValue accepts values that are hardly names or words: letters and digits, and few other characters.
func drawnValue(v []byte) bool {
	m := makeupOf(v)
	return random(v) || len(v) >= 6 && m.digits > 0 && m.capitals+m.small > 0 && 4*m.other <= len(v) && !dnsName(v) &&
		v[0] != '/' && bytes.IndexByte(v, ' ') < 0
}

// machineID accepts hexadecimal ids and serial numbers.
func machineID(v []byte) bool {
	return len(v) >= 8 && len(v) <= 64 && bytes.ContainsAny(v, "0123456789") && run(v, 0, len(v), isWord) == len(v)
}

// objectName accepts NAMESPACE/NAME: what klog prints of a Secret it works on.
func objectName(v []byte) bool {
	ns, name, ok := bytes.Cut(v, []byte("/"))
	return ok && dnsName(ns) && dnsName(name)
}

func dnsName(v []byte) bool {
	return len(v) > 0 && !bytes.ContainsFunc(v, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	})
}

// secretFlag accepts an element of a command line whose next element is a secret: --password.
func secretFlag(v []byte) bool {
	if len(v) < 4 || v[0] != '-' || bytes.IndexByte(v, '=') >= 0 {
		return false
	}
	k := kindOfKey(bytes.TrimLeft(v, "-"))
	return k.secret() && k != keyName && k != keyDir
}

// secretVariable accepts names of environment variables that hold secrets.
func secretVariable(v []byte) bool {
	k := kindOfKey(v)
	return k.secret() && k != keyDir
}

// basicCredentials accepts base64 of user:password.
func basicCredentials(v []byte) bool {
	if len(v) > 4096 {
		return true
	}
	plain, err := base64.StdEncoding.DecodeString(string(v))
	if err != nil {
		plain, err = base64.RawURLEncoding.DecodeString(string(v))
	}
	return err == nil && bytes.IndexByte(plain, ':') >= 0
}
