package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A view is a dump as the rules about few but certain waits see it. A crowd shows a leak by its number; one goroutine
// that waits looks the same in a process that will go on in a moment. What separates them is who could end the wait.
//
// A goroutine that waits in a send proves that nobody waits in a receive of that channel now, so that those who wait
// elsewhere are no help until something wakes them. A wait never ends where nobody is left who moves: who computes,
// waits for the outside or a timer, and may come round to it. Forms that only count goroutines show one that was woken
// and has not run as if it waited still: there a crowd in receives may hold the one that moves.
type view struct {
	d      *rules.DumpInput
	actors []actor
	names         // each rule has its own, see viewRun
	oldest uint32 // the longest wait, in minutes
}

// An actor is a bucket of the view.
type actor struct {
	outline
	b    *stackparse.Bucket
	role *rules.Role
	move motion
}

// An outline is what an actor's stack alone shows.
type outline struct {
	// site is the call in which its goroutines wait, root the function that they began in; -1 where frames are missing.
	site, root int
	class      frame.Class // of the code at the site
	module     string      // of the code at the site, see moduleOf
	own        bool        // code of the program is on the stack
	foreign    bool        // code of a dependency is
	began      bool        // root is code that can be blamed
}

// A motion is whether goroutines go on by themselves.
type motion uint8

const (
	still motion = iota // they wait for another goroutine of the process
	paced               // they are in a receive or a select of the program's, which may be from a timer
	asks                // they wait in a library that the program called, which may ask someone outside
	moves               // they compute, or wait for a timer or for what comes from outside
)

// viewRun is the Run of a rule that looks at dumps in which one of some classes of waits is.
func viewRun(look func(*view) []rules.Finding, classes ...stackparse.Class) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		known := names{} // the dumps of a process have most functions in common
		for _, d := range p.AliveDumps() {
			if isTest(d) || !hasClass(d, classes) || len(d.Buckets) > maxView {
				continue // what waits in a test is left over: orphanRun judges that
			}
			if len(known) > maxNames {
				clear(known)
			}
			found = append(found, look(viewOf(d, known))...)
		}
		return found
	}
}

// actorRun is the Run of a rule that judges the goroutines of each stack by itself.
func actorRun(rule string, judge func(*view, *actor) verdict, classes ...stackparse.Class) run {
	return viewRun(func(s *view) (found []rules.Finding) {
		for i := range s.actors {
			if v := judge(s, &s.actors[i]); v.guilty {
				found = append(found, s.finding(rule, &s.actors[i], v))
			}
		}
		return found
	}, classes...)
}

// maxView bounds the distinct stacks of a dump in which each is held against all others. Chosen: the largest of the
// real dumps at hand has 47, of the lab's servers about 200.
const maxView = 600

func isTest(d *rules.DumpInput) bool {
	g := parsed.Waits(d)
	return g != nil && g.Test
}

func hasClass(d *rules.DumpInput, classes []stackparse.Class) bool {
	return slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool { return slices.Contains(classes, b.Class) })
}

func newView(d *rules.DumpInput) *view { return viewOf(d, names{}) }

// viewOf is newView with the names that a rule has taken apart before.
func viewOf(d *rules.DumpInput, known names) *view {
	s := cast.Of(d)
	s.names = known
	return &s
}

// cast is a dump's view, without the names that a rule takes apart on the way.
var cast = rules.DerivedOfDump(func(d *rules.DumpInput) view {
	s := view{d: d, actors: make([]actor, len(d.Buckets)), oldest: oldest(d)}
	for i, b := range d.Buckets {
		s.actors[i] = s.actorOf(b)
		s.actors[i].role = d.RoleOf(i)
	}
	return s
})

func (s *view) actorOf(b *stackparse.Bucket) actor {
	a := actor{outline: outlines.Of(s.d, b), b: b}
	a.move = s.motionOf(&a)
	return a
}

var outlines = rules.DerivedOfStack(func(d *rules.DumpInput, b *stackparse.Bucket) outline {
	a := outline{site: -1, root: -1}
	code := d.CodeOf(b)
	for _, i := range rules.ShownFrames(b) {
		f := &b.Frames[i]
		if f.Elided != 0 || f.Func == "" {
			continue
		}
		if a.site < 0 && !symbol.WaitsForOthers(f.Func) {
			a.site = i
		}
		switch code.Class(i) {
		case frame.ClassRuntime:
			continue
		case frame.ClassOwn:
			a.own = true
		case frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
			a.foreign = true
		}
		a.root = i
	}
	if n := len(b.Frames); n == 0 || b.Frames[0].Elided != 0 || b.Frames[n-1].Elided != 0 {
		a.root = -1
	}
	if a.site >= 0 {
		a.class = code.Class(a.site)
		a.module = moduleOf(&b.Frames[a.site].Frame)
	}
	a.began = a.root >= 0 && rules.Blameable(code.Class(a.root))
	return a
})

// motionOf reports whether the goroutines of a stack go on by themselves, as far as their stack shows.
func (s *view) motionOf(a *actor) motion {
	b := a.b
	switch {
	case !a.own && !a.foreign:
		return still // what the standard library does by itself takes nothing from the program's channels
	case b.Active > 0:
		return moves
	}
	switch b.Class {
	case stackparse.ClassIO:
		if hasFunction(b, "internal/poll.(*FD).Accept") {
			return still
		}
		return moves
	case stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassCond, stackparse.ClassWaitGroup,
		stackparse.ClassChanSend, stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
		stackparse.ClassSemaphore:
		return s.motionOfWait(a)
	case stackparse.ClassNilChan, stackparse.ClassNoCases, stackparse.ClassIdle:
		return still
	}
	return moves
}

// motionOfWait reports whether a wait for another goroutine may end by what comes from outside.
func (s *view) motionOfWait(a *actor) motion {
	switch a.class {
	case frame.ClassOwn:
		if a.b.Class == stackparse.ClassSelect || a.b.Class == stackparse.ClassChanReceive {
			return paced
		}
		return still
	case frame.ClassStdlib:
		return moves
	}
	if a.own && a.b.Class != stackparse.ClassChanSend {
		return asks
	}
	return still
}

// moduleOf names the module that a function is of, its package where its file does not show it.
func moduleOf(f *frame.Frame) string {
	if i := strings.Index(f.File, "@v"); i >= 0 {
		end := strings.IndexAny(f.File[i:], `/\`)
		if end > 0 {
			return f.File[:i+end]
		}
	}
	return symbol.StripVendor(symbol.PackageOf(f.Func))
}

// has reports whether a frame of a stack, or its creator, satisfies a condition.
func (a *actor) has(is func(f *frame.Frame) bool) bool {
	for i := range a.b.Frames {
		if f := &a.b.Frames[i]; f.Elided == 0 && is(&f.Frame) {
			return true
		}
	}
	return a.b.CreatedBy != nil && is(&a.b.CreatedBy.Frame)
}

// inModule, inPackage and ofType report whether a goroutine is in code of a module, of a package or in methods of a
// type, or was started there.
func (s *view) inModule(a *actor, module string) bool {
	return slices.Contains(modules.Of(s.d, a.b), module)
}

// modules are those whose code is on a stack or started it, each once.
var modules = rules.DerivedOfStack(func(_ *rules.DumpInput, b *stackparse.Bucket) (all []string) {
	a := actor{b: b}
	a.has(func(f *frame.Frame) bool {
		if m := moduleOf(f); !slices.Contains(all, m) {
			all = append(all, m)
		}
		return false
	})
	return all
})

func (s *view) inPackage(a *actor, pkg string) bool {
	return a.has(func(f *frame.Frame) bool { return s.name(f.Func).Package == pkg })
}

func (s *view) ofType(a *actor, typ string) bool {
	return typ != "" && a.has(func(f *frame.Frame) bool { return s.typeOf(f.Func) == typ })
}

// sameSite reports whether goroutines wait in one function for the same kind of thing.
func (s *view) sameSite(a, b *actor) bool {
	return a.site >= 0 && b.site >= 0 && a.b.Class == b.b.Class &&
		a.b.Frames[a.site].Func == b.b.Frames[b.site].Func
}

// moverBeside reports whether a goroutine other than those of a bucket may come round to what they wait for: one of the
// program's, or of the module whose code they wait in. A receive or select in the function that a goroutine began with
// waits for work or for a tick, and main's waits for a signal: it is taken for a mover only where the wait is in the
// program's code too, whose channels it may know. Those of except are none.
func (s *view) moverBeside(w *actor, except ...*actor) bool {
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || slices.Contains(except, a) || s.cameRound(a, w) {
			continue
		}
		if !a.own && !s.inModule(a, w.module) {
			// Another library's: it may read from the channel that it gave the program, or call the program back.
			if a.move == moves && w.class == frame.ClassOwn {
				return true
			}
			continue
		}
		switch a.move {
		case moves:
			return true
		case asks:
			if a.module != w.module { // in the same library it waits for what w is to do
				return true
			}
		case paced:
			if w.class == frame.ClassOwn && !s.aside(a, w) || !s.idles(a) {
				return true
			}
		}
	}
	return false
}

// idles reports whether a goroutine waits in the function that it began with, or anywhere below main.main. What only
// starts a function is no function of its own: the compiler's wrapper of a go statement with arguments, WaitGroup.Go.
func (s *view) idles(a *actor) bool {
	if a.root < 0 || a.site < 0 {
		return false
	}
	if a.inMain() {
		return true
	}
	for i := a.root; i > a.site; i-- {
		if !strings.HasPrefix(a.b.Frames[i].Func, "sync.(*WaitGroup).Go.") {
			return false
		}
	}
	return true
}

// inMain reports whether a goroutine is the main one.
func (a *actor) inMain() bool { return a.root >= 0 && a.b.Frames[a.root].Func == "main.main" }

// mayMove reports whether any other goroutine of the program or of its libraries is in the middle of something from
// which it will go on. Those that wait for a tick or for work in the function that they began with are between two
// rounds.
func (s *view) mayMove(w *actor) bool {
	return s.anyIn(w, func(a *actor) bool { return s.goesOn(a, w) })
}

// goesOn reports whether goroutines are in the middle of something, other than what those of w wait for.
func (s *view) goesOn(a, w *actor) bool {
	return s.amid(a) && !s.sameSite(a, w) && !s.cameRound(a, w)
}

// amid reports whether goroutines of the program or its libraries are in the middle of something. Those that wait for a
// lock are behind others.
func (s *view) amid(a *actor) bool {
	return (a.own || a.foreign) && !a.b.ForLock() && (a.move >= asks || a.move == paced && !s.idles(a))
}

// forgottenMinutes is how long goroutines wait before those who have moved since are no help: they came round, and left
// them waiting. Of 75 healthy programs that ran for 26 minutes none had a goroutine that waited so long to send, for a
// lock, or in a request; of 54 guilty ones 42 had.
const forgottenMinutes = 15

// cameRound reports whether goroutines rest in the function that they began with, and have begun to in the later half
// of the time that those of w wait, which is long (the half is chosen: minutes in a dump are off by two). In a call
// that they made they may be busy with one thing all the time, step by step.
func (s *view) cameRound(a, w *actor) bool {
	if w.b.MaxMinutes < forgottenMinutes || 2*a.b.MaxMinutes > w.b.MaxMinutes || a.b.Active > 0 || a.root < 0 ||
		a.b.Class == stackparse.ClassRunning || a.b.Class == stackparse.ClassRunnable {
		return false
	}
	return s.atRoot(a)
}

// atRoot reports whether goroutines are in the function that they began with, or in what it calls that is none of the
// program's or its libraries'.
func (s *view) atRoot(a *actor) bool {
	for i := a.root - 1; i >= 0; i-- {
		if f := &a.b.Frames[i]; f.Elided != 0 || rules.Blameable(s.d.Program.Class(f.Frame)) {
			return false
		}
	}
	return true
}

// nobodyMoves reports whether no goroutine of the program or its libraries is in the middle of anything, besides those
// of a bucket: nobody is there to take what these have, or to bring what they wait for.
func nobodyMoves(d *rules.DumpInput, bucket int) bool {
	s := newView(d)
	return !parsed.Waits(d).Hidden && !d.Truncated.Head && !d.Truncated.Tail && !s.mayMove(&s.actors[bucket])
}

// An age is what a dump reports about how long goroutines have waited.
type age uint8

const (
	unknown age = iota // the form has no minutes, or the collector has not run often enough
	young              // others have waited for minutes, these have not
	sure               // sureMinutes at least
)

// ageOf judges the longest wait of a bucket.
func (s *view) ageOf(a *actor) age {
	switch {
	case a.b.MaxMinutes >= sureMinutes:
		return sure
	case s.oldest >= sureMinutes && a.b.MaxMinutes == 0:
		return young
	}
	return unknown
}

// lasts reports whether all goroutines of a bucket wait, for as long as others as far as that shows, on stacks that are
// whole, in a dump that lost no end: a dump that did does not show who could end the wait.
func (s *view) lasts(a *actor) bool {
	return a.b.Active == 0 && a.site >= 0 && a.root >= 0 && s.ageOf(a) != young && !s.d.Truncated.Head &&
		!s.d.Truncated.Tail
}

// surest is the verdict about goroutines for whom nobody is left: only inferred where they may have come a moment ago.
func (s *view) surest(a *actor) verdict { return verdict{guilty: true, inferred: s.ageOf(a) != sure} }

// receiverOf is the receiver that a member of a bucket has in one of its calls, where the dump prints it for sure.
func receiverOf(b *stackparse.Bucket, member, at int) (uint64, bool) {
	for i := range b.Samples {
		if b.Samples[i].Index != member {
			continue
		}
		for _, w := range b.Samples[i].Words {
			if w.Frame() == at && w.Arg() == 0 {
				return w.Value(), !w.Uncertain()
			}
		}
	}
	return 0, false
}

// parentsKnown reports whether the dump prints who started each of some goroutines, and lists all goroutines.
func (s *view) parentsKnown(w *actor) bool {
	return len(w.b.Goroutines) > 0 && !s.d.Truncated.Head && !s.d.Truncated.Tail &&
		!slices.ContainsFunc(w.b.Goroutines, func(g stackparse.Goroutine) bool { return g.Parent == 0 })
}

// aside reports whether goroutines of the program wait for a tick, for work or for a signal, and have nothing to do
// with those of w: they are in the function that they began with, and no package of the program is on their stacks, or
// started them, that is on w's. What receives from a channel is nearly always in the package that sends on it, or was
// handed the channel by that; a reporter or a sweeper of another package that ticks once a minute is in every service.
// Of main, where all is wired, the place of the wait counts, and that the process listens to signals.
func (s *view) aside(a, w *actor) bool {
	if a.move != paced || !s.idles(a) {
		return false
	}
	if a.inMain() {
		// A select may have a tick, which has not come for a quarter of an hour.
		return (a.b.Class == stackparse.ClassChanReceive || a.b.MaxMinutes >= forgottenMinutes) && s.signals() &&
			!slices.Contains(s.ownPackages(w.b.Frames), s.name(a.b.Frames[a.site].Func).Package)
	}
	return s.apart(a, w)
}

// apart reports whether no package of the program is on the stacks of w, and on those of other goroutines or where
// these were started.
func (s *view) apart(a, w *actor) bool {
	frames := a.b.Frames
	if a.b.CreatedBy != nil {
		frames = append(slices.Clip(frames), *a.b.CreatedBy)
	}
	theirs := s.ownPackages(w.b.Frames)
	return !slices.ContainsFunc(s.ownPackages(frames), func(pkg string) bool { return slices.Contains(theirs, pkg) })
}

// ownPackages are the packages of the program among some calls.
func (s *view) ownPackages(frames []stackparse.Frame) (all []string) {
	for i := range frames {
		f := &frames[i]
		if f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			all = append(all, s.name(f.Func).Package)
		}
	}
	return all
}

// signals reports whether the process listens to signals.
func (s *view) signals() bool {
	return slices.ContainsFunc(s.actors, func(a actor) bool { return hasFunction(a.b, "os/signal.loop") })
}

// actorIn is the actor of a bucket of the dump.
func (s *view) actorIn(b *stackparse.Bucket) *actor {
	return &s.actors[slices.Index(s.d.Buckets, b)]
}
