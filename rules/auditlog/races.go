package auditlog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

const (
	// recreateWithin is how soon after its deletion an object of the same name must be there again, and adoptWithin
	// how soon after it another actor must have written what the deleted one owned: the founding case took 24 ms and
	// 29 ms, a controller's requeue takes seconds. The garbage collector comes to a dependant some 10 to 500 ms after
	// its owner's deletion.
	recreateWithin = time.Minute
	adoptWithin    = 10 * time.Second
	// pendingAfter is for how long at least the log must go on after a pod's creation to call it pending: schedulers
	// bind in milliseconds, kubelets write a status within seconds, pulls of images included (they come after the
	// first status).
	pendingAfter = 20 * time.Second
	// aroundDelete is how far from the owner's deletion other deletions by the same actor belong to it.
	aroundDelete = 5 * time.Second
	// boundAround is how far from a pod's creation a binding of another shows that the scheduler's requests are in this
	// log.
	boundAround = 10 * time.Minute
	// maxTakeovers bounds how many takeovers are reported.
	maxTakeovers = 100
)

// A takeover is the race between a deletion and a writer: an object was deleted and created anew under its name, and
// before the garbage collector came to a dependant of the old one, another actor wrote that dependant, which so lived
// on.
type takeover struct {
	owner, dependant int32    // objects
	deletion, create int32    // writes of the owner
	write            int32    // of the dependant
	proven           bool     // bodies show the dependant's owner uid move to the new owner's
	doomed           []doomed // what was deleted together with the owner
	pending          []pending
}

// A doomed object was deleted by a write, and gone with another: the one that took its last finalizer off, or created
// it anew; -1 for none.
type doomed struct{ deletion, gone int32 }

// A pending pod was created, and until the log's end no scheduler bound it and no kubelet reported it.
type pending struct {
	create int32
	since  time.Duration
	// shown: the log holds bindings of other pods around that time, so that this one's would be in it too. One of
	// several API servers' logs holds none where the scheduler talks to another.
	shown bool
}

// ownerless are resources that own nothing, or are deleted and created under one name as a matter of course;
// undependable are those whose objects do not live by their owner, or make no others live.
var (
	ownerless = []string{
		"pods", "endpoints", "endpointslices", "leases", "events", "controllerrevisions", "persistentvolumeclaims",
		"persistentvolumes", "secrets", "configmaps", "services", "serviceaccounts", "roles", "rolebindings",
		"clusterroles", "clusterrolebindings",
	}
	undependable = []string{
		"events", "leases", "endpoints", "endpointslices", "pods", "controllerrevisions", "persistentvolumeclaims",
	}
)

// deleteCreateRaces is delete-create-race (TR762).
// It reports takeovers, and those of which the log holds one half.
func deleteCreateRaces(t *audit.Trail) (found []rules.Finding) {
	var all []*takeover
	for i := range t.Writes {
		if w := &t.Writes[i]; deletes(w) && len(all) < maxTakeovers &&
			!slices.Contains(ownerless, t.Objects[w.Object].Resource) {
			if create := recreation(t, int32(i)); create >= 0 {
				all = append(all, takeovers(t, int32(i), create)...)
			}
		}
	}
	if len(all) > 0 {
		hang := pendingPods(t)
		for _, x := range all {
			x.consequences(t, hang)
		}
	}
	slices.SortStableFunc(all, func(a, b *takeover) int {
		return cmp.Or(len(b.pending)-len(a.pending), boolInt(b.proven)-boolInt(a.proven))
	})
	for _, x := range all {
		found = append(found, x.finding(t))
	}
	return append(found, adoptions(t)...)
}

func deletes(w *audit.Write) bool { return w.Verb == audit.VerbDelete && w.OK() && w.Sub == 0 }
func creates(w *audit.Write) bool { return w.Verb == audit.VerbCreate && w.OK() && w.Sub == 0 }

// after are an object's writes behind write i.
func after(t *audit.Trail, i int32) []int32 {
	all := t.ByObject[t.Writes[i].Object]
	n, _ := slices.BinarySearch(all, i+1)
	return all[n:]
}

// next is the time of the object's next write behind write i that is such.
func next(t *audit.Trail, i int32, such func(*audit.Write) bool) (write int32, at int64) {
	for _, j := range after(t, i) {
		if w := &t.Writes[j]; such(w) {
			return j, w.Time
		}
	}
	return -1, math.MaxInt64
}

// recreation returns the creation of the same object that follows its deletion; -1 for none.
func recreation(t *audit.Trail, deletion int32) int32 {
	create, at := next(t, deletion, creates)
	if at-t.Writes[deletion].Time > recreateWithin.Microseconds() {
		return -1
	}
	return create
}

// takeovers looks for dependants of a deleted owner that another actor wrote before the garbage collector came.
func takeovers(t *audit.Trail, deletion, create int32) (all []*takeover) {
	owner := t.Writes[deletion].Object
	seen := map[int32]bool{owner: true}
	for i := deletion + 1; int(i) < len(t.Writes); i++ {
		w := &t.Writes[i]
		if w.Time-t.Writes[deletion].Time > adoptWithin.Microseconds() {
			break
		}
		o := &t.Objects[w.Object]
		if seen[w.Object] || w.Sub != 0 || o.Namespace != t.Objects[owner].Namespace ||
			slices.Contains(undependable, o.Resource) {
			continue
		}
		seen[w.Object] = true
		x := &takeover{owner: owner, dependant: w.Object, deletion: deletion, create: create, write: i}
		if x.holds(t) {
			all = append(all, x)
		}
	}
	return all
}

// holds decides about the first write of a possible dependant after the owner's deletion.
func (x *takeover) holds(t *audit.Trail) bool {
	d, w, name := &t.Writes[x.deletion], &t.Writes[x.write], t.Objects[x.owner].Name
	if w.Verb != audit.VerbPatch && w.Verb != audit.VerbUpdate || !w.OK() || w.Actor == d.Actor && w.Owner == 0 {
		return false
	}
	owner, _, existed := before(t, x.write)
	_, uid, _ := before(t, x.deletion)
	was, is := &t.Owners[owner], &t.Owners[w.Owner]
	switch {
	case owner != 0 && was.Name != name:
		return false
	case owner != 0 && w.Owner != 0:
		if is.Name != was.Name || is.UID == was.UID || uid != 0 && audit.HashOf(was.UID) != uid {
			return false
		}
		x.proven = true
	case owner == 0 && w.Owner != 0:
		// The bodies before weren't logged; that it belongs to the new owner now is plain.
		if is.Name != name || audit.HashOf(is.UID) != t.Writes[x.create].UID {
			return false
		}
		x.proven = existed
	default:
		// Names alone: controllers call what they make after what they make it for.
		if o := t.Objects[x.dependant].Name; o != name && !strings.HasPrefix(o, name+"-") {
			return false
		}
	}
	if w.Time < t.Writes[x.create].Time && !x.proven {
		return false
	}
	// Where the owner is deleted again, its dependants go on that account.
	_, again := next(t, x.create, deletes)
	until := min(d.Time+recreateWithin.Microseconds(), again)
	// It was created after the deletion, or the garbage collector came all the same.
	return !slices.ContainsFunc(t.ByObject[x.dependant], func(i int32) bool {
		n := &t.Writes[i]
		return (creates(n) || deletes(n)) && n.Time >= d.Time && n.Time < until
	})
}

// before returns the owner and the hash of the uid in the last of an object's writes before write i that has one.
func before(t *audit.Trail, i int32) (owner int32, uid uint64, existed bool) {
	for _, j := range t.ByObject[t.Writes[i].Object] {
		if j >= i {
			break
		}
		w := &t.Writes[j]
		owner, uid, existed = cmp.Or(w.Owner, owner), cmp.Or(w.UID, uid), existed || w.OK()
	}
	return owner, uid, existed
}

// consequences finds what else was deleted with the owner and what never started afterwards.
func (x *takeover) consequences(t *audit.Trail, hang []pending) {
	d, namespace := &t.Writes[x.deletion], t.Objects[x.owner].Namespace
	for i := range t.Writes {
		w := &t.Writes[i]
		away := time.Duration(w.Time-d.Time) * time.Microsecond
		if o := &t.Objects[w.Object]; away.Abs() <= aroundDelete && w.Verb == audit.VerbDelete && w.OK() &&
			w.Actor == d.Actor && w.Object != x.owner && o.Namespace == namespace && o.Resource != "pods" &&
			len(x.doomed) < rules.MaxEvidenceIDs {
			x.doomed = append(x.doomed, doomed{int32(i), goneWith(t, int32(i))})
		}
	}
	for _, p := range hang {
		if c := &t.Writes[p.create]; t.Objects[c.Object].Namespace == namespace && c.Time >= t.Writes[x.write].Time {
			x.pending = append(x.pending, p)
		}
	}
}

// goneWith is the write with which a deleted object was gone, -1 for none: its controllers update it only to take their
// finalizer off; without service accounts of their own they all are kube-controller-manager.
func goneWith(t *audit.Trail, deletion int32) int32 {
	last := int32(-1)
	for _, i := range after(t, deletion) {
		w := &t.Writes[i]
		user := t.Actors[w.Actor].User
		switch {
		case creates(w):
			return i
		case w.OK() && (w.Flags&audit.FlagFinalized != 0 || w.Verb == audit.VerbUpdate &&
			(user == "system:kube-controller-manager" || strings.HasSuffix(user, "-protection-controller"))):
			last = i
		}
	}
	return last
}

// pendingPods lists the pods that were created and never started, where the log would show it.
func pendingPods(t *audit.Trail) (all []pending) {
	var bindings []int64
	kubelets := false
	isKubelet := func(w *audit.Write) bool { return strings.HasPrefix(t.Actors[w.Actor].User, "system:node:") }
	last := map[int32]int32{} // creations of pods that did not start
	for i := range t.Writes {
		w := &t.Writes[i]
		binds := t.Texts[w.Sub] == "binding"
		kubelets = kubelets || isKubelet(w)
		if binds && w.OK() {
			bindings = append(bindings, w.Time)
		}
		switch o := &t.Objects[w.Object]; {
		case !w.OK(), o.Resource != "pods", o.Name == "":
		case creates(w):
			last[w.Object] = int32(i)
		case w.Verb == audit.VerbDelete, binds, isKubelet(w):
			delete(last, w.Object)
		}
	}
	for _, i := range last {
		w := &t.Writes[i]
		p := pending{create: i, since: time.Duration(t.Last-w.Time) * time.Microsecond}
		if (t.Bound || kubelets) && p.since >= pendingAfter {
			p.shown = slices.ContainsFunc(bindings, func(at int64) bool {
				return (time.Duration(at-w.Time) * time.Microsecond).Abs() <= boundAround
			})
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b pending) int { return int(t.Writes[a.create].Object - t.Writes[b.create].Object) })
	return all
}

// finding judges a takeover: what hangs makes it high; one that names alone show, without harm, may be none.
func (x *takeover) finding(t *audit.Trail) rules.Finding {
	owner, o := objectOf(&t.Objects[x.owner]), objectOf(&t.Objects[x.dependant])
	d, w := &t.Writes[x.deletion], &t.Writes[x.write]
	deleter, writer := t.Actors[d.Actor].Name(), t.Actors[w.Actor].Name()
	f := finding(o, 1+len(x.pending), d.Time, w.Time, writer, deleter)
	f.Objects = []rules.Object{owner}
	f.Title = title("%s takes over %s %s %s after its owner was deleted", short(writer), o.Kind, o.Name,
		millis(w.Time-d.Time))
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	hangs := slices.ContainsFunc(x.pending, func(p pending) bool { return p.shown }) ||
		slices.ContainsFunc(x.doomed, func(g doomed) bool { return g.gone < 0 })
	if hangs {
		f.Severity = rules.High
	}
	if x.proven {
		f.Confidence = rules.ConfHigh
	} else {
		f.Notes = append(f.Notes, "Only its name shows that "+o.Text()+" belonged to "+owner.Text()+": no events "+
			"show its owner references.")
		if !hangs {
			f.Doubt("Nothing hangs, and only its name shows its owner: a pipeline may replace objects under one name.")
		}
	}
	f.Why = fmt.Sprintf("%s deleted and recreated %s; meanwhile %s wrote %s, so the garbage collector kept that "+
		"object.", short(deleter), owner.Text(), short(writer), o.Text())
	f.Fix = deleteInForeground(owner, o)
	whence(t, &f, w.Actor)
	f.Next = nextOf(t, &t.Objects[x.dependant])
	x.aftermath(t, &f)
	return f
}

func deleteInForeground(owner, o rules.Object) string {
	return fmt.Sprintf("Delete %s in the foreground, and recreate it only after %s is gone.",
		owner.Text(), o.Text())
}

// aftermath shows step by step what happened, and names what hung as the finding's further objects.
func (x *takeover) aftermath(t *audit.Trail, f *rules.Finding) {
	type step struct {
		write int32
		more  string
	}
	steps := []step{{x.deletion, ""}, {x.write, ": before the garbage collector"}}
	if x.create < x.write {
		steps = append(steps, step{x.create, ""})
	}
	hung := ""
	for _, g := range x.doomed {
		o := objectOf(&t.Objects[t.Writes[g.deletion].Object])
		f.Objects = append(f.Objects, o)
		if g.gone >= 0 {
			later := millis(t.Writes[g.deletion].Time - t.Writes[x.deletion].Time)
			steps = append(steps, step{g.gone, ": the object that was deleted +" + later + " is gone"})
			continue
		}
		steps = append(steps, step{g.deletion, ": still there at the log's end"})
		hung = fmt.Sprintf(" %s, deleted with the owner, is still there when the log ends.", o.Text())
	}
	for i, p := range x.pending {
		raw := &t.Objects[t.Writes[p.create].Object]
		o, since := objectOf(raw), phrase.Seconds(p.since.Seconds())
		f.Objects = append(f.Objects, o)
		steps = append(steps, step{p.create, ": not bound to any node by the log's end, " + since})
		if i == 0 {
			hung = fmt.Sprintf(" %s, created afterwards, was not bound to any node in the %s before the log ends.",
				o.Text(), since)
			f.LastSeen = timeText(t.Last)
			f.Notes = append(f.Notes, "To release the pod that hangs, delete "+o.Text()+" with its claim.")
			f.Next = append(f.Next, rules.Target{Namespace: raw.Namespace, Pod: raw.Name}.Describe())
		}
	}
	f.Why += hung
	f.Objects = f.Objects[:min(len(f.Objects), rules.MaxEvidenceIDs)]
	steps = steps[:min(len(steps), maxEvidence)]
	slices.SortStableFunc(steps, func(a, b step) int { return int(a.write - b.write) })
	for _, s := range steps {
		w := &t.Writes[s.write]
		who := "+" + millis(w.Time-t.Writes[x.deletion].Time) + " " + short(t.Actors[w.Actor].Name())
		f.Evidence = append(f.Evidence, wrote(t, s.write, 1, who, s.more))
	}
}

// millis writes a short time: "29 ms", "3.1 s".
func millis(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}

// adoptions are takeovers whose owner's deletions are in another API server's log: one client alone writes an object,
// and brings it an owner of the same name with another UID within recreateWithin, again and again. One change may be
// that of an owner that was deleted with its dependants left behind on purpose.
func adoptions(t *audit.Trail) (found []rules.Finding) {
	for object, writes := range t.ByObject {
		if len(writes) < 2 || len(found) == maxTakeovers || slices.Contains(undependable, t.Objects[object].Resource) {
			continue
		}
		brought := broughtOwners(t, writes)
		if len(brought) > 1 && !controlPlane(&t.Actors[t.Writes[brought[0]].Actor]) && !ownerDeleted(t, brought[0]) {
			found = append(found, adoptedAgain(t, brought))
		}
	}
	return found
}

// broughtOwners are the writes that brought an object an owner; none where another client writes the object as well,
// where a write brings no other owner of that name, or where the object itself was made anew.
func broughtOwners(t *audit.Trail, writes []int32) (all []int32) {
	uid := uint64(0)
	for _, i := range writes {
		w := &t.Writes[i]
		if !w.OK() || w.Sub != 0 {
			continue
		}
		if w.Verb != audit.VerbPatch && w.Verb != audit.VerbUpdate || w.UID != 0 && uid != 0 && w.UID != uid {
			return nil
		}
		uid = cmp.Or(w.UID, uid)
		if n := len(all); n > 0 {
			last := &t.Writes[all[n-1]]
			a, b := &t.Owners[last.Owner], &t.Owners[w.Owner]
			if w.Actor != last.Actor || a.Kind != b.Kind || a.Name != b.Name || a.UID == b.UID ||
				w.Time-last.Time > recreateWithin.Microseconds() {
				return nil
			}
		} else if w.Owner == 0 {
			continue
		}
		all = append(all, i)
	}
	return all
}

// ownerDeleted reports whether the log holds deletions of a write's owner: then the order of events shows what is a
// takeover.
func ownerDeleted(t *audit.Trail, write int32) bool {
	w := &t.Writes[write]
	owner, namespace := &t.Owners[w.Owner], t.Objects[w.Object].Namespace
	for object, writes := range t.ByObject {
		if o := &t.Objects[object]; o.Name == owner.Name && o.Namespace == namespace && o.MayBe(owner.Kind) &&
			slices.ContainsFunc(writes, func(i int32) bool { return t.Writes[i].Verb == audit.VerbDelete }) {
			return true
		}
	}
	return false
}

func adoptedAgain(t *audit.Trail, writes []int32) rules.Finding {
	n := len(writes)
	first, last := &t.Writes[writes[0]], &t.Writes[writes[n-1]]
	raw, owner, writer := &t.Objects[first.Object], &t.Owners[last.Owner], t.Actors[first.Actor].Name()
	o := objectOf(raw)
	f := finding(o, n, first.Time, last.Time, writer)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	above := rules.Object{API: owner.API, Kind: owner.Kind, Namespace: raw.Namespace, Name: owner.Name}
	f.Objects = []rules.Object{above}
	f.Title = title("%s gives %s %s a new %s %s %s in %s", short(writer), o.Kind, o.Name, owner.Kind, owner.Name,
		phrase.CountTimes(n), span(first.Time, last.Time))
	f.Why = fmt.Sprintf("%s wrote %s %s, each time with an owner %s that had a new UID. The garbage collector kept "+
		"the object.", short(writer), o.Text(), phrase.CountTimes(n), owner.Name)
	f.Fix = deleteInForeground(above, o)
	f.Notes = []string{"Another API server's log, which is missing here, would show who deletes " + above.Text() + "."}
	whence(t, &f, first.Actor)
	for _, i := range writes[:min(n, maxEvidence)] {
		f.Evidence = append(f.Evidence, wrote(t, i, 1, short(writer), ": owner UID "+t.Owners[t.Writes[i].Owner].UID))
	}
	f.Next = nextOf(t, raw)
	return f
}
