// Package waitgraph tells who blocks whom in one dump: which goroutines wait for which lock, who is likely to hold it, and
// what that one waits for in turn.
//
// A dump names no owner of a lock. It names the address of what a goroutine waits for, and the words of its calls; a lock
// sits inside the object whose methods take it. From that, and from who started whom, candidates are inferred, each with
// a strength. What follows is a Blockage only where nothing shows that the lock still moves.
package waitgraph

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// A Kind is what a goroutine waits for.
type Kind string

// The kinds of objects.
const (
	Mutex     Kind = "mutex"
	RWMutex   Kind = "rwmutex"
	Once      Kind = "once" // the Mutex in a sync.Once
	Channel   Kind = "channel"
	WaitGroup Kind = "waitgroup"
	Cond      Kind = "cond"
	Semaphore Kind = "semaphore" // runtime_Semacquire of something else: a file's lock
)

// A Mode is how goroutines wait for an object.
type Mode string

// The modes.
const (
	ModeLock    Mode = "lock"
	ModeRLock   Mode = "rlock"
	ModePending Mode = "pending" // a writer that waits until the readers are gone; new readers wait behind it
	ModeQueued  Mode = "queued"  // a writer behind another writer
	ModeSend    Mode = "send"
	ModeReceive Mode = "receive"
	ModeWait    Mode = "wait"
)

// An Object is something that goroutines wait for.
type Object struct {
	Addr uint64 // 0 where the dump does not tell: then the waiters are those at one place
	Kind Kind
	// Waiters are those that wait, by bucket.
	Waiters []Waiters
	Count   int // of all waiters
	// Woken counts goroutines that were woken from their wait and have not run yet: the lock moves.
	Woken   int
	Minutes uint32 // the longest wait that a header tells
}

// Waiters are the goroutines of one bucket that wait for one object.
type Waiters struct {
	Bucket  int // index into Dump.Buckets
	Mode    Mode
	Count   int
	Members []int // the first of them, as indices into Bucket.Goroutines; at most maxMembers
}

// A Ref names a goroutine: Dump.Buckets[Bucket].Goroutines[Member].
type Ref struct{ Bucket, Member int }

// A Graph is who waits for whom in one dump.
type Graph struct {
	// Objects are those with waiters, most waiters first; for channels, WaitGroups and Conds only those with two or more.
	Objects []Object
	// Blockages say why goroutines can't go on, one a cause, the most waiters first.
	Blockages []Blockage
	// Orphans are goroutines that wait for something that nobody seems to bring.
	Orphans []Orphan
	// Cut says that some locks are in no blockage because there were too many different ones to look at.
	Cut bool
	// Test says that the process is a test binary.
	Test bool
	// Working says that somebody computes in code that is not the standard library's, other than the goroutine that dumps.
	Working bool
}

// Bounds. What is looked at in detail is bounded, what is counted is not.
const (
	// maxMembers is how many waiters of one bucket and object are kept: samples of a bucket are as many.
	maxMembers = 64
	// maxAlike is how many locks with waiters in the same buckets are looked at one by one: the same fault in every
	// session of a server is one cause.
	maxAlike = 24
	// maxSmall bounds objects with a single waiter that are kept of one bucket.
	maxSmall = 1024
)

// Build makes the graph of d, a dump of program. idle says of a bucket (by index) that its goroutines may wait for ever;
// it may be nil. Dumps without addresses and ids (debug=1, profiles) give an empty graph.
func Build(d *stackparse.Dump, program frame.Program, idle func(bucket int) bool) *Graph {
	g := &Graph{}
	if d.Format == stackparse.FormatDebug1 || d.Format == stackparse.FormatProfile || d.Format == stackparse.FormatRace {
		return g
	}
	if idle == nil {
		idle = func(int) bool { return false }
	}
	s := newSolver(d, program, idle)
	s.collect()
	s.solve()
	g.Test, g.Working = s.isTest(), s.anyWorks()
	s.findOrphans(g.Test)
	g.Objects, g.Blockages, g.Orphans, g.Cut = s.shown(), s.blockages, s.orphans, s.cut
	return g
}

// shown are the objects that a report lists.
func (s *solver) shown() []Object {
	order := make([]*Object, 0, len(s.objects)+len(s.others))
	for _, list := range [][]Object{s.objects, s.others} {
		for i := range list {
			if o := &list[i]; o.Count > 1 || isLock(o.Kind) {
				order = append(order, o)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *Object) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Addr, b.Addr)) })
	all := make([]Object, len(order))
	for i, o := range order {
		all[i] = *o
	}
	return all
}

// GoroutineOf returns the goroutine that r names.
func GoroutineOf(d *stackparse.Dump, r Ref) *stackparse.Goroutine {
	return &d.Buckets[r.Bucket].Goroutines[r.Member]
}
