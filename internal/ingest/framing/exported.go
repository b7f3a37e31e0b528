package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// Writer returns the stream of a writer that the records of an export name: key is different for each.
func (s *Scanner) Writer(key, name string, o origin.Origin) int32 {
	if key == "" {
		return s.plainStream()
	}
	id, ok := s.streams.get([]byte(key))
	if !ok {
		id = s.streams.add([]byte(key), []byte(name), o)
	}
	return id
}

// Base is what is known of the source.
func (s *Scanner) Base() origin.Origin { return s.streams.base }

// Record takes a record of an export: text, of one line or many, which a writer wrote at a time, nil for none. What
// frames the lines in it is taken off too: collectors store what the runtime has framed. It returns how many lines the
// text has. What it emits may point into text until Flush.
func (s *Scanner) Record(text, stamp []byte, stream int32, table bool) (lines int64) {
	kind := jsonExport
	if table {
		kind = csvExport
	}
	s.esc, s.backslash = bytes.IndexByte(text, esc) >= 0, bytes.IndexByte(text, '\\') >= 0
	if bytes.IndexByte(text, 0) >= 0 {
		text = s.dropNULs(text)
	}
	for more := true; more; lines++ {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			more = false
		}
		s.recordLine(line, stamp, stream, kind)
	}
	return lines
}

func (s *Scanner) recordLine(line, stamp []byte, stream int32, kind framing) {
	s.num++
	s.counts[kind]++
	s.kind = kind
	if len(line) > s.maxLine && !looksEscaped(line) {
		line = line[:s.maxLine]
		s.cutLines++
	}
	line = s.clean(line)
	if len(line) == 0 || !mayFrame[line[0]] {
		s.emitWhole(line, s.num, stream, stamp)
		return
	}
	unframed := &s.unframedLine
	s.unframe(line, unframed)
	s.offer.sameFraming = false
	if unframed.drop {
		return
	}
	unframed.stream = s.within(stream, unframed.stream)
	if unframed.stamp == nil {
		unframed.stamp = stamp
	}
	unframed.kind = kind
	s.emitUnframed(unframed)
}

// within is the stream of a line that its record and its framing name: a container's stdout, say.
func (s *Scanner) within(record, inside int32) int32 {
	if inside == noStream || inside == record {
		return record
	}
	outer, inner := s.streams.list[record], s.streams.list[inside]
	if !outer.Origin.Known() || inner.Origin.Known() {
		return inside
	}
	return s.Writer(outer.Name+" "+inner.Name, outer.Name+" "+inner.Name, outer.Origin)
}

// Flush emits what Record took.
func (s *Scanner) Flush() error {
	s.out.flush()
	if s.out.err != nil {
		return s.out.err
	}
	return s.ctx.Err()
}

// KnowsRecord reports whether a line is a JSON record that the scanner reads by itself.
func KnowsRecord(line []byte) bool {
	probe := newUnframer(origin.Origin{}, batch{})
	var unframed unframedLine
	return len(line) > 0 && line[0] == '{' && probe.unframeRecord(line, &unframed)
}
