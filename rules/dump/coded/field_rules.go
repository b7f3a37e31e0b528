package coded

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse/frame"
)

// fieldRules are the rules about fields of structs, and variables of packages (TR466, TR467).
func fieldRules() []*rules.Rule {
	rule := func(id, name string, run func(*fieldScene) []rules.Finding) *rules.Rule {
		return &rules.Rule{ID: id, Name: name, Category: rules.Deadlock, Severity: rules.High,
			Needs: rules.NeedsDump | rules.NeedsWaits | rules.NeedsSource, Run: fieldScenes(run)}
	}
	return []*rules.Rule{
		rule("TR466", "nobody-serves-field", func(s *fieldScene) []rules.Finding { return s.unserved() }),
		rule("TR467", "circle-by-fields", func(s *fieldScene) []rules.Finding { return s.circles() }),
	}
}

// unserved is nobody-serves-field (TR466).
// It finds waits that no goroutine is left to end: one finding for each field.
func (s *fieldScene) unserved() (found []rules.Finding) {
	seen := map[*types.Var]bool{}
	for _, w := range s.waits {
		if !w.stuck || w.wait == nil || w.own > 0 || len(w.by) > 0 {
			continue
		}
		field := w.on[0].Path.Last()
		if seen[field] {
			continue
		}
		seen[field] = true
		var group []*fieldWait
		for _, o := range s.waits {
			if o.stuck && o.wait != nil && o.own == 0 && len(o.by) == 0 && o.on[0].Path.Last() == field {
				group = append(group, o)
			}
		}
		if f, ok := s.unservedFinding(group); ok {
			found = append(found, f)
		}
	}
	return found
}

func (s *fieldScene) unservedFinding(group []*fieldWait) (rules.Finding, bool) {
	slices.SortStableFunc(group, func(a, b *fieldWait) int { return b.st.b.Count - a.st.b.Count })
	w, n := group[0], 0
	for _, o := range group {
		n += o.st.b.Count
	}
	counted := s.d.Counted()
	v := verdict{guilty: true, proven: !counted}.but(!s.harms(group), mayIdle).
		but(counted && (n < manyCounted || n < toOneActive*active(s.d)), justWoken)
	why := fmt.Sprintf("%s at %s %s. No stack is at a line that could end that, and no other code has the field.",
		account.WhoWaits(n, w.st.b), s.at(w), waitsFor(w))
	fix := "Let those who end early close a channel that the wait selects on too, or start who serves it again."
	return s.fieldFinding(w, w.at, "waits for what nobody is left to serve", why, fix, v, group), true
}

// maxCircled bounds the stacks among which circles are looked for, which takes the cube of their number. Chosen: real
// dumps have a few dozen that wait for fields.
const maxCircled = 256

// circles is circle-by-fields (TR467).
// It finds waits that only those can end who wait for each other, or for themselves.
func (s *fieldScene) circles() (found []rules.Finding) {
	if len(s.waits) > maxCircled {
		return nil
	}
	seen := map[*fieldWait]bool{}
	for _, w := range s.waits {
		if seen[w] || !w.stuck && !s.selfInContext(w) {
			continue
		}
		self := s.self(w)
		if !self && !slices.Contains(s.reach(w), w) {
			continue
		}
		circle := []*fieldWait{w}
		if !self {
			for _, o := range s.reach(w) {
				if o != w && slices.Contains(s.reach(o), w) {
					circle = append(circle, o)
				}
			}
		}
		for _, o := range circle {
			seen[o] = true
		}
		if !slices.ContainsFunc(circle, func(o *fieldWait) bool { return o.wait != nil }) {
			continue // locks alone
		}
		if len(circle) == 2 && slices.ContainsFunc(circle, s.knownToLocks) {
			continue
		}
		if f, ok := s.circleFinding(circle, self); ok {
			found = append(found, f)
		}
	}
	return found
}

// self reports whether a goroutine waits for what only its own outer calls would do. A loop that only waits for work,
// and closes what it waits for where it ends, doesn't: it is the work that doesn't come.
func (s *fieldScene) self(w *fieldWait) bool {
	if w.own > 0 {
		return true
	}
	if w.wait == nil || w.local != nil || slices.ContainsFunc(w.by, func(st *lockStack) bool {
		o := s.of[st]
		return st != w.st && (o == nil || o.wait == nil || o.on[0].Path.Last() != w.on[0].Path.Last())
	}) {
		return false
	}

	return s.outer(w) >= 0
}

// knownToLocks reports whether circle-by-source finds a goroutine that waits with a lock.
func (s *fieldScene) knownToLocks(w *fieldWait) bool {
	if w.wait == nil {
		return false
	}
	_, known := s.heldFor(w.st)
	return known
}

// selfInContext reports whether a goroutine waits for itself, until its context ends.
func (s *fieldScene) selfInContext(w *fieldWait) bool {
	return w.context && slices.Contains(w.by, w.st) && s.self(w) &&
		!slices.ContainsFunc(w.by, func(st *lockStack) bool { return st != w.st && s.free(st) })
}

// reach are the waits that must end before one can.
func (s *fieldScene) reach(w *fieldWait) (all []*fieldWait) {
	if known, ok := s.reached[w]; ok {
		return known
	}
	defer func() { s.reached[w] = all }()
	work := []*fieldWait{w}
	for len(work) > 0 {
		next := work[0]
		work = work[1:]
		for _, st := range next.by {
			if o := s.of[st]; o != nil && o != next && !slices.Contains(all, o) {
				all = append(all, o)
				work = append(work, o)
			}
		}
	}
	return all
}

func (s *fieldScene) circleFinding(circle []*fieldWait, self bool) (rules.Finding, bool) {
	w := circle[0]
	if i := slices.IndexFunc(circle, func(o *fieldWait) bool { return o.wait != nil }); i > 0 {
		w = circle[i]
	}
	counted := s.d.Counted()
	alone := w.own > 0 || self && len(w.by) <= 1 && w.st.b.Count == 1 // nobody else could have woken it
	v := verdict{guilty: true, proven: !counted && !w.context}.but(!s.harms(circle), mayIdle).
		but(counted && !alone, justWoken)
	if !self {
		return s.circleOf(circle, w, v), true
	}
	culprit, outer := w.own, w.own
	if outer == 0 {
		culprit, outer = w.at, s.outer(w)
	}
	if c := s.calledBack(w, outer); c >= 0 {
		culprit = c
	}
	from := rules.PlaceText(rules.PlaceOf(w.st.b.Frames[outer].Frame))
	does := "could end that, only when this wait has ended"
	if w.own > 0 {
		does = "calls its Done, only when it returns"
	}
	why := fmt.Sprintf("%s at %s %s. Further out on the same stack %s %s.", account.WhoWaits(w.st.b.Count, w.st.b),
		s.at(w), waitsFor(w), from, does)
	fix := fmt.Sprintf("Wait at %s in another goroutine, or when %s has gone on.", s.at(w),
		symbol.ShortFunc(w.st.b.Frames[outer].Func))
	return s.fieldFinding(w, culprit, "waits for its own goroutine", why, fix, v, s.behind(circle)), true
}

func (s *fieldScene) circleOf(circle []*fieldWait, w *fieldWait, v verdict) rules.Finding {
	why := fmt.Sprintf("%s at %s %s. Per the source only %d stacks can end this wait, each of them only when its own "+
		"wait has ended.", account.WhoWaits(w.st.b.Count, w.st.b), s.at(w), waitsFor(w), len(circle))
	fix := fmt.Sprintf("Break the circle at %s: give up the wait there, or do it in a goroutine that nobody waits for.",
		s.at(w))
	return s.fieldFinding(w, w.at, "waits for a goroutine that waits for it", why, fix, v, s.behind(circle))
}

// harms reports whether a goroutine misses what doesn't come. Those that only receive may be idle: workers without
// work, who waits for the program's end or for a failure that did not come, and loops that would send work to each
// other.
func (s *fieldScene) harms(group []*fieldWait) bool {
	return slices.ContainsFunc(s.behind(group), func(o *fieldWait) bool {
		kind := gocode.GroupWait
		switch {
		case o.local != nil:
			kind = o.local.wait.Kind
		case o.wait == nil:
			return true // for a lock
		default:
			kind = o.wait.Kind
		}
		switch kind {
		case gocode.Send:
			return o.local != nil || o.st.b.Count > 1 || !s.offers(o)
		case gocode.GroupWait: // not who only notes that workers have ended
			return slices.Contains(group, o) || calls(o.st.b, "main.main")
		}
		return o.local == nil && slices.ContainsFunc(o.on, o.site.Makes)
	})
}

// offers reports whether a goroutine does nothing but send to who asks for one value: a generator.
func (s *fieldScene) offers(w *fieldWait) bool {
	for i := w.at + 1; i < len(w.st.b.Frames); i++ {
		if !w.st.calls[i].Passes && w.st.b.Frames[i].Func != "runtime.goexit" {
			return false
		}
	}
	return w.site.InLoop(w.wait.At) && !slices.ContainsFunc(w.ends,
		func(e *gocode.Endings) bool { return e != nil && e.InLoops() })
}

// behind are the goroutines of a circle, and those that wait for them.
func (s *fieldScene) behind(circle []*fieldWait) []*fieldWait {
	all := slices.Clone(circle)
	if len(s.waits) > maxCircled {
		return all
	}
	for _, o := range s.waits {
		if o.stuck && !slices.Contains(all, o) && slices.ContainsFunc(s.reach(o), func(x *fieldWait) bool {
			return slices.Contains(circle, x)
		}) {
			all = append(all, o)
		}
	}
	return all
}

// outer is the call of a goroutine that could end its own wait; -1 where none could, but for one that closes what is
// received from where it returns.
func (s *fieldScene) outer(w *fieldWait) int {
	for i := w.at; i < len(w.st.b.Frames); i++ {
		if packageIn(&w.st.b.Frames[i]) != w.pkg || w.st.calls[i].Passes {
			continue
		}
		site, name := s.site(w.st, i), symbol.ParseName(w.st.b.Frames[i].Func).Func
		if site == nil { // it calls back, say: which call of the line isn't certain
			if i > w.at && slices.ContainsFunc(w.ends, func(e *gocode.Endings) bool { return e.Names(name) }) {
				return i
			}
			continue
		}
		if site.Package != w.site.Package {
			continue
		}
		for k, e := range w.ends {
			if e != nil && !(e.Deferred[site.Fn] && w.on[k].Op == gocode.OpReceive) &&
				site.Leads(w.st.calls[i].Callee, s.waitAt(w.st, site, i), e) {
				return i
			}
		}
	}
	return -1
}

// calledBack is the frame of the program that an outer one of another package calls back; -1 for none.
func (s *fieldScene) calledBack(w *fieldWait, outer int) int {
	if s.d.Program.Class(w.st.b.Frames[w.at].Frame) == frame.ClassOwn {
		return -1
	}
	for i := w.at + 1; i < outer; i++ {
		f := &w.st.b.Frames[i]
		if f.Elided == 0 && !w.st.calls[i].Passes && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return -1
}

func (s *fieldScene) at(w *fieldWait) string {
	return rules.PlaceText(rules.PlaceOf(w.st.b.Frames[w.at].Frame))
}

// waitsFor is what a stack waits for, in a sentence.
func waitsFor(w *fieldWait) string {
	switch {
	case w.local != nil:
		return acts[w.local.wait.Kind] + w.local.on[0].Var.Name()
	case w.wait == nil:
		return "for the lock " + w.st.lock.String()
	}
	var names []string
	for _, on := range w.on {
		if !on.Context {
			names = append(names, on.Path.String())
		}
	}
	return acts[w.wait.Kind] + strings.Join(names, " or ")
}

// endedBy is what in the source would end a wait.
func (s *fieldScene) endedBy(w *fieldWait) []string {
	what := map[gocode.Op]string{gocode.OpSend: "sends to it", gocode.OpReceive: "receives from it",
		gocode.OpClose: "closes it", gocode.OpDone: "calls Done", gocode.OpSignal: "signals"}
	var parts []string
	for _, e := range w.ends {
		if e == nil {
			continue
		}
		for i, u := range e.Enders {
			if i == maxEnders {
				parts = append(parts, fmt.Sprintf("%d more places", len(e.Enders)-maxEnders))
				break
			}
			file, line := w.site.Place(u.At)
			parts = append(parts, fmt.Sprintf("%s %s at %s:%d", gocode.Name(u.Fn, u.Decl), what[u.Op],
				symbol.ShortFile(file), line))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{"What would end it: " + strings.Join(parts, "; ") + "."}
}

func (s *fieldScene) fieldFinding(w *fieldWait, culprit int, act, why, fix string, v verdict,
	group []*fieldWait) rules.Finding {
	bl := rules.BlameBucket(s.d, w.st.b)
	bl.Index, bl.Culprit = culprit, rules.PlaceOf(w.st.b.Frames[culprit].Frame)
	var stacks []*lockStack
	for _, o := range group {
		if len(stacks) <= maxStacks {
			stacks = append(stacks, o.st)
		}
	}
	f := s.finding(bl, act, why, fix, v, stacks)
	f.Count, f.Notes = 0, s.endedBy(w)
	for _, o := range group {
		f.Count += o.st.b.Count
	}
	f.Title = title(bl.Culprit, act)
	return f
}
