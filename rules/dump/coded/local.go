package coded

import (
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// maxWaiters is how many stacks of one dump are looked up in the source.
const maxWaiters = 1024

// locals are the goroutines of a dump that wait on variables of functions.
type locals struct {
	d       *rules.DumpInput
	code    *gocode.Reader
	at      map[string][]spot // frames by file
	worlds  map[*types.Var]*world
	waiters []*waiter
	of      []*waiter // by bucket, nil for those that wait for anything else
	// starting are goroutines that (*sync.WaitGroup).Go has started, which have nothing of the program on their stacks
	// yet, or no more: they may hold what any of its callers gave it.
	starting bool
	unseen   bool // there are goroutines that may hold anything, see unseen
	test     bool // a test is run, whose files may call any function of the package
}

// A spot is a frame of a bucket.
type spot struct{ bucket, frame int }

// A world is a variable with the stacks that have a function which holds it. All that one place of the code makes count
// as one: in a recursion, who ends the wait for one may end that for the next.
type world struct {
	*gocode.World
	dir     string // of its files, as the dump names them
	holders []int  // buckets
	stale   bool   // its source is not what was built
}

// A waiter is a bucket that waits on variables of functions.
type waiter struct {
	b      *stackparse.Bucket
	bucket int
	frame  int // that waits
	site   *gocode.Site
	wait   *gocode.Wait
	on     []*world
	stuck  bool // nobody is left who could end its wait
}

// waitClasses are the classes of goroutines that may wait on a variable.
var waitClasses = map[stackparse.Class]struct {
	kind   gocode.Kind
	callee string
}{
	stackparse.ClassChanSend:    {gocode.Send, "runtime.chansend1"},
	stackparse.ClassChanReceive: {gocode.Receive, "runtime.chanrecv1"},
	stackparse.ClassSelect:      {gocode.Select, "runtime.selectgo"},
	stackparse.ClassWaitGroup:   {gocode.GroupWait, "sync.(*WaitGroup).Wait"},
	stackparse.ClassCond:        {gocode.CondWait, "sync.(*Cond).Wait"},
}

// localRun applies a rule to the goroutines of each dump that can never go on.
func localRun(write func(l *locals, stuck []*waiter) (rules.Finding, bool)) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, d := range p.Dumps {
			l := scenes.Of(d).of(parsed.Code(p))
			for _, stuck := range l.groups() {
				slices.SortFunc(stuck, byCause)
				if f, ok := write(l, stuck); ok {
					found = append(found, f)
				}
			}
		}
		return found
	}
}

// scenes has what the rules about variables work out from a dump and the source.
var scenes = rules.DerivedOfDump(func(d *rules.DumpInput) *localScene { return &localScene{d: d} })

// A localScene is made by the first rule that asks, and anew for other source.
type localScene struct {
	d    *rules.DumpInput
	mu   sync.Mutex
	made *locals
}

func (s *localScene) of(code *gocode.Reader) *locals {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil || s.made.code != code {
		s.made = newLocals(s.d, code)
	}
	return s.made
}

// newLocals finds none in a dump that is not whole.
func newLocals(d *rules.DumpInput, code *gocode.Reader) *locals {
	l := &locals{d: d, code: code, worlds: map[*types.Var]*world{}, of: make([]*waiter, len(d.Buckets)),
		test: isTest(d)}
	if whole(d) {
		l.collect()
	}
	if len(l.waiters) == 0 {
		return l
	}
	l.unseen = unseen(l.d) > 0
	l.index()
	for _, w := range l.worlds {
		if w != nil {
			l.count(w)
		}
	}
	l.settle()
	return l
}

// collect finds the goroutines that wait on variables.
func (l *locals) collect() {
	looked := 0
	for i, b := range l.d.Buckets {
		class, ok := waitClasses[b.Class]
		if !ok || b.Active > 0 || looked == maxWaiters {
			continue
		}
		k := slices.IndexFunc(b.Frames, func(f stackparse.Frame) bool { return !symbol.WaitsForOthers(f.Func) })
		if k < 0 || b.Frames[k].File == "" {
			continue
		}
		looked++
		f := &b.Frames[k]
		site := l.code.Site(gocode.Frame{Func: f.Func, File: f.File, Line: f.Line, Callee: class.callee})
		if site == nil {
			continue
		}
		w := &waiter{b: b, bucket: i, frame: k, site: site, wait: site.Wait(class.kind)}
		if w.wait != nil && !w.wait.Default && l.subjects(w) {
			l.waiters = append(l.waiters, w)
			l.of[i] = w
		}
	}
}

// subjects finds the variables that a goroutine waits on. It reports whether all are known, and whether the program has
// code that could end the wait: what never could is meant to wait for ever.
func (l *locals) subjects(w *waiter) bool {
	ends := false
	for i, e := range w.wait.On {
		v := w.site.Variable(e)
		if v == nil {
			return false
		}
		bound := w.site.Bound(v)
		if len(bound) == 0 || l.test && bound[0] != v {
			return false
		}
		for _, v := range bound {
			on, ok := l.worlds[v]
			if !ok {
				if all := w.site.World(v); all != nil {
					on = &world{World: all, dir: path.Dir(w.b.Frames[w.frame].File)}
				}
				l.worlds[v] = on
			}
			if on == nil || on.Returned && l.test {
				return false
			}
			ends = ends || len(on.Enders(w.wait.Ops[i])) > 0
			if !slices.Contains(w.on, on) {
				w.on = append(w.on, on)
			}
		}
	}
	return ends && len(w.on) > 0
}

// index notes the frames of all stacks in files that variables are held in.
func (l *locals) index() {
	l.at = map[string][]spot{}
	for _, w := range l.worlds {
		if w == nil {
			continue
		}
		for _, name := range w.Files() {
			l.at[w.dir+"/"+name] = nil
		}
	}
	for i, b := range l.d.Buckets {
		if c := b.CreatedBy; len(b.Frames) == 0 && c != nil { // it holds what its go statement gives it
			if spots, ok := l.at[c.File]; ok {
				l.at[c.File] = append(spots, spot{i, -1})
			}
		}
		begins := false
		for k := range b.Frames {
			f := &b.Frames[k]
			if spots, ok := l.at[f.File]; ok {
				l.at[f.File] = append(spots, spot{i, k})
			}
			begins = begins || isGroupStart(f)
		}
		if begins && !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
			return !symbol.WaitsForOthers(f.Func) && !isGroupStart(&f)
		}) {
			l.starting = true
		}
	}
}

// isGroupStart reports a goroutine's first function where (*sync.WaitGroup).Go started it. Where that was compiled into
// its caller its name begins with the caller's.
func isGroupStart(f *stackparse.Frame) bool {
	return strings.HasSuffix(f.File, "sync/waitgroup.go") && strings.Contains(f.Func, "(*WaitGroup).Go.")
}

// count finds the calls on stacks of functions that hold a variable.
func (l *locals) count(w *world) {
	for _, name := range w.Files() {
		for _, s := range l.at[w.dir+"/"+name] {
			b := l.d.Buckets[s.bucket]
			f := b.CreatedBy
			if s.frame >= 0 {
				f = &b.Frames[s.frame]
			}
			w.stale = w.stale || !w.Fits(name, f.Line, f.Func)
			if isWrapper(f.Func) && s.frame > 0 && path.Dir(b.Frames[s.frame-1].File) == w.dir ||
				!w.Holds(name, f.Line, f.Func) {
				continue
			}
			if n := len(w.holders); n == 0 || w.holders[n-1] != s.bucket {
				w.holders = append(w.holders, s.bucket)
			}
		}
	}
}

// isWrapper reports a function that the compiler made of a go or a defer statement. What it calls has the variables
// that it was given; the line is that of the statement, in a function that may have returned.
func isWrapper(fn string) bool {
	closure := symbol.ParseName(fn).Closure
	last := closure[strings.LastIndexAny(closure, ".-")+1:]
	return strings.HasPrefix(last, "gowrap") || strings.HasPrefix(last, "deferwrap")
}

// settle finds who can never go on: at first that is supposed of all; then each goes for whom a goroutine that may go
// on holds the variable, until nothing changes.
func (l *locals) settle() {
	for _, w := range l.waiters {
		w.stuck = true
	}
	for changed := true; changed; {
		changed = false
		for _, w := range l.waiters {
			if w.stuck && slices.ContainsFunc(w.on, l.living) {
				w.stuck, changed = false, true
			}
		}
	}
}

// living reports whether a goroutine that may go on may hold a variable.
func (l *locals) living(on *world) bool {
	return on.stale || l.unseen || on.ByGroup && l.starting || slices.ContainsFunc(on.holders, func(bucket int) bool {
		return l.of[bucket] == nil || !l.of[bucket].stuck
	})
}

// groups are the goroutines that can never go on: together those that wait on the same variables, or hold what the
// others wait on.
func (l *locals) groups() [][]*waiter {
	group := make([]int, len(l.waiters)) // the first of each one's group
	for i := range group {
		group[i] = i
	}
	join := func(i, k int) {
		from, to := max(group[i], group[k]), min(group[i], group[k])
		for j := range group {
			if group[j] == from {
				group[j] = to
			}
		}
	}
	for i, w := range l.waiters {
		for k, other := range l.waiters[:i] {
			if w.stuck && other.stuck && (w.holdsOf(other) || other.holdsOf(w)) {
				join(i, k)
			}
		}
	}
	all := map[int][]*waiter{}
	for i, w := range l.waiters {
		if w.stuck {
			all[group[i]] = append(all[group[i]], w)
		}
	}
	var found [][]*waiter
	for i := range l.waiters {
		if all[i] != nil {
			found = append(found, all[i])
		}
	}
	return found
}

// holdsOf reports whether a goroutine waits on the same variable as another, or holds what that waits on.
func (w *waiter) holdsOf(other *waiter) bool {
	return slices.ContainsFunc(other.on, func(on *world) bool {
		return slices.Contains(w.on, on) || slices.Contains(on.holders, w.bucket)
	})
}

// makes reports whether a goroutine waits in a function that makes one of the variables that a group waits on.
func (w *waiter) makes(group []*waiter) bool {
	return slices.ContainsFunc(group, func(other *waiter) bool {
		return slices.ContainsFunc(other.on, func(on *world) bool {
			fn, _ := on.Maker()
			return fn == w.site.Fn
		})
	})
}

// inMain reports whether it is the main goroutine that waits.
func (w *waiter) inMain() bool {
	return slices.ContainsFunc(w.b.Frames, func(f stackparse.Frame) bool { return f.Func == "main.main" })
}
