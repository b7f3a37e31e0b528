package coded

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// lockCircle is circle-by-source (TR465).
func lockCircle() *rules.Rule {
	return &rules.Rule{
		ID: "TR465", Name: "circle-by-source", Category: rules.Deadlock, Severity: rules.High,
		Needs: rules.NeedsDump | rules.NeedsWaits | rules.NeedsSource,
		Run: lockScenes(func(s *lockScene) []rules.Finding {
			if !whole(s.d) {
				return nil
			}
			return append(s.ordered(), s.awaited()...)
		}),
	}
}

// has returns the frame of a stack that must have a lock of a field, and how; -1 where none must.
func (s *lockScene) has(st *lockStack, last *types.Var) (int, gocode.Hold) {
	for _, h := range s.holds(st) {
		if h.frame >= st.at && h.Path.Last() == last && s.kept(st, h.frame, h.Path) {
			return h.frame, h.Hold
		}
	}
	return -1, gocode.Hold{}
}

// holds are the locks that the frames of a stack must have, leaf first.
func (s *lockScene) holds(st *lockStack) []holding {
	if st.held != nil {
		return st.held
	}
	st.held = []holding{}
	for i := range st.b.Frames {
		site := s.site(st, i)
		if site == nil {
			continue
		}
		if set := site.Locks(st.calls[i].Callee); set != nil {
			for _, h := range set.Held {
				if h.Must {
					st.held = append(st.held, holding{i, h})
				}
			}
		}
	}
	return st.held
}

// onlyThese reports whether no stack but some may hold a lock of a field.
func (s *lockScene) onlyThese(last *types.Var, pkg string, those func(*lockStack) bool) bool {
	return !slices.ContainsFunc(s.stacks, func(st *lockStack) bool {
		if those(st) {
			return false
		}
		_, may := s.mayHold(st, last, pkg, nil)
		return may
	})
}

// An order is a lock that a stack wants, and one that it has.
type order struct{ wants, has *types.Var }

// ordered finds two stacks of which each must have the lock that the other waits for, where nobody else may have
// either: all that may wait for one of the two.
func (s *lockScene) ordered() (found []rules.Finding) {
	earlier := map[order][]*lockStack{}
	for _, a := range s.waiters {
		if a.b.Active > 0 || !private(a.lock) {
			continue
		}
		l := a.lock.Last()
		var has []order
		for _, h := range s.holds(a) {
			if o := (order{l, h.Path.Last()}); o.has != nil && o.has != l && !slices.Contains(has, o) {
				has = append(has, o)
			}
		}
		for _, o := range has {
			for _, b := range earlier[order{o.has, l}] {
				if f, ok := s.opposed(a, b); ok {
					return []rules.Finding{f}
				}
			}
			earlier[o] = append(earlier[o], a)
		}
	}
	return nil
}

// opposed judges two stacks of which each may have the lock that the other waits for.
func (s *lockScene) opposed(a, b *lockStack) (rules.Finding, bool) {
	l, m := a.lock.Last(), b.lock.Last()
	if !s.spend(a) {
		return rules.Finding{}, false
	}
	at, has := s.has(a, m)
	other, hasToo := s.has(b, l)
	if at < 0 || other < 0 || has.Read && b.b.Class == stackparse.ClassRWMutexR ||
		hasToo.Read && a.b.Class == stackparse.ClassRWMutexR || a.packageOf() != b.packageOf() ||
		!a.calls[a.at].Site.Sure(l) || !b.calls[b.at].Site.Sure(m) {
		return rules.Finding{}, false
	}
	those := func(st *lockStack) bool { return st.at >= 0 && (st.lock.Last() == l || st.lock.Last() == m) }
	if !s.onlyThese(l, a.packageOf(), those) || !s.onlyThese(m, a.packageOf(), those) {
		return rules.Finding{}, false
	}
	return s.orderFinding(a, b, at, other, has, hasToo), true
}

func (s *lockScene) orderFinding(a, b *lockStack, at, other int, has, hasToo gocode.Hold) rules.Finding {
	link := func(st *lockStack, i int, h gocode.Hold) string {
		file, line := st.calls[i].Site.Place(h.Pos)
		return fmt.Sprintf("%s at %s for %s, with %s from %s:%d", account.WhoWaits(st.b.Count, st.b),
			rules.PlaceText(rules.PlaceOf(st.b.Frames[st.at].Frame)), st.lock, h.Path, file, line)
	}
	bl := rules.BlameBucket(s.d, a.b)
	bl.Index, bl.Culprit = a.at, rules.PlaceOf(a.b.Frames[a.at].Frame)
	why := fmt.Sprintf("%s. %s.", link(a, at, has), link(b, other, hasToo))
	return s.finding(bl, "waits for a lock whose holder waits for its own", why,
		"Take the two locks in one order everywhere.",
		verdict{guilty: true}, []*lockStack{a, b})
}

// awaited finds goroutines that have a lock while they wait for what only goroutines can bring that wait for this lock.
func (s *lockScene) awaited() (found []rules.Finding) {
	for _, st := range s.stacks {
		switch st.b.Class {
		case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassWaitGroup:
		default:
			continue
		}
		if f, ok := s.heldFor(st); ok {
			found = append(found, f)
		}
	}
	return found
}

// waitFrame is the frame of a stack that waits for a channel or WaitGroup itself, -1 where that isn't to be seen.
func waitFrame(b *stackparse.Bucket) int {
	for i := range b.Frames {
		callee := b.Class.ParksIn()
		if i > 0 {
			callee = b.Frames[i-1].Func
		}
		switch callee {
		case "runtime.chanrecv1", "runtime.chanrecv2", "runtime.chansend1", "sync.(*WaitGroup).Wait":
			return i
		}
	}
	return -1
}

// heldFor judges a stack that waits for a channel or a WaitGroup.
func (s *lockScene) heldFor(st *lockStack) (rules.Finding, bool) {
	at := waitFrame(st.b)
	if at < 0 || s.site(st, at) == nil || st.b.Active > 0 || panics(st.b) {
		return rules.Finding{}, false
	}
	st.at = at
	defer func() { st.at = -1 }()
	site := st.calls[at].Site
	wait := site.Wait(waitClasses[st.b.Class].kind)
	if wait == nil {
		return rules.Finding{}, false
	}
	on := site.Subjects(wait)[0]
	enders, ok := site.Enders(on)
	if !ok || len(enders) == 0 {
		return rules.Finding{}, false
	}
	p := on.Path
	for _, w := range s.waiters {
		last := w.lock.Last()
		if w.b.Active > 0 || w.packageOf() != st.packageOf() || !private(w.lock) && !embedded(w.lock) ||
			!w.calls[w.at].Site.Sure(last) {
			continue
		}
		i, h := s.has(st, last)
		if i < 0 || h.Read && w.b.Class == stackparse.ClassRWMutexR || !s.ofOne(st, i, h.Path, p) ||
			!h.Path.SameFields(w.lock) {
			continue
		}
		if !s.onlyThese(last, st.packageOf(), func(o *lockStack) bool { return o == st }) {
			continue
		}
		if stuck := s.allNeed(st, enders, on.Op == gocode.OpWait, h.Path, s.objectOf(st, p)); stuck != nil {
			return s.heldFinding(st, i, h, p, stuck), true
		}
	}
	return rules.Finding{}, false
}

// embedded reports whether a lock is an embedded one.
func embedded(p gocode.Path) bool { return p.Last() != nil && p.Last().Embedded() }

// ofOne reports whether a lock that a frame has and what the stack waits for are fields of one object.
func (s *lockScene) ofOne(st *lockStack, i int, lock, awaited gocode.Path) bool {
	s.sites(st)
	x := st.calls.Origin(i, gocode.Path{Root: lock.Root})
	return x != "" && x == st.calls.Origin(st.at, gocode.Path{Root: awaited.Root})
}

// allNeed returns a stack that would end a wait, and waits for the lock itself, where no place of the code can end it
// without the lock; nil where one can. Of a WaitGroup one goroutine that can't end is enough.
func (s *lockScene) allNeed(st *lockStack, enders []gocode.Ender, one bool, lock gocode.Path,
	mine uint64) *lockStack {
	var stuck *lockStack
	for _, e := range enders {
		n := 0
		for _, o := range s.stacks {
			k := s.runs(o, e)
			if k < 0 || mine != 0 && ofOthers(o, k, mine) {
				continue
			}
			if o.at < 0 || !o.lock.SameFields(lock) {
				if !one {
					return nil // it may go on
				}
				continue
			}
			n++
			if !one || e.Deferred && s.itsOwn(o, k, e) {
				stuck = o
			}
		}
		site := s.siteOf(e)
		if !one && (site == nil || !site.Needs(e, lock) && (n == 0 || s.mayBegin(st, site, e, lock))) {
			return nil
		}
	}
	return stuck
}

// itsOwn reports whether the object whose lock a stack waits for is the one whose WaitGroup its k-th call ends.
func (s *lockScene) itsOwn(o *lockStack, k int, e gocode.Ender) bool {
	s.sites(o)
	of, ok := o.calls[k].Site.Of(e)
	x := o.calls.Origin(k, of)
	return ok && x != "" && x == o.calls.Origin(o.at, gocode.Path{Root: o.lock.Root})
}

// mayBegin reports whether a goroutine may come to a place where the function of an ender is begun once more. Those
// that are stuck may not: st, and those that wait for its lock.
func (s *lockScene) mayBegin(st *lockStack, site *gocode.Site, e gocode.Ender, lock gocode.Path) bool {
	begins := site.Begins(e)
	if begins == nil || begins.Open {
		return true
	}
	pkg := st.packageOf()
	return slices.ContainsFunc(s.stacks, func(o *lockStack) bool {
		return o != st && (o.at < 0 || !o.lock.SameFields(lock)) && s.mayCome(o, pkg, site, begins)
	})
}

// objectOf is the address of the object whose field a stack waits for, where the dump prints it as the receiver of one
// of its calls; 0 where it doesn't.
func (s *lockScene) objectOf(st *lockStack, p gocode.Path) uint64 {
	if len(p.Fields) != 1 {
		return 0
	}
	return s.addressOf(st, st.at, p.Root)
}

// addressOf is what a variable of a stack's call points to, where the dump prints that as the receiver of the call, or
// of one further out that hands it on; 0 where it doesn't, or its goroutines differ. Calls that were compiled into
// others have no words of their own.
func (s *lockScene) addressOf(st *lockStack, at int, v types.Object) uint64 {
	s.sites(st)
	root := st.calls.Origin(at, gocode.Path{Root: v})
	if root == "" || len(st.b.Samples) == 0 || len(st.b.Samples) != st.b.Count {
		return 0
	}
	for i := at; i < len(st.calls); i++ {
		site := st.calls[i].Site
		if site == nil {
			continue
		}
		o := site.Receiver()
		if o == nil || st.calls.Origin(i, gocode.Path{Root: o}) != root {
			continue
		}
		word := st.receiverAt(&st.b.Samples[0], i)
		differs := func(g stackparse.Sample) bool { return st.receiverAt(&g, i) != word }
		if word != 0 && !slices.ContainsFunc(st.b.Samples, differs) {
			return word
		}
	}
	return 0
}

// receiverAt is the receiver that a goroutine of the stack has in one of its calls, 0 where the dump doesn't print it
// for sure: the first word of a generic method is its dictionary, the same one for all objects of a type.
func (st *lockStack) receiverAt(g *stackparse.Sample, at int) uint64 {
	if symbol.ParseName(st.b.Frames[at].Func).Generic {
		return 0
	}
	for _, w := range g.Words {
		if w.Frame() == at && w.Arg() == 0 && !w.Uncertain() {
			return w.Value()
		}
	}
	return 0
}

// ofOthers reports whether all goroutines of a stack are in a method of other objects at one of its calls.
func ofOthers(st *lockStack, at int, mine uint64) bool {
	if len(st.b.Samples) != st.b.Count || st.calls[at].Site.Receiver() == nil {
		return false
	}
	return !slices.ContainsFunc(st.b.Samples, func(g stackparse.Sample) bool {
		word := st.receiverAt(&g, at)
		return word == 0 || word == mine
	})
}

// runs is the frame of a stack in the function of an ender, -1 where it has none.
func (s *lockScene) runs(st *lockStack, e gocode.Ender) int {
	for i := range st.b.Frames {
		if site := s.site(st, i); site != nil && site.Fn == e.Fn {
			return i
		}
	}
	return -1
}

// siteOf is a site of the package that an ender is in.
func (s *lockScene) siteOf(e gocode.Ender) *gocode.Site {
	for _, w := range s.stacks {
		for _, c := range w.calls {
			if c.Site != nil && c.Site.Has(e.Fn) {
				return c.Site
			}
		}
	}
	return nil
}

func (s *lockScene) heldFinding(st *lockStack, i int, h gocode.Hold, p gocode.Path, stuck *lockStack) rules.Finding {
	bl := rules.BlameBucket(s.d, st.b)
	bl.Index, bl.Culprit = st.at, rules.PlaceOf(st.b.Frames[st.at].Frame)
	file, line := st.calls[i].Site.Place(h.Pos)
	there := rules.PlaceOf(stuck.b.Frames[stuck.at].Frame)
	why := fmt.Sprintf("%s at %s for %s, with the lock %s from %s:%d. Per the source only code that needs this lock "+
		"can end that wait: %s at %s for it.",
		account.WhoWaits(st.b.Count, st.b), rules.PlaceText(bl.Culprit), p, h.Path, file, line,
		account.CountWaiting(stuck.b.Count), rules.PlaceText(there))
	fix := fmt.Sprintf("Unlock %s before the wait at %s.", h.Path, rules.PlaceLine(bl.Culprit))
	return s.finding(bl, "waits with a lock for a goroutine that wants this lock", why, fix,
		verdict{guilty: true}, []*lockStack{st, stuck})
}
