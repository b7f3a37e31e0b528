package audit

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
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
	boundAround  = 10 * time.Minute
	maxTakeovers = 100
	maxDoomed    = 50
)

func (t *Trail) races() {
	pending := t.pending()
	for i := range t.Writes {
		w := &t.Writes[i]
		if w.Verb != VerbDelete || !w.OK() || w.Sub != 0 || len(t.Takeovers) == maxTakeovers ||
			slices.Contains(ownerless, t.Objects[w.Object].Resource) {
			continue
		}
		if create := t.recreation(int32(i)); create >= 0 {
			t.takeovers(int32(i), create, pending)
		}
	}
	slices.SortStableFunc(t.Takeovers, func(a, b Takeover) int {
		return cmp.Or(cmp.Compare(len(b.Pending), len(a.Pending)), cmp.Compare(flag(b.Proven), flag(a.Proven)))
	})
}

// ownerless are resources that own nothing, or are deleted and created under one name as a matter of course.
var ownerless = []string{
	"pods", "endpoints", "endpointslices", "leases", "events", "controllerrevisions", "persistentvolumeclaims",
	"persistentvolumes", "secrets", "configmaps", "services", "serviceaccounts", "roles", "rolebindings",
	"clusterroles", "clusterrolebindings",
}

// recreation returns the creation of the same object that follows its deletion; -1 for none.
func (t *Trail) recreation(deletion int32) int32 {
	w := &t.Writes[deletion]
	for _, i := range t.after(w.Object, deletion) {
		n := &t.Writes[i]
		if n.Time-w.Time > recreateWithin.Microseconds() {
			return -1
		}
		if n.Verb == VerbCreate && n.OK() && n.Sub == 0 {
			return i
		}
	}
	return -1
}

func (t *Trail) after(object, i int32) []int32 {
	all := t.ByObject[object]
	n, _ := slices.BinarySearch(all, i+1)
	return all[n:]
}

// takeovers looks for dependants of a deleted owner that another actor wrote before the garbage collector came.
func (t *Trail) takeovers(deletion, create int32, pending []Pending) {
	owner := t.Writes[deletion].Object
	seen := map[int32]bool{owner: true}
	for i := int(deletion) + 1; i < len(t.Writes); i++ {
		w := &t.Writes[i]
		if w.Time-t.Writes[deletion].Time > adoptWithin.Microseconds() {
			return
		}
		if seen[w.Object] || w.Sub != 0 {
			continue
		}
		o := &t.Objects[w.Object]
		if o.Namespace != t.Objects[owner].Namespace || slices.Contains(undependable, o.Resource) {
			continue
		}
		seen[w.Object] = true
		if tk, ok := t.takeover(deletion, create, int32(i)); ok {
			t.consequences(&tk, pending)
			t.Takeovers = append(t.Takeovers, tk)
		}
	}
}

// undependable are resources whose objects do not live by their owner, or make no others live.
var undependable = []string{
	"events", "leases", "endpoints", "endpointslices", "pods", "controllerrevisions", "persistentvolumeclaims",
}

// takeover decides about the first write of a possible dependant after the owner's deletion.
func (t *Trail) takeover(deletion, create, write int32) (tk Takeover, ok bool) {
	d, w := &t.Writes[deletion], &t.Writes[write]
	if w.Verb != VerbPatch && w.Verb != VerbUpdate || !w.OK() || w.Actor == d.Actor && w.Owner == 0 {
		return tk, false
	}
	before, _, existed := t.before(w.Object, write)
	_, uid, _ := t.before(d.Object, deletion)
	tk = Takeover{Owner: d.Object, Dependant: w.Object, Delete: deletion, Create: create, Write: write}
	switch {
	case before != 0 && w.Owner != 0:
		b, a := &t.Owners[before], &t.Owners[w.Owner]
		if b.Name != t.Objects[d.Object].Name || a.Name != b.Name || a.UID == b.UID ||
			uid != 0 && hashID([]byte(b.UID), nil) != uid {
			return tk, false
		}
		tk.Proven = true
	case before != 0 && t.Owners[before].Name != t.Objects[d.Object].Name:
		return tk, false
	case before == 0 && w.Owner != 0:
		// The bodies before weren't logged; that it belongs to the new owner now is plain.
		a := &t.Owners[w.Owner]
		if a.Name != t.Objects[d.Object].Name || hashID([]byte(a.UID), nil) != t.Writes[create].UID {
			return tk, false
		}
		tk.Proven = existed
	default:
		// Names alone: controllers call what they make after what they make it for.
		if !strings.HasPrefix(t.Objects[w.Object].Name, t.Objects[d.Object].Name+"-") &&
			t.Objects[w.Object].Name != t.Objects[d.Object].Name {
			return tk, false
		}
	}
	if w.Time < t.Writes[create].Time && !tk.Proven {
		return tk, false
	}
	until := min(d.Time+recreateWithin.Microseconds(), t.deletedAgain(d.Object, create))
	for _, i := range t.ByObject[w.Object] {
		n := &t.Writes[i]
		// It was created after the deletion, or the garbage collector came all the same.
		if n.OK() && n.Sub == 0 && (n.Verb == VerbCreate || n.Verb == VerbDelete) && n.Time >= d.Time &&
			n.Time < until {
			return tk, false
		}
	}
	return tk, true
}

// deletedAgain is when an object was deleted next after its creation: from then on its dependants go on that account.
func (t *Trail) deletedAgain(object, create int32) int64 {
	for _, i := range t.after(object, create) {
		if w := &t.Writes[i]; w.OK() && w.Verb == VerbDelete && w.Sub == 0 {
			return w.Time
		}
	}
	return math.MaxInt64
}

// before returns the owner and the hash of the uid in the last of an object's writes before write i that has one.
func (t *Trail) before(object, i int32) (owner int32, uid uint64, existed bool) {
	for _, j := range t.ByObject[object] {
		if j >= i {
			break
		}
		w := &t.Writes[j]
		owner, uid, existed = cmp.Or(w.Owner, owner), cmp.Or(w.UID, uid), existed || w.OK()
	}
	return owner, uid, existed
}

// consequences finds what else was deleted with the owner and what never started afterwards.
func (t *Trail) consequences(tk *Takeover, pending []Pending) {
	d := &t.Writes[tk.Delete]
	namespace := t.Objects[tk.Owner].Namespace
	for i := range t.Writes {
		w := &t.Writes[i]
		if w.Time-d.Time > aroundDelete.Microseconds() {
			break
		}
		o := &t.Objects[w.Object]
		if d.Time-w.Time <= aroundDelete.Microseconds() && w.Verb == VerbDelete && w.OK() && w.Actor == d.Actor &&
			w.Object != tk.Owner && o.Namespace == namespace && o.Resource != "pods" && len(tk.Doomed) < maxDoomed {
			tk.Doomed = append(tk.Doomed, t.followDeletion(int32(i)))
		}
	}
	for _, p := range pending {
		if t.Objects[p.Object].Namespace == namespace && t.Writes[p.Create].Time >= t.Writes[tk.Write].Time {
			tk.Pending = append(tk.Pending, p)
		}
	}
}

func (t *Trail) followDeletion(deletion int32) Doomed {
	x := Doomed{Object: t.Writes[deletion].Object, Delete: deletion, Finalized: -1, Recreated: -1}
	for _, i := range t.after(x.Object, deletion) {
		w := &t.Writes[i]
		// These controllers update a deleted object only to take their finalizer off; without service accounts of their
		// own they all are kube-controller-manager.
		switch user := t.Actors[w.Actor].User; {
		case !w.OK():
		case w.Verb == VerbCreate && w.Sub == 0:
			x.Recreated = i
			return x
		case w.Flags&FlagFinalized != 0, w.Verb == VerbUpdate && (user == "system:kube-controller-manager" ||
			strings.HasSuffix(user, "-protection-controller")):
			x.Finalized = i
		}
	}
	return x
}

// pending lists the pods that were created and never started, where the log would show it.
func (t *Trail) pending() []Pending {
	var out []Pending
	var bindings []int64
	for i := range t.Writes {
		if w := &t.Writes[i]; w.OK() && t.Texts[w.Sub] == "binding" {
			bindings = append(bindings, w.Time)
		}
	}
	for object := range t.ByObject {
		if o := &t.Objects[object]; o.Resource != "pods" || o.Name == "" {
			continue
		}
		p := Pending{Object: int32(object), Create: -1}
		for _, i := range t.ByObject[object] {
			w := &t.Writes[i]
			switch {
			case !w.OK():
			case w.Verb == VerbCreate && w.Sub == 0:
				p.Create = i
			case w.Verb == VerbDelete, t.Texts[w.Sub] == "binding",
				strings.HasPrefix(t.Actors[w.Actor].User, "system:node:"):
				p.Create = -1
			}
		}
		if p.Create >= 0 && (t.Bound || t.nodeWrites) {
			p.For = time.Duration(t.Last-t.Writes[p.Create].Time) * time.Microsecond
			if p.For >= pendingAfter {
				around := t.Writes[p.Create].Time - boundAround.Microseconds()
				next, _ := slices.BinarySearch(bindings, around)
				p.Shown = next < len(bindings) && bindings[next] <= around+2*boundAround.Microseconds()
				out = append(out, p)
			}
		}
	}
	return out
}

// An Adoption is one half of a takeover: an object is given a new owner of the old one's name and kind, with another
// UID each time, while the owner itself is deleted and made anew in the log of another API server.
type Adoption struct {
	Object int32
	Actor  int32
	Owner  int32   // index in Trail.Owners: the last one
	Writes []int32 // each brings another UID, the first maxAdoptions
}

// maxAdoptions bounds how many writes of an adoption are kept, and how many adoptions.
const maxAdoptions = 100

// adoptions finds objects that one actor gave owners of one name within recreateWithin, each time with another UID.
// One change may be that of an owner that was deleted with its dependants left behind on purpose.
func (t *Trail) adoptions() {
	for object, writes := range t.ByObject {
		if len(writes) < 2 || len(t.Adoptions) == maxAdoptions ||
			slices.Contains(undependable, t.Objects[object].Resource) {
			continue
		}
		if a := t.adoptionOf(int32(object)); len(a.Writes) > 1 && !t.judged(&a) {
			t.Adoptions = append(t.Adoptions, a)
		}
	}
}

// adoptionOf collects the writes that brought an object another owner of the same name. There are none where another
// client writes the object as well, where a write brings no such owner, or where the object itself was made anew.
func (t *Trail) adoptionOf(object int32) (a Adoption) {
	a.Object = object
	uid, last := uint64(0), int32(-1)
	for _, i := range t.ByObject[object] {
		w := &t.Writes[i]
		if !w.OK() || w.Sub != 0 {
			continue
		}
		if w.Verb != VerbPatch && w.Verb != VerbUpdate || w.UID != 0 && uid != 0 && w.UID != uid {
			return Adoption{}
		}
		if w.UID != 0 {
			uid = w.UID
		}
		if last < 0 {
			if w.Owner != 0 {
				a.Actor, a.Owner, last = w.Actor, w.Owner, i
			}
			continue
		}
		if w.Actor != a.Actor || w.Owner == 0 || !replaced(&t.Owners[a.Owner], &t.Owners[w.Owner]) ||
			w.Time-t.Writes[last].Time > recreateWithin.Microseconds() {
			return Adoption{}
		}
		if len(a.Writes) == 0 {
			a.Writes = append(a.Writes, last)
		}
		if a.Owner, last = w.Owner, i; len(a.Writes) < maxAdoptions {
			a.Writes = append(a.Writes, i)
		}
	}
	return a
}

// replaced reports two owners of one name.
func replaced(a, b *Owner) bool { return a.Kind == b.Kind && a.Name == b.Name && a.UID != b.UID }

// judged reports whether the log holds deletions of the owner: then the order of events shows what is a takeover.
func (t *Trail) judged(a *Adoption) bool {
	owner, namespace := &t.Owners[a.Owner], t.Objects[a.Object].Namespace
	for object, writes := range t.ByObject {
		o := &t.Objects[object]
		if o.Name != owner.Name || o.Namespace != namespace || !o.MayBe(owner.Kind) {
			continue
		}
		if slices.ContainsFunc(writes, func(i int32) bool { return t.Writes[i].Verb == VerbDelete }) {
			return true
		}
	}
	return false
}
