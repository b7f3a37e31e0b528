package goroutines

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A stack is what a stack shows by itself, whatever its goroutines do.
type stack struct {
	place   rules.Place // who waits, or who started it where nobody on the stack is to be named
	started bool        // place is who started it
	caller  rules.Place // the nearest caller of place in code of the program
	callee  string      // the function of a library or the standard library that place called; "" for none
	creator string
	own     bool   // it waits in the program's own code, not in a library
	pkg     string // where it waits: that of place, or of a library that place called
	// calls are the frames outside the runtime and the standard library, leaf first, at most maxCalls; deep counts
	// those that are no framework's.
	calls []call
	deep  int
	back  int // as calledBack or callback returns it
	// callback is whether place is a function of the program that the library called in which the stack waits.
	callback bool
}

// maxCalls bounds the calls of a stack that facts are read from. Chosen: what the runtime prints of a deep stack.
const maxCalls = 100

// A call is one frame of a stack.
type call struct {
	function, pkg string
	receiver      string // the type of a method with a pointer receiver, with its package; "" for others
	own           bool   // of the program's own code
	frame         int    // index in the bucket's stack
}

var stacks = rules.DerivedOfStack(readStack)

func readStack(d *rules.DumpInput, b *stackparse.Bucket) *stack {
	blame, code := rules.BlameCaller(d, b), d.CodeOf(b)
	s := &stack{place: blame.Culprit, started: blame.Index < 0, creator: rules.PlainName(blame.Creator)}
	s.pkg = symbol.PackageOf(rules.PlainName(s.place.Function))
	for _, i := range rules.ShownFrames(b) {
		f, class := &b.Frames[i], code.Class(i)
		if f.Elided != 0 || !rules.Blameable(class) {
			continue
		}
		name := rules.PlainName(f.Func)
		if len(s.calls) < maxCalls {
			n := symbol.ParseName(name)
			c := call{function: name, pkg: n.Package, own: class == frame.ClassOwn, frame: i}
			if n.Pointer {
				c.receiver = n.Package + "." + n.Receiver
			}
			s.calls = append(s.calls, c)
		}
		if code.Framework(i) {
			continue
		}
		if s.deep++; s.deep == 1 && !s.started {
			s.own, s.pkg = class == frame.ClassOwn, symbol.PackageOf(name)
		}
		if i > blame.Index && class == frame.ClassOwn && s.caller.Function == "" &&
			name != rules.PlainName(s.place.Function) {
			s.caller = rules.PlaceOf(f.Frame)
		}
	}
	if at := slices.Index(b.Shown, blame.Index); at > 0 {
		s.callee = calleeOf(rules.PlainName(b.Frames[b.Shown[at-1]].Func))
	}
	s.back = calledBack(s.calls)
	if at := callback(s.calls); at > 0 && !s.started {
		s.back, s.callback, s.own, s.caller = at, true, true, rules.Place{}
		s.place = rules.PlaceOf(b.Frames[s.calls[at-1].frame].Frame)
	}
	return s
}

// callback finds the call of a library that went to a function of the program, from which the stack is back in that
// package and waits; 0 for none. The library waits for itself, and the program's function is to be changed.
func callback(calls []call) (at int) {
	if len(calls) == 0 || calls[0].own {
		return 0
	}
	at = slices.IndexFunc(calls, func(c call) bool { return c.own })
	for at > 0 && at < len(calls) && calls[at].own {
		at++
	}
	if at < 0 || at == len(calls) || calls[at].pkg != calls[0].pkg {
		return 0
	}
	return at
}

// calleeOf is a function that a place called, "" for one that its kind of wait says already.
func calleeOf(function string) string {
	for _, said := range []string{"runtime.", "internal/", "sync.", "time.Sleep"} {
		if strings.HasPrefix(function, said) {
			return ""
		}
	}
	return function
}

// calledBack finds the outermost call of the type whose method is called last that went to another type, as in a
// callback; 0 for none.
func calledBack(calls []call) (at int) {
	for i := 2; i < len(calls); i++ {
		if t := calls[0].receiver; t != "" && calls[i].receiver == t && calls[i-1].receiver != t {
			at = i
		}
	}
	return at
}

// A kind is how the goroutines of a group wait.
type kind string

// The kinds.
const (
	lock    kind = "lock"
	send    kind = "send"
	receive kind = "receive"
	choose  kind = "select"
	join    kind = "join"  // for others to finish, or for a signal of theirs
	never   kind = "never" // for nothing that could come
	compute kind = "compute"
	outside kind = "outside" // for something that is no goroutine of the process
	unknown kind = "unknown" // the stack does not show for what
)

// kinds are those of classes; others wait for something outside.
var kinds = map[stackparse.Class]kind{
	stackparse.ClassMutex: lock, stackparse.ClassRWMutexR: lock, stackparse.ClassRWMutexW: lock,
	stackparse.ClassSemaphore: lock, stackparse.ClassChanSend: send, stackparse.ClassChanReceive: receive,
	stackparse.ClassSelect: choose, stackparse.ClassWaitGroup: join, stackparse.ClassCond: join,
	stackparse.ClassNilChan: never, stackparse.ClassNoCases: never,
	stackparse.ClassRunning: compute, stackparse.ClassRunnable: compute, stackparse.ClassOther: unknown,
}

// A key is what the goroutines of a group have in common: the function they wait in, who started them, and their role
// or else how they wait.
type key struct{ function, creator, kind string }

// A group are the goroutines of one key in one dump.
type group struct {
	*view
	*stack
	key     key
	role    *rules.Role
	kind    kind
	buckets []*stackparse.Bucket // largest first
	n       int
	minutes uint32 // the longest wait
	points  float64
	owner   bool // no other goroutine seems to hold the lock that it waits for
	dumps   bool // it made the dump
	// waiting are those of which the wait graph knows relatives, served those with one that goes on.
	waiting, served int
}

// free reports whether no role says what the group does.
func (g *group) free() bool { return g.role == nil }

// computes reports whether the group has no role and runs, or is ready to.
func (g *group) computes() bool { return g.free() && g.kind == compute }

// peers reports whether the group has no role and waits for other goroutines.
func (g *group) peers() bool { return g.free() && g.kind != compute && g.kind != outside }

// stops reports whether others have to do something so that the group goes on with what it does.
func (g *group) stops() bool { return g.kind == lock || g.kind == send || g.kind == join }

// looped reports whether the group waits where its goroutines began: a loop, as far as a stack shows.
func (g *group) looped() bool { return g.deep <= 1 }

// parent is the function that started the goroutines of a group, as declared; where it is not known, the one that the
// function which they run is a closure of.
func (g *group) parent() string {
	if g.creator == "" && len(g.calls) > 0 {
		if root := g.calls[len(g.calls)-1].function; symbol.Base(root) != root {
			return symbol.Base(root)
		}
		return ""
	}
	return symbol.Base(g.creator)
}

// silentRoles are the runtime's own, and those of how any program is run and looked at.
var silentRoles = []string{
	"thread", "runtime-memory", "runtime-helper", "gc-worker", "finalizers", "dump-writer", "profile", "signal-watch",
	"accept",
}

// silent reports whether the group is no part of what the program does.
func (g *group) silent() bool {
	return g.dumps && g.free() || !g.free() && slices.Contains(silentRoles, g.role.Name)
}

// moves reports whether the group is at work: it computes, or waits for something outside the process or a timer, and
// does not rest.
func (g *group) moves() bool {
	return (g.kind == compute || g.kind == outside) && !g.silent() && !g.idle()
}

// idle reports whether the group rests where its role says.
func (g *group) idle() bool { return g.role != nil && g.role.Idle }
