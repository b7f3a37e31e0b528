package kube

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The kinds of tables of top.
const (
	topPods  = "top Pod"
	topNodes = "top Node"
)

// A printedRow is a pod, a node or an event that kubectl printed for people. Its times are ages, from which those of
// the object are made at the merge, when it is known when they were printed.
type printedRow struct {
	rec        objectRecord // nil for an event
	event      *eventSeen   // nil for an object
	described  bool
	when       time.Time  // of the file's own date line, zero for none
	age, first roundedAge // first: of an event
	lasts      roundedAge // of a deletion: how long ago the pod was, or was to be, gone
	newest     time.Time  // of all times that a description shows
	oldest     time.Duration
	size       int // bytes that it takes, about
}

// A roundedAge is an age as kubectl writes it: exact to its unit only, so that the real one is in [least, least+unit).
type roundedAge struct {
	least, unit time.Duration
	known       bool
}

// ref is the object, or the one that the event is about.
func (p *printedRow) ref() *Ref {
	if p.event != nil {
		return &p.event.Object
	}
	return &p.rec.self().Ref
}

// keep keeps what was printed where there is room for it.
func (t *Texts) keep(p printedRow) {
	if p.when = t.when; t.size+p.size > maxTableBytes {
		t.cut++
		return
	}
	t.size += p.size
	t.printed = append(t.printed, p)
}

// row takes a line of a table, and reports whether it is a row.
func (t *Texts) row(line []byte, at At) bool {
	if t.kind == "Event" {
		for _, cell := range cells(t.columns, line) {
			if p, ok := eventRow(cell, at); ok {
				p.event.Object.Namespace = cmp.Or(cell["NAMESPACE"], t.namespace)
				p.size = rowSize + len(line)
				t.keep(p)
				return true
			}
		}
		return false
	}
	cell := byColumn(t.columns, []rune(string(line))) // kubectl pads by characters
	name := cell["NAME"]
	if _, of, ok := strings.Cut(name, "/"); ok { // of kubectl get all: pod/NAME
		name = of
	}
	m := Meta{Ref: Ref{API: "v1", Kind: t.kind, Namespace: cmp.Or(cell["NAMESPACE"], t.namespace), Name: name}, At: at}
	p, ok := printedRow{age: parseAge(cell["AGE"]), size: rowSize + len(line)}, false
	switch t.kind {
	case "Pod":
		p.rec, ok = podRow(m, cell)
	case "Node":
		p.rec, ok = nodeRow(m, cell)
	default:
		return t.usage(&m, cell)
	}
	if ok = ok && p.age.known && isName(name); ok {
		t.keep(p)
	}
	return ok
}

// usage reads a row of `kubectl top` (kubectl's pkg/metricsutil/metrics_printer.go): cores in "250m" or "2", memory in
// "1222Mi".
func (t *Texts) usage(m *Meta, cell map[string]string) bool {
	u := Usage{At: m.At, Kind: "Pod", Namespace: m.Namespace, Name: m.Name}
	if pod := cell["POD"]; pod != "" {
		u.Name, u.Container = pod, m.Name
	}
	if t.kind == topNodes {
		u.Kind, u.Namespace = "Node", ""
	}
	var ok1, ok2 bool
	u.MilliCPU, ok1 = metric(cell["CPU(CORES)"], "m")
	u.Bytes, ok2 = metric(cell["MEMORY(BYTES)"], "Mi")
	u.Bytes <<= 20
	if !ok1 || !ok2 || !isName(u.Name) {
		return false
	}
	if t.size += rowSize; t.size > maxTableBytes {
		t.cut++
	} else {
		t.usages = append(t.usages, u)
	}
	return true
}

// eventRow reads an event's cells: "3m (x12 over 10m)", or the columns FIRST SEEN and COUNT of -o wide.
func eventRow(cell map[string]string, at At) (p printedRow, ok bool) {
	last, more, folded := strings.Cut(cell["LAST SEEN"], " (x")
	p.age = parseAge(last)
	p.first = p.age
	count := "1"
	if folded {
		var first string
		count, first, _ = strings.Cut(strings.TrimSuffix(more, ")"), " over ")
		p.first = parseAge(first)
	}
	if cell["COUNT"] != "" {
		count, p.first = cell["COUNT"], parseAge(cell["FIRST SEEN"])
	}
	n, _ := strconv.Atoi(count)
	kind, name, ok := strings.Cut(cell["OBJECT"], "/")
	p.event = &eventSeen{Event: Event{
		At: at, Object: Ref{Kind: objectKind(kind), Name: name}, Field: cell["SUBOBJECT"], Reason: cell["REASON"],
		Message: string(most([]byte(cell["MESSAGE"]), maxMessage)), Type: cell["TYPE"], Count: n,
	}}
	return p, ok && n > 0 && n < 1<<31 && objectKind(kind) != "" && isName(name) && cell["REASON"] != "" &&
		!strings.Contains(cell["REASON"], " ")
}

// podRow reads a pod's STATUS, which is the phase, status.reason, or a word about one of its containers (printPod). A
// pod that runs again after some restarts does not show how they ended, and STATUS Error does not show the phase:
// both stay empty.
func podRow(m Meta, cell map[string]string) (*Pod, bool) {
	p := &Pod{Meta: m, Node: cell["NODE"]}
	if i := strings.LastIndexByte(m.Name, '-'); i > 0 && isHash(m.Name[i+1:], 5) {
		// NAME-HASH-xxxxx is what a Deployment's pods are called.
		if hash, ok := templateHash(m.Name[:i]); ok {
			p.Owner = Ref{API: "apps/v1", Kind: "ReplicaSet", Namespace: m.Namespace, Name: m.Name[:i]}
			p.TemplateHash = hash
		} else {
			p.GenerateName = m.Name[:i+1]
		}
	}
	times, _, _ := strings.Cut(cell["RESTARTS"], " ")
	restarts, err := strconv.Atoi(times)
	if err != nil || restarts < 0 || !strings.Contains(cell["READY"], "/") || cell["STATUS"] == "" ||
		strings.Contains(cell["STATUS"], " ") {
		return nil, false
	}
	c := Container{Unlisted: true, Restarts: restarts, Line: m.Line}
	word, init := strings.CutPrefix(cell["STATUS"], "Init:")
	c.Init = init
	switch {
	case word == "Running", word == "NotReady":
		p.Phase = "Running"
	case word == "Completed", word == "Succeeded":
		p.Phase = "Succeeded"
	case word == "Pending":
		p.Phase = word
	case word == "OOMKilled":
		c.Now = &Termination{Reason: word, Exit: -1, Line: m.Line}
	case Rejects(word):
		p.Phase, p.Reason = "Failed", word
	case word == "CrashLoopBackOff":
		c.Waiting, p.Phase = word, "Running"
	case word == "ContainerCreating", word == "PodInitializing", CannotStart(word):
		c.Waiting, p.Phase = word, "Pending"
	}
	if init && p.Phase != "" {
		p.Phase = "Pending"
	}
	p.Containers = []Container{c}
	// Whether the scheduler chose the node is unknown; that it has not found one, its event shows.
	p.Conditions = []Condition{{Type: "PodScheduled", Status: "Unknown", Reason: "NotTold"}}
	return p, true
}

// nodeRow reads a node's STATUS.
func nodeRow(m Meta, cell map[string]string) (*Node, bool) {
	m.Namespace = ""
	n := &Node{Meta: m, Kubelet: cell["VERSION"]}
	words := strings.Split(cell["STATUS"], ",")
	n.Unschedulable = slices.Contains(words, "SchedulingDisabled")
	switch {
	case slices.Contains(words, "Ready"):
		n.Conditions = []Condition{{Type: "Ready", Status: "True"}}
	case slices.Contains(words, "NotReady"):
		n.Conditions = []Condition{{Type: "Ready", Status: "not True", Reason: "NotReady",
			Message: "the table says NotReady, which is False or Unknown"}}
	}
	return n, strings.Contains(cell["STATUS"], "Ready")
}

// templateHash is the hash in NAME-HASH, as a Deployment's ReplicaSets are called.
func templateHash(set string) (hash string, ok bool) {
	hash = set[strings.LastIndexByte(set, '-')+1:]
	return hash, len(hash) < len(set)-1 && isHash(hash, max(6, len(hash)))
}

// isHash reports n, at most 10, of the characters of apimachinery's pkg/util/rand.
func isHash(s string, n int) bool {
	return len(s) == n && n <= 10 && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == ""
}

// metric reads what top prints of a resource: "250m" of CPU, "129Mi" of memory (kubectl's metricsutil, 1.8 to 1.34).
func metric(s, unit string) (int64, bool) {
	v, err := strconv.ParseInt(strings.TrimSuffix(s, unit), 10, 64)
	return v, err == nil && v >= 0 && v < 1<<40 && strings.HasSuffix(s, unit)
}
