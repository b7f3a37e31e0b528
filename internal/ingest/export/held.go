package export

import (
	"slices"
	"time"
)

const (
	// maxHeld bounds the text that is held to restore its order, all records together: a body of 185 MB takes 200 MB of
	// memory then. What stores return at once stays below it, with 1,000 to 100,000 records.
	maxHeld = 32 << 20
	// maxRecords bounds how many records are held, 48 bytes each.
	maxRecords = 1 << 19
	// MaxText is the longest text of a record. Stores keep 16 KiB to 1 MiB; Elasticsearch takes 100 MB.
	MaxText = 16 << 20
	// maxGroups and maxSets bound the different sets of labels while records are held.
	maxGroups = 1 << 16
)

// A heldRecord is one record that is held.
type heldRecord struct {
	at         int64 // nanoseconds since 1970; that of the record before where timed isn't set
	line       int64
	off        int32 // of its text
	size       int32
	set, group int32 // its own labels; those of what is around it
	writer     int32
	first, end part // what its first line and its last are in a traceback
	timed, cut bool // cut: the text is longer than is kept
	single     bool // the text is one line
}

// A Record is one record of an export.
type Record struct {
	Text   []byte
	Stamp  []byte // RFC 3339 in UTC, nil for none
	Writer int32  // who wrote it, as the sink's Writer numbers them
	Line   int64  // in the file where the record begins
}

// A Sink receives the records of an export in order of time. What they point to is valid until Flush.
type Sink interface {
	// Writer returns a number for a writer. It is asked once for each set of labels.
	Writer(l Labels) int32
	Record(r *Record) error
	Flush() error
}

// A holder holds records to restore their order.
type holder struct {
	sink    Sink
	stats   *Stats
	text    []byte
	recs    []heldRecord
	sets    []labelSet
	setIDs  map[labelSet]int32
	groups  []labelledElement
	writers map[Labels]int32
	stamps  []byte // of the records since the last Flush of sink
	// latest is the last time of each writer in what was flushed, last that of the record before.
	latest map[int32]int64
	last   int64
	// lost says that no order joins the tracebacks in what is held.
	lost bool
	// limit is maxHeld, less in tests.
	limit int
	err   error
}

// A labelledElement is an element around records, with its labels.
type labelledElement struct {
	labels labelSet
	outer  int32 // -1 for none
}

func newHolder(sink Sink, stats *Stats) *holder {
	return &holder{
		sink: sink, stats: stats, setIDs: make(map[labelSet]int32), writers: make(map[Labels]int32),
		latest: make(map[int32]int64), limit: maxHeld,
	}
}

// set returns a number for a record's own labels.
func (h *holder) set(l labelSet) int32 {
	id, ok := h.setIDs[l]
	if !ok {
		id = int32(len(h.sets))
		h.sets = append(h.sets, l)
		h.setIDs[l] = id
	}
	return id
}

// full reports whether nothing more should be held.
func (h *holder) full() bool {
	return len(h.text) >= h.limit || len(h.recs) >= maxRecords || len(h.groups) >= maxGroups || len(h.sets) >= maxGroups
}

// add holds a record.
func (h *holder) add(r heldRecord, text []byte) {
	if r.timed {
		h.last = r.at
	}
	r.at = h.last
	r.off, r.size = int32(len(h.text)), int32(len(text))
	h.text = append(h.text, text...)
	h.recs = append(h.recs, r)
}

func (h *holder) textOf(r *heldRecord) []byte { return h.text[r.off : r.off+r.size : r.off+r.size] }

// writerOf resolves a record's labels: those of what is around it may have come behind it.
func (h *holder) writerOf(r *heldRecord) int32 {
	l := h.sets[r.set]
	for g := r.group; g >= 0; g = h.groups[g].outer {
		l = l.over(h.groups[g].labels)
	}
	key := l.labels()
	id, ok := h.writers[key]
	if !ok {
		id = h.sink.Writer(key)
		if len(h.writers) < maxGroups {
			h.writers[key] = id
		}
	}
	return id
}

// flush hands on what is held: all of it in the end, and else the older half where time rises, so that what follows
// may still come before the rest.
func (h *holder) flush(end bool) {
	last := groupSet{-2, -2}
	var writer int32
	for i := range h.recs {
		r := &h.recs[i]
		if (groupSet{r.group, r.set}) != last {
			last, writer = groupSet{r.group, r.set}, h.writerOf(r)
		}
		r.writer = writer
	}
	falling := h.order()
	n := len(h.recs)
	if !end && !falling {
		n /= 2
	}
	if !end && falling {
		h.stats.Pieces++
	}
	for i := 0; i < n && h.err == nil; i++ {
		if h.hand(&h.recs[i]); i%flushEvery == flushEvery-1 && h.err == nil {
			h.flushSink()
		}
	}
	if h.err == nil {
		h.flushSink()
	}
	for i := range h.recs[:n] {
		if r := &h.recs[i]; r.timed && len(h.latest) < maxGroups {
			h.latest[r.writer] = max(h.latest[r.writer], r.at)
		}
	}
	h.drop(n)
}

type groupSet struct{ group, set int32 }

// flushEvery is how many records are handed on between two calls of Flush.
const flushEvery = 128

func (h *holder) flushSink() {
	h.err = h.sink.Flush()
	h.stamps = h.stamps[:0]
}

func (h *holder) hand(r *heldRecord) {
	if h.lost && r.first != noPart && r.single {
		h.stats.LeftOut++ // a stack put together at random accuses anybody
		return
	}
	out := Record{Text: h.textOf(r), Writer: r.writer, Line: r.line}
	if r.timed {
		start := len(h.stamps)
		h.stamps = time.Unix(0, r.at).UTC().AppendFormat(h.stamps, time.RFC3339Nano)
		out.Stamp = h.stamps[start:]
		if last, ok := h.latest[r.writer]; ok && r.at < last {
			h.stats.Late++
		}
	}
	h.err = h.sink.Record(&out)
}

// drop forgets the first n records.
func (h *holder) drop(n int) {
	rest := h.recs[n:]
	if len(rest) == 0 {
		h.text, h.recs = h.text[:0], h.recs[:0]
		return
	}
	// Texts lie in the order in which they came, records in order of time.
	byPlace := make([]*heldRecord, len(rest))
	for i := range rest {
		byPlace[i] = &rest[i]
	}
	slices.SortFunc(byPlace, func(a, b *heldRecord) int { return int(a.off - b.off) })
	at := int32(0)
	for _, r := range byPlace {
		copy(h.text[at:], h.text[r.off:r.off+r.size])
		r.off, at = at, at+r.size
	}
	h.text = h.text[:at]
	h.recs = h.recs[:copy(h.recs, rest)]
}
