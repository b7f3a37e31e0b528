package audit

import (
	"maps"
	"slices"
)

// What a write changed is found by comparing its body with the one before, within one server's log, while that is
// read. Where a cluster has several API servers, the one before may be another server's: then neither log alone shows
// what changed, or who changed it. So each log keeps of its objects the last body and the steps that led to it, and
// Merge puts the steps of all logs into one order.

const (
	// maxSteps is how many steps of one object are kept, the last ones: a fight or a loop shows in some dozens.
	maxSteps = 512
	// maxHistory bounds what one log hands on, of the objects that were written last.
	maxHistory = 8 << 20
	// maxTold is how many fields of one object are followed over all logs.
	maxTold  = 64
	stepCost = 64
)

// A step is one write as its own log's bodies show it.
type step struct {
	id    uint64 // the write's
	moves []move
	more  int  // changed fields that moves lacks
	part  bool // moves are what the body sets, not what differs from before
}

// A move is a field's change, with the hashes of the whole values; 0 for none.
type move struct {
	path, old, new string
	was, is        uint64
}

// note adds a step. The oldest half goes when there are too many.
func (s *bodies) note(l *lastBody, st step) {
	if len(l.steps) == maxSteps {
		for i := range maxSteps / 2 {
			l.told -= l.steps[i].cost()
			s.size -= l.steps[i].cost()
		}
		l.steps = append(l.steps[:0], l.steps[maxSteps/2:]...)
	}
	l.steps = append(l.steps, st)
	l.told += st.cost()
	s.size += st.cost()
}

func (st *step) cost() int {
	cost := stepCost
	for i := range st.moves {
		cost += stepCost + len(st.moves[i].path) + len(st.moves[i].old) + len(st.moves[i].new)
	}
	return cost
}

// histories are the objects whose steps a log hands on.
func (s *bodies) histories() []*lastBody {
	var out []*lastBody
	size := 0
	for e := s.recent.Front(); e != nil; e = e.Next() {
		l := e.Value.(*lastBody)
		if size += len(l.body) + l.extra + l.told + entryCost; size > maxHistory {
			break
		}
		if len(l.steps) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// A teller is one log's history of an object, on its way from step to step.
type teller struct {
	*lastBody
	now  []value // of the fields that are followed
	next int     // step
}

// A value is a field's value as it is shown, with the hash of all of it; known is false where no body shows it.
type value struct {
	text  string
	hash  uint64
	known bool
}

// reconcile compares the bodies of objects that several servers wrote in the order of all their writes.
func (m *merger) reconcile() {
	tellers := map[int32][]*teller{}
	for i, l := range m.logs {
		for _, h := range l.histories {
			if object := m.maps[i].objects[h.object]; object >= 0 {
				tellers[object] = append(tellers[object], &teller{lastBody: h})
			}
		}
		l.histories = nil
	}
	m.told = map[int32]bool{}
	for _, object := range slices.Sorted(maps.Keys(tellers)) {
		all := tellers[object]
		if len(all) > 1 && len(m.trail.ByObject[object]) >= fewWrites {
			m.told[object] = true
			m.retell(object, all)
		}
	}
}

// A retelling follows one object's fields over all logs.
type retelling struct {
	m      *merger
	object int32
	at     map[string]int // of paths, in fields
	paths  []string
	state  []value
	whole  bool // a whole body was seen
	last   uint64
}

func (m *merger) retell(object int32, all []*teller) {
	r := &retelling{m: m, object: object, at: map[string]int{}}
	steps := map[uint64]*teller{}
	for _, t := range all {
		for i := range t.steps {
			steps[t.steps[i].id] = t
			for _, c := range t.steps[i].moves {
				r.follow(c.path)
			}
		}
	}
	r.ends(all)
	r.state = make([]value, len(r.paths))
	for n, i := range m.trail.ByObject[object] {
		w := &m.trail.Writes[i]
		if !w.OK() {
			continue
		}
		t := steps[w.ID]
		var st *step
		if t != nil {
			st = t.to(w.ID, r)
		}
		switch {
		case st != nil:
			r.note(w, st, t.now, n+1 >= fewWrites)
		case w.Flags&FlagBodies != 0 || w.Verb == VerbCreate && w.Sub == 0:
			w.Flags &^= FlagBodies
			w.Change = 0
			clear(r.state)
			r.whole = false
		}
	}
}

func (r *retelling) follow(path string) {
	if _, known := r.at[path]; !known && len(r.paths) < maxTold {
		r.at[path] = len(r.paths)
		r.paths = append(r.paths, path)
	}
}

// ends finds what each log's fields are before its first step, from what they are at its end: the last bodies
// are compared with the first log's, and the steps taken back.
func (r *retelling) ends(all []*teller) {
	masked := r.m.t.objects.list[r.object].Resource == "secrets"
	moves := make([][]move, len(all))
	d := differ{limit: maxTold}
	for k, t := range all {
		if k == 0 || all[0].body == nil || t.body == nil {
			continue
		}
		out, _, _ := d.compare(all[0].body, t.body, masked)
		moves[k] = d.moves(out)
		for _, c := range moves[k] {
			r.follow(c.path)
		}
	}
	base := make([]value, len(r.paths))
	for k, t := range all {
		t.now = make([]value, len(r.paths))
		for _, c := range moves[k] {
			if q, ok := r.at[c.path]; ok {
				t.now[q] = value{c.new, c.is, true}
				base[q] = value{c.old, c.was, true}
			}
		}
		// What steps have moved is as the last of them left it.
		last := make([]value, len(r.paths))
		for i := range t.steps {
			for _, c := range t.steps[i].moves {
				if q, ok := r.at[c.path]; ok {
					last[q] = value{c.new, c.is, true}
				}
			}
		}
		for q := range last {
			switch {
			case !last[q].known:
			case k == 0:
				base[q] = last[q]
			default:
				if !t.now[q].known && !base[q].known && t.body != nil {
					base[q] = last[q] // the last bodies agree
				}
				t.now[q] = last[q]
			}
		}
	}
	for k, t := range all {
		if k == 0 {
			copy(t.now, base)
		}
		r.unmoved(&d, t, masked)
		for q := range t.now {
			if !t.now[q].known && t.body != nil && all[0].body != nil { // the last bodies agree
				t.now[q] = base[q]
			}
		}
		t.rewind(r)
	}
}

// rewind takes a log's steps back, from what the fields are at its end to what they were before the first.
func (t *teller) rewind(r *retelling) {
	for i := len(t.steps) - 1; i >= 0; i-- {
		for _, c := range t.steps[i].moves {
			if q, ok := r.at[c.path]; ok {
				t.now[q] = value{c.old, c.was, !t.steps[i].part || c.was != 0}
			}
		}
	}
}

// unmoved reads from a log's last body what none of its steps moves: a writer that sets one value all the time moves
// nothing in its own server's log, while another server's log shows the field to move.
func (r *retelling) unmoved(d *differ, t *teller, masked bool) {
	if t.body == nil || !slices.ContainsFunc(t.now, func(v value) bool { return !v.known }) {
		return
	}
	d.walk(t.body, func(raw []byte) {
		q, ok := r.at[string(d.path)]
		if !ok || t.now[q].known {
			return
		}
		text := cut(raw)
		if masked || sensitive(r.paths[q]) {
			text = mask(raw)
		}
		t.now[q] = value{text, hashID(raw, nil), true}
	})
}

// to goes on to the step of a write; nil where that lies behind already.
func (t *teller) to(id uint64, r *retelling) *step {
	for t.next < len(t.steps) {
		st := &t.steps[t.next]
		t.next++
		for _, c := range st.moves {
			if q, ok := r.at[c.path]; ok {
				t.now[q] = value{c.new, c.is, true}
			}
		}
		if st.id == id {
			return st
		}
	}
	return nil
}

// note records what a write changed, against the state that all servers' writes before it left.
func (r *retelling) note(w *Write, st *step, now []value, kept bool) {
	set := ChangeSet{More: st.more}
	known, timeOnly := r.whole, true
	if w.In != 0 && r.last != 0 && w.In != r.last {
		known = false // a write in between isn't in any log
	}
	if w.Out != 0 {
		r.last = w.Out
	}
	record := func(path string, v value) {
		if kept && v.text != "***" && !isTimestamp(v.text) {
			r.m.t.set(r.object, w.Actor, path, v.text, 1)
		}
	}
	look := func(q int, v value) {
		before := r.state[q]
		r.state[q] = v
		if st.part {
			known = known || before.known
			record(r.paths[q], v)
		}
		if !before.known || !v.known || before.hash == v.hash {
			return
		}
		c := Change{Path: r.paths[q], Old: before.text, New: v.text}
		timeOnly = timeOnly && c.isTime()
		if len(set.Paths) < maxPaths {
			set.Paths = append(set.Paths, c.Path)
		} else {
			set.More++
		}
		if c.Path == "metadata.finalizers" && len(c.New) < len(c.Old) {
			w.Flags |= FlagFinalized
		}
		if !st.part && known {
			record(c.Path, v)
		}
	}
	if st.part {
		for _, c := range st.moves {
			if q, ok := r.at[c.path]; ok {
				look(q, value{c.new, c.is, true})
			}
		}
	} else {
		for q := range now {
			look(q, now[q])
		}
		r.whole = true
	}
	w.Flags &^= FlagBodies
	w.Change = 0
	set.Nothing = len(set.Paths) == 0 && set.More == 0
	set.TimeOnly = len(set.Paths) > 0 && set.More == 0 && timeOnly
	if known && kept {
		if w.Change = r.m.t.change(set); w.Change != 0 {
			w.Flags |= FlagBodies
		}
	}
}
