package stackparse

import (
	"cmp"
	"slices"
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
	labels  map[string]uint16
	ids     idSet     // of its first goroutines only
	rest    *rawStack // of those that there was no room for; nil mostly
	shapes  *shapes   // shared by the stream's dumps
	budget  *Budget   // shared by the dumps of several streams; nil for none
	seen    evidence  // of the release that printed it
	recent  [16]recentState
	words   wordArena

	unsaid *Cause // taken as the dump's cause if the frames of its first goroutine show a panic

	nextIsThread bool // "-----" was seen: what follows is another thread of the same crash
	registers    int  // lines of them
	behindEmpty  bool // the first goroutine follows an empty line
	endSeen      bool // registers or an exit status: nothing but another thread can follow
}

// A rawStack is one distinct text of a stack. Several may be one Bucket: runtime frames, wrappers and elided counts are
// not identity.
type rawStack struct {
	bucket  *Bucket
	shape   *shape
	sampled bool // its goroutines' words are kept
}

func newDumpBuilder(num int64, stamp []byte, cause *Cause, shapes *shapes, budget *Budget) *dumpBuilder {
	d := &Dump{
		Format: FormatDebug2, Line: num, EndLine: num, Stamp: string(stamp), Cause: cause,
		Labels: []string{""}, Seen: 1,
	}
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
		labels:  make(map[string]uint16),
		shapes:  shapes,
		budget:  budget,
	}
}

// begin starts the next goroutine in b.
func (db *dumpBuilder) begin(h header, b *stackBuilder, num int64, indent int) {
	d := db.dump
	g := Goroutine{ID: h.id, Line: lineOf(num), Minutes: h.minutes, Bubble: h.bubble, Flags: h.flags}
	if d.Goroutines == 0 {
		g.Flags |= FlagFirst
	}
	if h.id == 0 && !h.nameless {
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
	b.reset(g, num, indent)
}

// A recentState saves a look-up: states differ in length, so their length finds them.
type recentState struct {
	text  string
	index uint16
}

// maxStates bounds hostile input: the runtime has 46 wait reasons (1.27) and 11 states. Of one, maxState bytes are
// kept.
const (
	maxStates = 1024
	maxState  = 64
)

func (db *dumpBuilder) state(text []byte) uint16 {
	recent := &db.recent[len(text)%len(db.recent)]
	if string(text) == recent.text {
		return recent.index
	}
	idx, ok := db.states[string(text)]
	if !ok {
		name := cutText(text, maxState)
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

func (db *dumpBuilder) labelSet(text []byte) uint16 {
	text = text[:min(len(text), maxLabelText)]
	if idx, ok := db.labels[string(text)]; ok {
		return idx
	}
	if len(db.dump.Labels) > maxLabelSets {
		db.dump.LabelsCut++
		return 0
	}
	idx := uint16(len(db.dump.Labels))
	db.dump.Labels = append(db.dump.Labels, plainLabels(text))
	db.labels[string(text)] = idx
	return idx
}

// find returns the stack that b's lines are, made new where they are: by the path that they took, by their
// signature otherwise.
func (db *dumpBuilder) find(b *stackBuilder, signature uint64) *rawStack {
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

// end puts the finished goroutine in b into its bucket.
func (db *dumpBuilder) end(b *stackBuilder) {
	db.dump.EndLine = b.lastNum
	if b.pending == pendFunc || b.pending == pendCreated {
		b.g.Flags |= FlagCut
	}
	b.keepCut()
	b.dropPending()
	b.endHead()
	hash := b.hash
	if b.g.Flags&FlagNoStack != 0 {
		hash ^= 3
	}
	s := db.find(b, hash)
	if s == db.rest {
		db.dump.Folded++
	}
	b.g.Flags |= s.shape.flags
	b.g.Wait = s.shape.wait.address(b)
	s.bucket.add(b.g, db.dump.States[b.g.State], &db.shapes.chunks)
	db.sample(b, s)
}

// add counts g; state is the text of its state, and spare has chunks for the list of goroutines.
func (bk *Bucket) add(g Goroutine, state string, spare *chunkStore) {
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
	bk.list.add(g, spare)
	bk.Count++
}

// finish closes the dump; cut reports that the stream ended before the dump did.
func (db *dumpBuilder) finish(cut bool) *Dump {
	d := db.dump
	d.Truncated.Tail = cut
	d.Buckets = db.order
	for _, b := range d.Buckets {
		b.Goroutines, b.list = b.list.all(b.Count, &db.shapes.chunks), chunkedList{}
		db.shapes.remember(b)
	}
	// Stable: all goroutines of an escaped dump have the number of its record's line.
	slices.SortStableFunc(d.Buckets, func(a, b *Bucket) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Goroutines[0].Line, b.Goroutines[0].Line))
	})
	if d.Cause == nil && db.firstPanics() {
		d.Cause = cmp.Or(db.unsaid, &Cause{Kind: CauseLoggedPanic, Line: d.Line})
	}
	d.Go = db.seen.release(d)
	return d
}

// firstPanics reports whether the goroutine that printed the dump did so in a deferred call of a panic.
func (db *dumpBuilder) firstPanics() bool {
	for _, b := range db.dump.Buckets {
		if g := &b.Goroutines[0]; g.Flags&FlagFirst != 0 && db.dump.States[g.State] == "running" {
			return slices.ContainsFunc(b.Frames[min(1, len(b.Frames)):], func(f Frame) bool {
				return f.Func == "panic" || f.Func == "runtime.gopanic"
			})
		}
	}
	return false
}

// cutBySignal reports whether a signal's dump lacks the registers that end it (runtime.sighandler).
func (db *dumpBuilder) cutBySignal() bool {
	c := db.dump.Cause
	return c != nil && c.Kind == CauseSignal && db.registers == 0
}

// build parses the first goroutine of a new signature and finds or makes its bucket.
func (db *dumpBuilder) build(b *stackBuilder, signature uint64) *rawStack {
	if db.budget.full(db.dump) {
		return db.overflow()
	}
	sh := db.shapes.bySignature[signature]
	frames := 0 // that no dump before has
	var ancestors []Ancestor
	if sh == nil || sh.ancestors || b.inAncestor {
		var p parts
		p, sh = db.shapes.parse(b)
		ancestors, frames = p.ancestors, len(p.frames)
		db.shapes.keep(signature, sh, len(b.text)+len(b.tail.buf))
	}
	bk := db.buckets[sh.key]
	if bk == nil {
		bk = &Bucket{
			Frames:    sh.frames,
			Shown:     sh.shown,
			CreatedBy: sh.created,
			Ancestors: ancestors,
			Class:     classOf(sh.frames, db.dump.States[b.g.State]),
			Key:       sh.key,
			before:    &sh.last,
		}
		text := 0 // that no dump before has
		if b.tail.n == 0 && sh.last.text == string(b.text) {
			bk.Text = sh.last.text
		} else {
			bk.Text = b.ordered()
			text = len(bk.Text)
		}
		db.buckets[sh.key] = bk
		db.order = append(db.order, bk)
		db.budget.charge(db.dump, stackCost(text, frames))
		db.seen.add(&sh.seen)
	}
	// Words are placed by the bucket's frames: those of a stack with other hidden ones would be out of place.
	sampled := len(sh.words) > 0 && len(sh.frames) == len(bk.Frames) && slices.Equal(sh.shown, bk.Shown)
	s := &rawStack{bucket: bk, shape: sh, sampled: sampled}
	db.stacks[signature] = s
	return s
}

// overflow counts the goroutines with new stacks in one bucket without frames, once there is no room for more.
func (db *dumpBuilder) overflow() *rawStack {
	if db.rest == nil {
		sh := &shape{key: stackKey(nil, nil, nil), wait: waitSite{frame: -1}}
		bk := db.buckets[sh.key]
		if bk == nil {
			bk = &Bucket{Frames: []Frame{}, Shown: []int{}, Class: ClassOther, Key: sh.key}
			db.buckets[sh.key] = bk
			db.order = append(db.order, bk)
		}
		db.rest = &rawStack{bucket: bk, shape: sh}
	}
	return db.rest
}

// sample keeps the words of the goroutine in b, which is the last of bucket's goroutines so far.
func (db *dumpBuilder) sample(b *stackBuilder, s *rawStack) {
	bk := s.bucket
	if !s.sampled {
		return
	}
	if len(bk.Samples) >= samplesOf(bk.Class) {
		// Nearly all goroutines end here: those that follow skip these checks, unless the class may change (see add).
		s.sampled = bk.Class == ClassRunnable || bk.Class == ClassRunning
		return
	}
	if db.words.used >= maxDumpWords {
		db.dump.SamplesCut = true
		return
	}
	words := db.words.next()
	for _, i := range s.shape.words {
		if int(i) < b.depth && b.args[i] >= 0 {
			words = callWords(words, b.text[b.args[i]:], Word(i)<<frameShift)
		}
	}
	if len(words) == 0 {
		return
	}
	db.words.used += len(words)
	n, index := len(bk.Samples), bk.Count-1
	if before := bk.before.samplesBehind(bk.Samples); n < len(before) && before[n].Index == index &&
		slices.Equal(before[n].Words, words) {
		bk.Samples = before[: n+1 : n+1]
		return
	}
	if n == cap(bk.Samples) && n > 0 {
		bk.Samples = slices.Grow(bk.Samples, maxSamples) // of most stacks there is one goroutine, or there are many
	}
	bk.Samples = append(bk.Samples, Sample{Index: index, Words: db.words.keep(words)})
}
