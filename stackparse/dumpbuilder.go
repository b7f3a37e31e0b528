package stackparse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A dumpBuilder collects the goroutines of the dump under way.
type dumpBuilder struct {
	dump    *Dump
	number  uint32               // of the dump in its stream, from 1
	stacks  map[uint64]*rawStack // by the signature of the lines as printed
	found   []*rawStack          // those that a path ends in, see path.slot
	buckets map[uint64]*Bucket
	order   []*Bucket // the same, as they came
	states  map[string]uint16
	labels  map[string]uint32
	ids     idSet
	cost    int       // of the distinct stacks, see stackCost
	rest    *rawStack // of those that there was no room for; nil mostly
	shapes  *shapes   // shared by the stream's dumps
	names   interner  // likewise
	seen    evidence  // of the release that printed it
	recent  [16]recentState
	words   wordArena

	nextIsThread bool // "-----" was seen: what follows is another thread of the same crash
	registers    int  // lines of them
	behindEmpty  bool // the first goroutine stands behind an empty line
	over         bool // registers or an exit status were seen: nothing but another thread can follow
}

// A rawStack is one distinct text of a stack. Several may be one Bucket: runtime frames, wrappers and elided counts are
// not identity.
type rawStack struct {
	bucket  *Bucket
	shape   *shape
	sampled bool // its goroutines' words are kept
}

func newDumpBuilder(num int64, stamp []byte, cause *Cause, shapes *shapes, names interner) *dumpBuilder {
	d := &Dump{Format: FormatDebug2, Line: num, EndLine: num, Stamp: string(stamp), Cause: cause, Labels: []string{""}, Seen: 1}
	if cause != nil {
		d.Line = min(cause.Line, num)
		switch cause.Kind {
		case CauseSignal, CauseFatal, CausePanic, CauseTestTimeout:
			d.Format = FormatSignal
		}
	}
	d.LastLine = d.Line
	shapes.dumps++
	return &dumpBuilder{
		dump:    d,
		number:  shapes.dumps,
		stacks:  make(map[uint64]*rawStack),
		buckets: make(map[uint64]*Bucket),
		states:  make(map[string]uint16),
		labels:  make(map[string]uint32),
		shapes:  shapes,
		names:   names,
	}
}

// endsBefore reports whether a goroutine's header belongs to another dump than the one under way; adjacent says that no
// other text stands between.
func (db *dumpBuilder) endsBefore(h header, cause *Cause, adjacent bool) bool {
	if db.nextIsThread {
		return false
	}
	if db.over {
		return true
	}
	running := string(h.state) == "running"
	if cause != nil {
		switch cause.Kind {
		case CauseLoggedPanic, CauseLogFatal: // may be a line of a logger that writes into the dump
			return running
		}
		return true
	}
	// runtime.Stack and debug=2 print one running goroutine, the one that asks, first. What lost its head may be a
	// signal's dump, which has others that could not be stopped.
	if running && !h.gp && db.dump.Format == FormatDebug2 && !(adjacent && db.dump.Truncated.Head) {
		return true
	}
	if running && (db.died() && adjacent || db.dump.Threads > 0) {
		return false // another thread that threw, or was asked, prints its stack, now that it can be had
	}
	return h.id != 0 && db.ids.has(h.id)
}

// died reports whether the dump is what the process printed when it ended by itself.
func (db *dumpBuilder) died() bool {
	c := db.dump.Cause
	return c != nil && (c.Kind == CauseFatal || c.Kind == CausePanic)
}

// fakeBefore reports whether the dump's only goroutine was a part of the panic's text: a process dies of one running
// goroutine, and it is printed first, behind an empty line. What tells is such a header h after some text, or one that
// repeats a goroutine that no empty line stands before (debug.Stack was a part of the text). between counts the lines of
// that text (maxUnparsedFirst at most: past it the dump is closed), and behindEmpty says that h stands behind an empty line. Since Go 1.23 a panic's text is indented and never gets here.
func (db *dumpBuilder) fakeBefore(h header, between int, behindEmpty bool) bool {
	c := db.dump.Cause
	return c != nil && c.Kind == CausePanic && db.dump.Goroutines == 1 && string(h.state) == "running" && !db.nextIsThread && !h.gp &&
		behindEmpty && (between > 0 || !db.behindEmpty && db.ids.has(h.id) && h.id != 0)
}

// begin starts the next goroutine in b.
func (db *dumpBuilder) begin(h header, b *block, num int64, indent int) {
	d := db.dump
	g := Goroutine{ID: h.id, Line: num, Minutes: h.minutes, Thread: h.thread, Bubble: h.bubble, Flags: h.flags}
	if d.Goroutines == 0 {
		g.Flags |= FlagFirst
	}
	if h.id == 0 {
		g.Flags |= FlagG0
	}
	if db.nextIsThread {
		db.nextIsThread = false
		d.Threads++
	}
	if h.gp && d.Cause == nil {
		d.Format = FormatSignal
	}
	db.seen.header(h)
	g.State = db.state(h.state)
	if h.labels != nil {
		g.Labels = db.labelSet(h.labels)
	}
	if h.id != 0 {
		db.ids.add(h.id)
		if c := d.Cause; c != nil && c.Goroutine == 0 && d.Goroutines == 0 && c.Kind != CauseSignal {
			c.Goroutine = h.id
		}
	}
	d.Goroutines++
	b.reset(g, indent)
}

// A recentState saves a look-up: states differ in length, so their length finds them.
type recentState struct {
	text  string
	index uint16
}

// maxStates bounds hostile input: the runtime knows 46 wait reasons (1.27) and 11 states.
const maxStates = 1024

func (db *dumpBuilder) state(text []byte) uint16 {
	recent := &db.recent[len(text)%len(db.recent)]
	if string(text) == recent.text {
		return recent.index
	}
	idx, ok := db.states[string(text)]
	if !ok {
		name := cutText(text, 64)
		if len(db.states) >= maxStates {
			name = "other"
		}
		if idx, ok = db.states[name]; !ok {
			idx = uint16(len(db.dump.States))
			db.dump.States = append(db.dump.States, name)
			db.states[name] = idx
		}
	}
	*recent = recentState{db.dump.States[idx], idx}
	return idx
}

// maxLabelText bounds one label set, in bytes.
const maxLabelText = 1 << 10

func (db *dumpBuilder) labelSet(text []byte) uint32 {
	text = text[:min(len(text), maxLabelText)]
	if idx, ok := db.labels[string(text)]; ok {
		return idx
	}
	if len(db.dump.Labels) > maxLabelSets {
		db.dump.LabelsCut++
		return 0
	}
	idx := uint32(len(db.dump.Labels))
	db.dump.Labels = append(db.dump.Labels, plainLabels(text))
	db.labels[string(text)] = idx
	return idx
}

// find returns the stack that the block's lines are, made new where they are: by the path that they took, by their
// signature otherwise.
func (db *dumpBuilder) find(b *block, signature uint64) *rawStack {
	p := b.path
	if p != nil && p.hash != signature {
		p = nil // its stack was not available
	}
	if p != nil && p.dump == db.number {
		return db.found[p.slot]
	}
	s := db.stacks[signature]
	if s == nil {
		s = db.build(b, signature)
	}
	if p != nil {
		p.dump, p.slot = db.number, uint32(len(db.found))
		db.found = append(db.found, s)
	}
	return s
}

// adopt takes over the goroutine in b, which was thought the first of the dump that from builds.
func (db *dumpBuilder) adopt(from *dumpBuilder, b *block) {
	g := &b.g
	g.Flags &^= FlagFirst
	g.State = db.state([]byte(from.dump.States[g.State]))
	if g.Labels != 0 {
		g.Labels = db.labelSet([]byte(from.dump.Labels[g.Labels]))
	}
	if g.ID != 0 {
		db.ids.add(g.ID)
	}
	db.dump.Goroutines++
}

// end puts the finished goroutine in b into its bucket.
func (db *dumpBuilder) end(b *block) {
	db.dump.EndLine = b.last
	if b.pending == pendFunc || b.pending == pendCreated {
		b.g.Flags |= FlagCut
	}
	b.dropPending()
	b.endHead()
	hash := b.hash
	if b.g.Flags&FlagNoStack != 0 {
		hash ^= 3
	}
	s := db.find(b, hash)
	b.g.Flags |= s.shape.flags
	b.g.Wait = s.shape.wait.address(b)
	s.bucket.add(b.g, db.dump.States[b.g.State])
	db.sample(b, s)
}

// add counts g, whose state has the given text.
func (bk *Bucket) add(g Goroutine, state string) {
	if bk.Count == 0 || g.Minutes < bk.MinMinutes {
		bk.MinMinutes = g.Minutes
	}
	bk.MaxMinutes = max(bk.MaxMinutes, g.Minutes)
	bk.Leaked = bk.Leaked || g.Flags&FlagLeaked != 0
	if Runnable(state) {
		bk.Active++
	} else if bk.Class == ClassRunnable || bk.Class == ClassRunning {
		bk.Class = classOf(bk.Frames, state) // the first one was just woken
	}
	bk.list.add(g)
	bk.Count++
}

// finish closes the dump; cut says that the stream ended before the dump did.
func (db *dumpBuilder) finish(cut bool) *Dump {
	d := db.dump
	d.Truncated.Tail = cut
	d.Buckets = db.order
	for _, b := range d.Buckets {
		b.Goroutines, b.list = b.list.all(b.Count), chunkedList{}
	}
	// Stable: all goroutines of an escaped dump have the number of its record's line.
	slices.SortStableFunc(d.Buckets, func(a, b *Bucket) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Goroutines[0].Line, b.Goroutines[0].Line))
	})
	d.Go = db.seen.release(d)
	return d
}

// cutBySignal reports whether a signal's dump lacks the registers that end it (runtime.sighandler).
func (db *dumpBuilder) cutBySignal() bool {
	c := db.dump.Cause
	return c != nil && c.Kind == CauseSignal && db.registers == 0
}

// plainLabels prints a header's labels as `key: value, key: value`, whichever form they had: 1.26 quotes always, 1.27
// only what lies outside [A-Za-z0-9./_].
func plainLabels(text []byte) string {
	var out strings.Builder
	s := string(text)
	for s != "" {
		if s[0] == '"' {
			if q, err := strconv.QuotedPrefix(s); err == nil {
				if u, err := strconv.Unquote(q); err == nil {
					out.WriteString(u)
					s = s[len(q):]
					continue
				}
			}
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String()
}

// An interner keeps one copy of each function and file name.
type interner map[string]string

// Bounds on the names that outlive a dump: their number, and the length of one in bytes. The founding dump has 830
// names, and 2,600 with those of paths; the longest of the corpus has 190 bytes.
const (
	maxNames = 1 << 17
	maxName  = 512
)

func (in interner) string(b []byte) string {
	if s, ok := in[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(in) < maxNames && len(s) <= maxName {
		in[s] = s
	}
	return s
}

// An idSet remembers the first ids of a dump, 0 excepted. A dump that follows without a cause of its own repeats one of
// them early: goroutine 1 is in nearly every dump.
type idSet struct {
	slots [256]uint64
	n     int
}

// maxIDs keeps the table half empty.
const maxIDs = 128

func (s *idSet) slot(id uint64) *uint64 {
	i := id * 0x9E3779B97F4A7C15 >> 56
	for s.slots[i] != 0 && s.slots[i] != id {
		i = (i + 1) & 255
	}
	return &s.slots[i]
}

func (s *idSet) has(id uint64) bool { return *s.slot(id) == id }

func (s *idSet) add(id uint64) {
	if s.n < maxIDs {
		*s.slot(id) = id
		s.n++
	}
}
