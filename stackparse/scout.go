package stackparse

import (
	"bytes"
	"slices"
)

// A Scout looks at text before the parser of its stream comes to it, in another goroutine. It remembers what it sees of
// goroutines in their plainest form, under the assumption that they are in the midst of a dump. The parser, which knows
// better, takes those for which that holds, and parses the others as if nobody had been there: what a Scout saw never
// changes a dump, and a parser that takes a sighting does a tenth of the work.
//
// A Scout is used by one goroutine at a time, for any number of texts and streams.
type Scout struct {
	block  block
	paths  paths
	stacks map[uint64]*sightedStack // by signature
	found  []*sightedStack          // by the slot of the path that ends in them
	states map[string]uint16
	names  []string // of states
	recent [16]recentState
}

// maxSighted bounds the distinct stacks and states that a Scout knows: about 100 bytes each, and a path a frame. Those
// beyond are left to the parser.
const (
	maxSighted      = 1 << 13
	maxSightedPaths = 1 << 14
	maxSightedState = 64
)

// A sightedStack is one distinct text of a stack, as far as a Scout must know it.
type sightedStack struct {
	signature uint64
	wait      waitSite
	words     []uint8 // frames whose words may be sampled
	worded    int     // goroutines with such words so far
	whole     bool    // wait and words are known: the stack was seen twice
}

// A sighting is a goroutine that a Scout saw.
type sighting struct {
	at, size int32 // of its text, from the header to the empty line behind it
	lines    int32
	gp       bool
	wordless bool      // none of the words that may be sampled is an address
	g        Goroutine // State is the Scout's, Line and Flags are those of the header alone
	stack    *sightedStack
}

// Sightings are the goroutines that a Scout saw in one text, in order.
type Sightings struct {
	all    []sighting
	next   int      // the first that is not behind the parser
	states []string // of the Scout
}

// NewScout returns a Scout that has seen nothing.
func NewScout() *Scout {
	s := &Scout{stacks: make(map[uint64]*sightedStack), states: make(map[string]uint16)}
	s.paths = paths{byHash: make(map[uint64]*path), names: make(interner), most: maxSightedPaths}
	s.block.paths = &s.paths
	return s
}

// Headers finds goroutines in a framed text: it returns where the text of the first header begins at or behind a place,
// and how its lines are framed; -1 for none. Each call asks for a greater place.
type Headers func(from int) (at int, f Framing)

// Look returns what it sees in text, in room where that is not nil: Sightings that no parser needs any more. The parser
// must be given the same text, or what is left at its end. Headers is nil where lines have no framing.
func (s *Scout) Look(text []byte, headers Headers, room *Sightings) *Sightings {
	if room == nil {
		room = &Sightings{}
	}
	*room = Sightings{all: room.all[:0]}
	at, fresh, f := 0, 0, written
	for {
		if headers == nil {
			at = nextHeader(text, at)
		} else {
			var around Framing
			if at, around = headers(at); at >= 0 {
				f = framedBy(around)
			}
		}
		if at < 0 {
			break
		}
		n, isNew := s.goroutine(text, at, f, room)
		if isNew {
			fresh++
		}
		if fresh > maxFresh && fresh > len(room.all) {
			break // stacks of which each is new are the parser's work
		}
		at += max(n, len(headerPrefix))
	}
	room.states = s.names
	return room
}

// maxFresh is how many new stacks a Scout looks at in a text before it asks whether there are others.
const maxFresh = 64

// nextHeader returns where the next line begins that looks like a header, -1 for none.
func nextHeader(text []byte, from int) int {
	if bytes.HasPrefix(text[from:], headerPrefix) && (from == 0 || text[from-1] == '\n') {
		return from
	}
	i := bytes.Index(text[from:], lineAndHeader)
	if i < 0 {
		return -1
	}
	return from + i + 1
}

var lineAndHeader = []byte("\ngoroutine ")

// goroutine looks at the goroutine whose header begins at a place of text. It returns how long it is, 0 where it isn't
// one in its plainest form, and whether its stack was never seen before.
func (s *Scout) goroutine(text []byte, at int, f form, found *Sightings) (n int, isNew bool) {
	rest := text[at:]
	b := &s.block
	w := walk{form: f, b: b}
	end, next := w.header(rest)
	if end < 0 {
		return 0, false
	}
	h, ok := parseHeader(rest[:end])
	if !ok || h.id == 0 || h.labels != nil || h.outside || string(h.state) == "running" || len(h.state) > maxState {
		return 0, false
	}
	state, ok := s.state(h.state)
	if !ok {
		return 0, false
	}
	b.text = b.text[:0]
	b.reset(Goroutine{
		ID: h.id, Minutes: h.minutes, Bubble: h.bubble, Flags: h.flags, State: state,
	}, 0, 0)
	w.text, w.path = rest[next:], b.path
	w.frames()
	behind := w.empty()
	if b.depth == 0 || behind < 0 {
		return 0, false
	}
	n = next + behind
	st := s.stack(&w)
	if st == nil || !st.whole {
		return n, true
	}
	// The text is lent only here: the address is read from it.
	own := b.text
	b.text = w.text[:w.at:w.at]
	b.g.Wait = st.wait.address(b)
	wordless := st.wordless(b)
	b.text = own
	found.all = append(found.all, sighting{
		at: int32(at), size: int32(n), lines: int32(w.lines) + 2, gp: h.gp, wordless: wordless, g: b.g, stack: st,
	})
	return n, false
}

// wordless reports whether the goroutine in b has no words to sample. Of a stack that has given enough of them it no
// longer asks.
func (st *sightedStack) wordless(b *block) bool {
	if st.worded >= maxLockSamples {
		return false
	}
	var room [maxCallWords]Word
	for _, i := range st.words {
		if len(callWords(room[:0], b.text[b.args[i]:], 0)) > 0 {
			st.worded++
			return false
		}
	}
	return true
}

func (s *Scout) state(text []byte) (state uint16, ok bool) {
	recent := &s.recent[len(text)%len(s.recent)]
	if recent.text != "" && string(text) == recent.text {
		return recent.index, true
	}
	if state, ok = s.states[string(text)]; !ok {
		if len(s.names) >= maxSightedState {
			return 0, false
		}
		name := string(text)
		state = uint16(len(s.names))
		s.states[name] = state
		s.names = append(s.names, name)
	}
	*recent = recentState{s.names[state], state}
	return state, true
}

// stack returns the stack that w has walked, nil where there is no room for it. It isn't whole when it is met for the
// first time: a dump's first goroutine with a stack is the parser's in any case.
func (s *Scout) stack(w *walk) *sightedStack {
	p, hash := w.path, w.b.hash
	if p != nil && p.hash == hash && p.dump > 0 {
		return s.whole(s.found[p.slot], w)
	}
	st := s.stacks[hash]
	switch {
	case st != nil:
		s.whole(st, w)
	case len(s.stacks) >= maxSighted:
		return nil
	default:
		st = &sightedStack{signature: hash}
		s.stacks[hash] = st
		return st
	}
	if p != nil && p.hash == hash {
		p.dump, p.slot = 1, uint32(len(s.found))
		s.found = append(s.found, st)
	}
	return st
}

// whole completes what is known of a stack.
func (s *Scout) whole(st *sightedStack, w *walk) *sightedStack {
	if !st.whole {
		text, _ := w.plain(nil, nil)
		frames := make(interner).parts(text).frames
		st.wait, st.words, st.whole = waitSiteOf(frames), wordFrames(frames), true
	}
	return st
}

// Sighted takes the goroutine that text begins with where a Scout saw it, and what it assumed holds; it does what
// Goroutine does, and takes nothing otherwise. Text is a part of the text that the Scout looked at, at is where it
// begins there, and its first line is line num. Places only grow.
func (p *Parser) Sighted(text []byte, num int64, seen *Sightings, at int) (n int, lines int64) {
	if seen == nil {
		return 0, 0
	}
	s := seen.find(at)
	if s == nil || int(s.size) > len(text) || p.where != between || p.part != nil || p.spliced != nil ||
		p.copied.double || p.held != nil || p.unparsed.lines != 0 || p.cause.cur != nil || p.cause.recent.n != 0 {
		return 0, 0
	}
	db := p.dump
	raw := db.stackSighted(s.stack.signature)
	if raw == nil || db.nextIsThread || db.over || db.ids.has(s.g.ID) || raw.shape.wait != s.stack.wait ||
		!db.settled(raw, s, Runnable(seen.states[s.g.State])) {
		return 0, 0
	}
	db.take(s, raw, num, seen.states[s.g.State])
	p.num = num + int64(s.lines) - 1
	p.empty = p.num
	return int(s.size), int64(s.lines)
}

// find returns the sighting at a place, nil where there is none.
func (f *Sightings) find(at int) *sighting {
	for f.next < len(f.all) && int(f.all[f.next].at) < at {
		f.next++
	}
	if f.next < len(f.all) && int(f.all[f.next].at) == at {
		return &f.all[f.next]
	}
	return nil
}

// settled reports whether a goroutine of a stack leaves no words behind, and changes nothing about those to come.
func (db *dumpBuilder) settled(s *rawStack, seen *sighting, runnable bool) bool {
	switch {
	case s == db.rest:
		return false
	case !s.sampled:
		return true
	case seen.wordless && db.words.used < maxDumpWords:
		return slices.Equal(s.shape.words, seen.stack.words)
	}
	return runnable && len(s.bucket.Samples) >= samplesOf(s.bucket.Class) // its class stays
}

// take counts a goroutine that a Scout saw, as begin and end do.
func (db *dumpBuilder) take(s *sighting, raw *rawStack, num int64, state string) {
	d := db.dump
	g := s.g
	g.Line = lineOf(num)
	if s.gp && d.Cause == nil {
		d.Format = FormatSignal
	}
	db.seen.header(header{minutes: g.Minutes, bubble: g.Bubble, flags: g.Flags, gp: s.gp})
	g.State = db.stateCalled(state)
	db.ids.add(g.ID)
	d.Goroutines++
	d.EndLine = num + int64(s.lines) - 2
	g.Flags |= raw.shape.flags
	raw.bucket.add(g, d.States[g.State], &db.shapes.chunks)
}
