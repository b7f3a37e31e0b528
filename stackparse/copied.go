package stackparse

import "bytes"

// A copyMarks is what shows that a dump was copied out of a page, a mail or a terminal, and what that did to its lines.
type copyMarks struct {
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
	stack, c := &p.stack, &p.copied
	switch {
	case !c.double:
		c.double = stack.lastNum == p.num-1 && stack.depth == 0 && stack.pending == pendNone && stack.remarkNum < 0
		c.first = p.num
	case c.behind == p.num-1:
		return false
	case stack.depth > 0 && stack.pendingNum == stack.lastNum-1: // a frame's lines follow each other
		c.double = false
	}
	if c.double {
		c.behind, p.lastEmpty = p.num, p.num
	}
	return c.double
}

// listed reports whether a line that follows the first header and an empty line is no call, so that the empty line was
// not one of those between all lines: the headers alone were listed.
func (c *copyMarks) listed(num int64, line []byte) bool {
	if !c.double || c.first != num-1 || isFuncLine(line) {
		return false
	}
	c.double = false
	return true
}

// causeLine passes a line outside goroutines on to those who look for a cause, without what precedes it in a copy.
func (p *Parser) causeLine(text, stamp []byte) {
	c := &p.copied
	if c.marked && c.leaves(text) {
		c.marked, p.cause.cur = false, nil // the one before was a sentence
	} else if c.marked && startsCause(text) {
		c.marked = false
	}
	if p.position == outside && p.cause.cur == nil && len(text) > 0 {
		n := markupBefore(text)
		if c.marked = n > 0 && startsCause(text[n:]); c.marked {
			if c.margin = c.margin[:0]; isBlank(text[:n]) {
				c.margin = append(c.margin, text[:n]...)
			}
			text = text[n:]
		}
	} else if c.marked {
		text = bytes.TrimPrefix(text, c.margin)
	}
	p.cause.line(text, p.num, stamp)
}

// leaves reports whether a line is not behind the margin that all lines of a copy have.
func (c *copyMarks) leaves(text []byte) bool {
	return !bytes.HasPrefix(text, c.margin) && len(bytes.TrimSpace(text)) > 0
}

// inPanic reports whether a header behind some text is a part of the panic's text that is being read. Since Go 1.23 the
// lines of that are indented, and true headers are not. A cause that is behind a margin or markup may be a sentence: it
// takes no header but one that is behind the margin too.
func (p *Parser) inPanic(before []byte) bool {
	c := &p.copied
	if !c.marked {
		return p.cause.open() || len(before) > 0 && isBlank(before) && p.cause.inText()
	}
	indent, within := bytes.CutPrefix(before, c.margin)
	if within && len(indent) == 0 {
		return len(c.margin) > 0 && p.cause.open()
	}
	return within && indent[0] == '\t' && isBlank(indent) && p.cause.inText()
}

func isBlank(text []byte) bool { return len(bytes.TrimLeft(text, " \t")) == 0 }

// maxQuoted is how many lines behind a cause with markup before it a goroutine follows at most.
const maxQuoted = 16

// check drops the cause of a header that is indented that far where it is a sentence about another goroutine: what
// precedes a cause precedes the goroutines too.
func (c *copyMarks) check(cause *causeTracker, indent int, num int64) {
	if cur := cause.cur; c.marked && cur != nil && cur.LogLine == "" &&
		(indent != len(c.margin) || indent == 0 && num-cur.Line > maxQuoted) {
		cause.cur = nil
	}
	c.marked = false
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
