package audit

import (
	"cmp"
	"slices"
)

// maxMerged bounds the writes of all sources that are kept one by one: 80 MiB.
const maxMerged = 1 << 20

// Merge joins what Readers learnt into one Trail, in order of time over all servers. The same logs give the same Trail,
// in any order; those that are copies of others are left out. The logs are used up. It returns nil where none of them
// holds anything of audit logs.
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
	m.arrange()
	tr := m.trail
	m.names()
	m.maps = make([]remap, len(m.logs))
	for i, l := range m.logs {
		m.maps[i] = m.tables(l)
		m.writes(l, i)
	}
	m.order()
	tr.index(m.t.objects.list)
	m.compareAcross()
	for i, l := range m.logs {
		m.totals(l, i)
	}
	t := m.t
	tr.Actors, tr.Objects, tr.Owners = t.actors.list, t.objects.list, t.owners.list
	tr.Changes, tr.Texts, tr.Sets = t.changes.list, t.texts.list, t.sets.list
	tr.Reads, tr.Answers, tr.Refusals = t.reads.list, t.answers.list, t.refusals.list
	m.distrust()
	m.finish()
	tr.Limits = m.limits()
	tr.leases(m.renewals)
	return tr
}

type merger struct {
	t     *tables
	trail *Trail
	logs  []*Log
	maps  []remap
	// ofFile is the log of each file of the trail; copies counts each log's writes that another one held too.
	ofFile    []int
	copies    []int64
	lost      int64
	duplicate []string // names of sources that are copies
	overlap   []overlap
	renewals  []Renewal
	// renewalsLost counts those that there was no room for.
	renewalsLost int64
	compared     map[int32]bool // objects whose bodies were compared over all logs
}

// names indexes users and objects by name, so that the index of none depends on which log held it. Where there are more
// than are kept, those that came first are.
func (m *merger) names() {
	var actors []*Actor
	var objects []*Object
	for _, l := range m.logs {
		for i := range l.t.actors.list {
			actors = append(actors, &l.t.actors.list[i])
		}
		for i := range l.t.objects.list {
			objects = append(objects, &l.t.objects.list[i])
		}
	}
	if len(actors) > maxActors || len(objects) > maxObjects {
		return
	}
	slices.SortFunc(actors, func(a, b *Actor) int {
		return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Impersonated, b.Impersonated),
			cmp.Compare(a.Agent, b.Agent))
	})
	slices.SortFunc(objects, func(a, b *Object) int {
		if c := cmp.Compare(a.Resource, b.Resource); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Namespace, b.Namespace); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Group, b.Group))
	})
	for _, a := range actors {
		m.t.actors.index(a.bare())
	}
	for _, o := range objects {
		m.t.objects.index(o.bare())
	}
}

// A remap translates a log's indexes into the trail's; -1 is left out.
type remap struct{ actors, objects, owners, changes, texts []int32 }

// rekeyed adds what one tally holds to another and returns the indexes there, least for what finds no room.
func rekeyed[K comparable, V any](from, to *tally[K, V], least int32, entry func(*V) (K, V)) []int32 {
	at := make([]int32, len(from.list))
	for i := range from.list {
		at[i] = max(least, to.index(entry(&from.list[i])))
	}
	return at
}

func (m *merger) tables(l *Log) remap {
	t := m.t
	r := remap{
		actors:  rekeyed(&l.t.actors, &t.actors, -1, (*Actor).bare),
		objects: rekeyed(&l.t.objects, &t.objects, -1, (*Object).bare),
		owners:  rekeyed(&l.t.owners, &t.owners, 0, func(o *Owner) (Owner, Owner) { return *o, *o }),
		texts:   rekeyed(&l.t.texts, &t.texts, 0, func(s *string) (string, string) { return *s, *s }),
	}
	for _, c := range l.t.changes.list {
		i := int32(0)
		if c.Nothing || len(c.Paths) > 0 {
			i = t.change(c)
		}
		r.changes = append(r.changes, i)
	}
	return r
}

// bare is a with its key, without what is counted.
func (a *Actor) bare() (actorKey, Actor) {
	return actorKey{a.User, a.Impersonated, a.Agent}, Actor{User: a.User, Impersonated: a.Impersonated, Agent: a.Agent}
}

// bare is o with its key, without what is counted.
func (o *Object) bare() (objectKey, Object) {
	return objectKey{o.Group, o.Resource, o.Namespace, o.Name},
		Object{Group: o.Group, Resource: o.Resource, Namespace: o.Namespace, Name: o.Name}
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
	for _, w := range l.renewals {
		w.lease, w.actor, w.who = r.objects[w.lease], r.actors[w.actor], r.texts[w.who]
		w.file = uint16(min(base+int(w.file), len(tr.paths)-1))
		if w.lease >= 0 && w.actor >= 0 && len(m.renewals) < maxMerged {
			m.renewals = append(m.renewals, w)
		}
	}
	l.renewals = nil
}

func (m *merger) order() {
	tr := m.trail
	m.copies = make([]int64, len(m.logs))
	slices.SortStableFunc(tr.Writes, func(a, b Write) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.ID, b.ID))
	})
	kept := tr.Writes[:0]
	var seen recentEvents
	for _, w := range tr.Writes {
		of := m.ofFile[w.file]
		// An aggregated API's server keeps the audit id of the request that was handed on to it, at a later time.
		if seen.add(w.ID) {
			m.copies[of]++
			continue
		}
		kept = append(kept, w)
	}
	tr.Writes = kept
}

// totals adds what a log counted.
func (m *merger) totals(l *Log, at int) {
	tr := m.trail
	tr.Events += l.events
	tr.Requests += l.requests
	tr.Duplicates += l.duplicates + m.copies[at]
	tr.Bound = tr.Bound || l.bound
	m.lost += l.lost
	m.renewalsLost += l.renewalsLost
	for _, c := range l.levels {
		tr.Levels = count(tr.Levels, []byte(c.Name), c.N)
	}
	for _, c := range l.stages {
		tr.Stages = count(tr.Stages, []byte(c.Name), c.N)
	}
	if l.events > 0 {
		tr.Servers = append(tr.Servers, l.server)
	}
	if s := &l.server; s.First != 0 {
		tr.First, tr.Last = earlier(tr.First, s.First), max(tr.Last, s.Last)
	}
	m.objects(l, at)
	m.requests(l, at)
	for _, f := range l.refused {
		tr.Refused = addRefused(tr.Refused, f)
	}
	m.t.full = m.t.full || l.t.full
}

func (m *merger) objects(l *Log, at int) {
	r := m.maps[at]
	for i, from := range l.t.actors.list {
		if r.actors[i] >= 0 {
			to := &m.t.actors.list[r.actors[i]]
			to.Requests += from.Requests
			to.Writes += from.Writes
			for _, ip := range from.Addresses {
				to.Addresses = addDistinct(to.Addresses, []byte(ip))
			}
			for _, pod := range from.Pods {
				to.Pods = addDistinct(to.Pods, []byte(pod))
			}
		}
	}
	for i, from := range l.t.objects.list {
		if r.objects[i] >= 0 {
			to := &m.t.objects.list[r.objects[i]]
			to.Writes += from.Writes
			to.Version, to.Kind = cmp.Or(to.Version, from.Version), cmp.Or(to.Kind, from.Kind)
		}
	}
	for _, s := range l.t.sets.list {
		object, actor := r.objects[s.Object], r.actors[s.Actor]
		if object < 0 || actor < 0 || m.compared[object] {
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

func (m *merger) requests(l *Log, at int) {
	r := m.maps[at]
	for _, v := range l.t.reads.list {
		if v.Actor = r.actors[v.Actor]; v.Actor >= 0 {
			m.t.reads.of(v.ActorRequest).add(&v)
		}
	}
	for _, v := range l.t.answers.list {
		if v.Actor = r.actors[v.Actor]; v.Actor < 0 {
			continue
		}
		m.t.answers.of(answerKey{v.ActorRequest, v.Code}).add(&v)
	}
	for _, v := range l.t.refusals.list {
		if v.Actor = r.actors[v.Actor]; v.Actor < 0 {
			continue
		}
		if v.Object >= 0 {
			v.Object = r.objects[v.Object]
		}
		v.Owner = r.owners[v.Owner]
		if x := m.t.refusals.of(v.key()); x != nil {
			x.add(&v)
		}
	}
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

func (m *merger) finish() {
	tr := m.trail
	slices.SortStableFunc(tr.Servers, func(a, b Server) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Paths, b.Paths))
	})
	m.mostRefused()
	byName := func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) }
	slices.SortFunc(tr.Levels, byName)
	slices.SortFunc(tr.Stages, byName)
	for i := range tr.Answers {
		if r, ok := m.t.reads.at[tr.Answers[i].ActorRequest]; ok {
			tr.Answers[i].Of = tr.Reads[r].Count
		}
	}
	slices.SortFunc(tr.Reads, func(a, b Read) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.compare(b.ActorRequest))
	})
	slices.SortFunc(tr.Answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.compare(b.ActorRequest), cmp.Compare(a.Code, b.Code))
	})
	slices.SortFunc(tr.Refusals, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.ActorRequest.compare(b.ActorRequest),
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.By, b.By), cmp.Compare(a.Service, b.Service), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Stem, b.Stem))
	})
}

func (a RequestKind) compare(b RequestKind) int {
	return cmp.Or(cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource))
}

func (a ActorRequest) compare(b ActorRequest) int {
	return cmp.Or(cmp.Compare(a.Actor, b.Actor), a.RequestKind.compare(b.RequestKind))
}

// mostRefused finds the object of each answer that was refused most.
func (m *merger) mostRefused() {
	tr := m.trail
	type refused struct {
		answer answerKey
		object int32
	}
	counts := map[refused]int64{}
	for i := range tr.Writes {
		w := &tr.Writes[i]
		if w.OK() {
			continue
		}
		o := &tr.Objects[w.Object]
		k := refused{answerKey{ActorRequest{w.Actor, RequestKind{w.Verb, o.Group, o.Resource}}, int(w.Code)}, w.Object}
		counts[k]++
		at, ok := m.t.answers.at[k.answer]
		if !ok {
			continue
		}
		if a := &tr.Answers[at]; counts[k] > a.ObjectCount || counts[k] == a.ObjectCount && w.Object < a.Object {
			a.Object, a.ObjectCount = w.Object, counts[k]
		}
	}
}

// distrust forgets what changed in writes of an object that another server's log wrote just before: bodies are
// compared with those of the same log. Where request and answer have versions, the reader has checked that.
func (m *merger) distrust() {
	tr := m.trail
	for object, writes := range tr.ByObject {
		if m.compared[int32(object)] {
			continue
		}
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

// index notes each object's writes, and each by its name.
func (t *Trail) index(objects []Object) {
	t.ByObject, t.names = make([][]int32, len(objects)), make(map[objectName]int32, len(objects))
	for i := range objects {
		o := &objects[i]
		t.names[objectName{o.Resource, o.Namespace, o.Name}] = int32(i)
	}
	for i := range t.Writes {
		o := t.Writes[i].Object
		t.ByObject[o] = append(t.ByObject[o], int32(i))
	}
}
