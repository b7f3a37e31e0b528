package audit

import (
	"cmp"
	"slices"
)

// maxMerged bounds the writes of all sources that are kept one by one: 80 MiB.
const maxMerged = 1 << 20

// Merge joins what Readers learnt into one Trail, in order of time over all servers. The same logs in the same order
// give the same Trail. The logs are used up. It returns nil where none of them holds anything of audit logs.
func Merge(logs []*Log) *Trail {
	m := &merger{t: newTables(), trail: &Trail{}}
	for _, l := range logs {
		if l != nil && !l.Empty() {
			m.logs = append(m.logs, l)
		}
	}
	if len(m.logs) == 0 {
		return nil
	}
	tr := m.trail
	m.maps = make([]remap, len(m.logs))
	for i, l := range m.logs {
		m.maps[i] = m.tables(l)
		m.writes(l, i)
	}
	m.order()
	for i, l := range m.logs {
		m.totals(l, i)
	}
	tr.Actors, tr.Objects, tr.Owners = m.t.actors, m.t.objects, m.t.owners
	tr.Changes, tr.Texts, tr.Sets = m.t.changes, m.t.texts, m.t.sets
	tr.Reads, tr.Answers, tr.Slow = m.reads.list, m.answers.list, m.slow.list
	tr.index()
	m.distrust()
	m.finish()
	tr.Limits = m.limits()
	tr.analyse()
	return tr
}

type merger struct {
	t     *tables
	trail *Trail
	logs  []*Log
	maps  []remap
	// ofFile is the log of each file of the trail; copies counts each log's writes that another one held too.
	ofFile []int
	copies []int64
	held   []int64

	reads     tally[readKey, Read]
	answers   tally[answerKey, Answer]
	slow      tally[slowKey, Slow]
	lost      int64
	duplicate []string // names of sources that are copies
}

// A remap translates a log's indexes into the trail's; -1 is left out.
type remap struct{ actors, objects, owners, changes, texts []int32 }

func (m *merger) tables(l *Log) remap {
	var r remap
	for _, s := range l.t.texts {
		r.texts = append(r.texts, m.t.text([]byte(s)))
	}
	for i := range l.t.actors {
		a := &l.t.actors[i]
		r.actors = append(r.actors, m.t.actor([]byte(a.User), []byte(a.Impersonated), []byte(a.Agent)))
	}
	for i := range l.t.objects {
		o := &l.t.objects[i]
		r.objects = append(r.objects,
			m.t.object([]byte(o.Group), []byte(o.Resource), []byte(o.Namespace), []byte(o.Name)))
	}
	for _, o := range l.t.owners {
		r.owners = append(r.owners, m.t.owner(ownerRef{api: []byte(o.API), kind: []byte(o.Kind), name: []byte(o.Name),
			uid: []byte(o.UID)}))
	}
	for _, c := range l.t.changes {
		i := int32(0)
		if c.Nothing || len(c.Paths) > 0 {
			i = m.t.change(c)
		}
		r.changes = append(r.changes, i)
	}
	return r
}

func (m *merger) writes(l *Log, at int) {
	tr, r := m.trail, m.maps[at]
	base := len(tr.paths)
	for _, p := range l.paths {
		if len(tr.paths) < 1<<16-1 {
			tr.paths = append(tr.paths, p)
			m.ofFile = append(m.ofFile, at)
		}
	}
	for _, w := range l.writes {
		w.Object, w.Actor = r.objects[w.Object], r.actors[w.Actor]
		if w.Object < 0 || w.Actor < 0 || len(tr.Writes) >= maxMerged {
			m.lost++
			continue
		}
		w.Change, w.Owner, w.Note = r.changes[w.Change], r.owners[w.Owner], r.texts[w.Note]
		w.Sub = narrow(r.texts[w.Sub])
		w.file = uint16(min(base+int(w.file), len(tr.paths)-1))
		tr.Writes = append(tr.Writes, w)
	}
	l.writes = nil
}

func (m *merger) order() {
	tr := m.trail
	m.copies, m.held = make([]int64, len(m.logs)), make([]int64, len(m.logs))
	slices.SortStableFunc(tr.Writes, func(a, b Write) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.ID, b.ID))
	})
	kept := tr.Writes[:0]
	var seen recent
	for _, w := range tr.Writes {
		of := m.ofFile[w.file]
		m.held[of]++
		// An aggregated API's server keeps the audit id of the request that was handed on to it, at a later time.
		if seen.add(w.ID) {
			m.copies[of]++
			continue
		}
		kept = append(kept, w)
	}
	tr.Writes = kept
}

// copyShare is the share of writes above which a source is a copy of another: 9 of 10, since a copy may be cut.
const copyShare = 0.9

// totals adds what a log counted. Of a source that is a copy of another one nothing is counted twice.
func (m *merger) totals(l *Log, at int) {
	tr := m.trail
	if m.held[at] > 0 && float64(m.copies[at]) > copyShare*float64(m.held[at]) {
		m.duplicate = append(m.duplicate, l.server.Name)
		tr.Duplicates += l.events + l.duplicates
		return
	}
	tr.Events += l.events
	tr.Requests += l.requests
	tr.Duplicates += l.duplicates + m.copies[at]
	tr.Bound = tr.Bound || l.bound
	m.lost += l.lost
	tr.Levels, tr.Stages = addCounts(tr.Levels, l.levels), addCounts(tr.Stages, l.stages)
	if l.events > 0 {
		tr.Servers = append(tr.Servers, l.server)
	}
	if s := &l.server; s.First != 0 {
		tr.First, tr.Last = earlier(tr.First, s.First), max(tr.Last, s.Last)
	}
	m.objects(l, at)
	for _, r := range l.reads.list {
		m.read(r, m.maps[at])
	}
	for _, a := range l.answers.list {
		m.answer(a, m.maps[at])
	}
	for _, s := range l.slow.list {
		m.slower(s, m.maps[at])
	}
	for _, f := range l.refused {
		tr.Refused = addRefused(tr.Refused, f)
	}
	m.t.full = m.t.full || l.t.full
}

func (m *merger) objects(l *Log, at int) {
	r := m.maps[at]
	for i := range l.t.actors {
		if r.actors[i] < 0 {
			continue
		}
		from, to := &l.t.actors[i], &m.t.actors[r.actors[i]]
		to.Requests += from.Requests
		to.Writes += from.Writes
		to.Bytes += from.Bytes
	}
	for i := range l.t.objects {
		if r.objects[i] < 0 {
			continue
		}
		from, to := &l.t.objects[i], &m.t.objects[r.objects[i]]
		to.Writes += from.Writes
		to.Failed += from.Failed
		to.Bodies += from.Bodies
		to.Version, to.Kind = cmp.Or(to.Version, from.Version), cmp.Or(to.Kind, from.Kind)
	}
	for _, s := range l.t.sets {
		object, actor := r.objects[s.Object], r.actors[s.Actor]
		if object < 0 || actor < 0 {
			continue
		}
		for _, v := range s.Values {
			m.t.set(object, actor, s.Path, v.Text, v.N)
		}
		if s.Others > 0 {
			m.t.setOthers(object, actor, s.Path, s.Others)
		}
	}
}

func (m *merger) read(r Read, maps remap) {
	if r.Actor = maps.actors[r.Actor]; r.Actor < 0 {
		return
	}
	to := join(m.t, &m.reads, m.keyOf(r.Actor, r.Verb, r.Group, r.Resource), r)
	if to == nil {
		return
	}
	to.Count += r.Count
	to.Failed += r.Failed
	to.Full += r.Full
	to.Bytes += r.Bytes
	to.Short += r.Short
	if r.MaxBytes > to.MaxBytes {
		to.MaxBytes, to.Place = r.MaxBytes, r.Place
	}
	to.First, to.Last = earlier(to.First, r.First), max(to.Last, r.Last)
}

// join returns the key's entry, to which v is to be added; nil where v is the entry now, or the tally is full.
func join[K comparable, V any](t *tables, c *tally[K, V], k K, v V) *V {
	to, fresh := c.of(k)
	switch {
	case to == nil:
		t.full = true
	case fresh:
		*to = v
		return nil
	}
	return to
}

func (m *merger) keyOf(actor int32, verb Verb, group, resource string) readKey {
	return readKey{actor: actor, verb: verb, group: m.t.text([]byte(group)), resource: m.t.text([]byte(resource))}
}

func (m *merger) answer(a Answer, maps remap) {
	if a.Actor = maps.actors[a.Actor]; a.Actor < 0 {
		return
	}
	if a.Object >= 0 {
		a.Object = maps.objects[a.Object]
	}
	to := join(m.t, &m.answers, answerKey{readKey: m.keyOf(a.Actor, a.Verb, a.Group, a.Resource), code: a.Code}, a)
	if to == nil {
		return
	}
	to.Count += a.Count
	to.Took += a.Took
	if a.ObjectCount > to.ObjectCount {
		to.Object, to.ObjectCount = a.Object, a.ObjectCount
	}
	to.First, to.Last = earlier(to.First, a.First), max(to.Last, a.Last)
}

func (m *merger) slower(s Slow, maps remap) {
	if s.Actor >= 0 {
		s.Actor = maps.actors[s.Actor]
	}
	k := slowKey{verb: s.Verb, group: m.t.text([]byte(s.Group)), resource: m.t.text([]byte(s.Resource))}
	to := join(m.t, &m.slow, k, s)
	if to == nil {
		return
	}
	to.Requests += s.Requests
	to.Over1s += s.Over1s
	to.Over5s += s.Over5s
	to.Over30s += s.Over30s
	to.MaxEtcd = max(to.MaxEtcd, s.MaxEtcd)
	if s.Max > to.Max {
		to.Max, to.Place, to.Actor, to.Time = s.Max, s.Place, s.Actor, s.Time
	}
	to.First, to.Last = earlier(to.First, s.First), max(to.Last, s.Last)
}

func addRefused(list []Refused, f Refused) []Refused {
	for i := range list {
		if list[i].Reason == f.Reason {
			list[i].Count += f.Count
			return list
		}
	}
	return append(list, f)
}

func addCounts(to, from []Count) []Count {
	for _, c := range from {
		if i := slices.IndexFunc(to, func(t Count) bool { return t.Name == c.Name }); i >= 0 {
			to[i].N += c.N
		} else {
			to = append(to, c)
		}
	}
	return to
}

func (m *merger) finish() {
	tr := m.trail
	byName := func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(tr.Levels, byName)
	slices.SortFunc(tr.Stages, byName)
	of := map[readKey]int64{}
	for i := range tr.Reads {
		r := &tr.Reads[i]
		of[m.keyOf(r.Actor, r.Verb, r.Group, r.Resource)] = r.Count
	}
	for i := range tr.Answers {
		a := &tr.Answers[i]
		a.Of = of[m.keyOf(a.Actor, a.Verb, a.Group, a.Resource)]
	}
	slices.SortStableFunc(tr.Reads, func(a, b Read) int { return cmp.Compare(b.Count, a.Count) })
	slices.SortStableFunc(tr.Answers, func(a, b Answer) int { return cmp.Compare(b.Count, a.Count) })
	slices.SortStableFunc(tr.Slow, func(a, b Slow) int {
		return cmp.Or(cmp.Compare(b.Over1s, a.Over1s), cmp.Compare(b.Max, a.Max))
	})
}

// distrust forgets what changed in writes of an object that another server's log wrote just before: bodies are
// compared with those of the same log. Where request and answer have versions, the reader has checked that.
func (m *merger) distrust() {
	tr := m.trail
	for _, writes := range tr.ByObject {
		last := -1
		for _, i := range writes {
			w := &tr.Writes[i]
			if !w.OK() {
				continue
			}
			of := m.ofFile[w.file]
			if last >= 0 && of != last && (w.In == 0 || w.Out == 0) {
				w.Flags &^= FlagBodies
				w.Change = 0
			}
			last = of
		}
	}
}

func (t *Trail) index() {
	counts := make([]int32, len(t.Objects))
	for i := range t.Writes {
		counts[t.Writes[i].Object]++
	}
	all := make([]int32, len(t.Writes))
	t.ByObject = make([][]int32, len(t.Objects))
	from := int32(0)
	for o, n := range counts {
		t.ByObject[o] = all[from : from : from+n]
		from += n
	}
	for i := range t.Writes {
		o := t.Writes[i].Object
		t.ByObject[o] = append(t.ByObject[o], int32(i))
	}
}
