package redact

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

const (
	// maxValues bounds how many different values get pseudonyms of their own; a busy ingress's access log has some
	// 100,000 addresses. Further ones share number 0.
	maxValues = 2_000_000
	// longValue is the length from which a value is remembered by its hash: keys and certificates have kilobytes.
	longValue = 64
)

// pseudonyms gives out numbers, one sequence a class, in order of appearance. A number reveals nothing of its value,
// unlike a hash: those of the four billion IPv4 addresses are computed in minutes.
type pseudonyms struct {
	mu     sync.Mutex
	values map[Class]map[string]string // value → pseudonym
	last   map[Class]int
	total  int
	seen   map[Class]int64
	out    io.Writer
	err    error
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[c]++
	if len(value) < longValue {
		if name, ok := p.values[c][string(value)]; ok {
			return name
		}
		return p.add(c, string(value), value)
	}
	sum := sha256.Sum256(value)
	if name, ok := p.values[c][string(sum[:])]; ok {
		return name
	}
	return p.add(c, string(sum[:]), value)
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

// assign gives a value a pseudonym before it is met.
func (p *pseudonyms) assign(c Class, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.values[c][value]; !ok && len(value) < longValue {
		p.add(c, value, []byte(value))
	}
}

// alias gives value the pseudonym of another, where it has none of its own.
func (p *pseudonyms) alias(c Class, value, of string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	name, ok := p.values[c][of]
	if _, taken := p.values[c][value]; ok && !taken && len(value) < longValue && p.total < maxValues {
		p.note(c, value, []byte(value), name)
	}
}

func (p *pseudonyms) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[Secret]++
}

func (p *pseudonyms) mapError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *pseudonyms) counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := Counts{}
	for class, n := range p.seen {
		c[class] = Count{Replaced: n, Distinct: len(p.values[class])}
	}
	return c
}

func (c Count) text(class Class) string {
	s := strconv.FormatInt(c.Replaced, 10) + " " + string(class)
	if c.Distinct > 0 {
		s += " (" + strconv.Itoa(c.Distinct) + " different)"
	}
	return strings.TrimSpace(s)
}

// avoid makes numbers begin behind that of word, a pseudonym that the text has already: an earlier copy's, or a host
// that is called so.
func (p *pseudonyms) avoid(word []byte) {
	i := strings.LastIndexByte(string(word), '-')
	if i < 0 {
		return
	}
	n, err := strconv.Atoi(string(word[i+1:]))
	if err != nil || n > maxNumberGiven {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[Class(word[:i])] = max(p.last[Class(word[:i])], n)
}

// maxNumberGiven keeps a made up number from making ours longer than maxNumber.
const maxNumberGiven = 9_999_999 - maxValues
