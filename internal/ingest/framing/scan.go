// Package framing takes the framing off the lines of a log: CRI, docker, journald, syslog, klog and others, JSON
// records with an escaped dump, and prefixes that it learns from the dump behind them. A Scanner decides it line by
// line, so that the framing may change midway, and keeps the writers of a log apart as Streams.
//
// A Scanner takes the buffers of a file and emits Lines. Begin reading at Scanner.Text: rawLine takes one line,
// unframer.unframe finds its framing and takes it off, emitUnframed hands the text on; partialline.go joins what comes
// in pieces. The header of a goroutine is offered with the lines behind it first (offer.go).
//
// A framing is a constant and a row of the table in kinds.go, a candidate for some first bytes in unframe.go, and a
// function in the file of its family.
package framing

import (
	"bytes"
	"context"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A Scanner splits text into lines, takes their framing off and hands them on.
type Scanner struct {
	unframer
	ctx     context.Context
	maxLine int   // bytes of a line's text that are kept
	num     int64 // of the last line that began
	counts  [framings]int64

	carry   []byte // a line that its buffer cut off
	carried Marks  // of carry, where it isn't empty
	// longLine takes the rest of a raw line that is longer than maxLine; longIsPiece reports that the line is a piece.
	longLine    *partialLine
	longIsPiece bool

	unframedLine   unframedLine   // the line that is being scanned
	kind           framing        // what the last line had
	esc, backslash bool           // whether the buffer holds any
	entities       bool           // whether the file shows a dump behind the entity of a line's end
	unbroken       bool           // or one whose spaces do not break
	partialLines   []*partialLine // by stream: half-read lines
	escapedLine    partialLine    // for whole lines that hold an escaped dump
	pending        int
	scratch        [maxEscapes + 1][]byte
	escBuf, nulBuf []byte
	hold           []byte // a piece that is being streamed
	behind         []byte // lines of a record from one that is an escaped dump on, or that were entities
	intro          []byte

	takeGoroutine TakeGoroutine // nil for none
	offer         goroutineOffer
	buffer        []byte // under way

	cutLines, nulBytes int64
	part               PartStats // what was counted before the part began
	partCounts         [framings]int64
}

// NewScanner returns a scanner of a source that base is known of. It keeps maxLine bytes of a line's text, and calls
// emit with the lines in batches; a batch and what it points to are valid until emit returns.
func NewScanner(ctx context.Context, base origin.Origin, maxLine int, emit func([]Line) error) *Scanner {
	s := &Scanner{unframer: newUnframer(base, newBatch(emit)), ctx: ctx, maxLine: maxLine}
	s.escapedLine.s = s
	return s
}

// OfferGoroutines makes the scanner offer goroutines to take before it emits their lines.
func (s *Scanner) OfferGoroutines(take TakeGoroutine) { s.takeGoroutine = take }

// Streams returns the writers so far; Line.Stream is an index into it.
func (s *Scanner) Streams() []Stream { return s.streams.list }

// A PartStats describes the lines of one file of a source.
type PartStats struct {
	// Framing names the framing that most lines had ("cri", "docker-json", "plain", …), ByRuntime reports whether it is
	// that of a container runtime.
	Framing   string
	ByRuntime bool
	// FirstLine is the number of the first line in its stream (Line.Num), Lines how many there are.
	FirstLine, Lines int64
	// CutLines counts lines longer than is kept, NULBytes the NUL bytes that were dropped.
	CutLines, NULBytes int64
}

// BeginPart begins a file, in which no framing is known yet. It returns the number of its first line.
func (s *Scanner) BeginPart() (firstLine int64) {
	s.lastKind, s.prefix, s.offer.sameFraming = plain, prefixMode{}, false
	s.entities, s.unbroken = false, false
	s.part = PartStats{FirstLine: s.num + 1, CutLines: s.cutLines, NULBytes: s.nulBytes}
	s.partCounts = s.counts
	return s.part.FirstLine
}

// Part describes the file that BeginPart began.
func (s *Scanner) Part() PartStats {
	p := s.part
	best, most := plain, int64(0)
	for k := range framings {
		if n := s.counts[k] - s.partCounts[k]; n > most {
			best, most = k, n
		}
	}
	p.Framing, p.ByRuntime = kinds[best].name, best == cri || best == dockerJSON
	p.Lines, p.CutLines, p.NULBytes = s.num+1-p.FirstLine, s.cutLines-p.CutLines, s.nulBytes-p.NULBytes
	return p
}

// SkipLines counts n lines that another reader takes.
func (s *Scanner) SkipLines(n int64) { s.num += n }

// Text scans the next buffer, whose bytes m describes. What it emits points into b, so it flushes before it returns.
func (s *Scanner) Text(b []byte, m Marks) error {
	if m.nul {
		b = s.dropNULs(b)
	}
	s.buffer = b
	if len(s.carry) == 0 {
		s.carried = Marks{}
	}
	s.esc, s.backslash = m.esc || s.carried.esc, m.backslash || s.carried.backslash
	if !s.sampleSteps(b) {
		s.samplePrefixes(b, s.esc)
	}
	s.lookForPages(b)
	s.learnPrefix(b, len(s.carry) > 0 || s.longLine != nil)
	b = s.lines(s.finishCarry(b))
	s.out.flush()
	if s.longLine != nil {
		s.longLine.feed(b)
		s.out.flush()
	} else {
		s.keep(b)
	}
	if s.out.err != nil {
		return s.out.err
	}
	return s.ctx.Err()
}

// lines takes the whole lines of b and returns what follows the last.
func (s *Scanner) lines(b []byte) []byte {
	simple := s.prefix.mode == plain && !s.esc && !s.backslash && !s.entities && !s.unbroken
	for s.out.err == nil {
		if simple {
			b = s.emptyLines(s.plainLines(b))
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			break
		}
		s.offer.lineStart, s.offer.rest = len(s.buffer)-len(b), b[i+1:]
		s.rawLine(b[:i])
		b = s.offer.rest
	}
	s.offer.rest = nil
	return b
}

// plainLines does what rawLine would do with lines that no framing can begin, without asking for each what the buffer
// has answered already. It returns what follows the last of them: nearly all of a plain log's lines are taken here.
func (s *Scanner) plainLines(b []byte) []byte {
	if len(b) == 0 || mayFrame[b[0]] {
		return b // a framed log has no plain stream
	}
	stream, first := s.plainStream(), s.num
	offers := s.takeGoroutine != nil && s.closed(stream)
	for s.out.err == nil {
		if offers && len(b) > 0 && b[0] == 'g' && bytes.HasPrefix(b, goroutineWord) {
			s.out.flush()
			if n, lines := s.takeGoroutine(b, LineContext{Num: s.num + 1, Stream: stream}); n > 0 {
				s.num += lines
				b = b[n:]
				continue
			}
		}
		i := bytes.IndexByte(b, '\n')
		if i <= 0 || mayFrame[b[0]] || b[i-1] == '\r' {
			break
		}
		s.num++
		s.out.add(b[:i], s.num, stream, nil)
		b = b[i+1:]
	}
	s.counts[plain] += s.num - first
	return b
}

// maxEmpty is how many empty lines in a row are handed on of a buffer: to no reader is a longer pause another than
// these, and a few KB of an archive may become a billion.
const maxEmpty = 256

// emptyLines counts those that b begins with but the last maxEmpty, and returns what follows them.
func (s *Scanner) emptyLines(b []byte) []byte {
	n := 0
	for n < len(b) && b[n] == '\n' {
		n++
	}
	if n <= maxEmpty {
		return b
	}
	n -= maxEmpty
	s.num += int64(n)
	s.counts[plain] += int64(n)
	return b[n:]
}

// keep puts the beginning of a line aside; it is called when nothing points into carry any more.
func (s *Scanner) keep(b []byte) {
	if len(s.carry)+len(b) <= s.maxLine {
		if len(s.carry) == 0 {
			s.carried = Marks{}
		}
		s.carried.esc = s.carried.esc || s.esc && bytes.IndexByte(b, esc) >= 0
		s.carried.backslash = s.carried.backslash || s.backslash && bytes.IndexByte(b, '\\') >= 0
		s.carry = append(s.carry, b...)
		return
	}
	n := s.maxLine - len(s.carry)
	s.carry = append(s.carry, b[:n]...)
	s.startLong()
	s.longLine.feed(b[n:])
	s.out.flush()
}

// finishCarry completes the line that the last buffer cut off and returns what follows it in b.
func (s *Scanner) finishCarry(b []byte) []byte {
	if s.longLine == nil && len(s.carry) == 0 {
		return b
	}
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return b
	}
	head := b[:i]
	switch {
	case s.longLine != nil:
		s.longLine.feed(head)
		s.endLong()
	case len(s.carry)+i <= s.maxLine:
		s.carry = append(s.carry, head...)
		s.rawLine(s.carry)
	default:
		s.keep(head)
		s.endLong()
	}
	s.out.flush()
	s.carry = s.carry[:0]
	return b[i+1:]
}

// startLong begins a raw line that is longer than is kept: its text goes to a record piece by piece.
func (s *Scanner) startLong() {
	s.num++
	line := s.clean(s.carry)
	unframed := &s.unframedLine
	s.unframe(line, unframed)
	s.offer.sameFraming = false
	if unframed.stream == noStream {
		unframed.stream = s.plainStream()
	}
	s.counts[unframed.kind]++
	s.kind = unframed.kind
	rec := s.partialLineOf(unframed.stream)
	if !rec.open {
		rec.start(s.num, unframed.stream, unframed.stamp)
	}
	rec.feed(unframed.text)
	s.out.flush()
	s.longIsPiece, s.longLine = unframed.partial, rec
	s.carry = s.carry[:0]
}

func (s *Scanner) endLong() {
	if !s.longIsPiece {
		s.longLine.end()
	}
	s.longLine = nil
}

// partialLineOf returns the half-read line of a stream.
func (s *Scanner) partialLineOf(stream int32) *partialLine {
	for int(stream) >= len(s.partialLines) {
		s.partialLines = append(s.partialLines, nil)
	}
	if s.partialLines[stream] == nil {
		s.partialLines[stream] = &partialLine{s: s}
	}
	return s.partialLines[stream]
}

// clean takes off what no line should have: terminal sequences, and CI sections' marks.
func (s *Scanner) clean(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if s.esc && bytes.IndexByte(line, esc) >= 0 {
		// Twice the room: the text that framing decodes out of it must not flush it away.
		line = s.out.build(2*len(line), func(dst []byte) []byte { return appendPlain(dst, line) })
	}
	if s.unbroken && bytes.Contains(line, unbroken) {
		line = s.out.build(2*len(line), func(dst []byte) []byte { return appendBroken(dst, line) })
	}
	return line
}

// rawLine takes one line of the input.
func (s *Scanner) rawLine(line []byte) {
	s.num++
	line = s.clean(line)
	if s.prefix.mode == plain && (len(line) == 0 || !mayFrame[line[0]]) {
		s.counts[plain]++
		s.kind = plain
		s.emitWhole(line, s.num, s.plainStream(), nil)
		return
	}
	unframed := &s.unframedLine
	if line = gitlabSection(line); s.containerMark(line) {
		return
	}
	if !s.unframeLikeHeader(line, unframed) {
		s.unframe(line, unframed)
	}
	if unframed.stream == noStream {
		unframed.stream = s.plainStream()
	}
	s.counts[unframed.kind]++
	s.kind = unframed.kind
	isHeader := len(unframed.text) > 0 && unframed.text[0] == 'g' && bytes.HasPrefix(unframed.text, goroutineWord)
	if unframed.drop || isHeader && s.offerFramed(line, unframed) {
		return
	}
	s.emitUnframed(unframed)
}

// emitUnframed takes a line of which the framing is off: a whole one, or a piece.
func (s *Scanner) emitUnframed(unframed *unframedLine) {
	if n := len(unframed.text); n > 0 && unframed.text[n-1] == '\r' {
		unframed.text = unframed.text[:n-1]
	}
	if unframed.decoded && bytes.IndexByte(unframed.text, esc) >= 0 {
		unframed.text = appendPlain(unframed.text[:0], unframed.text)
	}
	if int(unframed.stream) < len(s.partialLines) {
		if rec := s.partialLines[unframed.stream]; rec != nil && rec.open {
			rec.feed(unframed.text)
			if !unframed.partial {
				rec.end()
			}
			return
		}
	}
	if unframed.partial {
		rec := s.partialLineOf(unframed.stream)
		rec.start(s.num, unframed.stream, unframed.stamp)
		rec.feed(unframed.text)
		return
	}
	if len(unframed.text) > 0 && unframed.text[0] >= 'E' && unframed.text[0] <= 'W' {
		if rest, stamp, ok := s.unframeKlog(unframed.text, s.num); ok {
			if unframed.kind == plain {
				s.counts[plain]--
				s.counts[klog]++
			}
			unframed.text = rest
			if unframed.stamp == nil {
				unframed.stamp = stamp
			}
		}
	}
	for unframed.decoded { // a record of a store may have several lines
		i := bytes.IndexByte(unframed.text, '\n')
		if i < 0 {
			break
		}
		if s.isEscapedDump(unframed.text[:i]) { // which flushes the arena, where the rest may lie too
			s.behind = append(s.behind[:0], unframed.text...)
			s.escapedLine.lines(s.behind, s.num, unframed.stream, unframed.stamp)
			return
		}
		s.emitWhole(unframed.text[:i], s.num, unframed.stream, unframed.stamp)
		unframed.text = unframed.text[i+1:]
	}
	s.emitWhole(unframed.text, s.num, unframed.stream, unframed.stamp)
}

// isEscapedDump reports whether a line is an escaped dump.
func (s *Scanner) isEscapedDump(text []byte) bool {
	return s.backslash && bytes.IndexByte(text, '\\') >= 0 && looksEscaped(text) && !isCell(text)
}

// emitWhole passes on a line that is complete.
func (s *Scanner) emitWhole(text []byte, num int64, stream int32, stamp []byte) {
	if s.hasEntities(text) {
		s.escapedLine.entities(text, num, stream, stamp)
		return
	}
	if s.isEscapedDump(text) {
		r := &s.escapedLine
		r.start(num, stream, stamp)
		r.raw = len(s.out.arena) == 0 && !s.esc
		if len(s.out.arena) > 0 { // where text may lie, and what exploding it flushes
			s.hold = append(s.hold[:0], text...)
			text = s.hold
		}
		r.line(text)
		return
	}
	s.out.add(text, num, stream, stamp)
}

// gitlabSection takes `section_start:1560896352:name\r` off, which a GitLab runner writes before a heading.
func gitlabSection(line []byte) []byte {
	rest, ok := bytes.CutPrefix(line, []byte("section_"))
	if !ok || !bytes.HasPrefix(rest, []byte("start:")) && !bytes.HasPrefix(rest, []byte("end:")) {
		return line
	}
	if i := bytes.IndexByte(rest, '\r'); i >= 0 {
		return rest[i+1:]
	}
	return line
}

// dropNULs closes the gaps that NUL bytes leave, in place.
func (s *Scanner) dropNULs(b []byte) []byte {
	kept := b[:0]
	for i := bytes.IndexByte(b, 0); i >= 0; i = bytes.IndexByte(b, 0) {
		kept = append(kept, b[:i]...)
		rest := bytes.TrimLeft(b[i:], "\x00")
		s.nulBytes += int64(len(b) - i - len(rest))
		b = rest
	}
	return append(kept, b...)
}

// EndPart finishes a file: its last line may lack its end.
func (s *Scanner) EndPart() error {
	if s.longLine != nil {
		s.endLong()
	} else if len(s.carry) > 0 {
		s.rawLine(s.carry)
	}
	s.out.flush()
	s.carry = s.carry[:0]
	return s.out.err
}

// End finishes the source: half-read records are all there will be. The scanner is of no use afterwards.
func (s *Scanner) End() error {
	for _, r := range s.partialLines {
		if r != nil && r.open {
			r.end()
		}
	}
	s.out.flush()
	s.out.end()
	return s.out.err
}
