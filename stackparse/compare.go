package stackparse

import (
	"cmp"
	"slices"
)

// A Comparison follows the goroutines of one process from dump to dump. An id is never used twice in a process
// (runtime.newproc1 takes the next number), so that the same id is the same goroutine.
type Comparison struct {
	Dumps []*Dump // in order of time, as they were given
	Steps []Step  // from each dump to the next one
	// Rows are the distinct stacks of all dumps, in order of their first appearance.
	Rows []*Row
	// Identified reports that every dump contains the ids of its goroutines: counted formats don't.
	Identified bool
	// Cut reports that a dump lacks a part: what is missing there may not be gone, so no Row has a trend.
	Cut bool
}

// A Step is what happens to all goroutines from one dump to the next one, thread's goroutine 0 apart.
// Stayed+Moved+Gone are the ids of the first, Stayed+Moved+New those of the second; all are 0 without ids.
type Step struct {
	Stayed int // in the same stack
	Moved  int // to another one
	New    int
	Gone   int
}

// A Row is one distinct stack over all dumps.
type Row struct {
	Key uint64
	// Cells are its appearances, in order of dumps; dumps that lack the stack have none.
	Cells []Cell
	// Stuck are the goroutines that are in it in every dump, never on a CPU or ready for one, and wait for the same
	// address in all dumps that have one; in order of id.
	Stuck []Stuck
	Trend Trend
}

// A Cell is a Row's stack in one dump.
type Cell struct {
	Dump   int     // index into Comparison.Dumps
	Bucket *Bucket // the biggest one, where the key joins several
	Count  int     // goroutines
	Stayed int     // of them, those that are in it in the next dump too
}

// A Stuck is a goroutine that did not move, and the address of what it waits for: 0 where no dump has it.
type Stuck struct {
	ID, Wait uint64
}

// A Trend is how a Row's count changes from the first dump to the last, beyond noise.
type Trend string

// The trends.
const (
	TrendNew     Trend = "new"  // it was not there in the first dump
	TrendGone    Trend = "gone" // it is not there in the last dump
	TrendGrew    Trend = "grew"
	TrendShrank  Trend = "shrank"
	TrendSteady  Trend = "steady"
	TrendUnknown Trend = "unknown" // a dump lacks a part
)

// Counts is the row's goroutines in each of n dumps.
func (r *Row) Counts(n int) []int {
	counts := make([]int, n)
	for i := range r.Cells {
		counts[r.Cells[i].Dump] = r.Cells[i].Count
	}
	return counts
}

// Stays is how many of the row's goroutines are still in it in the next dump, for each of n-1 steps.
func (r *Row) Stays(n int) []int {
	stays := make([]int, max(n-1, 0))
	for i := range r.Cells {
		if c := &r.Cells[i]; c.Dump < len(stays) {
			stays[c.Dump] = c.Stayed
		}
	}
	return stays
}

// Last is the row's latest appearance.
func (r *Row) Last() *Cell { return &r.Cells[len(r.Cells)-1] }

// Compare compares dumps of one process, in order of time. key names a bucket's stack: StackKey for one build. It keeps
// two dumps' goroutines at a time besides the stuck ones, 24 bytes each, and takes time in proportion to them.
func Compare(dumps []*Dump, key func(*Bucket) uint64) *Comparison {
	c := &Comparison{Dumps: dumps, Steps: make([]Step, max(len(dumps)-1, 0)), Identified: len(dumps) > 0}
	w := comparer{c: c, key: key, rows: map[uint64]int32{}}
	var before []indexEntry
	for i, d := range dumps {
		c.Cut = c.Cut || d.Truncated.Head || d.Truncated.Tail
		now := w.index(i, d)
		if !d.Counted() {
			w.stay(now)
		} else {
			c.Identified = false
		}
		if i > 0 && !d.Counted() && !dumps[i-1].Counted() {
			w.step(i-1, before, now)
		}
		before, w.spare = now, before
	}
	w.finish()
	return c
}

// StackKey is the key of dumps of one build: functions and lines.
func StackKey(b *Bucket) uint64 { return b.Key }

// An indexEntry is the place of one goroutine in a dump.
type indexEntry struct {
	id, wait uint64
	row      int32
	awake    bool // running or runnable
}

type comparer struct {
	c     *Comparison
	key   func(*Bucket) uint64
	rows  map[uint64]int32 // key → index into c.Rows
	stuck []indexEntry     // of all identified dumps so far
	begun bool             // stuck holds the first one's
	// spare and scratch are the room for the next dump and for sorting it.
	spare, scratch []indexEntry
}

// index files the buckets of the ith dump and returns its goroutines in order of id, each id once.
func (w *comparer) index(i int, d *Dump) []indexEntry {
	all := w.spare[:0]
	for _, b := range d.Buckets {
		row := w.row(i, b)
		for k := range b.Goroutines {
			g := &b.Goroutines[k]
			if g.ID == 0 || g.Flags&FlagG0 != 0 {
				continue // every thread has a goroutine 0
			}
			awake := int(g.State) < len(d.States) && Runnable(d.States[g.State])
			all = append(all, indexEntry{id: g.ID, wait: g.Wait, row: row, awake: awake})
		}
	}
	all, w.scratch = sortByID(all, w.scratch)
	// Damaged text may repeat an id: a goroutine has one place.
	return slices.CompactFunc(all, func(a, b indexEntry) bool { return a.id == b.id })
}

// sortByID sorts by id, stably, a byte of it at a time (a radix sort): its time grows with the number of goroutines
// alone, and ids of real processes have three or four bytes. It returns the sorted slice and the other one of the two
// for the next time.
func sortByID(all, scratch []indexEntry) (sorted, other []indexEntry) {
	if len(all) < radixFrom {
		slices.SortStableFunc(all, func(a, b indexEntry) int { return cmp.Compare(a.id, b.id) })
		return all, scratch
	}
	greatest := uint64(0)
	for i := range all {
		greatest = max(greatest, all[i].id)
	}
	scratch = slices.Grow(scratch[:0], len(all))[:len(all)]
	for shift := 0; shift < 64 && greatest>>shift > 0; shift += 8 {
		var at [256]int
		for i := range all {
			at[byte(all[i].id>>shift)]++
		}
		sum := 0
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for i := range all {
			d := byte(all[i].id >> shift)
			scratch[at[d]] = all[i]
			at[d]++
		}
		all, scratch = scratch, all
	}
	return all, scratch
}

// radixFrom is how many goroutines are sorted by bytes: below, counting 256 values a byte costs more than comparing.
const radixFrom = 512

func (w *comparer) row(dump int, b *Bucket) int32 {
	k := w.key(b)
	n, ok := w.rows[k]
	if !ok {
		n = int32(len(w.c.Rows))
		w.rows[k] = n
		w.c.Rows = append(w.c.Rows, &Row{Key: k})
	}
	r := w.c.Rows[n]
	if len(r.Cells) == 0 || r.Last().Dump != dump {
		r.Cells = append(r.Cells, Cell{Dump: dump, Bucket: b})
	}
	cell := r.Last()
	cell.Count += b.Count
	if b.Count > cell.Bucket.Count {
		cell.Bucket = b
	}
	return n
}

// step counts what became of the goroutines of one dump in the next one.
func (w *comparer) step(i int, before, after []indexEntry) {
	s := &w.c.Steps[i]
	for a, b := range pairs(before, after) {
		switch {
		case b == nil:
			s.Gone++
		case a == nil:
			s.New++
		case a.row != b.row:
			s.Moved++
		default:
			s.Stayed++
			if r := w.c.Rows[a.row]; len(r.Cells) > 0 {
				r.cell(i).Stayed++
			}
		}
	}
}

// cell is the row's cell in a dump that it appears in: the last or the last but one while dumps are compared in order.
func (r *Row) cell(dump int) *Cell {
	for k := len(r.Cells) - 1; k > 0; k-- {
		if r.Cells[k].Dump == dump {
			return &r.Cells[k]
		}
	}
	return &r.Cells[0]
}

// stay keeps those that did not move since the first dump.
func (w *comparer) stay(now []indexEntry) {
	if !w.begun {
		w.begun = true
		w.stuck = slices.DeleteFunc(slices.Clone(now), func(s indexEntry) bool { return s.awake })
		return
	}
	kept := w.stuck[:0]
	for a, b := range pairs(w.stuck, now) {
		if a == nil || b == nil || a.row != b.row || b.awake || a.wait != 0 && b.wait != 0 && a.wait != b.wait {
			continue
		}
		s := *a
		if s.wait == 0 {
			s.wait = b.wait
		}
		kept = append(kept, s)
	}
	w.stuck = kept
}

// finish adds the stuck goroutines to their rows, and sets the trends.
func (w *comparer) finish() {
	dumps := 0
	for _, d := range w.c.Dumps {
		if !d.Counted() {
			dumps++
		}
	}
	if dumps > 1 {
		for _, s := range w.stuck {
			r := w.c.Rows[s.row]
			r.Stuck = append(r.Stuck, Stuck{ID: s.id, Wait: s.wait})
		}
	}
	for _, r := range w.c.Rows {
		r.Trend = w.c.trend(r)
	}
}

// pairs runs over the goroutines of two dumps in order of id: nil where one of them lacks it.
func pairs(a, b []indexEntry) func(yield func(a, b *indexEntry) bool) {
	return func(yield func(a, b *indexEntry) bool) {
		i, j := 0, 0
		for i < len(a) || j < len(b) {
			var x, y *indexEntry
			switch {
			case j == len(b) || i < len(a) && a[i].id < b[j].id:
				x = &a[i]
				i++
			case i == len(a) || b[j].id < a[i].id:
				y = &b[j]
				j++
			default:
				x, y = &a[i], &b[j]
				i++
				j++
			}
			if !yield(x, y) {
				return
			}
		}
	}
}
