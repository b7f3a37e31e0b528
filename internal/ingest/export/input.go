package export

import (
	"bytes"
	"io"
	"slices"

	"github.com/gotriage/triage/internal/jsonspan"
)

// bufferSize is how much of an export is held undecoded.
const bufferSize = 64 << 10

// maxRaw bounds a line that is no record and is handed on as it is.
const maxRaw = bufferSize / 2

// A recordInput is a buffered reader that knows its line, and returns strings in pieces: they may be of any length.
type recordInput struct {
	r    io.Reader
	buf  []byte
	i, n int
	// mark is the beginning of what a caller may go back to, -1 for nothing.
	mark int
	// passed counts the line ends before counted, a position in buf.
	passed  int64
	counted int
	eof     bool
	err     error // what ended it, besides its end
}

func newInput(r io.Reader) *recordInput {
	return &recordInput{r: r, buf: make([]byte, bufferSize), mark: -1}
}

// line is the number of the line that the next byte is in, from 1 on.
func (in *recordInput) line() int64 {
	in.passed += int64(bytes.Count(in.buf[in.counted:in.i], newline))
	in.counted = in.i
	return in.passed + 1
}

var newline = []byte{'\n'}

// fill reads more behind what is left, and reports whether there was more. A mark that lies too far back is given up.
func (in *recordInput) fill() bool {
	if in.eof {
		return false
	}
	in.line()
	from := in.i
	if in.mark >= 0 {
		from = in.mark
	}
	if in.mark >= 0 && in.n-from > maxRaw {
		in.mark, from = -1, in.i
	}
	copy(in.buf, in.buf[from:in.n])
	in.n -= from
	in.i -= from
	in.counted -= from
	if in.mark >= 0 {
		in.mark = 0
	}
	for range 100 { // a reader that returns nothing again and again is broken
		n, err := in.r.Read(in.buf[in.n:])
		in.n += n
		if err != nil {
			in.eof = true
			if err != io.EOF {
				in.err = err
			}
		}
		if n > 0 || in.eof {
			return n > 0
		}
	}
	in.eof = true
	return false
}

// rewind goes back to the mark, in that line, where it is still there.
func (in *recordInput) rewind(line int64) bool {
	if in.mark < 0 {
		return false
	}
	in.i, in.counted, in.passed, in.mark = in.mark, in.mark, line-1, -1
	return true
}

// ready reports whether there is a next byte.
func (in *recordInput) ready() bool { return in.i < in.n || in.fill() }

// space skips white space and returns the next byte, 0 at the end.
func (in *recordInput) space() byte {
	for in.ready() {
		for ; in.i < in.n; in.i++ {
			if c := in.buf[in.i]; !jsonspan.IsSpace(c) {
				return c
			}
		}
	}
	return 0
}

// restOfLine appends what is left of the line to dst, up to most bytes of it, and steps behind its end.
func (in *recordInput) restOfLine(dst []byte, most int) []byte {
	for in.ready() {
		piece := in.buf[in.i:in.n]
		end := bytes.IndexByte(piece, '\n')
		if end >= 0 {
			piece = piece[:end]
		}
		dst = append(dst, piece[:max(0, min(len(piece), most-len(dst)))]...)
		if in.i += len(piece); end >= 0 {
			in.i++
			return dst
		}
	}
	return dst
}

// text appends the string whose opening quote is next to dst, decoded, most bytes of it at most. cut reports that there
// was more, ok that the string ended. With oneLine a line end within ends it, and it isn't ok.
func (in *recordInput) text(dst []byte, most int, oneLine bool) (out []byte, cut, ok bool) {
	start := len(dst)
	add := func(b []byte) {
		if room := most - (len(dst) - start); len(b) > room {
			b, cut = b[:room], true
		}
		if len(b) > cap(dst)-len(dst) { // doubled: append grows large slices by a quarter, and each piece is garbage
			dst = slices.Grow(dst, min(max(len(dst), len(b)), most-(len(dst)-start)))
		}
		dst = append(dst, b...)
	}
	in.i++
	quote := -1 // where the next one is in buf, where that is known
	for {
		if in.i >= in.n {
			quote = -1
		}
		if !in.ready() {
			return dst, cut, false
		}
		if quote < in.i {
			if quote = bytes.IndexByte(in.buf[in.i:in.n], '"') + in.i; quote < in.i {
				quote = in.n
			}
		}
		piece := in.buf[in.i:quote]
		slash := bytes.IndexByte(piece, '\\')
		if slash >= 0 {
			piece = piece[:slash]
		}
		if oneLine {
			if end := bytes.IndexByte(piece, '\n'); end >= 0 {
				add(piece[:end])
				in.i += end
				return dst, cut, false
			}
		}
		add(piece)
		in.i += len(piece)
		if slash < 0 {
			if quote < in.n {
				in.i++
				return dst, cut, true
			}
			continue
		}
		if in.n-in.i < longestEscape {
			quote = -1 // what is held moves
		}
		var room [8]byte
		add(in.escape(room[:0]))
	}
}

const longestEscape = len(`\ud83d\ude00`)

// escape steps over the escape that comes next and returns what it means, in room or in the buffer.
func (in *recordInput) escape(room []byte) []byte {
	for in.n-in.i < longestEscape && in.fill() {
	}
	char, used := jsonspan.AppendEscape(room, in.buf[in.i:in.n], false)
	if used <= 0 { // no escape of JSON: it stays as it is
		used = min(2, in.n-in.i)
		char = in.buf[in.i : in.i+used]
	}
	in.i += used
	return char
}

// skip steps over the value that comes next, and reports whether it was one.
func (in *recordInput) skip() bool {
	var s jsonspan.Skipper
	for in.ready() {
		end := s.Feed(in.buf[in.i:in.n])
		if end == jsonspan.Broken {
			return false
		}
		if end >= 0 {
			in.i += end
			return true
		}
		in.i = in.n
	}
	return s.EndsWithText()
}

// word returns a number or a literal, of which it keeps the first 64 bytes.
func (in *recordInput) word(dst []byte) []byte {
	for in.ready() {
		for ; in.i < in.n; in.i++ {
			c := in.buf[in.i]
			if jsonspan.EndsWord(in.buf[in.i:in.i+1], 0) {
				return dst
			}
			if len(dst) < 64 {
				dst = append(dst, c)
			}
		}
	}
	return dst
}
