package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A Look looks at text before it is offered to a Take, in another goroutine. What it returns is handed on with the
// text. Room is what it returned for some other text that nobody needs any more, nil for none.
type Look func(text []byte, room any) (seen any)

// A Sight is what was seen in a buffer before it is scanned: of plain text what a Look saw, of framed text also the
// goroutines, with their framing taken off.
type Sight struct {
	seen   any
	blocks []sighted
	next   int    // the first that is not behind the scanner
	text   []byte // of the blocks, one behind the other
}

// A sighted is a framed goroutine, whose lines all have the form of its header.
type sighted struct {
	at, end  int // in its buffer, from the header to the line behind the goroutine
	from, to int // in the Sight's text
	stamp    []byte
	form     form
}

// plain returns what was seen in a buffer without framing.
func (s *Sight) plain() any {
	if s == nil || len(s.blocks) > 0 {
		return nil
	}
	return s.seen
}

// find returns the text of the goroutine whose header is being scanned, and what follows it in a buffer of so many
// bytes; nil where it was not seen, or framed otherwise.
func (s *Sight) find(k *joined, size int, at *Place) (text, behind []byte) {
	if s == nil {
		return nil, nil
	}
	for s.next < len(s.blocks) && s.blocks[s.next].at < k.at {
		s.next++
	}
	if s.next == len(s.blocks) {
		return nil, nil
	}
	b := &s.blocks[s.next]
	if b.at != k.at || !b.form.is(&k.form) {
		return nil, nil
	}
	at.End, at.Seen, at.At = b.stamp, s.seen, b.from
	return s.text[b.from:b.to:b.to], k.rest[b.end-(size-len(k.rest)):]
}

// A Scout looks at buffers before they are scanned. It changes nothing: it takes framings off as a Scanner may, and a
// Scanner uses what holds for it. A Scout is used by one goroutine at a time, for any number of buffers.
type Scout struct {
	look  Look
	probe unframer
	line  framed
}

// NewScout returns a Scout that shows text to look.
func NewScout(look Look) *Scout {
	return &Scout{look: look, probe: newUnframer(origin.Origin{}, batch{})}
}

// See looks at a buffer and remembers in m what it saw, in room where that is not nil: a Sight that nobody needs any
// more.
func (c *Scout) See(b []byte, m *Marks, room *Sight) {
	if m.nul || m.esc {
		return
	}
	if room == nil {
		room = &Sight{}
	}
	m.Sight = room
	room.blocks, room.text, room.next = room.blocks[:0], room.text[:0], 0
	if isFramed(b) {
		c.framed(b, m)
	}
	switch {
	case len(room.blocks) > 0:
		room.seen = c.look(room.text, room.seen)
	case !m.backslash:
		room.seen = c.look(b, room.seen)
	default:
		m.Sight = nil
	}
}

// isFramed reports whether the first whole line of a buffer may have a framing.
func isFramed(b []byte) bool {
	i := bytes.IndexByte(b, '\n') + 1
	return i > 0 && i < len(b) && mayFrame[b[i]]
}

// maxHead is how far into a line the header of a goroutine is looked for.
const maxHead = 512

// framed looks for goroutines behind framing.
func (c *Scout) framed(b []byte, m *Marks) {
	for at := 0; ; {
		i := bytes.Index(b[at:], goroutineWord)
		if i < 0 {
			return
		}
		i += at
		from := max(at, i-maxHead)
		if j := bytes.LastIndexByte(b[from:i], '\n'); j >= 0 {
			from += j + 1
		} else if from > at {
			from = i
		}
		for from >= 0 {
			from, at = c.block(b, from, m)
		}
		if at < 0 {
			return
		}
	}
}

// block takes the goroutine whose header is the line that begins at from. It returns where the next one may begin, -1
// where none does, and then where to look for others.
func (c *Scout) block(b []byte, from int, m *Marks) (next, behind int) {
	i := bytes.IndexByte(b[from:], '\n')
	if i < 0 {
		return -1, -1
	}
	behind = from + i + 1
	line, f := b[from:behind-1], &c.line
	if i == 0 || !mayFrame[line[0]] || line[0] == 's' || line[0] == '=' || line[i-1] == '\r' {
		return -1, behind
	}
	c.probe.unframe(line, f)
	if !bytes.HasPrefix(f.text, goroutineWord) {
		return -1, behind
	}
	s := m.Sight
	k := sighted{at: from, end: behind, from: len(s.text), form: formOf(line, f)}
	s.text = append(append(s.text, f.text...), '\n')
	text, size, stamp, ended := k.form.lines(s.text, b[k.end:], k.from+maxBlock, m.backslash)
	if ended && k.form.asWritten(text[k.from:]) {
		k.end += size
		k.to, k.stamp = len(text), stamp
		s.text, s.blocks = text, append(s.blocks, k)
		return k.end, k.end
	}
	s.text = text[:k.from]
	return -1, behind
}
