package redact

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Class is what a redacted value is. Its text is a pseudonym's first part.
type Class string

// The classes.
const (
	IP       Class = "ip"       // IPv4 and IPv6 addresses, those of networks too
	MAC      Class = "mac"      // hardware addresses
	Host     Class = "host"     // nodes, hosts and domains
	Mail     Class = "mail"     // e-mail addresses
	Token    Class = "token"    // what grants access by itself: JWTs, API keys, cookies, a URL's credentials
	Password Class = "password" // values of keys that are named like a password or another secret
	PEM      Class = "pem"      // private keys and certificates
	Machine  Class = "machine"  // ids of machines
	User     Class = "user"     // names of users in paths
	Word     Class = "word"     // what Options.Hide names
	// Secret counts values that were dropped because they are a Secret's: they have no pseudonym, all read Dropped.
	Secret Class = "secret"
)

// Dropped replaces the values of a Kubernetes Secret. It is made of base64's letters and of a length that base64
// allows, so that a redacted Secret can still be decoded as one.
const Dropped = "redacted"

func classes() []Class {
	return []Class{IP, MAC, Host, Mail, Token, Password, PEM, Machine, User, Word, Secret}
}

// Counts is how many values were replaced, by class, and how many different ones there were.
type Counts map[Class]Count

// A Count is that of one class.
type Count struct {
	Replaced int64 // occurrences
	Distinct int   // pseudonyms given out
}

// String lists the counts in a fixed order: "12 ip (3 different), 1 secret".
func (c Counts) String() string {
	var parts []string
	for _, class := range classes() {
		n, ok := c[class]
		switch {
		case n.Distinct > 0:
			parts = append(parts, fmt.Sprintf("%d %s (%d different)", n.Replaced, class, n.Distinct))
		case ok:
			parts = append(parts, fmt.Sprintf("%d %s", n.Replaced, class))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// pseudonym reports whether word is one of ours, so that redacting twice changes nothing.
func pseudonym(word []byte) bool {
	if string(word) == Dropped {
		return true
	}
	i := bytes.LastIndexByte(word, '-')
	if i < 2 || i == len(word)-1 || len(word)-i > maxNumber || !allDigits(word[i+1:]) {
		return false
	}
	return slices.Contains(classes(), Class(word[:i])) && Class(word[:i]) != Secret
}

const (
	// maxValues bounds how many different values get pseudonyms of their own; a busy ingress's access log has some
	// 100,000 addresses. Further ones share number 0.
	maxValues = 2_000_000
	// longValue is the length from which a value is remembered by its hash: keys and certificates have kilobytes.
	longValue = 64
	// maxNumber is the length of a pseudonym's number with its hyphen: maxValues has seven digits.
	maxNumber = 8
	// maxNumberGiven keeps a made up number from making ours longer than maxNumber.
	maxNumberGiven = 9_999_999 - maxValues
)

// pseudonyms gives out numbers, one sequence a class, in order of appearance. A number reveals nothing of its value,
// unlike a hash: those of the four billion IPv4 addresses are computed in minutes.
type pseudonyms struct {
	values map[Class]map[string]string // value → pseudonym
	last   map[Class]int
	total  int
	seen   map[Class]int64
	out    io.Writer
	err    error // of out
}

func newPseudonyms(out io.Writer) *pseudonyms {
	p := &pseudonyms{values: map[Class]map[string]string{}, last: map[Class]int{}, seen: map[Class]int64{}, out: out}
	for _, c := range classes() {
		p.values[c] = map[string]string{}
	}
	return p
}

// of returns the pseudonym of a value, a new one where it has none yet, and counts the replacement.
func (p *pseudonyms) of(c Class, value []byte) string {
	p.seen[c]++
	if c == Secret {
		return Dropped
	}
	key := value
	if len(value) >= longValue {
		sum := sha256.Sum256(value)
		key = sum[:]
	}
	if name, ok := p.values[c][string(key)]; ok {
		return name
	}
	return p.add(c, string(key), value)
}

func (p *pseudonyms) add(c Class, key string, value []byte) string {
	if p.total >= maxValues {
		return string(c) + "-0"
	}
	p.last[c]++
	name := string(c) + "-" + strconv.Itoa(p.last[c])
	p.note(c, key, value, name)
	return name
}

func (p *pseudonyms) note(c Class, key string, value []byte, name string) {
	p.total++
	p.values[c][key] = name
	if p.out != nil && p.err == nil {
		if _, err := fmt.Fprintf(p.out, "%s\t%q\n", name, value); err != nil {
			p.err = fmt.Errorf("writing the map of pseudonyms: %w", err)
		}
	}
}

// assign gives a value a pseudonym before it is met, where it has none: name, or where that is "" a new one. It returns
// the value's pseudonym, "" for none.
func (p *pseudonyms) assign(c Class, value, name string) string {
	known, ok := p.values[c][value]
	switch {
	case ok || len(value) >= longValue || p.total >= maxValues:
		return known
	case name == "":
		return p.add(c, value, []byte(value))
	}
	p.note(c, value, []byte(value), name)
	return name
}

// avoid makes numbers begin behind that of word, a pseudonym that the text has already: an earlier copy's, or a host
// that is called so.
func (p *pseudonyms) avoid(word []byte) {
	i := bytes.LastIndexByte(word, '-')
	if i < 0 {
		return
	}
	n, err := strconv.Atoi(string(word[i+1:]))
	if err != nil || n > maxNumberGiven {
		return
	}
	p.last[Class(word[:i])] = max(p.last[Class(word[:i])], n)
}
