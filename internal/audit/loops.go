package audit

import (
	"cmp"
	"slices"
	"time"
)

const (
	// maxPause ends a row of writes: a loop that feeds itself goes on at once, a controller that was asked again
	// after more than this was asked by another client.
	maxPause = time.Minute
	// minRow is the shortest row that is reported.
	minRow = 10
)

// A row is a Loop under way.
type row struct {
	Loop
	gaps    []int64
	changes map[int32]int
	lastIn  uint64
	lastOut uint64
	best    Loop
}

func (t *Trail) loops() {
	for object := range t.ByObject {
		if len(t.ByObject[object]) >= minRow {
			t.loopsOf(int32(object))
		}
	}
	slices.SortStableFunc(t.Loops, func(a, b Loop) int { return cmp.Compare(b.Writes, a.Writes) })
}

// maxRowActors is how many writers of one object are followed.
const maxRowActors = 32

func (t *Trail) loopsOf(object int32) {
	type key struct {
		actor int32
		sub   uint16
	}
	rows := map[key]*row{}
	var order []*row
	last, lead, version := int32(-1), int32(-1), uint64(0)
	for _, i := range t.ByObject[object] {
		w := &t.Writes[i]
		if w.Verb != VerbUpdate && w.Verb != VerbPatch {
			last, lead, version = w.Actor, w.Actor, w.Out
			continue
		}
		k := key{w.Actor, w.Sub}
		r := rows[k]
		if r == nil {
			if len(rows) == maxRowActors {
				continue
			}
			r = &row{Loop: Loop{Object: object, Actor: w.Actor, Sub: t.Texts[w.Sub]}}
			rows[k] = r
			order = append(order, r)
		}
		if !w.OK() {
			if w.Code == 409 {
				r.Conflicts++
			}
			continue
		}
		r.add(t, w, i, last == w.Actor, version)
		last = w.Actor
		if t.Texts[w.Sub] != "status" {
			if lead == w.Actor && r.Writes > 1 {
				r.Led++
			}
			lead = w.Actor
		}
		if w.Out != 0 {
			version = w.Out
		}
	}
	for _, r := range order {
		r.end()
		if r.best.Writes >= minRow {
			t.Loops = append(t.Loops, r.best)
		}
	}
}

// add takes the next write. alone: the object's last write was this actor's; version is what it returned.
func (r *row) add(t *Trail, w *Write, i int32, alone bool, version uint64) {
	if r.Writes > 0 && w.Time-r.Last > maxPause.Microseconds() {
		r.end()
	}
	if r.Writes == 0 {
		r.First, r.From = w.Time, i
		r.changes = map[int32]int{}
		r.lastIn, r.lastOut = 0, 0
	} else {
		r.gaps = append(r.gaps, w.Time-r.Last)
		r.link(w, alone, version)
	}
	r.Writes++
	r.Last, r.To = w.Time, i
	if w.In != 0 {
		r.Versioned++
	}
	if w.Out != 0 {
		r.Answered++
		if w.In == w.Out || w.In == 0 && version == w.Out {
			r.NoOps++
		}
	}
	if w.Flags&FlagBodies != 0 {
		r.Compared++
		c := &t.Changes[w.Change]
		switch {
		case c.Nothing:
			r.Nothing++
		case c.TimeOnly:
			r.TimeOnly++
		}
		if len(r.changes) < 256 {
			r.changes[w.Change]++
		}
	}
	r.lastIn, r.lastOut = w.In, w.Out
}

// link counts how a write follows from the actor's own last one.
func (r *row) link(w *Write, alone bool, version uint64) {
	if alone {
		r.Alone++
	}
	switch {
	case w.In == 0:
	case r.lastOut != 0:
		if w.In == r.lastOut {
			r.Chained++
		}
	case alone && r.lastIn != 0 && w.In >= r.lastIn:
		r.Inferred++
		if w.In == r.lastIn { // the write before left the version as it was
			r.NoOps++
		}
	}
}

func (r *row) end() {
	if r.Writes >= minRow && r.Writes > r.best.Writes {
		l := r.Loop
		l.Gap, l.Steady = medianGap(r.gaps)
		l.Change, l.ChangeCount = most(r.changes)
		r.best = l
	}
	r.Loop = Loop{Object: r.Object, Actor: r.Actor, Sub: r.Sub}
	r.gaps = r.gaps[:0]
}

// medianGap sorts the gaps and returns their median, and the share of them that lie within a quarter of it.
func medianGap(gaps []int64) (time.Duration, float64) {
	if len(gaps) == 0 {
		return 0, 0
	}
	slices.Sort(gaps)
	m := gaps[len(gaps)/2]
	near := 0
	for _, g := range gaps {
		if g >= m*3/4 && g <= m*5/4 {
			near++
		}
	}
	return time.Duration(m) * time.Microsecond, float64(near) / float64(len(gaps))
}
