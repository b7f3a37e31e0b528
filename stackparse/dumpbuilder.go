package stackparse

import (
	"cmp"
	"slices"
)

// A dumpBuilder collects the goroutines of the dump under way.
type dumpBuilder struct {
	dump     *Dump
	number   uint32               // of the dump in its stream, from 1
	stacks   map[uint64]*rawStack // by the signature of the lines as printed
	byPrefix []*rawStack          // those that a prefix ends in, see stackPrefix.slot
	buckets  map[uint64]*Bucket
	order    []*Bucket // the same, as they came
	states   map[string]uint16
	labels   map[string]uint16
	ids      idSet           // of its first goroutines only
	overflow *rawStack       // of those that there was no room for; nil mostly
	parsed   *parsedStacks   // shared by the stream's dumps
	budget   *Budget         // shared by the dumps of several streams; nil for none
	evidence releaseEvidence // of the release that printed it
	recent   [16]recentState
	words    wordArena

	possibleCause *Cause // taken as the dump's cause if the frames of its first goroutine show a panic

	nextIsThread bool // "-----" was seen: what follows is another thread of the same crash
	registers    int  // lines of them
	behindEmpty  bool // the first goroutine follows an empty line
	endSeen      bool // registers or an exit status: nothing but another thread can follow
}

// A rawStack is one distinct text of a stack. Several may be one Bucket: runtime frames, wrappers and elided counts are
// not identity.
type rawStack struct {
	bucket  *Bucket
	parsed  *parsedStack
	sampled bool // its goroutines' words are kept
}

// newDump returns a builder of a dump that begins in line num, or with its cause.
func (p *Parser) newDump(num int64, stamp []byte, cause *Cause) *dumpBuilder {
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
	p.parsed.dumps++
	return &dumpBuilder{
		dump:    d,
		number:  p.parsed.dumps,
		stacks:  make(map[uint64]*rawStack),
		buckets: make(map[uint64]*Bucket),
		states:  make(map[string]uint16),
		labels:  make(map[string]uint16),
		parsed:  p.parsed,
		budget:  p.budget,
	}
}

// beginGoroutine starts the next goroutine in stack.
func (db *dumpBuilder) beginGoroutine(h header, stack *stackBuilder, num int64, indent int) {
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
	db.evidence.header(h)
	g.State = db.stateIndex(h.state)
	if h.labels != nil {
		g.Labels = db.labelIndex(h.labels)
	}
	if h.id != 0 {
		db.ids.add(h.id)
		if c := d.Cause; c != nil && c.Goroutine == 0 && d.Goroutines == 0 && c.Kind != CauseSignal {
			c.Goroutine = h.id
		}
	}
	d.Goroutines++
	stack.reset(g, num, indent)
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

func (db *dumpBuilder) stateIndex(text []byte) uint16 {
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

func (db *dumpBuilder) labelIndex(text []byte) uint16 {
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

// stackOf returns the raw stack of the goroutine in stack, made new where it is: by the prefix that its lines took, by
// their signature otherwise.
func (db *dumpBuilder) stackOf(stack *stackBuilder, signature uint64) *rawStack {
	p := stack.prefix
	if p != nil && p.hash != signature {
		p = nil // its stack was not available
	}
	if p != nil && p.dump == db.number {
		return db.byPrefix[p.slot]
	}
	s := db.stacks[signature]
	if s == nil {
		s = db.newStack(stack, signature)
	}
	if p != nil {
		p.dump, p.slot = db.number, uint32(len(db.byPrefix))
		db.byPrefix = append(db.byPrefix, s)
	}
	return s
}

// endGoroutine puts the finished goroutine in stack into its bucket.
func (db *dumpBuilder) endGoroutine(stack *stackBuilder) {
	db.dump.EndLine = stack.lastNum
	if stack.pending == pendFunc || stack.pending == pendCreated {
		stack.g.Flags |= FlagCut
	}
	stack.keepCut()
	stack.dropPending()
	stack.endFrames()
	hash := stack.hash
	if stack.g.Flags&FlagNoStack != 0 {
		hash ^= 3
	}
	s := db.stackOf(stack, hash)
	if s == db.overflow {
		db.dump.Folded++
	}
	stack.g.Flags |= s.parsed.flags
	stack.g.Wait = s.parsed.wait.address(stack)
	s.bucket.add(stack.g, db.dump.States[stack.g.State], &db.parsed.chunks)
	db.keepWords(stack, s)
}

// add counts g; state is the text of its state, and spare has chunks for the list of goroutines.
func (bucket *Bucket) add(g Goroutine, state string, spare *chunkStore) {
	if bucket.Count == 0 || g.Minutes < bucket.MinMinutes {
		bucket.MinMinutes = g.Minutes
	}
	bucket.MaxMinutes = max(bucket.MaxMinutes, g.Minutes)
	bucket.Leaked = bucket.Leaked || g.Flags&FlagLeaked != 0
	if Runnable(state) {
		bucket.Active++
	} else if bucket.Class == ClassRunnable || bucket.Class == ClassRunning {
		bucket.Class = classOf(bucket.Frames, state) // the first one was just woken
	}
	bucket.list.add(g, spare)
	bucket.Count++
}

// finish completes the dump with what depends on all of its goroutines.
func (db *dumpBuilder) finish() *Dump {
	d := db.dump
	d.Buckets = db.order
	for _, b := range d.Buckets {
		b.Goroutines, b.list = b.list.all(b.Count, &db.parsed.chunks), chunkedList{}
		db.parsed.remember(b)
	}
	// Stable: all goroutines of an escaped dump have the number of its record's line.
	slices.SortStableFunc(d.Buckets, func(a, b *Bucket) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Goroutines[0].Line, b.Goroutines[0].Line))
	})
	if d.Cause == nil && db.firstPanics() {
		d.Cause = cmp.Or(db.possibleCause, &Cause{Kind: CauseLoggedPanic, Line: d.Line})
	}
	d.Go = db.evidence.release(d)
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

// newStack parses the first goroutine of a new signature and finds or makes its bucket.
func (db *dumpBuilder) newStack(stack *stackBuilder, signature uint64) *rawStack {
	if db.budget.full(db.dump) {
		return db.overflowStack()
	}
	parsed := db.parsed.bySignature[signature]
	frames := 0 // that no dump before has
	var ancestors []Ancestor
	if parsed == nil || parsed.ancestors || stack.inAncestor {
		var p stackParts
		p, parsed = db.parsed.parse(stack)
		ancestors, frames = p.ancestors, len(p.frames)
		db.parsed.keep(signature, parsed, len(stack.text)+len(stack.tail.buf))
	}
	bucket := db.buckets[parsed.key]
	if bucket == nil {
		bucket = &Bucket{
			Frames:    parsed.frames,
			Shown:     parsed.shown,
			CreatedBy: parsed.created,
			Ancestors: ancestors,
			Class:     classOf(parsed.frames, db.dump.States[stack.g.State]),
			Key:       parsed.key,
			before:    &parsed.last,
		}
		text := 0 // that no dump before has
		if stack.tail.n == 0 && parsed.last.text == string(stack.text) {
			bucket.Text = parsed.last.text
		} else {
			bucket.Text = stack.wholeText()
			text = len(bucket.Text)
		}
		db.buckets[parsed.key] = bucket
		db.order = append(db.order, bucket)
		db.budget.charge(db.dump, stackCost(text, frames))
		db.evidence.add(&parsed.evidence)
	}
	// Words are placed by the bucket's frames: those of a stack with other hidden ones would be out of place.
	sampled := len(parsed.words) > 0 && len(parsed.frames) == len(bucket.Frames) &&
		slices.Equal(parsed.shown, bucket.Shown)
	s := &rawStack{bucket: bucket, parsed: parsed, sampled: sampled}
	db.stacks[signature] = s
	return s
}

// overflowStack counts the goroutines with new stacks in one bucket without frames, once there is no room for more.
func (db *dumpBuilder) overflowStack() *rawStack {
	if db.overflow == nil {
		parsed := &parsedStack{key: stackKey(nil, nil, nil), wait: waitSite{frame: -1}}
		bucket := db.buckets[parsed.key]
		if bucket == nil {
			bucket = &Bucket{Frames: []Frame{}, Shown: []int{}, Class: ClassOther, Key: parsed.key}
			db.buckets[parsed.key] = bucket
			db.order = append(db.order, bucket)
		}
		db.overflow = &rawStack{bucket: bucket, parsed: parsed}
	}
	return db.overflow
}

// keepWords keeps the argument words of the goroutine in stack, which is the last of its bucket so far.
func (db *dumpBuilder) keepWords(stack *stackBuilder, s *rawStack) {
	bucket := s.bucket
	if !s.sampled {
		return
	}
	if len(bucket.Samples) >= samplesOf(bucket.Class) {
		// Nearly all goroutines end here: those that follow skip these checks, unless the class may change (see add).
		s.sampled = bucket.Class == ClassRunnable || bucket.Class == ClassRunning
		return
	}
	if db.words.used >= maxDumpWords {
		db.dump.SamplesCut = true
		return
	}
	words := db.words.next()
	for _, i := range s.parsed.words {
		if int(i) < stack.depth && stack.args[i] >= 0 {
			words = callWords(words, stack.text[stack.args[i]:], Word(i)<<frameShift)
		}
	}
	if len(words) == 0 {
		return
	}
	db.words.used += len(words)
	n, index := len(bucket.Samples), bucket.Count-1
	if before := bucket.before.samplesBehind(bucket.Samples); n < len(before) && before[n].Index == index &&
		slices.Equal(before[n].Words, words) {
		bucket.Samples = before[: n+1 : n+1]
		return
	}
	if n == cap(bucket.Samples) && n > 0 {
		// Of most stacks there is one goroutine, or there are many.
		bucket.Samples = slices.Grow(bucket.Samples, maxSamples)
	}
	bucket.Samples = append(bucket.Samples, Sample{Index: index, Words: db.words.keep(words)})
}
