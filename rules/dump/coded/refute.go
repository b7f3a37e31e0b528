package coded

import (
	"go/types"
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// Refute says in findings of the rules that judge locks by stacks alone (TR406 to TR409) where the source shows that
// what they accuse doesn't have the lock, or that another goroutine is about to release it: they are no alarms then.
// Where nothing refutes a finding about a lock that no stack shows to be held (TR406), a note names the functions that
// return with the lock.
func Refute(found []rules.Finding, p *rules.Pass) {
	code := parsed.Code(p)
	scenes := map[*rules.DumpInput]*lockScene{}
	for i := range found {
		f := &found[i]
		switch f.Rule {
		case "TR406", "TR407", "TR408", "TR409":
		default:
			continue
		}
		if code.Empty() {
			continue
		}
		for _, d := range p.AskedDumps() {
			if !slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool { return e.Input == d.Input }) ||
				len(d.Buckets) > maxLockStacks {
				continue
			}
			if scenes[d] == nil {
				scenes[d] = newLockScene(d, code)
			}
			if r := scenes[d].refuted(f); r.by != "" {
				r.apply(f)
				break
			}
			if note := scenes[d].hands(f); note != "" && f.Rule == "TR406" {
				f.Notes = append(f.Notes, note)
				break
			}
		}
	}
}

// A refutation is why a finding can't be so, or needn't be.
type refutation struct {
	by    string      // the part of the texts; "" for none
	place rules.Place // of who has the lock, or has none
}

// apply says so in a finding. What is left of it is a wait, and its fix is about that.
func (r refutation) apply(f *rules.Finding) {
	text := findings().Account("refuted", account.Facts{Cases: []string{r.by}, Values: account.Values{
		"at": rules.PlaceText(r.place), "spot": rules.PlaceLine(r.place)}})
	f.Confidence, f.Against = rules.ConfLow, append(f.Against, text.Why)
	f.Title, f.Fix = title(f.Culprit, text.Act), text.Fix
}

// refuted is why the source shows that a finding can't be so, or needn't be.
func (s *lockScene) refuted(f *rules.Finding) refutation {
	if f.Rule == "TR409" {
		return s.lacksLock(f)
	}
	accused := map[*lockStack]bool{}
	owners, idle := 0, rules.Place{} // of a circle: those that may have a lock, and where one waits that has none
	var last *types.Var
	for _, st := range s.stacks {
		if !shownBy(st, f) || st.at < 0 && (f.Rule == "TR406" || goesOn(st.b)) {
			continue // one that waits for no lock is shown because it may have been handed this one
		}
		accused[st] = true
		if st.at < 0 {
			continue
		}
		if f.Rule == "TR407" {
			if !s.hasNothing(st) {
				owners += st.b.Count
			} else if idle.Function == "" {
				idle = rules.PlaceOf(st.b.Frames[st.at].Frame)
			}
			continue
		}
		if v := st.lock.Last(); last == nil {
			last = v
		} else if v != last {
			return refutation{}
		}
	}
	switch {
	case idle.Function != "" && owners < 2:
		return refutation{"no lock", idle}
	case last == nil:
		return refutation{}
	}
	return s.hasElsewhere(accused, last, f.Rule == "TR408")
}

// lacksLock is where a goroutine waits that is accused of having the lock which others wait for, and has not.
func (s *lockScene) lacksLock(f *rules.Finding) refutation {
	var waiter, holder *lockStack
	for _, st := range s.stacks {
		switch {
		case !shownBy(st, f):
		case st.at >= 0 && (waiter == nil || waiter.lock.Last() == st.lock.Last()):
			waiter = st
		case st.at < 0 && holder == nil:
			holder = st
		default:
			return refutation{}
		}
	}
	if waiter == nil || holder == nil || waiter.lock.Last() == nil || !private(waiter.lock) {
		return refutation{}
	}
	pkg, last := waiter.packageOf(), waiter.lock.Last()
	if _, may := s.mayHold(holder, last, pkg, nil); may || !s.gotNone(holder, pkg) {
		return refutation{}
	}
	return refutation{"another holder", rules.PlaceOf(holder.b.Frames[rules.BlameBucket(s.d, holder.b).Index].Frame)}
}

// gotNone reports whether no call outside a package, of which all source is known, may have got a lock of the package
// from a call that has returned.
func (s *lockScene) gotNone(st *lockStack, pkg string) bool {
	s.sites(st)
	for i, c := range st.calls {
		f := &st.b.Frames[i]
		switch s.d.Program.Class(f.Frame) {
		case frame.ClassRuntime, frame.ClassStdlib:
			continue
		}
		if c.Passes || packageIn(f) == pkg {
			continue
		}
		if c.Site == nil || !c.Site.OnlyOwnCalls(c.Callee) {
			return false
		}
	}
	return true
}

// shownBy reports whether a finding shows a goroutine of a stack.
func shownBy(st *lockStack, f *rules.Finding) bool {
	return slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool {
		return slices.ContainsFunc(e.Goroutines, func(id uint64) bool {
			for _, g := range st.b.Goroutines {
				if g.ID == id {
					return true
				}
			}
			return false
		})
	})
}

// hasElsewhere is where a lock is that goroutines are accused of holding themselves, or of having left: another one has
// it for sure and none of them has it, or another one is about to release it for them.
//
// Only readers are cleared by any owner: of a double lock that may be the one that waits for those that want its lock.
// Others are where the dump prints their object as that of the owner.
func (s *lockScene) hasElsewhere(accused map[*lockStack]bool, last *types.Var, readers bool) refutation {
	mayHave := !readers || !slices.ContainsFunc(s.waiters, func(w *lockStack) bool {
		return w.lock.Last() == last && private(w.lock)
	})
	for st := range accused {
		if st.at >= 0 && !st.calls[st.at].Site.Sure(last) {
			mayHave = true
		} else if _, may := s.mayHold(st, last, s.packageWaiting(last), nil); may {
			mayHave = true
		}
	}
	mine := s.objectOfAll(accused)
	for _, o := range s.stacks {
		if accused[o] || panics(o.b) || o.at >= 0 {
			continue
		}
		if !s.spend(o) {
			return refutation{}
		}
		s.sites(o)
		for i, c := range o.calls {
			if c.Site != nil && c.Site.WillRelease(c.Callee, last) && !s.isOther(o, i, mine) {
				return refutation{"releases", rules.PlaceOf(o.b.Frames[i].Frame)}
			}
		}
		if !goesOn(o.b) {
			continue
		}
		o.at = 0
		i, h := s.has(o, last)
		o.at = -1
		if i >= 0 && (!mayHave && !s.isOther(o, i, mine) || s.hasThis(o, i, h, mine)) {
			return refutation{"has it", rules.PlaceOf(o.b.Frames[i].Frame)}
		}
	}
	return refutation{}
}

// hasThis reports whether a stack's call has a lock of its receiver for itself, which is the object at an address.
func (s *lockScene) hasThis(o *lockStack, i int, h gocode.Hold, object uint64) bool {
	site := o.calls[i].Site
	return object != 0 && !h.Read && h.By == nil && h.Path.Root != nil && h.Path.Root == site.Receiver() &&
		site.Sure(h.Path.Last()) && s.addressOf(o, i, h.Path.Root) == object
}

// isOther reports whether a stack's call is of a method of another object than the one at an address.
func (s *lockScene) isOther(o *lockStack, i int, object uint64) bool {
	receiver := o.calls[i].Site.Receiver()
	if object == 0 || receiver == nil {
		return false
	}
	word := s.addressOf(o, i, receiver)
	return word != 0 && word != object
}

// beginsWith reports whether the lock is the first field of its object, so that both have one address.
func beginsWith(lock gocode.Path) bool {
	t := lock.Root.Type()
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && len(lock.Fields) == 1 && s.NumFields() > 0 && s.Field(0).Origin() == lock.Fields[0] &&
		types.Unalias(lock.Fields[0].Type()).String() == "sync.Mutex"
}

// addressOfAll is the address that all goroutines of a stack wait at, 0 where the dump doesn't print one.
func addressOfAll(b *stackparse.Bucket) (address uint64) {
	if len(b.Goroutines) != b.Count {
		return 0
	}
	for i, g := range b.Goroutines {
		if g.Wait == 0 || i > 0 && g.Wait != address {
			return 0
		}
		address = g.Wait
	}
	return address
}

// objectOfAll is the object whose lock all goroutines of some stacks wait for, 0 where the dump doesn't print it.
func (s *lockScene) objectOfAll(stacks map[*lockStack]bool) (object uint64) {
	for st := range stacks {
		if st.at < 0 || st.lock.Root == nil {
			continue
		}
		word := s.addressOf(st, st.at, st.lock.Root)
		if word == 0 && beginsWith(st.lock) {
			word = addressOfAll(st.b)
		}
		if word == 0 || object != 0 && word != object {
			return 0
		}
		object = word
	}
	return object
}

// goesOn reports goroutines that wait for nobody: one that has a lock and waits may wait for those that want the lock.
func goesOn(b *stackparse.Bucket) bool {
	switch b.Class {
	case stackparse.ClassSleep, stackparse.ClassRunning, stackparse.ClassRunnable:
		return true
	}
	return false
}

// packageWaiting is the package in which goroutines wait for a lock.
func (s *lockScene) packageWaiting(last *types.Var) string {
	for _, w := range s.waiters {
		if w.lock.Last() == last {
			return w.packageOf()
		}
	}
	return ""
}

// hasNothing reports whether a stack holds no lock at any of its calls, all of whose source is known. A call that
// another package has returned from may have left it one.
func (s *lockScene) hasNothing(st *lockStack) bool {
	s.sites(st)
	for i := st.at; i < len(st.calls); i++ {
		c := st.calls[i]
		if c.Passes || s.d.Program.Class(st.b.Frames[i].Frame) == frame.ClassRuntime {
			continue
		}
		if c.Site == nil || c.Site.FreesOthers() {
			return false
		}
		if set := c.Site.Locks(c.Callee); set == nil || len(set.Held) > 0 || !c.Site.OnlyOwnCalls(c.Callee) {
			return false
		}
	}
	return true
}
