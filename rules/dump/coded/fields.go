package coded

import (
	"go/types"
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A fieldScene is one dump, with the goroutines that wait for what is in unexported fields and variables of packages.
// Only the package itself can end such a wait.
type fieldScene struct {
	*lockScene
	waits []*fieldWait
	of    map[*lockStack]*fieldWait
	vars  *locals                 // the goroutines that wait on variables of functions
	comes map[endKey][]*lockStack // what mayCome has found
	// reached is what reach has found.
	reached map[*fieldWait][]*fieldWait
}

// An endKey is what a wait is ended for: a field and what is done with it; of a lock the field alone.
type endKey struct {
	field *types.Var
	op    gocode.Op
	lock  bool
}

// A fieldWait is a stack that waits for fields.
type fieldWait struct {
	st   *lockStack
	at   int // the frame that waits
	site *gocode.Site
	wait *gocode.Wait // nil where it waits for a lock
	pkg  string
	on   []gocode.Subject
	ends []*gocode.Endings // by subject; nil for a context's, and for a lock
	// context reports that the end of a context ends the wait as well.
	context bool
	// own is the outer frame that calls Done only when it returns, of the WaitGroup that is waited for; 0 for none.
	own int
	// local is what a goroutine waits for that waits on variables of functions; nil for others.
	local *waiter
	stuck bool
	by    []*lockStack // who could end the wait, were they not stuck
}

// fieldScenes has what the rules about fields work out from a dump and the source.
func fieldScenes(look func(*fieldScene) []rules.Finding) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) (found []rules.Finding) {
		code := parsed.Code(p)
		for _, d := range p.Dumps {
			if len(d.Buckets) > maxLockStacks || !whole(d) || unseen(d) > 0 {
				continue
			}
			s := &fieldScene{lockScene: newLockScene(d, code), of: map[*lockStack]*fieldWait{},
				comes: map[endKey][]*lockStack{}, reached: map[*fieldWait][]*fieldWait{}, vars: scenes.Of(d).of(code)}
			s.collect()
			if len(s.waits) == 0 {
				continue
			}
			s.settle()
			found = append(found, look(s)...)
		}
		return found
	}
}

// collect finds the goroutines that wait for fields of which the package shows who could end that.
func (s *fieldScene) collect() {
	fields := false
	for i, st := range s.stacks {
		if st.b.Active > 0 || len(s.waits) == maxWaiters {
			continue
		}
		w := s.fieldWait(st)
		fields = fields || w != nil
		if w == nil {
			w = s.lockWait(st)
		}
		if w == nil && s.vars.of[i] != nil {
			w = &fieldWait{st: st, at: s.vars.of[i].frame, site: s.vars.of[i].site, local: s.vars.of[i]}
		}
		if w != nil {
			s.waits = append(s.waits, w)
			s.of[st] = w
		}
	}
	if !fields { // others rules' all
		s.waits = nil
	}
}

func (s *fieldScene) fieldWait(st *lockStack) *fieldWait {
	class, ok := waitClasses[st.b.Class]
	if !ok {
		return nil
	}
	k := slices.IndexFunc(st.b.Frames, func(f stackparse.Frame) bool { return !symbol.WaitsForOthers(f.Func) })
	if k < 0 {
		return nil
	}
	site := s.site(st, k)
	if site == nil {
		return nil
	}
	w := &fieldWait{st: st, at: k, site: site, wait: site.Wait(class.kind), pkg: packageIn(&st.b.Frames[k])}
	if w.wait == nil && class.kind == gocode.GroupWait {
		w.wait = site.DeferredWait()
	}
	if w.wait == nil || w.wait.Default {
		return nil
	}
	s.sites(st)
	w.on = site.Subjects(w.wait)
	enders := 0
	for _, on := range w.on {
		if on.Context {
			w.context = true
			w.ends = append(w.ends, nil)
			continue
		}
		e := site.Endings(on)
		if e == nil || e.Open {
			if w.own = s.ownDone(w); w.own > 0 && len(w.on) == 1 {
				return w
			}
			return nil
		}
		enders += len(e.Enders)
		w.ends = append(w.ends, e)
	}
	if enders == 0 { // it is meant to wait for ever
		return nil
	}
	w.own = s.ownDone(w)
	return w
}

// lockWait is a stack that waits for a lock which only its package can release.
func (s *fieldScene) lockWait(st *lockStack) *fieldWait {
	if st.at < 0 || !private(st.lock) && !embedded(st.lock) || !st.calls[st.at].Site.Sure(st.lock.Last()) {
		return nil
	}
	return &fieldWait{st: st, at: st.at, site: st.calls[st.at].Site, pkg: st.packageOf()}
}

// ownDone is the outer frame of a goroutine that waits for a WaitGroup, which itself has to call Done when it returns;
// 0 where there is none.
func (s *fieldScene) ownDone(w *fieldWait) int {
	if w.wait.Kind != gocode.GroupWait || len(w.on) != 1 || w.on[0].Path.Root == nil {
		return 0
	}
	s.sites(w.st)
	e := w.site.Endings(w.on[0])
	object := w.st.calls.Origin(w.at, w.on[0].Path)
	if e == nil || object == "" {
		return 0
	}
	for i := w.at + 1; i < len(w.st.calls); i++ {
		site := w.st.calls[i].Site
		if site == nil || site.Package != w.site.Package {
			continue
		}
		if len(e.Places[site.Fn]) > 0 && len(e.Pending(site)) == 0 {
			return 0 // it may have called Done
		}
		for _, p := range e.Pending(site) {
			if w.st.calls.Origin(i, p) == object {
				return i
			}
		}
	}
	return 0
}

// settle finds who can never go on: at first that is supposed of all; then each goes whose wait a goroutine that may
// go on can end, until nothing changes.
func (s *fieldScene) settle() {
	for _, w := range s.waits {
		w.stuck = !w.context
		w.by = s.enders(w)
		if w.local != nil && slices.ContainsFunc(w.local.on, s.unknown) {
			w.stuck = false
		}
		if w.wait == nil && w.local == nil && len(w.by) == 0 { // its holder has just gone, or left it locked
			w.stuck = false
		}
	}
	for changed := true; changed; {
		changed = false
		for _, w := range s.waits {
			if w.stuck && w.own == 0 && slices.ContainsFunc(w.by, s.free) {
				w.stuck, changed = false, true
			}
		}
	}
}

// free reports whether a stack may go on.
func (s *fieldScene) free(st *lockStack) bool {
	w := s.of[st]
	return w == nil || !w.stuck
}

// enders are the stacks that may come to where a wait is ended.
func (s *fieldScene) enders(w *fieldWait) (all []*lockStack) {
	add := func(some []*lockStack) {
		for _, st := range some {
			if !slices.Contains(all, st) {
				all = append(all, st)
			}
		}
	}
	if w.local != nil {
		for _, on := range w.local.on {
			for _, bucket := range on.holders {
				add(s.stacks[bucket : bucket+1])
			}
		}
		return all
	}
	if w.wait == nil {
		last := w.st.lock.Last()
		add(s.found(endKey{field: last, lock: true}, func(st *lockStack) bool {
			_, may := s.mayHold(st, last, w.pkg, nil)
			return may
		}))
		return all
	}
	for i, e := range w.ends {
		if e == nil {
			continue
		}
		add(s.found(endKey{field: e.Field, op: w.on[i].Op}, func(st *lockStack) bool {
			return s.mayCome(st, w.pkg, w.site, e)
		}))
	}
	return all
}

// unknown reports whether others than those on the stacks may hold a variable.
func (s *fieldScene) unknown(on *world) bool {
	return on.stale || s.vars.unseen || on.ByGroup && s.vars.starting
}

// found are the stacks that a test is true of; it is made once for a key.
func (s *fieldScene) found(k endKey, test func(*lockStack) bool) []*lockStack {
	all, ok := s.comes[k]
	if !ok {
		for _, st := range s.stacks {
			if test(st) {
				all = append(all, st)
			}
		}
		s.comes[k] = all
	}
	return all
}
