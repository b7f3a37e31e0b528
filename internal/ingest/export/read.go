package export

import (
	"bytes"
	"context"
	"io"
	"slices"
)

// Stats are what a reader of the report should know about an export.
type Stats struct {
	Records int64
	// Strays counts lines that are no records.
	Strays int64
	// Falling reports that the newest records came first, Unsorted that times went both ways; both were put right.
	Falling, Unsorted bool
	// Pieces is in how many pieces a falling export was turned round because it was too large to be held, without the
	// last one. Late counts records that came too late to be put where they belong.
	Pieces, Late int64
	// Headers counts the headers of goroutines in records of one line, Torn those behind which their stack is missing.
	Headers, Torn int
	// LeftOut counts lines of tracebacks that were dropped, because too many stacks are torn.
	LeftOut int
	// CutBy is the length of text at which a store seems to cut, 0 for none, and CutRecords how many records have it.
	CutBy, CutRecords int
	// TooLong counts records with more text than is kept.
	TooLong int
}

// Read reads an export to its end. What it hands to sink is what Learn has found; the rest is stepped over.
func (s *Shape) Read(ctx context.Context, r io.Reader, sink Sink) (Stats, error) {
	return s.read(ctx, r, sink, maxHeld)
}

func (s *Shape) read(ctx context.Context, r io.Reader, sink Sink, limit int) (Stats, error) {
	var stats Stats
	c := newCollector(ctx, s, sink, &stats)
	c.held.limit = limit
	in := newInput(r)
	if s.Table {
		t := &table{in: in, tree: s.tree, to: c, comma: s.comma, maxText: MaxText}
		t.header()
		t.freeze()
		t.run()
		stats.Strays = t.broken
	} else {
		in.bom()
		w := &jsonWalk{in: in, tree: s.tree, to: c, maxText: MaxText, oneLine: s.oneLine, lists: s.lists}
		w.run()
		stats.Strays = w.broken
	}
	c.held.flush(true)
	stats.CutBy, stats.CutRecords = c.cuts.found()
	if c.held.err != nil {
		return stats, c.held.err
	}
	return stats, ctx.Err()
}

// bom steps over a byte order mark.
func (in *recordInput) bom() {
	if in.ready() && bytes.HasPrefix(in.buf[:in.n], []byte("\ufeff")) {
		in.i += len("\ufeff")
	}
}

// A placeRole is what a place is to its record.
type placeRole struct {
	text   int // 1 for the first choice
	time   bool
	label  bool
	slot   labelMeaning
	outer  *node // the element that the label belongs to, nil for the record
	around bool  // an element around records
}

// A collector makes records of what a walk finds.
type collector struct {
	ctx   context.Context
	shape *Shape
	roles []placeRole // by node
	held  *holder
	stats *Stats
	clock clock

	cur    heldRecord
	text   []byte
	choice int // of the text, 0 for none yet
	own    labelSet
	before labelSet
	parsed map[string]labelSet // sets of labels in one text
	groups []openGroup
	cuts   textLengths
	steps  int
	whole  int64 // the records before the value under way
}

type openGroup struct {
	node *node
	id   int32
}

func newCollector(ctx context.Context, s *Shape, sink Sink, stats *Stats) *collector {
	c := &collector{
		ctx: ctx, shape: s, held: newHolder(sink, stats), stats: stats, roles: make([]placeRole, len(s.tree.nodes)),
		parsed: make(map[string]labelSet),
	}
	for i, n := range s.texts {
		c.roles[n.id].text = i + 1
	}
	if s.time != nil {
		c.roles[s.time.id].time = true
	}
	for _, l := range s.labels {
		r := &c.roles[l.node.id]
		r.label, r.slot = true, l.slot
		if e := l.node.container(); !l.node.within(s.record) {
			r.outer = e
			c.roles[e.id].around = true
		}
	}
	return c
}

func (c *collector) begin(n *node, line int64) {
	if n.parent == nil {
		c.whole = c.stats.Records
	}
	if n == c.shape.record {
		c.cur = heldRecord{line: line, group: -1}
		c.text, c.choice = c.text[:0], 0
		c.before, c.own = c.own, labelSet{}
		if k := len(c.groups); k > 0 {
			c.cur.group = c.groups[k-1].id
		}
		return
	}
	if c.roles[n.id].around {
		outer := int32(-1)
		if k := len(c.groups); k > 0 {
			outer = c.groups[k-1].id
		}
		c.groups = append(c.groups, openGroup{n, int32(len(c.held.groups))})
		c.held.groups = append(c.held.groups, labelledElement{outer: outer})
	}
}

func (c *collector) end(n *node) {
	if n == c.shape.record {
		c.finish()
		return
	}
	if k := len(c.groups); k > 0 && c.groups[k-1].node == n {
		c.groups = c.groups[:k-1]
	}
}

// finish holds the record that has ended.
func (c *collector) finish() {
	if c.choice == 0 {
		return
	}
	c.cur.set = c.held.set(c.own)
	c.hold(&c.cur, c.text)
}

func (c *collector) hold(r *heldRecord, text []byte) {
	c.stats.Records++
	if c.shape.Table && bytes.HasPrefix(text, []byte("'\t")) {
		text = text[1:] // Kibana keeps spreadsheets from taking a cell for a formula
	}
	text = bytes.TrimRight(text, "\r\n")
	first, last := text, text
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		first, last = text[:i], text[bytes.LastIndexByte(text, '\n')+1:]
	}
	r.single = len(first) == len(text)
	r.first, r.end = partOf(first), partOf(last)
	c.cuts.add(text)
	if r.cut {
		c.stats.TooLong++
	}
	c.held.add(*r, text)
	if c.held.full() {
		c.held.flush(false)
		c.keepGroups()
	}
}

// keepGroups forgets the groups that have ended, with the sets of labels, where nothing that is held has them.
func (c *collector) keepGroups() {
	h := c.held
	if len(h.recs) > 0 && len(h.groups) < maxGroups && len(h.sets) < maxGroups {
		return
	}
	if len(h.recs) > 0 {
		h.flush(true)
	}
	h.sets = h.sets[:0]
	clear(h.setIDs)
	kept := make([]labelledElement, 0, len(c.groups))
	for i := range c.groups {
		g := h.groups[c.groups[i].id]
		g.outer = int32(i - 1)
		c.groups[i].id = int32(i)
		kept = append(kept, g)
	}
	h.groups = kept
}

// stray holds a line that is no record. What a damaged record gave before it broke is held already.
func (c *collector) stray(text []byte, line int64, damaged bool) {
	if len(bytes.TrimSpace(text)) == 0 || damaged && c.stats.Records > c.whole {
		return
	}
	c.hold(&heldRecord{line: line, group: -1, set: c.held.set(labelSet{})}, text)
}

func (c *collector) done() bool {
	if c.steps++; c.steps%1024 == 0 && c.ctx.Err() != nil {
		return true
	}
	return c.held.err != nil
}

func (c *collector) value(n *node, text []byte, isString, cut bool) {
	r := &c.roles[n.id]
	switch {
	case r.text > 0 && isString && (c.choice == 0 || r.text < c.choice):
		c.text = append(c.text[:0], text...)
		c.choice, c.cur.cut = r.text, cut
	case r.time:
		if at, ok := c.clock.read(text); ok {
			c.cur.at, c.cur.timed = at, true
		}
	case r.label && r.outer == nil:
		c.ownLabel(r.slot, text)
	case r.label:
		if i := slices.IndexFunc(c.groups, func(g openGroup) bool { return g.node == r.outer }); i >= 0 {
			c.held.groups[c.groups[i].id].labels.set(r.slot, text)
		}
	}
}

// ownLabel takes a label of the record. Mostly it is that of the record before.
func (c *collector) ownLabel(s labelMeaning, text []byte) {
	if int(s) < slots {
		if len(text) > 0 && string(text) == c.before[s] {
			c.own[s] = c.before[s]
		} else {
			c.own.set(s, text)
		}
		return
	}
	if len(text) > maxSetText {
		return
	}
	l, ok := c.parsed[string(text)]
	if !ok {
		l.set(s, text)
		if len(c.parsed) < maxParsed {
			c.parsed[string(text)] = l
		}
	}
	c.own = c.own.over(l)
}

// storeLimits are lengths at which stores and what ships to them cut a text: Splunk's TRUNCATE, the container runtimes'
// pieces, Lucene's terms, a spreadsheet's cells, Azure, CloudWatch, Loki, Cloud Logging, Datadog.
var storeLimits = []int{
	8192, 10_000, 16_384, 32_766, 32_767, 32_768, 65_535, 65_536, 102_400, 131_072, 256_000, 262_118, 262_144, 524_288,
	1_000_000, 1_048_576,
}

// A textLengths counts the longest texts.
type textLengths struct{ longest, n, marked int }

func (c *textLengths) add(text []byte) {
	if len(text) < storeLimits[0] {
		return
	}
	for _, mark := range [...]string{"[truncated]", "(truncated)", "<truncated>", "...TRUNCATED..."} {
		if bytes.HasSuffix(text, []byte(mark)) {
			c.marked++
		}
	}
	switch {
	case len(text) > c.longest:
		c.longest, c.n = len(text), 1
	case len(text) == c.longest:
		c.n++
	}
}

// found is the length at which a store seems to cut, and how many records have it.
func (c *textLengths) found() (limit, records int) {
	if slices.Contains(storeLimits, c.longest) {
		return c.longest, max(c.n, c.marked)
	}
	if c.marked > 0 {
		return c.longest, c.marked
	}
	return 0, 0
}
