package ingest

import "bytes"

// A streamBody is the io.Reader of Handler.Stream. It counts what was read.
type streamBody struct {
	in    *readAhead
	rest  []byte
	bytes int64
	lines int64
	last  byte
}

func (b *streamBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(b.rest) == 0 {
		b.in.release()
		next, err := b.in.next()
		if err != nil {
			return 0, err
		}
		b.rest = next
		b.bytes += int64(len(next))
	}
	n := copy(p, b.rest)
	b.lines += int64(bytes.Count(b.rest[:n], newline))
	b.last = b.rest[n-1]
	b.rest = b.rest[n:]
	return n, nil
}

var newline = []byte{'\n'}

// end counts a last line that lacks its end.
func (b *streamBody) end() {
	if b.last != 0 && b.last != '\n' {
		b.lines++
	}
	b.in.release()
}
