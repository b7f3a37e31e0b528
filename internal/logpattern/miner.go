package logpattern

import "time"

// A Miner mines the lines of one source. It is not safe for use by several goroutines.
type Miner struct {
	// Keep, where not nil, reports whether Close keeps a pattern that it would leave out.
	Keep  func(*Pattern) bool
	log   Log
	clock clock
	year  int // of the lines without one, where known
	scan  tokenScan
	forms map[uint64]*lineForm
	// alike are patterns by what all lines that may be merged have in common.
	alike    map[uint64][]*minedPattern
	patterns []*minedPattern
	made     int       // patterns, the forgotten ones as well
	writers  []*writer // by stream
	objects  int       // of all patterns
	bytes    int       // of all kept strings

	first, last int64 // earliest and latest time
}

// A lineForm is a line without its marked words: lines with equal hashes have the same words and signs at the same
// places.
type lineForm struct {
	hash    uint64
	pattern *minedPattern
	slots   []formSlot
	subject subject
	// own is where the line's own time begins, -1 where it has none; it is looked at where the framing has no stamp.
	// It is the token that the time begins with.
	own     int
	ownForm timeForm
	took    int // the token that is the first duration, -1 for none
	mark    endMark
	lines   int64
}

// A formSlot is a word that may differ from line to line.
type formSlot struct {
	tok  uint8
	role role
}

// NewMiner returns a miner for the lines of one source.
func NewMiner() *Miner {
	return &Miner{forms: map[uint64]*lineForm{}, alike: map[uint64][]*minedPattern{}}
}

// Line mines one line: its text without framing, its number in the source, its writer, and the time that the framing
// has, nil for none. Nothing of text and stamp is kept. It returns the number of the line's pattern, in order of
// appearance, -1 where it has none: an empty line, or no room.
func (m *Miner) Line(text []byte, num int64, stream int32, stamp []byte) int {
	m.log.Lines++
	for len(text) > 0 && text[len(text)-1] <= ' ' {
		text = text[:len(text)-1]
	}
	whole := text
	if len(text) > maxText {
		text = text[:maxText]
		m.log.Cut.LongLines++
	}
	line := logLine{text: text, whole: whole, num: num, stream: stream}
	if len(stamp) > 0 {
		line.time.nanos, line.time.known = m.clock.stamp(stamp)
	}
	if len(text) == 0 {
		m.noteTime(line.time)
		return -1
	}
	seed, at := uint64(stream)+k0, 0
	if place, msg, ok := klogHead(text); ok {
		seed, at = mix(seed^uint64(text[0])<<32, hash(place.of(text))), msg
		if !line.time.known {
			line.time.nanos, _, line.time.known = m.clock.read(text[1:], timeKlog)
		}
	}
	f := m.find(text, at, seed, stream)
	if f == nil {
		m.followWriter(nil, &line)
		m.noteTime(line.time)
		return -1
	}
	if !line.time.known && f.own >= 0 && f.own < m.scan.n {
		line.time.nanos, _, line.time.known = m.clock.read(text[m.scan.tokens[f.own].start:], f.ownForm)
	}
	m.noteTime(line.time)
	f.lines++
	f.pattern.add(m, f, &line)
	m.followWriter(f, &line)
	return f.pattern.id
}

// A logLine is a line while it is mined.
type logLine struct {
	text, whole []byte // at most maxText bytes of it, and all of it
	num         int64  // in its source
	stream      int32
	time        lineTime
}

// A lineTime is a line's time in nanoseconds since 1970, where it has one.
type lineTime struct {
	nanos int64
	known bool
}

// find returns the form of a line, a new one where it is the first; nil where there is no room for it.
func (m *Miner) find(text []byte, at int, seed uint64, stream int32) *lineForm {
	s := &m.scan
	s.cut = false
	if isFrame(text) {
		// A stack frame outside a dump: all of them are one pattern, or they would be a thousand.
		s.form, s.n = mix(seed, k0), 0
	} else {
		s.read(text, at, seed)
	}
	if s.cut && len(text) < maxText {
		m.log.Cut.LongLines++
	}
	if f, ok := m.forms[s.form]; ok {
		return f
	}
	return m.newForm(text, at, stream)
}

// noteTime widens the span of the log by a line's time.
func (m *Miner) noteTime(t lineTime) {
	if !t.known {
		return
	}
	if m.log.Stamped++; m.log.Stamped == 1 {
		m.first, m.last = t.nanos, t.nanos
	}
	m.first, m.last = min(m.first, t.nanos), max(m.last, t.nanos)
}

// isFrame accepts lines of a stack: "\t/path/file.go:12 +0x1d", "path.Func(0xc000…)", Java's "\tat a.b(C.java:1)".
func isFrame(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	if b[0] == '\t' {
		return b[1] == '/' || b[1] == 'a' && b[2] == 't' && b[3] == ' '
	}
	if b[len(b)-1] != ')' {
		return false
	}
	dot := false
	for _, c := range b {
		switch {
		case c == '(':
			return dot
		case c == '.':
			dot = true
		case c <= ' ':
			return false
		}
	}
	return false
}

// firstYear separates times with a year from those without in a log that has both: Go 1.0 is of 2012.
const firstYear = 2012

// time makes a time of nanoseconds; those without a year get the log's.
func (m *Miner) time(t int64) time.Time {
	at := time.Unix(0, t).UTC()
	if m.clock.noYear && m.year != 0 && at.Year() < firstYear {
		at = at.AddDate(m.year-yearless, 0, 0)
	}
	return at
}
