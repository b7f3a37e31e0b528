package framing

import "bytes"

// Marks describe a buffer by the bytes in it that need care. Looking for them is the reader's work, not the scanner's:
// it has the time, and the bytes in its cache.
type Marks struct {
	nul, esc, backslash bool
}

// marksPiece is how much of a buffer is looked at for all marks before the next piece: it stays in a core's nearest
// cache.
const marksPiece = 16 << 10

// MarksOf looks for them.
func MarksOf(b []byte) (m Marks) {
	for len(b) > 0 {
		piece := b[:min(len(b), marksPiece)]
		b = b[len(piece):]
		m.nul = m.nul || bytes.IndexByte(piece, 0) >= 0
		m.esc = m.esc || bytes.IndexByte(piece, esc) >= 0
		m.backslash = m.backslash || bytes.IndexByte(piece, '\\') >= 0
	}
	return m
}
