package audit

import (
	"math"
)

// write keeps one write, compares its body with the object's last one and notes the result in seen, if not nil.
func (r *Reader) write(e *Event, actor int32, id uint64, seen *Seen) (object, owner int32) {
	t, l := r.t, r.log
	w := Write{
		Time: e.Received, ID: id, Actor: actor, Verb: e.Verb, Code: uint16(min(e.Code, math.MaxUint16)),
		line: uint32(min(r.place.Line, math.MaxUint32)), file: r.file,
	}
	f, answered := r.objectFacts(e, w.OK())
	if w.Object = r.objectOf(e, &f); w.Object < 0 {
		l.lost++
		return -1, 0
	}
	o := &t.objects.list[w.Object]
	w.Sub = narrow(t.text(e.Subresource))
	r.versions(e, &w, &f, answered)
	w.Owner = t.owner(f.owner)
	w.UID = hashID(f.uid, nil)
	r.podFacts(e, &w, &f)
	if e.Verb == VerbCreate && len(f.generateName) > 0 {
		w.Note = t.text(f.generateName)
	}
	if string(e.Subresource) == "scale" {
		w.Note = t.text(replicasOf(e))
	}
	if w.OK() && (e.Verb != VerbDelete && e.Verb != VerbDeleteCollection || answered && len(e.Name) > 0) {
		c := r.compare(e, &w, answered)
		if seen != nil {
			seen.Changes, seen.Compared, seen.Part = c.shown, c.known, c.part
		}
	}
	if seen != nil {
		seen.Name, seen.In, seen.Out = o.Name, w.In, w.Out
	}
	r.keep(w)
	return w.Object, w.Owner
}

// objectFacts reads the body with the most facts about the object; answered: it is the server's answer.
func (r *Reader) objectFacts(e *Event, ok bool) (f bodyFacts, answered bool) {
	r.arena = r.arena[:0]
	pod := string(e.Resource) == "pods"
	if ok && e.Response != nil && r.facts.read(e.Response, &r.arena, pod) && string(r.facts.kind) != "Status" {
		return r.facts, true
	}
	r.facts = bodyFacts{}
	if e.Request != nil && e.Verb != VerbDelete {
		r.facts.read(e.Request, &r.arena, pod)
		f = r.facts
		f.uid = nil // of a request it is a precondition, or nothing
	}
	return f, false
}

// objectOf finds the object of a write and counts the write; -1 where there is no room for it.
func (r *Reader) objectOf(e *Event, f *bodyFacts) int32 {
	t := r.t
	name := e.Name
	if len(name) == 0 && e.Verb == VerbCreate {
		name = f.name
	}
	object := t.object(e.Group, e.Resource, e.Namespace, name)
	if object < 0 {
		return -1
	}
	o := &t.objects.list[object]
	o.Writes++
	if o.Version == "" {
		o.Version = t.word(e.Version)
	}
	// A subresource's body may be of another kind: a Scale, a Binding.
	if o.Kind == "" && len(f.kind) > 0 && (len(e.Subresource) == 0 || string(e.Subresource) == "status") {
		o.Kind = t.word(f.kind)
	}
	return object
}

func (r *Reader) versions(e *Event, w *Write, f *bodyFacts, answered bool) {
	w.In = versionOf(e.ResourceVersion)
	if answered {
		w.Out = versionOf(f.version)
	} else if w.In == 0 && e.Verb != VerbCreate {
		w.In = versionOf(f.version)
	}
	if w.In == 0 && answered && e.Verb == VerbUpdate && e.Request != nil {
		var asked bodyFacts
		if asked.read(e.Request, &r.arena, false) {
			w.In = versionOf(asked.version)
		}
	}
}

// podFacts notes what a pod's body shows: whether the creator chose its node, and how it failed.
func (r *Reader) podFacts(e *Event, w *Write, f *bodyFacts) {
	if string(e.Resource) != "pods" {
		return
	}
	if e.Verb == VerbCreate && len(e.Subresource) == 0 && len(f.nodeName) > 0 {
		w.Flags |= FlagNodeNamed
	}
	if e.Verb == VerbCreate && string(e.Subresource) == "binding" && w.OK() {
		r.log.bound = true
	}
	if string(e.Subresource) == "status" && (e.Request != nil || e.Response != nil) {
		w.Flags |= FlagPodStatus
	}
	if string(f.phase) == "Failed" && string(e.Subresource) == "status" {
		w.Flags |= FlagFailedPod
		w.Note = r.t.text(f.reason)
	}
}

// A comparison is how a write's body differs from the bodies before it.
type comparison struct {
	moved []Change // fields that have another value now
	shown []Change // the same, or all that a part of the object sets
	more  int
	known bool // there was something to compare with
	part  bool // the body names only fields to be set
}

func (r *Reader) compare(e *Event, w *Write, answered bool) comparison {
	masked := string(e.Resource) == "secrets"
	var c comparison
	if e.Verb == VerbCreate && len(e.Subresource) == 0 {
		r.bodies.drop(w.Object) // an earlier object of that name
	}
	switch {
	case string(e.Subresource) == "scale":
		if body := scaleOf(e); body != nil {
			c.part = true
			c.moved, c.shown, c.known = r.bodies.comparePatch(w.Object, body, w, false)
		}
	case len(e.Subresource) > 0 && string(e.Subresource) != "status" && string(e.Subresource) != "finalize" &&
		string(e.Subresource) != "ephemeralcontainers":
	case answered:
		c.moved, c.more, c.known = r.bodies.compareWhole(w.Object, e.Response, w, masked)
	case e.Request == nil:
	case (e.Verb == VerbCreate || e.Verb == VerbUpdate) && r.facts.named && len(r.facts.name) > 0:
		c.moved, c.more, c.known = r.bodies.compareWhole(w.Object, e.Request, w, masked)
	case e.Verb == VerbPatch || e.Verb == VerbUpdate:
		c.part = true
		c.moved, c.shown, c.known = r.bodies.comparePatch(w.Object, e.Request, w, masked)
	}
	if !c.part {
		c.shown = c.moved
	}
	r.t.changed(w, &c, r.t.objects.list[w.Object].Writes >= fewWrites)
	return c
}

// scaleOf is a write of the scale subresource as a part of the object: its one field is the object's own spec.replicas.
func scaleOf(e *Event) []byte {
	if replicas := replicasOf(e); replicas != nil {
		return append(append([]byte(`{"spec":{"replicas":`), replicas...), `}}`...)
	}
	return nil
}

// replicasOf is how many replicas a write of the scale subresource asks for, nil where no body shows it.
func replicasOf(e *Event) []byte {
	body := e.Response
	if body == nil {
		body = e.Request
	}
	var spec, replicas rawValue
	new(arena).members(body, 0, member{"spec", &spec})
	new(arena).members(spec, 0, member{"replicas", &replicas})
	return replicas
}

// changed notes what a write changed, where its object is written often.
func (t *tables) changed(w *Write, c *comparison, often bool) {
	set := func(c *Change) {
		if often && c.New != "***" && !isTimestamp(c.New) {
			t.set(w.Object, w.Actor, c.Path, c.New, 1)
		}
	}
	if c.part {
		for i := range c.shown {
			set(&c.shown[i])
		}
	}
	if !c.known {
		return
	}
	all := ChangeSet{Nothing: len(c.moved) == 0, More: c.more, TimeOnly: len(c.moved) > 0 && c.more == 0}
	for i := range c.moved {
		m := &c.moved[i]
		all.Paths = append(all.Paths, m.Path)
		all.TimeOnly = all.TimeOnly && m.isTime()
		if m.Path == "metadata.finalizers" && len(m.New) < len(m.Old) {
			w.Flags |= FlagFinalized
		}
		if !c.part {
			set(m)
		}
	}
	if often {
		if w.Change = t.change(all); w.Change != 0 {
			w.Flags |= FlagBodies
		}
	}
}

// fewWrites is from which of an object's writes on its changed fields are kept: most objects are written a few times
// and would fill the tables, what matters is written again and again.
const fewWrites = 4

// keepOf is how many writes of one object are kept, the first ones: what fills a log is a few objects that are written
// again and again.
const keepOf = 4096

// keep adds a write to those that are kept one by one.
func (r *Reader) keep(w Write) {
	l := r.log
	for len(r.kept) <= int(w.Object) {
		r.kept = append(r.kept, 0)
	}
	if r.kept[w.Object] >= keepOf || len(l.writes) >= r.o.MaxWrites {
		l.lost++
		return
	}
	r.kept[w.Object]++
	l.writes = append(l.writes, w)
}
