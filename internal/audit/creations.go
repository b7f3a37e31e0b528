package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"
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
	votes     int64          // for Remade, a candidate until the end
	prefixes  map[string]int // of names that others wrote, where the created ones' names aren't known
}

// A member is one object that was created, or first seen, in a cohort.
type member struct {
	of           *cohort
	born         int64
	gone, failed bool
}

// A lifecycle follows creations and what becomes of them, in order of time.
type lifecycle struct {
	t       *Trail
	groups  map[creationKey]*cohort
	order   []*cohort
	members map[int32]*member // by object
	// nameless are the cohorts, by resource and namespace, whose objects' names the level leaves out.
	nameless map[[2]string]*cohort
}

func (t *Trail) creations() {
	n := &lifecycle{
		t: t, groups: map[creationKey]*cohort{}, members: map[int32]*member{}, nameless: map[[2]string]*cohort{},
	}
	for i := range t.Writes {
		w := &t.Writes[i]
		switch {
		case !w.OK():
		case w.Verb == VerbCreate && w.Sub == 0:
			n.birth(int32(i))
		default:
			n.event(int32(i))
		}
	}
	for _, c := range n.order {
		if c.Count >= minCreations {
			t.Creations = append(t.Creations, t.finishCohort(c))
		}
	}
	slices.SortStableFunc(t.Creations, func(a, b Creation) int { return cmp.Compare(b.Window, a.Window) })
}

func (n *lifecycle) birth(i int32) {
	t := n.t
	w := &t.Writes[i]
	o := &t.Objects[w.Object]
	k := creationKey{resource: o.Resource, namespace: o.Namespace, actor: w.Actor, owner: t.creationOwner(w)}
	c := n.groups[k]
	if c == nil {
		if len(n.groups) == maxCreationGroups {
			return
		}
		c = &cohort{Creation: Creation{
			Actor: w.Actor, Resource: o.Resource, Namespace: o.Namespace, Owner: t.Owners[w.Owner],
			Prefix: t.Texts[w.Note], FirstWrite: i, FailedWrite: -1, First: w.Time, Remade: -1,
		}}
		n.groups[k] = c
		n.order = append(n.order, c)
	}
	c.Count++
	c.times = append(c.times, w.Time)
	c.LastOne, c.Last = i, w.Time
	if w.Flags&FlagNodeNamed != 0 {
		c.NodeNamed++
	}
	if w.UID != 0 || w.Owner != 0 {
		c.Told++
	}
	if o.Name != "" {
		vote(&c.Remade, &c.votes, w.Object)
		n.members[w.Object] = &member{of: c, born: w.Time}
	} else {
		n.nameless[[2]string{o.Resource, o.Namespace}] = c
	}
}

// creationOwner distinguishes groups: it is the owner, else the prefix of chosen names, else nothing.
func (t *Trail) creationOwner(w *Write) string {
	if w.Owner != 0 {
		o := &t.Owners[w.Owner]
		return o.Kind + "/" + o.Name
	}
	return t.Texts[w.Note]
}

// event takes a write of an object that may be of a cohort. Where names are missing, an object that is written for
// the first time after the cohort's first creation is taken for one of it; one whose first write is its deletion or
// eviction was there before.
func (n *lifecycle) event(i int32) {
	t := n.t
	w := &t.Writes[i]
	o := &t.Objects[w.Object]
	l := n.members[w.Object]
	if l == nil && o.Name != "" {
		c := n.nameless[[2]string{o.Resource, o.Namespace}]
		if c == nil {
			return
		}
		l = &member{of: c, born: w.Time, gone: w.Verb == VerbDelete || t.Texts[w.Sub] == "eviction"}
		n.members[w.Object] = l
		if !l.gone {
			c.foreign(o.Name)
		}
	}
	if l == nil {
		return
	}
	c := l.of
	switch {
	case w.Verb == VerbDelete && w.Sub == 0 && !l.gone:
		l.gone = true
		c.Deleted++
		c.lifetimes = append(c.lifetimes, w.Time-l.born)
	case w.Flags&FlagFailedPod != 0 && !l.failed:
		l.failed = true
		if c.reasons == nil {
			c.reasons = map[string]int{}
		}
		if c.Failed++; c.FailedWrite < 0 {
			c.FailedWrite = i
		}
		if len(c.reasons) < 64 {
			c.reasons[t.Texts[w.Note]]++
		}
	case w.Verb == VerbCreate && t.Texts[w.Sub] == "binding":
		c.Bound++
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

// foreign notes the prefix of a name that its creation lacked: what precedes the five characters that the server chose.
func (c *cohort) foreign(name string) {
	const suffix = 6 // "-x7k2p" (apiserver names.SimpleNameGenerator)
	if len(name) <= suffix || name[len(name)-suffix] != '-' {
		return
	}
	if c.prefixes == nil {
		c.prefixes = map[string]int{}
	}
	c.Foreign++
	if p := name[:len(name)-suffix]; len(c.prefixes) < 256 || c.prefixes[p] > 0 {
		c.prefixes[p]++
	}
}

func (t *Trail) finishCohort(c *cohort) Creation {
	slices.Sort(c.times)
	c.Window = densest(c.times, creationWindow.Microseconds())
	c.Peak = densest(c.times, time.Minute.Microseconds())
	c.Lifetime, _ = medianGap(c.lifetimes)
	c.Reason, c.ReasonCount = most(c.reasons)
	if c.Owner.Kind == "" {
		t.inferOwner(c)
	}
	t.topOwner(c)
	t.remakes(c)
	return c.Creation
}

// inferOwner reads a ReplicaSet's name off its pods' (NAME-SUFFIX) where the log knows one of that name.
func (t *Trail) inferOwner(c *cohort) {
	if c.Resource != "pods" {
		return
	}
	best, n := most(c.prefixes)
	if best = cmp.Or(best, strings.TrimSuffix(c.Prefix, "-")); best == "" {
		return
	}
	c.Inferred, c.Named = true, n
	for _, o := range []struct{ resource, api, kind string }{
		{"replicasets", "apps/v1", "ReplicaSet"}, {"jobs", "batch/v1", "Job"}, {"daemonsets", "apps/v1", "DaemonSet"},
	} {
		if t.find(o.resource, c.Namespace, best) >= 0 {
			c.Owner = Owner{API: o.api, Kind: o.kind, Name: best}
			return
		}
	}
	if strings.Contains(t.Actors[c.Actor].User, "replicaset-controller") {
		c.Owner = Owner{API: "apps/v1", Kind: "ReplicaSet", Name: best}
	} else {
		c.Prefix = best + "-"
	}
}

func (t *Trail) topOwner(c *cohort) {
	if c.Owner.Kind != "ReplicaSet" {
		return
	}
	if rs := t.find("replicasets", c.Namespace, c.Owner.Name); rs >= 0 {
		for _, i := range t.ByObject[rs] {
			if o := t.Writes[i].Owner; o != 0 {
				c.Top = t.Owners[o]
			}
		}
	}
	if i := strings.LastIndexByte(c.Owner.Name, '-'); c.Top.Kind == "" && i > 0 {
		if t.find("deployments", c.Namespace, c.Owner.Name[:i]) >= 0 {
			c.Top = Owner{API: "apps/v1", Kind: "Deployment", Name: c.Owner.Name[:i]}
		}
	}
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
