package logpattern

import (
	"bytes"
	"math"
	"slices"
	"time"
)

// recent is how many of an object's last contents are remembered to separate news from repetition: a round of work
// may log the same of each part of the object.
const recent = 32

// A minedPattern is forms that differ in a few words.
type minedPattern struct {
	repeats
	id        int
	shape     shape
	sample    []byte // its first line
	tokens    []token
	values    []uint64 // hashes of the sample's words
	varies    []bool   // by word
	skeleton  uint64
	subject   subject
	stream    int32
	sign      Sign
	forms     int
	form      *lineForm // the first
	objects   []*minedObject
	ranks     []rank // of objects, once one of them lost its place; nil before
	byKey     map[uint64]*minedObject
	forgotten bool
	took      Took
}

// A minedObject is what lines of a pattern are about.
type minedObject struct {
	repeats
	key                   uint64
	kind, namespace, name string
	over, news            int64
	versions              bool
	version               uint64
	known                 []uint64 // contents, the last of recent different ones
	next                  int
	at                    int // its place among the pattern's
}

// add counts a line of the form f, which is one of the pattern's, and what it says about its object.
func (p *minedPattern) add(m *Miner, f *lineForm, line *logLine) {
	p.repeats.add(line.num, line.time)
	s := &m.scan
	content, ver := f.hash, uint64(0)
	for _, sl := range f.slots {
		v := s.values[sl.tok]
		if v != p.values[sl.tok] {
			p.varies[sl.tok] = true
		}
		switch sl.role {
		case plain:
			content = mix(content, v)
		case version:
			ver = mix(ver, v)
		}
	}
	if f.took >= 0 {
		if d, ok := duration(s.word(line.text, f.took)); ok {
			p.took.Count++
			p.took.Sum = min(p.took.Sum, math.MaxInt64-d) + d
			p.took.Longest = max(p.took.Longest, d)
		}
	}
	o := p.objectOf(m, f, line.text)
	if o == nil {
		return
	}
	o.repeats.add(line.num, line.time)
	if p.ranks != nil {
		p.ranks[o.at] = o.rank()
	}
	if o.version != ver && o.version != 0 {
		o.versions = true
	}
	o.version = ver
	if slices.Contains(o.known, content) {
		return
	}
	o.news++
	if len(o.known) < recent {
		o.known = append(o.known, content)
		return
	}
	o.known[o.next] = content
	o.next = (o.next + 1) % recent
}

// newForm takes a line apart that has no form yet, and finds its pattern.
func (m *Miner) newForm(text []byte, at int, stream int32) *lineForm {
	if m.full() {
		m.evict()
		if m.full() {
			m.log.Cut.Unmined++
			return nil
		}
	}
	s := &m.scan
	sh := readShape(text)
	f := &lineForm{hash: s.form, own: -1, took: -1, subject: noSubject, mark: markOf(text, &sh)}
	m.findTime(f, text, &sh)
	if s.n > 0 {
		f.subject = subjectOf(text, &sh, s)
	}
	m.findSlots(f, text, &sh)
	sign := signOf(text, &sh, s, f.subject)
	if sign == SignThrottled || sign == SignEtcdSlow {
		f.took = firstDuration(text, s)
	}
	skeleton := m.skeleton(text, at, &sh, stream, sign)
	p := m.similarPattern(f, text, &sh, skeleton)
	if p == nil {
		p = m.newPattern(f, text, &sh, skeleton, stream, sign)
	}
	f.pattern = p
	p.forms++
	m.forms[f.hash] = f
	m.bytes += f.size()
	return f
}

func (m *Miner) newPattern(
	f *lineForm, text []byte, sh *shape, skeleton uint64, stream int32, sign Sign,
) *minedPattern {
	s := &m.scan
	p := &minedPattern{
		id: m.made, shape: *sh, sample: bytes.Clone(text[:min(len(text), 2*maxExample)]), skeleton: skeleton,
		subject: f.subject, stream: stream, sign: sign,
		tokens: append([]token{}, s.tokens[:s.n]...), values: append([]uint64{}, s.values[:s.n]...),
		varies: make([]bool, s.n), byKey: map[uint64]*minedObject{}, form: f,
	}
	m.made++
	m.bytes += p.size()
	m.patterns = append(m.patterns, p)
	m.alike[skeleton] = append(m.alike[skeleton], p)
	return p
}

// findTime finds the line's own time, and learns the year from it where the framing has none.
func (m *Miner) findTime(f *lineForm, text []byte, sh *shape) {
	if sh.time.end == 0 {
		return
	}
	s := &m.scan
	for i := range min(s.n, maxTokens) {
		if int(s.tokens[i].start) < sh.time.start {
			continue
		}
		if int(s.tokens[i].start) > sh.time.end {
			return
		}
		var probe clock
		t, _, form := probe.first(text[s.tokens[i].start:], timeISO, timeEpoch, timeAccess, timeSyslog)
		if f.ownForm = form; form != timeNone {
			f.own = i
		}
		if form != timeNone && form != timeSyslog && m.year == 0 && m.clock.noYear {
			m.year = time.Unix(0, t).UTC().Year() - max(m.clock.wraps, 0)
		}
		return
	}
}

func (m *Miner) findSlots(f *lineForm, text []byte, sh *shape) {
	s := &m.scan
	for i := range s.n {
		t := s.tokens[i]
		sub := f.subject
		switch {
		case i == sub.nameTok || i == sub.nsTok || i == sub.kindTok:
			f.slots = append(f.slots, formSlot{uint8(i), naming})
		case !t.marked:
		case sh.time.end > 0 && int(t.start) >= sh.time.start && int(t.start) < sh.time.end:
			f.slots = append(f.slots, formSlot{uint8(i), volatile})
		default:
			key := ""
			if j := slices.IndexFunc(sh.fields, func(f field) bool { return f.value.holds(t) }); j >= 0 {
				key = sh.fields[j].key
			}
			role := roleOf(key, s.word(text, i), s.word(text, i-1), s.word(text, i+1))
			f.slots = append(f.slots, formSlot{uint8(i), role})
		}
	}
}

// skeleton is what merged lines have in common: writer, level, place, sign, keys, the words' number and separators.
func (m *Miner) skeleton(text []byte, at int, sh *shape, stream int32, sign Sign) uint64 {
	s := &m.scan
	h := mix(uint64(stream)+k0, uint64(sh.level)<<8|uint64(sign))
	h = mix(h, hash([]byte(sh.source)))
	h = mix(h, hash([]byte(sh.logger)))
	for i := range sh.fields {
		h = mix(h, hash([]byte(sh.fields[i].key)))
	}
	end := at
	for i := range s.n {
		h = mix(h, hash(text[end:s.tokens[i].start]))
		end = int(s.tokens[i].end)
	}
	return mix(h, uint64(s.n))
}
