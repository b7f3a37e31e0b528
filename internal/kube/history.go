package kube

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds on what is compared.
const (
	maxChanged = 4096 // fields of one object that ever differed
	maxFields  = 32   // that History shows
	maxLists   = 8    // lists of one step that may have a new order
	maxAdopted = 16   // of one object
)

func (o *object) size() int {
	n := 700 + 16*len(o.fields) + 100*len(o.meta.Writers)
	for _, p := range o.meta.Annotations {
		n += 32 + len(p.Value)
	}
	if p, ok := o.rec.(*Pod); ok {
		n += 300
		for i := range p.Containers {
			ct := &p.Containers[i]
			n += 400 + 32*(len(ct.Requests)+len(ct.Limits)+len(ct.Ports))
			if l := ct.Last; l != nil {
				n += 150 + len(l.Message)
			}
		}
	} else {
		n += 100*len(o.meta.Conditions) + 64*len(o.meta.Labels)
	}
	return n
}

// addVersion takes another version of the object. The newer of both is what o then is.
func (o *object) addVersion(next *object, store *Store, names map[uint64]pathName) {
	if o.same(next) {
		return
	}
	a, b := o, next
	if compareAge(next, o) < 0 {
		a, b = next, o
	}
	p := o.past
	if p == nil {
		p = newPastVersions(store, a.meta)
	}
	p.versions++
	p.compareVersions(a.fields, b.fields, names, stepBy{p.wrote(a.meta, b.meta), b.meta.Written})
	if l, ok := b.rec.(*Lease); ok {
		l.after(a.rec)
	}
	if x, y := a.meta.Owner, b.meta.Owner; x.UID != y.UID && x.UID != "" && y.UID != "" && x.Kind == y.Kind &&
		x.Name == y.Name && a.meta.Input == b.meta.Input && len(p.adopted) < maxAdopted {
		p.adopted = append(p.adopted, Adoption{b.meta.At, x.UID, y.UID})
	}
	o.rec, o.meta, o.fields, o.past = b.rec, b.meta, b.fields, p
}

func newPastVersions(store *Store, m *Meta) *pastVersions {
	return &pastVersions{
		store: store, versions: 1, firstAt: m.At, firstRV: m.ResourceVersion, firstGen: m.Generation,
		from:    m.Written,
		changes: map[uint64]*change{}, writers: map[string]int{},
	}
}

// same reports that both are one version. Without a resourceVersion the fields decide.
func (o *object) same(next *object) bool {
	if rv := o.meta.ResourceVersion; rv != "" && next.meta.ResourceVersion != "" {
		return rv == next.meta.ResourceVersion
	}
	return slices.Equal(o.fields, next.fields)
}

// compareAge is negative where a was written before b: by resourceVersion where both are numbers (API servers have
// always counted, and Kubernetes 1.35 promises it), else by their times.
func compareAge(a, b *object) int {
	x, okX := parseInt([]byte(a.meta.ResourceVersion))
	y, okY := parseInt([]byte(b.meta.ResourceVersion))
	if okX && okY {
		return cmp.Compare(x, y)
	}
	return a.meta.Written.Compare(b.meta.Written)
}

// A stepBy is who wrote a version, and when.
type stepBy struct {
	managers []string
	at       time.Time
}

// wrote counts the managers with an entry that moved from one version to the next, and returns them.
func (p *pastVersions) wrote(a, b *Meta) (by []string) {
	for i := range b.Writers {
		w := &b.Writers[i]
		moved := !slices.ContainsFunc(a.Writers, func(v Writer) bool {
			return v.Manager == w.Manager && v.Subresource == w.Subresource && v.Operation == w.Operation &&
				!w.Time.After(v.Time)
		})
		if moved && len(p.writers) < maxWriters {
			p.writers[w.Manager]++
			by = append(by, w.Manager)
		}
	}
	return by
}

// A difference is a field that differs between two versions.
type difference struct {
	path     uint64
	old, new uint64
	gone     bool // it is in one of them only
}

func (d *difference) kind() FieldKind {
	switch as := d.old & valueMask; {
	case d.gone:
		return FieldGone
	case as != d.new&valueMask:
		return FieldOther
	case as == valueTime:
		return FieldTime
	case as == valueNumber:
		return FieldNumber
	}
	return FieldOther
}

func (p *pastVersions) compareVersions(a, b []field, names map[uint64]pathName, by stepBy) {
	diffs := differences(a, b)
	diffs = diffs[:min(len(diffs), maxChanged)]
	diffs, reordered := takeReordered(diffs, a, b, names)
	alone := len(diffs)+len(reordered) > 0 && !slices.ContainsFunc(diffs,
		func(d difference) bool { return d.kind() != FieldTime })
	if alone {
		p.moves++
	}
	for _, list := range reordered {
		if c := p.change(list); c != nil {
			c.n++
			c.as[FieldOrder]++
			c.wrote(by)
		}
	}
	for _, d := range diffs {
		c := p.change(d.path)
		if c == nil {
			continue
		}
		c.n++
		c.as[d.kind()]++
		c.wrote(by)
		if c.known && c.last == d.old && c.prev == d.new {
			c.flips++
		}
		if alone {
			if c.alone == 0 {
				c.first = d.old
			}
			c.alone++
		}
		c.prev, c.last, c.known = d.old, d.new, true
	}
}

// wrote notes who wrote the version in which the field differed, and when.
func (c *change) wrote(by stepBy) {
	if c.from.IsZero() {
		c.from = by.at
	}
	c.to = latest(c.to, by.at)
	for _, w := range by.managers {
		if c.by == nil {
			c.by = make(map[string]int, 2)
		}
		if c.by[w] > 0 || len(c.by) < maxWriters {
			c.by[w]++
		}
	}
}

func (p *pastVersions) change(path uint64) *change {
	c := p.changes[path]
	if c == nil && len(p.changes) < maxChanged && p.store.take(100) {
		c = &change{}
		p.changes[path] = c
	}
	return c
}

// differences are the fields that differ, in the order of the fields.
func differences(a, b []field) []difference {
	var diffs []difference
	i := 0
	for i < len(a) && i < len(b) && a[i].path == b[i].path {
		if a[i].value != b[i].value {
			diffs = append(diffs, difference{path: a[i].path, old: a[i].value, new: b[i].value})
		}
		i++
	}
	if i == len(a) && i == len(b) {
		return diffs
	}
	old := make(map[uint64]uint64, len(a)-i)
	for _, f := range a[i:] {
		old[f.path] = f.value
	}
	for _, f := range b[i:] {
		v, ok := old[f.path]
		switch {
		case !ok:
			diffs = append(diffs, difference{path: f.path, new: f.value, gone: true})
		case v != f.value:
			diffs = append(diffs, difference{path: f.path, old: v, new: f.value})
		}
		delete(old, f.path)
	}
	for _, f := range a[i:] {
		if v, left := old[f.path]; left {
			diffs = append(diffs, difference{path: f.path, old: v, gone: true})
		}
	}
	return diffs
}

// takeReordered removes differences that only reorder the entries of a list.
func takeReordered(diffs []difference, a, b []field, names map[uint64]pathName) (left []difference, lists []uint64) {
	byList := map[uint64][]int{}
	var order []uint64
	for i, d := range diffs {
		if list := outermostList(d.path, names); list != 0 {
			if byList[list] == nil {
				order = append(order, list)
			}
			byList[list] = append(byList[list], i)
		}
	}
	taken := map[int]bool{}
	looked := 0
	for _, list := range order {
		// One entry that differs in one field is no new order; and neither are entries that came or went.
		if len(byList[list]) < 2 {
			continue
		}
		if looked++; looked > maxLists {
			break
		}
		if !slices.Equal(entries(list, a, names), entries(list, b, names)) {
			continue
		}
		lists = append(lists, list)
		for _, i := range byList[list] {
			taken[i] = true
		}
	}
	for i, d := range diffs {
		if !taken[i] {
			left = append(left, d)
		}
	}
	return left, lists
}

// outermostList is the path of the outermost list that the field lies in, 0 where it lies in none.
func outermostList(path uint64, names map[uint64]pathName) uint64 {
	list := uint64(0)
	for range maxDepth {
		n, ok := names[path]
		if !ok {
			return 0
		}
		if n.index >= 0 {
			list = n.parent
		}
		if path = n.parent; path == 0 {
			break
		}
	}
	return list
}

// entries are hashes of the list's entries, sorted. Lists inside keep their order.
func entries(list uint64, fields []field, names map[uint64]pathName) []uint64 {
	sums := map[int32]uint64{}
	for _, f := range fields {
		index, inside, ok := within(list, f.path, names)
		if !ok {
			continue
		}
		h := (inside ^ f.value*0xff51afd7ed558ccd) * 0x9e3779b97f4a7c15
		sums[index] += h ^ h>>31
	}
	return slices.Sorted(maps.Values(sums))
}

// within returns the index of the list's entry that the path lies in, and a hash of its path inside that entry.
func within(list, path uint64, names map[uint64]pathName) (index int32, inside uint64, ok bool) {
	inside = 1
	for range maxDepth {
		n, known := names[path]
		if !known {
			return 0, 0, false
		}
		if n.index >= 0 && n.parent == list {
			return n.index, inside, true
		}
		inside = (inside ^ maphash.String(seed, n.key) ^ uint64(n.index)) * 0x9e3779b97f4a7c15
		inside ^= inside >> 29
		if path = n.parent; path == 0 {
			break
		}
	}
	return 0, 0, false
}

func (o *object) history(s *Store) *History {
	p := o.past
	if p == nil {
		return nil
	}
	h := &History{Versions: p.versions, First: p.firstAt, Last: o.meta.At, From: p.from, To: o.meta.Written}
	h.Moves, h.Adopted = p.moves, p.adopted
	h.FirstVersion, _ = parseInt([]byte(p.firstRV))
	h.LastVersion = versionOf(o.meta)
	if p.firstGen > 0 {
		h.Generations = max(0, o.meta.Generation-p.firstGen)
	}
	values := make(map[uint64]uint64, len(o.fields))
	for _, f := range o.fields {
		values[f.path] = f.value
	}
	for path, c := range p.changes {
		f := Field{Path: s.path(path, values), Changes: c.n, Flips: c.flips, Kind: c.kind(), From: c.from, To: c.to,
			Writers: byCount(c.by), Alone: c.alone}
		if c.alone > 0 && c.first&valueMask == valueTime && c.last&valueMask == valueTime {
			f.FirstValue = moment(c.first)
			f.LastValue = moment(c.last)
		}
		if f.Kind == FieldTime || f.Kind == FieldNumber {
			f.Values = []string{show(c.prev), show(c.last)}
		}
		h.Fields = append(h.Fields, f)
	}
	slices.SortFunc(h.Fields, func(a, b Field) int { return cmp.Or(b.Changes-a.Changes, cmp.Compare(a.Path, b.Path)) })
	shown := min(len(h.Fields), maxFields)
	h.Fields, h.More = h.Fields[:shown], len(h.Fields)-shown
	h.Writers = byCount(p.writers)
	return h
}

// byCount are the managers, most frequent first.
func byCount(n map[string]int) []string {
	if len(n) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(n[b]-n[a], cmp.Compare(a, b)) })
}

// kind is what the field's values look like, all changes taken together.
func (c *change) kind() FieldKind { return FieldKind(max(0, slices.Index(c.as[:], c.n))) }

// path writes a field's path; entries of lists are named by their type or name, as the object's values have it.
func (s *Store) path(path uint64, values map[uint64]uint64) string {
	var steps []string
	for range maxDepth {
		if path == 0 {
			break
		}
		n, ok := s.names[path]
		if !ok {
			steps = append(steps, "…")
			break
		}
		if n.index >= 0 {
			steps = append(steps, "["+s.entry(path, n.index, values)+"]")
		} else {
			steps = append(steps, n.key)
		}
		path = n.parent
	}
	slices.Reverse(steps)
	var b strings.Builder
	for i, step := range steps {
		if i > 0 && step[:min(1, len(step))] != "[" {
			b.WriteByte('.')
		}
		b.WriteString(step)
	}
	return b.String()
}

// entry names an entry of a list: its type or name, else its index.
func (s *Store) entry(path uint64, index int32, values map[uint64]uint64) string {
	for _, key := range []string{"type", "name"} {
		if v, ok := values[pathHash(path, []byte(key), -1)]; ok {
			if w, ok := s.words[v]; ok {
				return w
			}
		}
	}
	return strconv.Itoa(int(index))
}
