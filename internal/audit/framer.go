package audit

import (
	"bytes"
	"errors"
	"io"

	"github.com/gotriage/triage/internal/jsonspan"
)

const (
	readSize = 1 << 20
	// defaultMaxLine is an event's largest size: a LIST of 440 pods at level RequestResponse has 1.18 MB, so that one
	// of all pods of a cluster of 10,000 has 27 MB.
	defaultMaxLine = 32 << 20
	// listHead is how far into a value the bracket of its list of events is looked for: only metadata comes before it.
	listHead = 64 << 10
)

// A framer cuts an input into JSON values: lines, values over many lines, elements of a list larger than memory.
type framer struct {
	r        io.Reader
	buf      []byte
	pos, end int
	eof      bool
	err      error // what ended the input where that wasn't its end
	line     int64 // of the byte at pos, 1-based
	max      int

	inList bool // other values may follow on the line

	long   int64 // values over max, left out
	bytes  int64
	wasted int64 // bytes looked at for lists and values over several lines that weren't there
}

// mayScan bounds what is looked at in vain: hostile lines could each begin a walk through the rest of the input.
func (f *framer) mayScan() bool { return f.wasted <= maxWaste+2*f.bytes }

const maxWaste = 16 << 20

func newFramer(r io.Reader, maxLine int) *framer {
	return &framer{r: r, line: 1, max: maxLine, buf: make([]byte, min(readSize, maxLine))}
}

// next returns the next value, or a line that holds none, with the number of its first line; nil at the end. What it
// returns is valid until the next call.
func (f *framer) next() (doc []byte, line int64) {
	for f.skip() {
		c := f.buf[f.pos]
		line = f.line
		switch {
		case c == '"': // a member behind the list of an object
			f.skipLine()
			continue
		case f.inList && f.mayScan() && (c == '{' || c == '['):
			if doc = f.whole(); doc != nil {
				return doc, line
			}
			f.inList = false
			if !f.eof {
				f.long++
			}
			continue
		case c == '[' && f.mayScan():
			f.pos++
			f.inList = true
			continue
		}
		n, more := f.lineLength()
		if !more {
			break
		}
		text := bytes.TrimRight(f.buf[f.pos:f.pos+n], " \t\r\n,")
		if line, f.inList = f.line, false; c == '{' && text[len(text)-1] != '}' && f.mayScan() {
			if f.openList() {
				continue
			}
			if len(text) == 1 {
				if doc = f.whole(); doc != nil {
					return doc, line
				}
				return []byte{'{'}, line
			}
		}
		f.take(n)
		return text, line
	}
	return nil, 0
}

// whole takes the value at pos; nil where it breaks off or is over max, and then its first line.
func (f *framer) whole() (doc []byte) {
	n := f.extent()
	if n < 0 {
		f.wasted += int64(f.end - f.pos)
		f.skipLine()
		return nil
	}
	doc = f.buf[f.pos : f.pos+n]
	f.take(n)
	return doc
}

// lineLength returns the length of the line at pos with its newline. A line over max is left out; one that begins a
// list is opened as such, for it may never end.
func (f *framer) lineLength() (n int, more bool) {
	scanned, tried := 0, false
	for {
		if j := bytes.IndexByte(f.buf[f.pos+scanned:f.end], '\n'); j >= 0 {
			return scanned + j + 1, true
		}
		scanned = f.end - f.pos
		if scanned >= listHead && !tried {
			tried = true
			if n, _ := listStart(f.buf[f.pos : f.pos+listHead]); n >= 0 && f.buf[f.pos] == '{' {
				return scanned, true
			}
		}
		if f.fill() {
			continue
		}
		if f.eof || f.err != nil {
			return scanned, scanned > 0
		}
		f.long++
		if !f.skipLine() {
			return 0, false
		}
		scanned, tried = 0, false
	}
}

func (f *framer) skipLine() bool {
	for {
		if j := bytes.IndexByte(f.buf[f.pos:f.end], '\n'); j >= 0 {
			f.take(j + 1)
			return true
		}
		f.pos = f.end
		if !f.fill() {
			return false
		}
	}
}

func (f *framer) take(n int) {
	f.line += int64(bytes.Count(f.buf[f.pos:f.pos+n], []byte{'\n'}))
	f.pos += n
}

// fill makes room and reads until the buffer is full; false where there is nothing more, or no more room.
func (f *framer) fill() bool {
	if f.eof || f.err != nil {
		return false
	}
	if f.pos > 0 {
		f.end = copy(f.buf, f.buf[f.pos:f.end])
		f.pos = 0
	}
	if f.end == len(f.buf) {
		if len(f.buf) >= f.max {
			return false
		}
		grown := make([]byte, min(2*len(f.buf), f.max))
		copy(grown, f.buf[:f.end])
		f.buf = grown
	}
	n, err := io.ReadFull(f.r, f.buf[f.end:])
	f.end += n
	f.bytes += int64(n)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.eof = true
	case err != nil:
		f.err = err
	}
	return n > 0
}

// openList enters the list that the object at pos holds.
func (f *framer) openList() bool {
	for f.end-f.pos < listHead && f.fill() {
	}
	n, looked := listStart(f.buf[f.pos:min(f.end, f.pos+listHead)])
	if n < 0 {
		f.wasted += int64(looked)
		return false
	}
	f.take(n)
	f.inList = true
	return true
}

// listStart returns the position behind the bracket of the list that is in the object that begins b; -1 where there is
// none. looked is how far it looked.
func listStart(b []byte) (pos, looked int) {
	pos = -1
	end := jsonspan.EachMember(b, 0, func(key []byte, v int) int {
		if b[v] == '[' && (string(key) == "items" || string(key) == "events" || string(key) == "logEvents" ||
			string(key) == "entries") {
			pos = v + 1
			return jsonspan.Cut // nothing more is looked for
		}
		return 0
	})
	if end < 0 {
		end = len(b)
	}
	return pos, max(pos, end)
}

// extent is the length of the value at pos, -1 where it breaks off or is over max.
func (f *framer) extent() int {
	for {
		n := jsonspan.SkipValue(f.buf[f.pos:f.end], 0)
		if n >= 0 && (f.pos+n < f.end || f.eof) {
			return n
		}
		if !f.fill() {
			return n
		}
	}
}

// skip steps over what is between values: white space, commas and closing brackets; false where nothing is left.
func (f *framer) skip() bool {
	for {
		i := f.pos
		for ; i < f.end && (jsonspan.IsSpace(f.buf[i]) || f.buf[i] == ',' || f.buf[i] == ']' || f.buf[i] == '}'); i++ {
			f.inList = f.inList && f.buf[i] != ']'
		}
		f.take(i - f.pos)
		if f.pos < f.end {
			return true
		}
		if !f.fill() {
			return false
		}
	}
}
