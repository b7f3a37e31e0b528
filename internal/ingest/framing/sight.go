package framing

import "bytes"

// A Look looks at text without framing before it is offered to a Take, in another goroutine. What it returns is handed
// on with the text. Room is what Look returned for some other text that nobody needs any more, nil for none.
type Look func(text []byte, room any) (seen any)

// A Sight is what a Look saw in a buffer before it is scanned.
type Sight struct{ seen any }

// plain returns what was seen in a buffer.
func (s *Sight) plain() any {
	if s == nil {
		return nil
	}
	return s.seen
}

// See looks at a buffer and remembers in m what it saw, in room where that is not nil: a Sight that nobody needs any
// more. It looks at none that may be framed, or that has bytes of which lines must be freed.
func (look Look) See(b []byte, m *Marks, room *Sight) {
	if m.nul || m.esc || m.backslash || isFramed(b) {
		return
	}
	if room == nil {
		room = &Sight{}
	}
	room.seen = look(b, room.seen)
	m.Sight = room
}

// isFramed reports whether the first whole line of a buffer may have a framing.
func isFramed(b []byte) bool {
	i := bytes.IndexByte(b, '\n') + 1
	return i > 0 && i < len(b) && mayFrame[b[i]]
}
