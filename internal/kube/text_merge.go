package kube

import (
	"bufio"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"time"
)

// Texts takes over what a file holds of what kubectl prints; its rows and descriptions become objects at the merge,
// where no YAML or JSON has them.
func (r *Reader) Texts(t *Texts) {
	t.describer.end(t)
	for i := range t.printed {
		p := &t.printed[i]
		if !r.store.take(p.size) {
			r.countUnread(p.ref().Kind, "beyond the limit")
			continue
		}
		r.out.seen++
		r.out.newest = latest(latest(r.out.newest, p.newest), p.when)
		r.out.printed = append(r.out.printed, *p)
		if p.described {
			r.tails(&object{rec: p.rec})
		}
	}
	for i := range t.usages {
		if r.store.take(rowSize) {
			r.out.usages = append(r.out.usages, t.usages[i])
		}
	}
	if t.cut > 0 {
		r.out.cut[cutKey{"", "rows of tables, over the limit of a file"}] += t.cut
	}
	row := func(p printedRow) bool { return p.event == nil && !p.described }
	if i := slices.IndexFunc(t.printed, row); i >= 0 {
		r.out.notes.remark("a table of kubectl get: no owners (those of pods are guessed from their names), "+
			"no containers, ages only as exact as their unit", t.printed[i].rec.self().At)
	} else if i := slices.IndexFunc(t.printed, func(p printedRow) bool { return p.event != nil }); i >= 0 {
		r.out.notes.remark("events as kubectl prints them: ages only as exact as their unit", t.printed[i].event.At)
	}
}

// readTexts reads a file of tables or descriptions. before is how many lines precede its first.
func (r *Reader) readTexts(name string, stream io.Reader, before int64) error {
	var t Texts
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, maxItem)
	for lines.Scan() {
		before++
		t.Line(name, lines.Bytes(), before)
	}
	r.Texts(&t)
	return lines.Err()
}

// A textSet is what the texts of all sources hold, on its way to objects.
type textSet struct {
	rows  []*printedRow
	index map[kindKey]int
	known map[kindKey]bool // from YAML or JSON, or with their namespace
	clock time.Time
}

// mergeTexts makes objects of what kubectl printed. Objects of YAML or JSON win.
func (c *Cluster) mergeTexts(all []*Objects) {
	var into *Objects
	var newest time.Time
	for _, o := range all {
		newest = latest(newest, o.newest)
		if into == nil && len(o.printed) > 0 {
			into = o
		}
	}
	if into == nil {
		return
	}
	s := &textSet{index: map[kindKey]int{}, known: map[kindKey]bool{}, clock: cmp.Or(c.Bundle.Created, newest)}
	for _, o := range all {
		s.addKnown(o)
	}
	for _, named := range []bool{true, false} { // a table without namespaces may repeat another that has them
		for _, o := range all {
			for i := range o.printed {
				if ref := o.printed[i].ref(); named == (ref.Namespace != "" || ref.Kind == "Node") {
					s.take(&o.printed[i])
				}
			}
		}
		for _, p := range s.rows {
			if ref := p.ref(); named && p.event == nil {
				s.known[kindKey{ref.Kind, "", ref.Name}] = ref.Kind != "Node"
			}
		}
	}
	s.objects(into)
	for _, o := range all {
		o.printed = nil
	}
}

func (s *textSet) addKnown(o *Objects) {
	for _, v := range o.objects {
		s.known[kindKey{v.key.kind, v.key.namespace, v.key.name}] = true
		s.known[kindKey{v.key.kind, "", v.key.name}] = true
	}
	for _, e := range o.events {
		for _, ns := range []string{e.Object.Namespace, ""} {
			s.known[kindKey{"Event " + e.Reason, ns, e.Object.Name}] = true
		}
	}
}

// take keeps what shows most of an object.
func (s *textSet) take(p *printedRow) {
	ref := p.ref()
	k := kindKey{ref.Kind, ref.Namespace, ref.Name}
	if p.event != nil {
		k.kind = "Event " + p.event.Reason
	}
	if s.known[k] {
		return
	}
	p.when = cmp.Or(p.when, s.clock)
	if p.event != nil {
		k.kind += " " + p.event.Message
	}
	if i, known := s.index[k]; !known {
		s.index[k] = len(s.rows)
		s.rows = append(s.rows, p)
	} else if p.better(s.rows[i]) {
		s.rows[i] = p
	}
}

// better reports whether p shows more of an object than old: a description does, then what is newer, then a table with
// nodes and an event that counts more.
func (p *printedRow) better(old *printedRow) bool {
	switch {
	case p.described != old.described:
		return p.described
	case p.described:
		return p.newest.After(old.newest)
	case p.event != nil:
		return p.when.After(old.when) || p.event.Count > old.event.Count
	}
	pod, _ := p.rec.(*Pod)
	return p.when.After(old.when) || p.when.Equal(old.when) && pod != nil && pod.Node != ""
}

// objects makes the objects. Events come first: they have what tables of pods lack.
func (s *textSet) objects(into *Objects) {
	field, waits := map[kindKey]string{}, map[kindKey]*printedRow{}
	for _, p := range s.rows {
		e := p.event
		if e == nil {
			continue
		}
		p.date()
		e.id = maphash.String(seed, fmt.Sprint(e.Input, "\x00", e.Line))
		into.events = append(into.events, *e)
		k := kindKey{e.Object.Kind, e.Object.Namespace, e.Object.Name}
		if _, name, ok := strings.Cut(strings.TrimSuffix(e.Field, "}"), "ontainers{"); ok && isName(name) {
			field[k] = name
		}
		if w := waits[k]; e.Reason == "FailedScheduling" && (w == nil || p.age.least < w.age.least) {
			waits[k] = p
		}
	}
	pods := make([]*Pod, len(s.rows))
	for i, p := range s.rows {
		if p.event != nil {
			continue
		}
		p.date()
		m := p.rec.self()
		k := kindKey{m.Kind, m.Namespace, m.Name}
		if pod, ok := p.rec.(*Pod); ok {
			pods[i] = pod
			if !p.described {
				pod.Containers[0].Name = field[k]
			}
			if w := waits[k]; w != nil {
				unscheduled(pod, &w.event.Event)
			}
		}
		into.objects = append(into.objects, &object{key: keyOf(m), rec: p.rec, meta: m})
	}
	s.dateFailed(pods)
}

// date makes times of ages. Those of an event are as far apart as the table allows: what is counted from them is a
// lower bound. How long a node has not been ready is only known of one that is new.
func (p *printedRow) date() {
	ago := func(d time.Duration) time.Time { return p.when.Add(-d).UTC() }
	switch {
	case p.when.IsZero():
	case p.described:
		m := p.rec.self()
		if p.lasts.known {
			m.Deleted = ago(p.lasts.least)
		}
		if m.Created.IsZero() && p.oldest > 0 { // it has not started
			m.Created = ago(p.oldest)
		}
	case !p.age.known:
	case p.event != nil:
		p.event.Last = ago(p.age.least)
		p.event.First = ago(max(p.first.least+p.first.unit, p.age.least+p.age.unit))
	default:
		m := p.rec.self()
		m.Created = ago(p.age.least)
		m.Written = m.Created
		if n, ok := p.rec.(*Node); ok && p.age.least+p.age.unit < 10*time.Minute && len(n.Conditions) > 0 &&
			n.Conditions[0].Status != "True" {
			n.Conditions[0].Since = n.Created
		}
	}
}

// dateFailed gives failed pods their times. A table proves less than it seems to: pods of one age may have come at
// any time within its unit, so they are laid evenly over it, which is the least that can have come in any while; and
// failed pods that are fewer than two for each one that is wanted, or lives, may be one generation that failed at
// once: they stay without a time, and no storm is made of them.
func (s *textSet) dateFailed(pods []*Pod) {
	type generation struct {
		owner string
		age   roundedAge
	}
	who := func(p *Pod) string { return p.Namespace + "/" + cmp.Or(p.Owner.Name, p.GenerateName) }
	live, failed, ages := map[string]int{}, map[string]int{}, map[generation][]int{}
	for i := range s.rows {
		p := pods[i]
		switch {
		case p == nil || s.rows[i].described:
		case p.Phase != "Failed":
			live[who(p)]++
		default:
			failed[who(p)]++
			g := generation{who(p), s.rows[i].age}
			ages[g] = append(ages[g], i)
		}
	}
	for g, rows := range ages {
		for n, i := range rows {
			p, r := pods[i], s.rows[i]
			if failed[g.owner] < 2*max(live[g.owner], 1) || r.when.IsZero() {
				p.Created, p.Written = time.Time{}, time.Time{}
				continue
			}
			p.Created = r.when.Add(-g.age.least - g.age.unit*time.Duration(n)/time.Duration(len(rows))).UTC()
			p.Written = p.Created
		}
	}
}

// unscheduled gives a pod without a node what the scheduler's event says about it.
func unscheduled(p *Pod, waits *Event) {
	c := Find(p.Conditions, "PodScheduled")
	if c == nil || p.Phase != "Pending" || p.Node != "" {
		return
	}
	c.Status, c.Reason, c.Message = "False", "Unschedulable", waits.Message
	if _, rest, ok := strings.Cut(waits.Message, `persistentvolumeclaim "`); ok && len(p.Claims) == 0 {
		if name, _, ok := strings.Cut(rest, `"`); ok && isName(name) {
			p.Claims = []string{name}
		}
	}
}
