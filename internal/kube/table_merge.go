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

// Texts takes over the descriptions and the rows of tables of a file; they become objects at the merge, where no YAML
// or JSON has them.
func (r *Reader) Texts(t *Texts) {
	t.describer.end(t)
	for _, o := range t.objects {
		if !r.store.take(o.size) {
			r.unread("Pod", "over the limit of what is kept")
			continue
		}
		r.out.seen++
		r.out.newest = latest(latest(r.out.newest, o.newest), o.when)
		r.out.described = append(r.out.described, o)
		r.tails(&object{rec: o.Pod})
	}
	for i := range t.usages {
		if r.store.take(rowSize) {
			r.out.usages = append(r.out.usages, t.usages[i])
		}
	}
	for i := range t.rows {
		row := &t.rows[i]
		if !r.store.take(row.size) {
			r.unread(row.kind, "over the limit of what is kept")
			continue
		}
		r.out.seen++
		r.out.newest = latest(r.out.newest, row.when)
		r.out.tables = append(r.out.tables, *row)
	}
	if t.cut > 0 {
		r.out.cut[cutKey{"", "rows of tables, over the limit of a file"}] += t.cut
	}
	if rest := slices.IndexFunc(t.rows, func(r tableRow) bool { return r.event == nil }); rest >= 0 {
		r.out.notes.remark("a table of kubectl get: no owners (those of pods are guessed from their names), "+
			"no containers, ages exact to their unit", t.rows[rest].at)
	} else if len(t.rows) > 0 {
		r.out.notes.remark("events as kubectl prints them: ages exact to their unit", t.rows[0].at)
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

// A tableSet is the rows of all sources, on their way to objects.
type tableSet struct {
	rows  []tableRow
	index map[kindKey]int
	known map[kindKey]bool // from YAML or JSON, or described
	clock time.Time
	pods  []*Pod // that were described
}

// mergeTables makes objects of the rows of tables. Objects of YAML or JSON win.
func (c *Cluster) mergeTables(all []*Objects) {
	var into *Objects
	var newest time.Time
	for _, o := range all {
		newest = latest(newest, o.newest)
		if into == nil && len(o.tables)+len(o.described) > 0 {
			into = o
		}
	}
	if into == nil {
		return
	}
	s := &tableSet{index: map[kindKey]int{}, known: map[kindKey]bool{}, clock: c.Bundle.Created}
	if s.clock.IsZero() {
		s.clock = newest
	}
	for _, o := range all {
		s.know(o)
	}
	s.describe(all)
	for _, named := range []bool{true, false} { // a table without namespaces may repeat another that has them
		for _, o := range all {
			for i := range o.tables {
				if r := &o.tables[i]; named == (r.namespace != "" || r.kind == "Node") {
					s.take(r)
				}
			}
		}
		for _, r := range s.rows {
			if named && r.event == nil {
				s.known[kindKey{r.kind, "", r.name}] = r.kind != "Node"
			}
		}
	}
	for _, o := range all {
		o.tables = nil
	}
	s.objects(into)
}

// describe makes objects of the pods that were described and that no YAML or JSON has: the newest of each.
func (s *tableSet) describe(all []*Objects) {
	newest := map[kindKey]*textPod{}
	for _, o := range all {
		for _, d := range o.described {
			k := kindKey{"Pod", d.Namespace, d.Name}
			if old := newest[k]; !s.known[k] && (old == nil || old.newest.Before(d.newest)) {
				newest[k] = d
			}
		}
	}
	for _, o := range all {
		for _, d := range o.described {
			k := kindKey{"Pod", d.Namespace, d.Name}
			if newest[k] != d {
				continue
			}
			if when := cmp.Or(d.when, s.clock); !when.IsZero() {
				if d.lasts.known {
					d.Deleted = when.Add(-d.lasts.least).UTC()
				}
				if d.Created.IsZero() && d.oldest > 0 { // it has not started
					d.Created = when.Add(-d.oldest).UTC()
				}
			}
			s.pods = append(s.pods, d.Pod)
			s.known[k], s.known[kindKey{"Pod", "", d.Name}] = true, true
			o.objects = append(o.objects, &object{key: keyOf(&d.Meta), rec: d.Pod, meta: &d.Meta})
		}
		o.described = nil
	}
}

func (s *tableSet) know(o *Objects) {
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

// take keeps the newest row of an object; of two of one time the one with more in it.
func (s *tableSet) take(r *tableRow) {
	k := kindKey{r.kind, r.namespace, r.name}
	if r.event != nil {
		k.kind = "Event " + r.event.reason
	}
	if s.known[k] {
		return
	}
	if r.when.IsZero() {
		r.when = s.clock
	}
	if r.event != nil {
		k.kind += " " + r.event.message
	}
	i, known := s.index[k]
	switch {
	case !known:
		s.index[k] = len(s.rows)
		s.rows = append(s.rows, *r)
	case r.when.After(s.rows[i].when), r.when.Equal(s.rows[i].when) && r.event == nil && r.node != "",
		r.event != nil && s.rows[i].event != nil && r.event.count > s.rows[i].event.count:
		s.rows[i] = *r
	}
}

// objects makes the objects. Events come first: they have what tables of pods lack.
func (s *tableSet) objects(into *Objects) {
	field, waits := map[kindKey]string{}, map[kindKey]*tableRow{}
	for i := range s.rows {
		r := &s.rows[i]
		if r.event == nil {
			continue
		}
		e := r.asEvent()
		e.id = maphash.String(seed, fmt.Sprint(r.at.Input, "\x00", r.at.Line))
		into.events = append(into.events, e)
		if r.event.kind != "Pod" {
			continue
		}
		k := kindKey{"Pod", r.namespace, r.name}
		if _, name, ok := strings.Cut(strings.TrimSuffix(r.event.field, "}"), "ontainers{"); ok && isName(name) {
			field[k] = name
		}
		if w := waits[k]; r.event.reason == "FailedScheduling" && (w == nil || r.age.least < w.age.least) {
			waits[k] = r
		}
	}
	for _, p := range s.pods {
		if w := waits[kindKey{"Pod", p.Namespace, p.Name}]; w != nil {
			unscheduled(p, w)
		}
	}
	pods := map[int]*Pod{}
	for i := range s.rows {
		r := &s.rows[i]
		var rec described
		switch r.kind {
		case "Event":
			continue
		case "Pod":
			k := kindKey{"Pod", r.namespace, r.name}
			pods[i] = r.asPod(field[k], waits[k])
			rec = pods[i]
		case "Node":
			rec = r.asNode()
		}
		into.objects = append(into.objects, &object{key: keyOf(rec.self()), rec: rec, meta: rec.self()})
	}
	s.dateFailed(pods)
}

// dateFailed gives failed pods their times. A table proves less than it seems to: pods of one age may have come at
// any time within its unit, so they are laid evenly over it, which is the least that can have come in any while; and
// failed pods that are fewer than two for each one that is wanted, or lives, may be one generation that failed at
// once: they stay without a time, and no storm is made of them.
func (s *tableSet) dateFailed(pods map[int]*Pod) {
	type generation struct {
		owner string
		age   since
	}
	who := func(p *Pod) string { return p.Namespace + "/" + cmp.Or(p.Owner.Name, p.GenerateName) }
	live, failed, ages := map[string]int{}, map[string]int{}, map[generation][]int{}
	for i := range s.rows {
		p := pods[i]
		switch {
		case p == nil:
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
			p, r := pods[i], &s.rows[i]
			if failed[g.owner] < 2*max(live[g.owner], 1) || r.when.IsZero() {
				p.Created, p.Written = time.Time{}, time.Time{}
				continue
			}
			p.Created = r.when.Add(-g.age.least - g.age.unit*time.Duration(n)/time.Duration(len(rows))).UTC()
			p.Written = p.Created
		}
	}
}

func (r *tableRow) meta(api string) Meta {
	m := Meta{Ref: Ref{API: api, Kind: r.kind, Namespace: r.namespace, Name: r.name}, At: r.at}
	if !r.when.IsZero() && r.age.known {
		m.Created = r.when.Add(-r.age.least).UTC()
		m.Written = m.Created
	}
	return m
}

// asPod reads a pod's STATUS, which is the phase, status.reason, or a word about one of its containers (printPod). A
// pod that runs again after some restarts does not show how they ended, and STATUS Error does not show the phase:
// both stay empty.
func (r *tableRow) asPod(container string, waits *tableRow) *Pod {
	p := &Pod{Meta: r.meta("v1"), Node: r.node}
	if i := strings.LastIndexByte(r.name, '-'); i > 0 && isHash(r.name[i+1:], 5) {
		// NAME-HASH-xxxxx is what a Deployment's pods are called.
		if _, hash, ok := cutHash(r.name[:i]); ok {
			p.Owner = Ref{API: "apps/v1", Kind: "ReplicaSet", Namespace: r.namespace, Name: r.name[:i]}
			p.TemplateHash = hash
		} else {
			p.GenerateName = r.name[:i+1]
		}
	}
	c := Container{Name: container, Unlisted: true, Restarts: r.restarts, Line: r.at.Line}
	word, init := strings.CutPrefix(r.status, "Init:")
	c.Init = init
	switch {
	case word == "Running", word == "NotReady":
		p.Phase = "Running"
	case word == "Completed", word == "Succeeded":
		p.Phase = "Succeeded"
	case word == "Pending":
		p.Phase = word
	case word == "OOMKilled":
		c.Now = &Termination{Reason: word, Exit: -1, Line: r.at.Line}
	case strings.HasPrefix(word, "OutOf"), slices.Contains(rejections, word):
		p.Phase, p.Reason = "Failed", word
	case word == "CrashLoopBackOff":
		c.Waiting, p.Phase = word, "Running"
	case slices.Contains(waitReasons, word):
		c.Waiting, p.Phase = word, "Pending"
	}
	if init && p.Phase != "" {
		p.Phase = "Pending"
	}
	p.Containers = []Container{c}
	// Whether the scheduler chose the node is unknown; that it has not found one, its event shows.
	p.Conditions = []Condition{{Type: "PodScheduled", Status: "Unknown", Reason: "NotTold"}}
	if waits != nil {
		unscheduled(p, waits)
	}
	return p
}

// unscheduled gives a pod without a node what the scheduler's event says about it.
func unscheduled(p *Pod, waits *tableRow) {
	c := Find(p.Conditions, "PodScheduled")
	if c == nil || p.Phase != "Pending" || p.Node != "" {
		return
	}
	c.Status, c.Reason, c.Message = "False", "Unschedulable", waits.event.message
	if _, rest, ok := strings.Cut(waits.event.message, `persistentvolumeclaim "`); ok && len(p.Claims) == 0 {
		if name, _, ok := strings.Cut(rest, `"`); ok && isName(name) {
			p.Claims = []string{name}
		}
	}
}

// rejections are the reasons with which a kubelet ends a pod for good (pkg/kubelet/lifecycle/predicate.go,
// pkg/kubelet/eviction), and those that begin with OutOf.
var rejections = []string{
	"Evicted", "NodeAffinity", "NodeName", "NodePorts", "TaintToleration", "UnexpectedAdmissionError",
	"InvalidNodeInfo", "UnexpectedPredicateFailureType", "PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch",
}

// waitReasons are the reasons with which a container waits (pkg/kubelet/images, pkg/kubelet/kuberuntime).
var waitReasons = []string{
	"ContainerCreating", "PodInitializing", "ImagePullBackOff", "ErrImagePull", "InvalidImageName",
	"ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError", "CreateContainerConfigError",
	"CreateContainerError", "RunContainerError", "PreCreateHookError", "PreStartHookError", "PostStartHookError",
}

// asNode reads a node's STATUS. How long it has not been ready is only known of a node that is new.
func (r *tableRow) asNode() *Node {
	n := &Node{Meta: r.meta("v1"), Kubelet: r.version}
	words := strings.Split(r.status, ",")
	n.Unschedulable = slices.Contains(words, "SchedulingDisabled")
	switch {
	case slices.Contains(words, "Ready"):
		n.Conditions = []Condition{{Type: "Ready", Status: "True"}}
	case slices.Contains(words, "NotReady"):
		ready := Condition{Type: "Ready", Status: "not True", Reason: "NotReady",
			Message: "the table says NotReady, which is False or Unknown"}
		if r.age.least+r.age.unit < 10*time.Minute {
			ready.Since = n.Created
		}
		n.Conditions = []Condition{ready}
	}
	return n
}

// asEvent is an event whose times are as far apart as the table allows: what is counted from them is a lower bound.
func (r *tableRow) asEvent() eventSeen {
	t := r.event
	e := eventSeen{Event: Event{
		At: r.at, Object: Ref{Kind: t.kind, Namespace: r.namespace, Name: r.name}, Field: t.field, Reason: t.reason,
		Message: t.message, Type: t.typ, Count: t.count,
	}}
	if t.kind == "Node" {
		e.Object.Namespace = ""
	}
	if !r.when.IsZero() && r.age.known {
		e.Last = r.when.Add(-r.age.least).UTC()
		e.First = r.when.Add(-max(t.first.least+t.first.unit, r.age.least+r.age.unit)).UTC()
	}
	return e
}

// cutHash takes NAME-HASH, as a Deployment's ReplicaSets are called, apart.
func cutHash(set string) (name, hash string, ok bool) {
	i := strings.LastIndexByte(set, '-')
	if i <= 0 || !isHash(set[i+1:], max(6, len(set)-i-1)) {
		return "", "", false
	}
	return set[:i], set[i+1:], true
}

// isHash reports n, at most 10, of the characters of apimachinery's pkg/util/rand.
func isHash(s string, n int) bool {
	return len(s) == n && n <= 10 && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == ""
}
