package redact

import (
	"bytes"
	"encoding/base64"
	"io"
	"math"
	"regexp"
	"sync"
)

// A second look at what was written, by rules that know nothing of how the first worked: what looks like a secret by
// its key, its form or its randomness, and is no pseudonym. It replaces nothing; people decide.

// maxLeftovers bounds how many places a Summary names; LeftCount counts all.
const maxLeftovers = 100

// An inspector looks at one file of a copy as it is written.
type inspector struct {
	w    io.Writer
	path string
	sum  *Summary
	line int64
	part []byte // of a line that is not complete
	// lower is the buffer for the lines in small letters.
	lower []byte
}

// maxInspected bounds how much of a line is looked at.
const maxInspected = 64 << 10

// Write writes p and looks at the lines that are complete.
func (in *inspector) Write(p []byte) (int, error) {
	n, err := in.w.Write(p)
	in.part = append(in.part, p[:n]...)
	whole := bytes.LastIndexByte(in.part, '\n') + 1
	in.look(in.part[:whole])
	rest := in.part[whole:]
	in.part = append(in.part[:0], rest[:min(len(rest), maxInspected)]...)
	return n, err
}

// end looks at a last line without a line break.
func (in *inspector) end() {
	if len(in.part) > 0 {
		in.look(append(in.part, '\n'))
	}
}

// A suspect is one kind of text that looks like a secret: a mark that is in each such line, in small letters, and the
// expression whose first group is the secret.
type suspect struct {
	kind, mark string
	form       func() *regexp.Regexp
	byForm     bool // the form alone shows what it is
}

var suspects = []suspect{
	{"a JSON Web Token", "eyj", onUse(`\b(eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})`), true},
	{"credentials in a URL", "://", onUse(`://[^/\s:@"']*:([^/\s:@"']{3,})@`), true},
	{"a private key", "private key-----", onUse(`PRIVATE KEY-----(?:\\n|\s)*([A-Za-z0-9+/=]{16,})`), true},
	keyedBy("a password field", "pass", `pass(?:word|wd|phrase)?`),
	keyedBy("a secret field", "secret", `secret`),
	keyedBy("a token field", "token", `token`),
	keyedBy("a key field", "key", `(?:api|access|private|account|signing|encryption)[_-]?key`),
}

// onUse compiles an expression when it is asked for the first time; it is nil for "".
func onUse(expression string) func() *regexp.Regexp {
	if expression == "" {
		return nil
	}
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// keyedBy matches a value of eight characters or more behind a key that ends so.
func keyedBy(what, mark, key string) suspect {
	form := onUse(`(?i)` + key + `["'\\]*\s*[:=]\s*["'\\]*([^\s"'\\,;&<>(){}\[\]]{8,})`)
	return suspect{"the value of " + what, mark, form, false}
}

// look notes what in the lines looks like a secret, once a line.
func (in *inspector) look(lines []byte) {
	in.lower = append(in.lower[:0], lines...)
	for i, c := range in.lower {
		if c >= 'A' && c <= 'Z' {
			in.lower[i] = c | 0x20
		}
	}
	var likely []suspect
	for _, s := range suspects {
		if bytes.Contains(in.lower, []byte(s.mark)) {
			likely = append(likely, s)
		}
	}
	for at := 0; at < len(lines); {
		end := lineEnd(lines, at)
		stop := min(end, at+maxInspected)
		in.line++
		if kind := kindOfLine(lines[at:stop], in.lower[at:stop], likely); kind != "" {
			add(&in.sum.Left, &in.sum.LeftCount, maxLeftovers, Note{Place{in.path, in.line}.String(), kind})
		}
		at = end + 1
	}
}

func kindOfLine(line, lower []byte, likely []suspect) string {
	for _, s := range likely {
		if bytes.Contains(lower, []byte(s.mark)) {
			if m := s.form().FindSubmatch(line); m != nil && suspicious(m[1], s.byForm) {
				return s.kind
			}
		}
	}
	if randomWord(line) {
		return "a random word"
	}
	return ""
}

// suspicious reports whether a value is no pseudonym, placeholder or plain word; by form, whether its form alone shows
// what it is.
func suspicious(v []byte, byForm bool) bool {
	if pseudonym(v) || string(v) == Dropped || noSecret(v) || bytes.Contains(v, []byte("token-")) ||
		bytes.Contains(v, []byte("password-")) || bytes.Contains(v, []byte("pem-")) {
		return false
	}
	name := dnsName(v) && bytes.ContainsAny(v, "-.")
	return byForm || bytes.ContainsAny(v, "0123456789") && !name && bytes.IndexByte(v, '/') < 0
}

const (
	// minRandom is how long a word must be to be called random by its letters alone, and minEntropy how many bits its
	// characters carry in the mean: base64 of 18 random bytes has 24 characters and 4.2 bits; names of Go functions of
	// that length have under 4, hashes in hex at most 4 and no capitals.
	minRandom  = 24
	minEntropy = 4.1
	// maxRandom bounds the words that are called random: longer base64 holds text, certificates or compressed data,
	// which detectors know.
	maxRandom = 256
)

// randomWord reports whether a line has a word of letters and digits that looks drawn at random: capitals, small
// letters and digits, often changing from one to the other. Compressed text, and text in base64, the first look has
// decoded.
func randomWord(line []byte) bool {
	for i := 0; i < len(line); {
		if !isAlnum(line[i]) {
			i++
			continue
		}
		if bytes.HasPrefix(line[i:], gzipped64) {
			i = run(line, i, len(line), isBase64)
			continue
		}
		end := i + 1
		for end < len(line) && isAlnum(line[end]) {
			end++
		}
		if n := end - i; n >= minRandom && n <= maxRandom && drawn(line[i:end]) && !readable(line[i:end]) &&
			!digest(line[:i]) {
			return true
		}
		i = end
	}
	return false
}

// digest reports whether what precedes a word says that it is a hash: of a page's parts, of Go's modules.
func digest(before []byte) bool {
	before = before[max(0, len(before)-128):] // the hash's other pieces: + and / divide its words
	before = before[bytes.LastIndexAny(before, " \t\"'")+1:]
	for _, mark := range []string{"sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "h1:"} {
		if bytes.HasPrefix(before, []byte(mark)) {
			return true
		}
	}
	return false
}

// readable reports whether a word is text in base64.
func readable(word []byte) bool {
	text, err := base64.RawStdEncoding.DecodeString(string(word[:len(word)/4*4]))
	return err == nil && printable(text)
}

// drawn accepts letters and digits that change often from one to the other, none of which prevails.
func drawn(word []byte) bool {
	m, changes, was := makeupOf(word), 0, makeup{small: 1}
	var count [256]int
	for i, c := range word {
		count[c]++
		if is := makeupOf(word[i : i+1]); is != was {
			was = is
			changes++
		}
	}
	n, bits := float64(len(word)), 0.0
	for _, k := range count {
		if k > 0 {
			bits -= float64(k) / n * math.Log2(float64(k)/n)
		}
	}
	return m.small >= 3 && m.digits >= 2 && m.capitals >= 3 && float64(changes) >= n/3 && bits >= minEntropy
}
