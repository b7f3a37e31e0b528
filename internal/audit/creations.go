package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/objectname"
)

const (
	// minCreations is the smallest group of creations that is reported: the storm's threshold, 20 pods.
	minCreations = 20
	// creationWindow is the time in which a storm's creations are counted.
	creationWindow = 10 * time.Minute
	// maxCreationGroups bounds how many groups are kept apart.
	maxCreationGroups = 20_000
)

type creationKey struct {
	resource, namespace string
	actor               int32
	owner               string
}

// A cohort is a Creation under way.
type cohort struct {
	Creation
	times     []int64
	lifetimes []int64
	reasons   map[string]int
	votes     int64 // for Remade, a candidate until the end
	alive     int   // neither failed nor gone, now
	stems     map[string]int
	onNode    map[int32]int
	nameless  bool // the names are not in the creations, which say nothing of their owner either
}

// A member is one object that was created, or first seen, in a cohort.
type member struct {
	of                     *cohort
	born                   int64
	gone, failed, reported bool
}

// A seenKey is what names that the server chose have in common.
type seenKey struct{ resource, namespace, prefix string }

// A lifecycle follows creations and what becomes of them, in order of time.
type lifecycle struct {
	t       *Trail
	groups  map[creationKey]*cohort
	order   []*cohort
	members map[int32]*member // by object
	// unnamed are the cohorts whose objects' names the level leaves out, by the prefix of these names; "" where the
	// level leaves that out too.
	unnamed map[seenKey]*cohort
	// swept is when all objects of a resource in a namespace were deleted last.
	swept map[seenKey]int64
}

func (t *Trail) creations() {
	n := &lifecycle{
		t: t, groups: map[creationKey]*cohort{}, members: map[int32]*member{}, unnamed: map[seenKey]*cohort{},
		swept: map[seenKey]int64{},
	}
	for i := range t.Writes {
		w := &t.Writes[i]
		switch {
		case !w.OK():
		case w.Verb == VerbCreate && w.Sub == 0:
			n.birth(int32(i))
		case w.Verb == VerbDeleteCollection:
			n.swept[seenKey{t.Objects[w.Object].Resource, t.Objects[w.Object].Namespace, ""}] = w.Time
		default:
			n.event(int32(i))
		}
	}
	for _, c := range n.order {
		// Pods without names say nothing: they may be of as many owners. Those that others wrote are counted by theirs.
		if c.Count >= minCreations && !(c.nameless && c.Resource == "pods") {
			t.Creations = append(t.Creations, n.finish(c))
		}
	}
	slices.SortStableFunc(t.Creations, func(a, b Creation) int { return cmp.Compare(b.Window, a.Window) })
}

// cohort returns the group that a key belongs to, which begins with write i; nil where there are too many.
func (n *lifecycle) cohort(k creationKey, i int32) *cohort {
	c := n.groups[k]
	if c == nil && len(n.groups) < maxCreationGroups {
		c = &cohort{Creation: Creation{
			Actor: k.actor, Resource: k.resource, Namespace: k.namespace, FirstWrite: i, FailedWrite: -1,
			First: n.t.Writes[i].Time, Remade: -1,
		}}
		n.groups[k] = c
		n.order = append(n.order, c)
	}
	return c
}

func (n *lifecycle) birth(i int32) {
	t := n.t
	w := &t.Writes[i]
	o := &t.Objects[w.Object]
	c := n.cohort(creationKey{o.Resource, o.Namespace, w.Actor, t.creationOwner(w)}, i)
	if c == nil {
		return
	}
	c.Owner, c.Prefix = t.Owners[w.Owner], t.chosenStem(w)
	c.born(w.Time, i)
	if w.Flags&FlagNodeNamed != 0 {
		c.NodeNamed++
	}
	if w.UID != 0 || w.Owner != 0 {
		c.Told++
	}
	c.name(o)
	if o.Name != "" {
		vote(&c.Remade, &c.votes, w.Object)
		if l := n.members[w.Object]; l != nil && !l.gone && !l.failed {
			l.of.alive-- // its end is not in the log
		}
		n.members[w.Object] = &member{of: c, born: w.Time}
		return
	}
	c.nameless = c.Owner.Kind == "" && c.Prefix == ""
	n.unnamed[seenKey{o.Resource, o.Namespace, strings.TrimSuffix(c.Prefix, "-")}] = c
}

// maxStems bounds how many stems of names, and how many nodes, are counted.
const maxStems = 64

// name notes what the name of one that was created has in common with the others'.
func (c *cohort) name(o *Object) {
	if o.Name == "" || o.Resource == "pods" {
		return
	}
	stem := o.Name[:strings.LastIndexAny(o.Name, "-.")+1]
	if given, ok := objectname.Stem(o.Name); ok {
		stem = given
	}
	if c.stems == nil {
		c.stems = map[string]int{}
	}
	if len(c.stems) < maxStems || c.stems[stem] > 0 {
		c.stems[stem]++
	}
}

func (c *cohort) born(at int64, write int32) {
	c.Count++
	c.times = append(c.times, at)
	c.LastOne, c.Last = write, at
	c.alive++
	c.Standing = max(c.Standing, c.alive)
}

// creationOwner distinguishes groups: it is the owner, else the prefix of chosen names, else nothing.
func (t *Trail) creationOwner(w *Write) string {
	if w.Owner != 0 {
		o := &t.Owners[w.Owner]
		return o.Kind + "/" + o.Name
	}
	return t.chosenStem(w)
}

// chosenStem is what the name that the server chose for a new object begins with: its generateName, else, of pods, what
// the name shows.
func (t *Trail) chosenStem(w *Write) string {
	o := &t.Objects[w.Object]
	if prefix := chosenPrefix(o.Name); w.Note == 0 && w.Owner == 0 && o.Resource == "pods" && prefix != "" {
		return prefix + "-"
	}
	return t.Texts[w.Note]
}

// member returns the member of a cohort that an object is. Where names are missing, an object that is written for the
// first time after a creation is taken for what was created; one whose first write is its deletion or eviction was
// there before.
func (n *lifecycle) member(w *Write) *member {
	if l := n.members[w.Object]; l != nil {
		return l
	}
	o := &n.t.Objects[w.Object]
	prefix := chosenPrefix(o.Name)
	c := n.unnamed[seenKey{o.Resource, o.Namespace, prefix}]
	known := c != nil
	if !known {
		c = n.unnamed[seenKey{o.Resource, o.Namespace, ""}]
	}
	if c == nil || o.Name == "" || prefix == "" && o.Resource == "pods" {
		return nil
	}
	l := &member{of: c, born: w.Time, gone: w.Verb == VerbDelete || n.t.Texts[w.Sub] == "eviction"}
	n.members[w.Object] = l
	switch {
	case l.gone && prefix != "" && o.Resource != "pods" && c.Deleted < c.Count:
		c.Deleted++ // as likely one of them as one from before
		return l
	case l.gone, known, o.Resource != "pods":
		return l
	}
	own := n.cohort(creationKey{o.Resource, o.Namespace, c.Actor, "of " + prefix}, c.LastOne)
	if own == nil {
		return l
	}
	own.Inferred, own.Prefix, l.of = true, prefix+"-", own
	own.born(w.Time, c.LastOne)
	return l
}

// chosenPrefix is what precedes the five characters that the server chose ("-x7k2p", apiserver
// names.SimpleNameGenerator); "" for other names.
func chosenPrefix(name string) string {
	const suffix = 6
	if len(name) <= suffix || name[len(name)-suffix] != '-' {
		return ""
	}
	return name[:len(name)-suffix]
}

// event takes a write of an object that may be of a cohort.
func (n *lifecycle) event(i int32) {
	t := n.t
	w := &t.Writes[i]
	l := n.member(w)
	if l == nil {
		return
	}
	c := l.of
	switch {
	case l.gone:
	case w.Verb == VerbDelete && w.Sub == 0:
		l.end(w.Time, w.Actor == c.Actor)
	case w.Verb == VerbCreate && t.Texts[w.Sub] == "eviction":
		l.end(w.Time, true)
	case w.Flags&FlagFailedPod != 0:
		l.fail(i, t.Texts[w.Note])
	case w.Verb == VerbCreate && t.Texts[w.Sub] == "binding":
		c.Bound++
	}
	if !l.reported && strings.HasPrefix(t.Actors[w.Actor].User, "system:node:") && w.Verb != VerbDelete {
		l.reported = true
		c.Reported++
		if c.onNode == nil {
			c.onNode = map[int32]int{}
		}
		if len(c.onNode) < maxStems || c.onNode[w.Actor] > 0 {
			c.onNode[w.Actor]++
		}
	}
	if w.Flags&FlagPodStatus != 0 {
		c.Statuses++
	}
}

// end takes a pod away, or another object. Those that their creator deletes are too many for it (a scale-down, a
// rollout), those that are evicted go to another node: both are meant. What is gone was not in vain then.
func (l *member) end(at int64, meant bool) {
	c := l.of
	l.gone = true
	if !l.failed {
		c.alive--
	}
	if meant && c.Resource == "pods" {
		return
	}
	c.Deleted++
	c.lifetimes = append(c.lifetimes, at-l.born)
}

func (l *member) fail(i int32, reason string) {
	if l.failed {
		return
	}
	c := l.of
	l.failed = true
	c.alive--
	if c.reasons == nil {
		c.reasons = map[string]int{}
	}
	if c.Failed++; c.FailedWrite < 0 {
		c.FailedWrite = i
	}
	if len(c.reasons) < 64 {
		c.reasons[reason]++
	}
}

// remakes counts the creations of the candidate, and drops it where they are not the half.
func (t *Trail) remakes(c *cohort) {
	if c.Remade < 0 {
		return
	}
	for _, i := range t.ByObject[c.Remade] {
		if w := &t.Writes[i]; w.Verb == VerbCreate && w.Sub == 0 && w.OK() && w.Actor == c.Actor {
			c.Remakes++
		}
	}
	if 2*c.Remakes < c.Count {
		c.Remade, c.Remakes = -1, 0
	}
}

func (n *lifecycle) finish(c *cohort) Creation {
	t := n.t
	slices.Sort(c.times)
	if at := n.swept[seenKey{c.Resource, c.Namespace, ""}]; at != 0 {
		before, _ := slices.BinarySearch(c.times, at)
		c.Deleted = max(c.Deleted, before)
	}
	c.Window = densest(c.times, creationWindow.Microseconds())
	_, c.OnNode = most(c.onNode)
	c.Lifetime, _ = medianGap(c.lifetimes)
	c.Reason, _ = most(c.reasons)
	if c.Owner.Kind == "" {
		t.inferOwner(c)
	}
	if stem, alike := most(c.stems); c.Prefix == "" && 2*alike >= c.Count {
		c.Stem = stem
	}
	c.Top, _ = t.OwnerOf(c.Owner.Kind, c.Namespace, c.Owner.Name)
	t.remakes(c)
	t.ordinalOwner(c)
	return c.Creation
}

// ordinalOwner is the StatefulSet of the pod that makes up most of what its controller created.
func (t *Trail) ordinalOwner(c *cohort) {
	a := &t.Actors[c.Actor]
	if c.Remade < 0 || c.Resource != "pods" || c.Owner.Kind != "" ||
		!strings.HasSuffix(a.User, ":statefulset-controller") &&
			!strings.HasSuffix(a.Agent, "/statefulset-controller") {
		return
	}
	name := t.Objects[c.Remade].Name
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		c.Owner, c.Inferred = Owner{API: "apps/v1", Kind: "StatefulSet", Name: name[:i]}, true
	}
}

// inferOwner reads the owner's name off the prefix of its pods' names (NAME-SUFFIX) where the log knows one of that
// name.
func (t *Trail) inferOwner(c *cohort) {
	name := strings.TrimSuffix(c.Prefix, "-")
	if c.Resource != "pods" || name == "" {
		return
	}
	c.Inferred = true
	for _, o := range []struct{ resource, api, kind string }{
		{"replicasets", "apps/v1", "ReplicaSet"}, {"jobs", "batch/v1", "Job"}, {"daemonsets", "apps/v1", "DaemonSet"},
	} {
		if t.find(o.resource, c.Namespace, name) >= 0 {
			c.Owner = Owner{API: o.api, Kind: o.kind, Name: name}
			return
		}
	}
	if a := &t.Actors[c.Actor]; strings.HasSuffix(a.User, "replicaset-controller") ||
		strings.HasSuffix(a.Agent, "replicaset-controller") {
		c.Owner = Owner{API: "apps/v1", Kind: "ReplicaSet", Name: name}
	}
}

// OwnerOf is the controller of an owner: a ReplicaSet's Deployment, a Job's CronJob.
func (t *Trail) OwnerOf(kind, namespace, name string) (top Owner, ok bool) {
	if kind == "Job" {
		if cron := cronJobOf(name); cron != "" {
			return Owner{API: "batch/v1", Kind: "CronJob", Name: cron}, true
		}
	}
	if kind != "ReplicaSet" {
		return top, false
	}
	if rs := t.find("replicasets", namespace, name); rs >= 0 {
		for _, i := range t.ByObject[rs] {
			if o := t.Writes[i].Owner; o != 0 {
				top, ok = t.Owners[o], true
			}
		}
	}
	if i := strings.LastIndexByte(name, '-'); !ok && i > 0 && t.find("deployments", namespace, name[:i]) >= 0 {
		return Owner{API: "apps/v1", Kind: "Deployment", Name: name[:i]}, true
	}
	return top, ok
}

// find returns the index of an object that was written, whatever its group; -1 where there is none.
func (t *Trail) find(resource, namespace, name string) int {
	if i, ok := t.names[objectName{resource, namespace, name}]; ok {
		return int(i)
	}
	return -1
}

// densest returns the most of the sorted times that lie within a span.
func densest(times []int64, span int64) (most int) {
	i := 0
	for j := range times {
		for times[j]-times[i] > span {
			i++
		}
		most = max(most, j-i+1)
	}
	return most
}

// cronJobOf is the CronJob whose run a Job's name is; "" for others.
func cronJobOf(job string) string {
	i := strings.LastIndexByte(job, '-')
	if i <= 0 || len(job)-i-1 < 8 || strings.Trim(job[i+1:], "0123456789") != "" {
		return ""
	}
	return job[:i]
}
