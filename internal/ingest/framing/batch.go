package framing

import "sync"

const (
	// batchLines is how many lines a handler gets at once: enough to make the call's price vanish, few enough for the
	// lines to be still in the cache.
	batchLines = 256
	arenaSize  = 256 << 10
)

// A Line is one line of a log with its framing taken off.
type Line struct {
	// Text is the unframed text without its line ending, valid until the handler returns. A record whose message is an
	// escaped dump yields one Line per escaped line, all with the record's Num.
	Text []byte
	// Num is the line's number in the stream, 1-based, counted over all parts of a rotated log (Result.Locate
	// maps it back to file and line).
	Num int64
	// Stream identifies the writer of the line: an index into Read's Result.Streams.
	Stream int32
	// Stamp is the timestamp text of the framing ("2026-11-20T18:05:32.123460341Z"), nil where it has none. Same
	// validity as Text.
	Stamp []byte
}

// A batch collects lines for the handler. Texts point into the read buffer or into the arena; both stay untouched
// until flush has returned.
type batch struct {
	lines []Line
	arena []byte
	emit  func([]Line) error
	err   error // the handler's first error; nothing is emitted after it
}

// lineBuffers are kept for the next source: a bundle has thousands, most of them small, and a batch of lines takes 16
// KiB.
var lineBuffers = sync.Pool{New: func() any { return new([batchLines]Line) }}

func newBatch(emit func([]Line) error) batch {
	return batch{lines: lineBuffers.Get().(*[batchLines]Line)[:0], emit: emit}
}

// end gives the lines' room to the next source. Nothing may be added any more.
func (b *batch) end() {
	lines := (*[batchLines]Line)(b.lines[:batchLines])
	b.lines = nil
	clear(lines[:])
	lineBuffers.Put(lines)
}

// add appends a line whose text stays valid until the next flush.
func (b *batch) add(text []byte, num int64, stream int32, stamp []byte) {
	n := len(b.lines)
	b.lines = b.lines[:n+1]
	l := &b.lines[n]
	l.Text, l.Num, l.Stream, l.Stamp = text, num, stream, stamp
	if n+1 == cap(b.lines) {
		b.flush()
	}
}

// addCopy appends a line of which it keeps copies.
func (b *batch) addCopy(text []byte, num int64, stream int32, stamp []byte) {
	b.reserve(len(text) + len(stamp))
	text = b.keep(text)
	if stamp != nil {
		stamp = b.keep(stamp)
	}
	b.add(text, num, stream, stamp)
}

// reserve makes room for n bytes in the arena. It may flush.
func (b *batch) reserve(n int) {
	if len(b.arena)+n <= cap(b.arena) {
		return
	}
	b.flush()
	if n > cap(b.arena) {
		b.arena = make([]byte, 0, max(n, arenaSize))
	}
}

// build returns what f appends to the arena, n bytes at most. It may flush.
func (b *batch) build(n int, f func(dst []byte) []byte) []byte {
	b.reserve(n)
	start := len(b.arena)
	b.arena = f(b.arena)
	return b.arena[start:len(b.arena):len(b.arena)]
}

// keep copies p into the arena, where reserve has made room.
func (b *batch) keep(p []byte) []byte {
	n := len(b.arena)
	b.arena = append(b.arena, p...)
	return b.arena[n:len(b.arena):len(b.arena)]
}

// flush hands the lines over.
func (b *batch) flush() {
	if len(b.lines) > 0 && b.err == nil {
		b.err = b.emit(b.lines)
	}
	b.lines = b.lines[:0]
	b.arena = b.arena[:0]
}
