package stackparse

import "bytes"

// A copied is what shows that a dump was copied out of a page, a mail or a terminal, and what that did to its lines.
type copied struct {
	// margin precedes the first line of the cause: blanks that a list, a quotation or a YAML block has before each of
	// its lines; marked reports that there is any, or that markup is: "`fatal error: …", "<pre>SIGQUIT: quit".
	margin []byte
	marked bool
	// double reports that there is an empty line behind each line: what came with CRLF through a tool that takes both
	// for a line's end.
	double        bool
	first, behind int64 // the first and the last of these empty lines
}

// betweenLines reports whether an empty line inside a goroutine is one of those between all lines. No header of a
// goroutine has an empty line behind it by itself.
func (p *Parser) betweenLines() bool {
	b, c := &p.block, &p.copied
	switch {
	case !c.double:
		c.double = b.last == p.num-1 && b.depth == 0 && b.pending == pendNone && b.remark < 0
		c.first = p.num
	case c.behind == p.num-1:
		return false
	case b.depth > 0 && b.at == b.last-1: // a frame's lines follow each other
		c.double = false
	}
	if c.double {
		c.behind, p.empty = p.num, p.num
	}
	return c.double
}

// listed reports whether a line that follows the first header and an empty line is no call, so that the empty line was
// not one of those between all lines: the headers alone were listed.
func (c *copied) listed(num int64, line []byte) bool {
	if !c.double || c.first != num-1 || isFuncLine(line) {
		return false
	}
	c.double = false
	return true
}

// causeLine passes a line outside goroutines on to those who look for a cause, without what precedes it in a copy.
func (p *Parser) causeLine(text, stamp []byte) {
	c := &p.copied
	if c.marked && startsCause(text) {
		c.marked = false // the one before was a sentence
	}
	if p.where == outside && p.cause.cur == nil && len(text) > 0 {
		n := markupBefore(text)
		if c.marked = n > 0 && startsCause(text[n:]); c.marked {
			if c.margin = c.margin[:0]; len(bytes.TrimLeft(text[:n], " \t")) == 0 {
				c.margin = append(c.margin, text[:n]...)
			}
			text = text[n:]
		}
	} else if c.marked {
		text = bytes.TrimPrefix(text, c.margin)
	}
	p.cause.line(text, p.num, stamp)
}

// marks reports whether blanks before a header are those before the cause.
func (c *copied) marks(blanks []byte) bool {
	return c.marked && len(blanks) > 0 && bytes.Equal(blanks, c.margin)
}

// maxQuoted is how many lines behind a cause with markup before it a goroutine follows at most.
const maxQuoted = 16

// of returns the cause of a header in line num that is indented that far. What precedes a cause precedes the goroutines
// too: otherwise it is a sentence about another one.
func (c *copied) of(cause *Cause, indent int, num int64) *Cause {
	if c.marked && cause != nil && cause.LogLine == "" &&
		(indent != len(c.margin) || indent == 0 && num-cause.Line > maxQuoted) {
		cause = nil
	}
	c.marked = false
	return cause
}

// markupBefore is the length of the blanks, quotes and tags that text begins with.
func markupBefore(text []byte) int {
	n := len(text) - len(bytes.TrimLeft(text, " \t`\"'"))
	for n < len(text) && text[n] == '<' {
		if rest, ok := bytes.CutPrefix(text[n:], []byte("<![CDATA[")); ok {
			return len(text) - len(rest)
		}
		end := bytes.IndexByte(text[n:min(len(text), n+maxTag)], '>')
		if end < 0 {
			break
		}
		n += end + 1
	}
	return n
}

// maxTag is how long a tag may be: <failure message="Failed" type="">.
const maxTag = 256
