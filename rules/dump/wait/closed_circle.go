package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// closedCircles is the part of closed-circle (TR445) about who waits for others to finish and is the one that they wait
// for.
func (s *view) closedCircles() []rules.Finding {
	found := append(s.groupInGroup(), s.slotInSlot()...)
	for i := range s.actors {
		w := &s.actors[i]
		if w.b.Active > 0 || w.site < 0 || w.role != nil || s.ageOf(w) == young {
			continue
		}
		switch {
		case w.b.Class == stackparse.ClassWaitGroup:
			if children := s.stuckChildren(w); len(children) > 0 {
				found = append(found, s.circleFinding(w, children))
			} else if senders := s.sendersOfEnded(w); len(senders) > 0 {
				found = append(found, s.circleFinding(w, senders, "of its type"))
			} else if senders := s.sendersOfPackage(w); len(senders) > 0 {
				found = append(found, s.circleFinding(w, senders, "of its type"))
			}
		case waitsForOutput(w):
			if copier := s.stuckCopier(w); copier != nil {
				found = append(found, s.circleFinding(w, []*actor{copier}, "command"))
			}
		}
	}
	return found
}

// waitsForOutput reports whether one goroutine waits in Wait of a command until what the command prints has been
// copied.
func waitsForOutput(w *actor) bool {
	return w.b.Class == stackparse.ClassChanReceive && w.b.Count == 1 && hasFunction(w.b, "os/exec.(*Cmd).Wait")
}

// stuckCopier is the goroutine that copies the output of a command for which w waits, if the writer that it was given
// waits to send and nobody moves who may receive; nil otherwise. Forms that show no parents have to show one only.
func (s *view) stuckCopier(w *actor) *actor {
	var copier *actor
	ofAnother := func(g stackparse.Goroutine) bool {
		return g.Parent != 0 && len(w.b.Goroutines) > 0 && g.Parent != w.b.Goroutines[0].ID
	}
	for i := range s.actors {
		a := &s.actors[i]
		if !a.has(func(f *frame.Frame) bool { return strings.HasPrefix(f.Func, "os/exec.(*Cmd).Start.") }) ||
			slices.ContainsFunc(a.b.Goroutines, ofAnother) {
			continue
		}
		if copier != nil {
			return nil
		}
		copier = a
	}
	if copier == nil || copier.b.Class != stackparse.ClassChanSend || copier.b.Active > 0 ||
		!rules.Blameable(copier.class) || s.ageOf(copier) == young || s.moverBeside(copier, w) {
		return nil
	}
	return copier
}

// stuckChildren are the goroutines that w started and waits for, if all of them wait to send and nobody moves who may
// receive; nil otherwise.
func (s *view) stuckChildren(w *actor) []*actor {
	var children []*actor
	from := s.originOf(w)
	for _, fn := range from.functions { // the innermost that started any: main starts all sorts of things
		one := origin{functions: []string{fn}, types: from.types, ids: from.ids}
		for i := range s.actors {
			if a := &s.actors[i]; a != w && s.started(&one, a) {
				children = append(children, a)
			}
		}
		if len(children) > 0 {
			break
		}
	}
	// A child may wait for children of its own in the same call, when work is divided again and again.
	nested := func(a *actor) bool { return s.sameSite(a, w) && a.b.Active == 0 }
	ahead := []*actor{w}
	for _, a := range children {
		if nested(a) {
			ahead = append(ahead, a)
		}
	}
	children = slices.DeleteFunc(children, nested)
	for _, a := range children {
		if a.b.Class != stackparse.ClassChanSend || a.b.Active > 0 || s.ageOf(a) == young {
			return nil
		}
	}
	for _, a := range children {
		if s.moverBeside(a, append(s.strangers(a, w), ahead...)...) {
			return nil
		}
	}
	return children
}

// sendersOfEnded are the goroutines in methods of a type, if w waits in one that ends the type's object, all of them
// wait to send, and nobody moves who may receive; nil otherwise.
func (s *view) sendersOfEnded(w *actor) []*actor {
	if w.class != frame.ClassOwn || w.root <= w.site || !s.stops(w.b.Frames[w.site].Func) {
		return nil
	}
	typ := s.typeOf(w.b.Frames[w.site].Func)
	if typ == "" || s.loopType(w) == typ {
		return nil
	}
	var senders []*actor
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || s.sameSite(a, w) || !s.worksInType(a, typ) {
			continue
		}
		if a.b.Class != stackparse.ClassChanSend || a.b.Active > 0 || s.ageOf(a) == young || s.loopType(a) != typ ||
			!s.mayBeOne(w, a, typ) || s.moverBeside(a, w) {
			return nil
		}
		senders = append(senders, a)
	}
	return senders
}

// strangers are loops that wait for their work or a tick, and main, where a closure sends that a function started which
// waits now: its channel is most likely the function's own, which loops of other files do not know. A stage of a
// pipeline is another case: there a closure waits as well, and the function has returned with the channel.
func (s *view) strangers(sender, w *actor) []*actor {
	if sender.site < 0 || sender.class != frame.ClassOwn {
		return nil
	}
	site := sender.b.Frames[sender.site]
	if s.name(site.Func).Closure == "" || !slices.ContainsFunc(w.b.Frames, func(f stackparse.Frame) bool {
		return s.name(f.Func).Closure == "" && s.enclosing(f.Func) == s.enclosing(site.Func)
	}) {
		return nil
	}
	var all []*actor
	for i := range s.actors {
		a := &s.actors[i]
		if a.move == paced && s.idles(a) && (a.b.Frames[a.site].File != site.File || a.inMain()) {
			all = append(all, a)
		}
	}
	return all
}

// An origin is where goroutines may come from that someone waits for: the functions on the stack of who waits, and its
// id.
type origin struct {
	functions []string // declared ones that are neither the runtime's nor the standard library's
	types     []string // those of dependencies: a Group waits for what its Go started
	ids       map[uint64]bool
}

func (s *view) originOf(w *actor) origin {
	o := origin{ids: map[uint64]bool{}}
	for i := range w.b.Goroutines {
		o.ids[w.b.Goroutines[i].ID] = true
	}
	for i := range w.b.Frames {
		f := &w.b.Frames[i]
		c := s.d.Program.Class(f.Frame)
		if f.Elided != 0 || !rules.Blameable(c) {
			continue
		}
		o.functions = append(o.functions, s.enclosing(f.Func))
		if typ := s.typeOf(f.Func); c != frame.ClassOwn && typ != "" {
			o.types = append(o.types, typ)
		}
	}
	return o
}

// started reports whether goroutines come from there. Where parents are printed one of them must be the one that waits;
// counted forms name no creators: there goroutines are closures of the functions.
func (s *view) started(o *origin, a *actor) bool {
	c := a.b.CreatedBy
	switch {
	case !a.own && !a.foreign: // a server that runs beside
		return false
	case c != nil:
		if rules.PlainName(c.Func) != "sync.(*WaitGroup).Go" && !slices.Contains(o.functions, s.enclosing(c.Func)) &&
			!slices.Contains(o.types, s.typeOf(c.Func)) {
			return false
		}
		return slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
			return g.Parent == 0 || o.ids[g.Parent]
		})
	case len(a.b.Goroutines) > 0:
		return false
	}
	for i := a.root; i >= 0; i-- { // below what calls them: sync.(*WaitGroup).Go, errgroup
		fn := a.b.Frames[i].Func
		if slices.Contains(o.functions, s.enclosing(fn)) {
			return s.name(fn).Closure != ""
		}
	}
	return false
}

func (s *view) circleFinding(w *actor, children []*actor, cases ...string) rules.Finding {
	v := guilty().but(s.ageOf(w) != sure && (s.comesBy(w, children) || len(cases) == 0 && s.mainComesBy(w)), tickToCome)
	v.cases = cases
	n := 0
	for _, a := range children {
		n += a.b.Count
		if len(v.evidence) < maxUsers {
			v.evidence = append(v.evidence, rules.EvidenceOf(s.d, a.b, ""))
		}
	}
	v.values = account.Values{"all": "All " + phrase.CountGoroutines(n) + " that it started wait",
		"there": rules.PlaceText(rules.BlameBucket(s.d, children[0].b).Culprit)}
	if n == 1 {
		v.values["all"] = "The goroutine that it started waits"
	}
	return s.finding("closed-circle", w, v)
}

const groupGo = "golang.org/x/sync/errgroup.(*Group).Go"

// inGroup reports whether a goroutine waits for a slot of an errgroup: closed-circle judges that.
func inGroup(w *actor) bool { return rules.PlainName(w.b.Frames[w.site].Func) == groupGo }

// groupInGroup finds tasks of errgroups with a limit that all wait for the slot of a further task: nobody is left who
// could give one back.
func (s *view) groupInGroup() []rules.Finding {
	var tasks []*actor
	for i := range s.actors {
		a := &s.actors[i]
		if a.root < 0 || a.site < 0 || !strings.HasPrefix(rules.PlainName(a.b.Frames[a.root].Func), groupGo+".") {
			continue
		}
		if a.b.Class != stackparse.ClassChanSend || a.b.Active > 0 || s.ageOf(a) == young || !inGroup(a) {
			return nil
		}
		tasks = append(tasks, a)
	}
	var found []rules.Finding
	for _, a := range tasks {
		found = append(found, s.finding("closed-circle", a, guilty().with(nil, "group")))
	}
	return found
}

// manyCountedSlots is how many goroutines of a form that only counts them must wait for a slot: there one that was
// woken looks as if it waited still. Chosen: the one that gave the slot back would have to be nowhere to be seen in
// that moment.
const manyCountedSlots = 5

// slotInSlot finds goroutines that have a slot of a pool and wait for another one, while all users of the pool wait: a
// function that takes a slot waits on some stacks in the call that takes it, and is past that call on others, which
// wait in the same call again. Nobody who is past it does anything else, and nobody of the program is in the middle of
// anything, who could give a slot back.
func (s *view) slotInSlot() (found []rules.Finding) {
	for i := range s.actors {
		w := &s.actors[i]
		busy := func(a *actor) bool { return s.goesOn(a, w) && !s.readsAtRoot(a) }
		if !s.takesSlot(w) || s.anyIn(w, busy) {
			continue
		}
		user, outer := s.userAround(w)
		if user == nil || len(w.b.Goroutines) == 0 && w.b.Count+user.b.Count < manyCountedSlots {
			continue
		}
		v := guilty().but(s.ageOf(w) != sure && !s.ofPool(w.b.Frames[w.site].Func), timerToCome).with(account.Values{
			"all": waitsVerb(user.b.Count), "outer": rules.PlaceText(rules.PlaceOf(w.b.Frames[outer].Frame)),
		}, "slots")
		v.at = s.ownCall(w)
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, user.b, "")}
		found = append(found, s.finding("closed-circle", w, v))
	}
	return found
}

// takesSlot reports whether goroutines wait in memory in a call that the program made of a method of its own or of a
// library that takes a slot, as its name or its type's shows: what takes a value out of a queue, sleeps in a select or
// waits for its turn by a clock looks the same, however long it takes.
func (s *view) takesSlot(w *actor) bool {
	switch w.b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassCond,
		stackparse.ClassSemaphore:
	default:
		return false
	}
	if w.b.Active > 0 || w.site < 0 || w.root <= w.site || !w.own || w.role != nil || s.ageOf(w) == young ||
		w.class == frame.ClassStdlib || w.class == frame.ClassRuntime {
		return false
	}
	fn := w.b.Frames[w.site].Func
	return s.ofPool(fn) || s.takesFromPool(fn) || s.typeOf(fn) != "" && s.begins(fn, sectionNames[:])
}

// userAround finds the goroutines that wait in a function of the program for what w has taken there: the function calls
// what w waits in, from another line than that where w is past it. It is nil where a goroutine is in that function that
// waits for something else.
func (s *view) userAround(w *actor) (user *actor, outer int) {
	inner := s.takerOf(w)
	for i := w.site + 1; i <= w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided != 0 || s.d.Program.Class(f.Frame) != frame.ClassOwn {
			continue
		}
		direct := func(a *actor) bool { // it waits in the call that f makes elsewhere; where f makes both, before
			if !s.sameSite(a, w) || a.b.Active > 0 || !s.mayBeOne(a, w, s.typeOf(w.b.Frames[w.site].Func)) {
				return false // the function may take from two pools
			}
			k := s.takerOf(a)
			return k < len(a.b.Frames) && a.b.Frames[k].Func == f.Func && a.b.Frames[k].Line != f.Line &&
				(i > inner || a.b.Frames[k].Line < f.Line)
		}
		k := slices.IndexFunc(s.actors, func(a actor) bool { return &a != w && direct(&a) })
		if k < 0 {
			continue
		}
		if s.anyIn(w, func(a *actor) bool { return !s.sameSite(a, w) && hasFunction(a.b, f.Func) }) {
			return nil, 0
		}
		return &s.actors[k], i
	}
	return nil, 0
}

// takerOf is the call of the function that asked for what goroutines wait for: of the program's where a library's
// method waits, which may have called others.
func (s *view) takerOf(a *actor) int {
	if a.class != frame.ClassOwn {
		if at := s.ownCall(a); at > 0 {
			return at
		}
	}
	return a.site + 1
}

// ownCall is the innermost call of the program's, where a library's waits: what takes a slot of a semaphore is right,
// who takes two is not. 0 where there is none.
func (s *view) ownCall(w *actor) int {
	for i := w.site; i <= w.root; i++ {
		f := &w.b.Frames[i]
		if f.Elided == 0 && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return 0
}

// readsAtRoot reports whether goroutines of the program wait in the function that they began with for what comes from
// a connection: between two requests, they have nothing of anyone's.
func (s *view) readsAtRoot(a *actor) bool {
	if a.b.Class != stackparse.ClassIO || a.b.Active > 0 || a.root < 0 {
		return false
	}
	for i := 0; i < a.root; i++ {
		if f := &a.b.Frames[i]; f.Elided != 0 || !s.inStdlib(f) {
			return false
		}
	}
	return true
}

func (s *view) inStdlib(f *stackparse.Frame) bool {
	switch s.d.Program.Class(f.Frame) {
	case frame.ClassStdlib, frame.ClassRuntime:
		return true
	}
	return false
}

// poolTakes are how the names of methods begin that take something out of a pool.
var poolTakes = [...]string{"acquire", "borrow", "checkout", "get", "lease", "take", "conn", "reserve"}

// slotTakes are how the names of methods begin that take a slot of whatever their type is called: nobody waits for
// work in them, as in Take.
var slotTakes = [...]string{"acquire", "borrow", "checkout", "lease", "reserve", "grab"}

// takesFromPool reports whether a function is a method of a pool that takes something out of it, or of a semaphore.
func (s *view) takesFromPool(fn string) bool {
	n := s.name(fn)
	return n.Receiver != "" && (s.ofPool(fn) && s.begins(fn, poolTakes[:]) || s.begins(fn, slotTakes[:]))
}

// ofPool reports whether a function is a method of a pool, as its type's name shows.
func (s *view) ofPool(fn string) bool {
	return strings.HasSuffix(strings.ToLower(s.name(fn).Receiver), "pool") && !s.rationed(fn)
}

// rationedWords are words in the names of types that lend what others allow to be used only so often: keys of an
// interface, proxies, accounts. Each rests for a while after its use, and a timer's function, on no stack, brings it
// back. Connections, buffers and workers have no such rest.
var rationedWords = [...]string{"key", "token", "proxy", "proxies", "account", "credential", "license", "quota",
	"identity"}

// rationed reports whether a function is a method of a type that lends what has to rest between two uses, as its name
// shows: that nobody has any of it in hand is how such a pool at its limit looks.
func (s *view) rationed(fn string) bool {
	return s.typeNamed(fn, rationedWords[:])
}
