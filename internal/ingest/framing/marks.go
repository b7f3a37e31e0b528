package framing

import "bytes"

// Marks describe a buffer by the bytes in it that need care. Looking for them is the reader's work, not the scanner's:
// it has the time, and the bytes in its cache.
type Marks struct {
	nul, esc, backslash bool
}

// MarksOf looks for them.
func MarksOf(b []byte) Marks {
	return Marks{
		nul: bytes.IndexByte(b, 0) >= 0, esc: bytes.IndexByte(b, esc) >= 0, backslash: bytes.IndexByte(b, '\\') >= 0,
	}
}
