// Package markup reads small languages: templates, records, markers.
package markup

import "errors"

// A Lexer cuts a template into tokens.
type Lexer struct {
	in     string
	pos    int
	Tokens int
}

// Lex cuts all of a text.
func Lex(in string) (int, error) {
	l := &Lexer{in: in}
	for l.pos < len(l.in) {
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	return l.Tokens, nil
}

// next reads one token: a word, space, or text in quotes.
func (l *Lexer) next() error {
	switch c := l.in[l.pos]; {
	case c == '"':
		if end := l.quoted(); end > 0 {
			l.pos = end
			l.Tokens++
		}
	case c == 0:
		return errors.New("a zero byte")
	default:
		l.pos++
		if c == ' ' {
			l.Tokens++
		}
	}
	return nil
}

// quoted is where the text in quotes ends, 0 where it is not closed.
func (l *Lexer) quoted() int {
	for i := l.pos + 1; i < len(l.in); i++ {
		if l.in[i] == '"' {
			return i + 1
		}
	}
	return 0
}

// Number reads a number of seven bits a byte.
func Number(in []byte) (v uint64, n int) {
	for i, b := range in {
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// Records counts the records of a message: a length, then as many bytes.
func Records(in []byte) (count int) {
	for len(in) > 0 {
		size, n := Number(in)
		skip := int(size) + n
		if skip > len(in) {
			skip = 0 // the rest comes with the next message
		}
		in = in[skip:]
		count++
	}
	return count
}

// A Node is a part of a tree of markers.
type Node struct {
	Name   string
	Parent *Node
	Next   *Node
}

// Root is the outermost node of a tree.
func (n *Node) Root() *Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// Expand replaces $NAME by values until none is left.
func Expand(text string, values map[string]string) string {
	for {
		at := dollar(text)
		if at < 0 {
			return text
		}
		end := at + 1
		for end < len(text) && text[end] >= 'A' && text[end] <= 'Z' {
			end++
		}
		text = text[:at] + values[text[at+1:end]] + text[end:]
	}
}

func dollar(text string) int {
	for i := range len(text) {
		if text[i] == '$' {
			return i
		}
	}
	return -1
}
