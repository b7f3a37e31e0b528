package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

const (
	// fightPause ends an exchange of writes: controllers answer within seconds, at the latest with their next resync.
	fightPause = 5 * time.Minute
	// minSideWrites is how often each of the two must have written, minSwitches how often the writer must have changed.
	minSideWrites = 5
	minSwitches   = 8
	// maxContested is how many fields of a fight are named.
	maxContested = 8
)

func (t *Trail) fights() {
	sets := map[int32][]int32{}
	for i := range t.Sets {
		sets[t.Sets[i].Object] = append(sets[t.Sets[i].Object], int32(i))
	}
	for object := range t.ByObject {
		if len(t.ByObject[object]) < 2*minSideWrites {
			continue
		}
		for _, writes := range t.lives(t.ByObject[object]) {
			for _, status := range []bool{false, true} {
				if f, ok := t.fightOf(int32(object), writes, status); ok {
					t.contests(&f, sets[f.Object])
					t.Fights = append(t.Fights, f)
				}
			}
		}
	}
	slices.SortStableFunc(t.Fights, func(a, b Fight) int {
		return cmp.Or(cmp.Compare(flag(b.Undoing()), flag(a.Undoing())), cmp.Compare(b.Switches, a.Switches))
	})
}

// ring reports whether a write belongs to the main object (or its scale) or, where status is asked for, to its status.
func (t *Trail) ring(w *Write, status bool) bool {
	switch t.Texts[w.Sub] {
	case "status":
		return status
	case "", "scale":
		return !status
	}
	return false
}

// lives splits the writes of one name by the object's uid where bodies show that two of them lived at one time: they
// are objects of two clusters. Writes whose uid is unknown are left out then.
func (t *Trail) lives(of []int32) [][]int32 {
	uids := make([]uint64, len(of))
	for n, i := range of {
		uids[n] = t.Writes[i].UID
	}
	order := overlapping(uids)
	if order == nil {
		return [][]int32{of}
	}
	parts := make([][]int32, len(order))
	for n, i := range of {
		if at := slices.Index(order, uids[n]); at >= 0 {
			parts[at] = append(parts[at], i)
		}
	}
	return parts
}

// maxLives bounds how many objects of one name are kept apart.
const maxLives = 16

// overlapping returns the distinct uids of a name's writes, in order of time, where one of them comes again after
// another; nil where there is one, or one follows the other, as when an object is deleted and created anew. 0 is
// unknown.
func overlapping(uids []uint64) []uint64 {
	var order []uint64
	last, again := uint64(0), false
	for _, uid := range uids {
		if uid == 0 || uid == last {
			continue
		}
		last = uid
		if slices.Contains(order, uid) {
			again = true
		} else if len(order) < maxLives {
			order = append(order, uid)
		}
	}
	if !again {
		return nil
	}
	return order
}

// fightOf looks at the two actors that write an object most.
func (t *Trail) fightOf(object int32, of []int32, status bool) (f Fight, ok bool) {
	writes := map[int32]int{}
	for _, i := range of {
		if w := &t.Writes[i]; w.OK() && t.ring(w, status) && (len(writes) < maxRowActors || writes[w.Actor] > 0) {
			writes[w.Actor]++
		}
	}
	a, _ := most(writes)
	delete(writes, a)
	b, n := most(writes)
	if n < minSideWrites {
		return f, false
	}
	f = t.exchange(object, of, status, a, b)
	return f, f.Switches >= minSwitches && f.Writes[0] >= minSideWrites && f.Writes[1] >= minSideWrites
}

func (t *Trail) exchange(object int32, of []int32, status bool, a, b int32) Fight {
	f := Fight{Object: object, A: a, B: b}
	var gaps []int64
	last := int32(-1)
	for _, i := range of {
		w := &t.Writes[i]
		if !t.ring(w, status) {
			continue
		}
		side := 0
		switch w.Actor {
		case f.A:
		case f.B:
			side = 1
		default:
			continue
		}
		if !w.OK() {
			continue
		}
		if f.First == 0 {
			f.First, f.From = w.Time, i
			if side == 1 { // A wrote first
				f.A, f.B = f.B, f.A
				side = 0
			}
		}
		f.Writes[side]++
		switch w.Verb {
		case VerbDelete:
			f.Deletes[side]++
		case VerbCreate:
			f.Creates[side]++
		}
		if last >= 0 {
			before := &t.Writes[last]
			if gap := w.Time - before.Time; gap <= fightPause.Microseconds() {
				gaps = append(gaps, gap)
				if before.Actor != w.Actor {
					f.Switches++
				}
			}
		}
		last, f.To, f.Last = i, i, w.Time
	}
	f.Gap, _ = medianGap(gaps)
	return f
}

func (t *Trail) contests(f *Fight, sets []int32) {
	byPath := map[string]*Set{}
	for _, i := range sets {
		if s := &t.Sets[i]; s.Actor == f.A {
			byPath[s.Path] = s
			f.Compared = true
		}
	}
	for _, i := range sets {
		b := &t.Sets[i]
		a := byPath[b.Path]
		if b.Actor != f.B || a == nil || a.Time || b.Time || a.Count < 3 || b.Count < 3 || counts(b.Path) {
			continue
		}
		va, vb := a.top(), b.top()
		if va.Text == vb.Text {
			continue // they agree, or both give it many values
		}
		f.Contested = append(f.Contested, Contest{
			Path: b.Path, A: va.Text, B: vb.Text, NA: a.Count, NB: b.Count,
			// A value is fixed where its setter gives it in two of three writes.
			Undoing: 3*va.N >= 2*a.Count && 3*vb.N >= 2*b.Count,
		})
	}
	slices.SortStableFunc(f.Contested, func(x, y Contest) int {
		return cmp.Or(cmp.Compare(flag(y.Undoing), flag(x.Undoing)), cmp.Compare(min(y.NA, y.NB), min(x.NA, x.NB)),
			cmp.Compare(x.Path, y.Path))
	})
	f.Contested = f.Contested[:min(len(f.Contested), maxContested)]
}

// counts reports a field that counts what happens to the object.
func counts(path string) bool {
	return strings.HasSuffix(path, "observedGeneration") || path == "metadata.deletionTimestamp" ||
		path == "metadata.deletionGracePeriodSeconds"
}

// Undoing reports whether a field is known that each of the two sets to its own value again and again.
func (f *Fight) Undoing() bool { return len(f.Contested) > 0 && f.Contested[0].Undoing }

func (s *Set) top() Value {
	return slices.MaxFunc(s.Values, func(a, b Value) int { return cmp.Compare(a.N, b.N) })
}

// most is the most frequent of the keys, the smallest of several.
func most[K cmp.Ordered](n map[K]int) (key K, count int) {
	for k, c := range n {
		if c > count || c == count && k < key {
			key, count = k, c
		}
	}
	return key, count
}
