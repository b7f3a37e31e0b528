package audit

import (
	"bytes"
	"io"

	"github.com/gotriage/triage/internal/jsonspan"
)

const (
	readSize = 1 << 20
	// defaultMaxLine is an event's largest size: a LIST of 440 pods at level RequestResponse has 1.18 MB, so that one
	// of all pods of a cluster of 10,000 has 27 MB.
	defaultMaxLine = 32 << 20
	// listHead is how far into a value the bracket of its list of events is looked for: only metadata comes before it.
	listHead = jsonspan.MaxAhead
)

// A framer cuts an input into JSON values: lines, values over many lines, elements of a list larger than memory.
type framer struct {
	jsonspan.Window
	inList bool  // other values may follow on the line
	long   int64 // values over the limit, left out
	wasted int64 // bytes looked at for lists and values over several lines that weren't there
}

// mayScan bounds what is looked at in vain: hostile lines could each begin a walk through the rest of the input.
func (f *framer) mayScan() bool { return f.wasted <= maxWaste+2*f.Bytes }

const maxWaste = 16 << 20

func newFramer(r io.Reader, maxLine int) *framer {
	return &framer{Window: jsonspan.Window{R: r, Limit: maxLine, Drop: true,
		Buf: make([]byte, 0, min(readSize, maxLine+2*listHead))}}
}

// next returns the next value, or a line that holds none, with the number of its first line; nil at the end. What it
// returns is valid until the next call.
func (f *framer) next() (doc []byte, line int64) {
	for f.skip() {
		f.Begin()
		c := f.Buf[f.Pos]
		line = f.Line + 1
		switch {
		case c == '"': // a member behind the list of an object
			f.SkipLine()
			continue
		case f.inList && f.mayScan() && (c == '{' || c == '['):
			if doc = f.whole(); doc != nil {
				return doc, line
			}
			f.inList = false
			if !f.Ended {
				f.long++
			}
			continue
		case c == '[' && f.mayScan():
			f.Pos++
			f.inList = true
			continue
		}
		// A list that begins a long line is entered before the line's end, which may never come.
		if head := f.Ahead(listHead); c != '{' || len(head) < listHead || bytes.IndexByte(head, '\n') >= 0 ||
			!f.openList() {
			if doc = f.text(c); doc != nil {
				return doc, line
			}
		}
	}
	return nil, 0
}

// text returns the line at Pos, or the value that begins on it and goes on; nil where it opens a list, or is too long.
func (f *framer) text(c byte) []byte {
	f.SkipLine()
	text, long := f.Item()
	if long {
		f.long++
		return nil
	}
	text = bytes.TrimRight(text, " \t\r\n,")
	if f.inList = false; c != '{' || text[len(text)-1] == '}' || !f.mayScan() {
		return text
	}
	n := len(text)
	if f.Pos = f.Mark; f.openList() {
		return nil
	}
	if n == 1 {
		if doc := f.whole(); doc != nil {
			return doc
		}
		return []byte{'{'}
	}
	f.SkipLine()
	text, _ = f.Item()
	return bytes.TrimRight(text, " \t\r\n,")
}

// whole takes the value at Pos; nil where it breaks off or is over the limit, and then its first line.
func (f *framer) whole() []byte {
	err := f.Skip(jsonspan.Skipper{})
	doc, long := f.Item()
	if err == nil && !long {
		return doc
	}
	f.wasted += int64(len(f.Buf) - f.Mark)
	if !long {
		f.Pos = f.Mark
	}
	f.SkipLine()
	return nil
}

// openList enters the list that the object at Pos holds.
func (f *framer) openList() bool {
	n, looked := jsonspan.ListIn(f.Ahead(listHead), "items", "events", "logEvents", "entries")
	if n < 0 {
		f.wasted += int64(looked)
		return false
	}
	f.Pos += n + 1
	f.inList = true
	return true
}

// skip steps over what is between values: white space, commas and closing brackets; false where nothing is left.
func (f *framer) skip() bool {
	for f.Space() {
		switch f.Buf[f.Pos] {
		case ']':
			f.inList = false
		case ',', '}':
		default:
			return true
		}
		f.Pos++
	}
	return false
}
