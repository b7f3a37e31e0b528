package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A Look looks at text before it is offered to a Take, in another goroutine. What it returns is handed on with the
// text. Headers finds the goroutines of a framed text, nil for one without framing. Room is what Look returned for some
// other text that nobody needs any more, nil for none.
type Look func(text []byte, headers Headers, room any) (seen any)

// Headers returns where the text of the first goroutine's header begins at or behind a place of a framed text, and how
// its lines are framed; -1 for none. Each call asks for a greater place than the one before.
type Headers func(from int) (at int, f *Form)

// A Sight is what a Look saw in a buffer before it is scanned.
type Sight struct {
	seen   any
	framed bool
	forms  []sightedForm // of its headers
	next   int           // the first that is not behind the scanner
}

// A sightedForm is how a Scout read the line of a header.
type sightedForm struct {
	at    int // where its text begins in the buffer
	shape shape
}

// plain returns what was seen in a buffer without framing.
func (s *Sight) plain() any {
	if s == nil || s.framed {
		return nil
	}
	return s.seen
}

// in returns what was seen in a framed buffer if the header whose text begins at a place was read there in this form.
func (s *Sight) in(f *Form, at int) any {
	if s == nil || !s.framed {
		return nil
	}
	for s.next < len(s.forms) && s.forms[s.next].at < at {
		s.next++
	}
	if s.next == len(s.forms) || s.forms[s.next] != (sightedForm{at, f.shape()}) {
		return nil
	}
	return s.seen
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
	*room = Sight{seen: room.seen, forms: room.forms[:0]}
	if isFramed(b) {
		h := headers{scout: c, text: b, sight: room, escapes: m.backslash}
		room.seen = c.look(b, h.find, room.seen)
	}
	switch room.framed = len(room.forms) > 0; {
	case room.framed:
	case m.backslash:
		m.Sight = nil
	default:
		room.seen = c.look(b, nil, room.seen)
	}
}

// isFramed reports whether the first whole line of a buffer may have a framing.
func isFramed(b []byte) bool {
	i := bytes.IndexByte(b, '\n') + 1
	return i > 0 && i < len(b) && mayFrame[b[i]]
}

// maxHead is how far into a line the header of a goroutine is looked for.
const maxHead = 512

// headers finds goroutines behind framing.
type headers struct {
	scout *Scout
	text  []byte
	sight *Sight
	form  Form
	// behind is where the line ends that was looked at last.
	behind int
	// escapes is false where the text has no backslash.
	escapes bool
}

// find is Headers. A line has one header: text in which the word is repeated is looked at once.
func (h *headers) find(from int) (at int, f *Form) {
	for from = max(from, h.behind); ; from = h.behind {
		i := bytes.Index(h.text[from:], goroutineWord)
		if i < 0 {
			return -1, nil
		}
		at = from + i
		end := bytes.IndexByte(h.text[at:], '\n')
		if end < 0 {
			return -1, nil
		}
		end += at
		h.behind = end + 1
		head := max(0, at-maxHead)
		head += bytes.LastIndexByte(h.text[head:at], '\n') + 1
		if h.is(h.text[head:end], at-head) {
			h.sight.forms = append(h.sight.forms, sightedForm{at, h.form.shape()})
			return at, &h.form
		}
	}
}

// is reports whether the text of a line begins at a place as that of a goroutine's header, behind a framing that shows
// how the others are.
func (h *headers) is(line []byte, at int) bool {
	if at == 0 || !mayFrame[line[0]] || line[0] == 's' || line[0] == '=' || line[len(line)-1] == '\r' {
		return false
	}
	c := h.scout
	c.probe.unframe(line, &c.line)
	if !bytes.HasPrefix(c.line.text, goroutineWord) {
		return false
	}
	h.form = formOf(line, &c.line)
	h.form.escapes = h.escapes
	return h.form.kind != plain && len(h.form.head) == at
}
