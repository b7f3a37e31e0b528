// Package waitgraph infers which goroutines of a dump block each other: which wait for which lock, which one is
// likely to hold it, and what that one waits for in turn.
//
// A dump names no owner of a lock. It contains the address of what a goroutine waits for and the argument words of its
// calls; a lock lies inside the object whose methods take it. From these, and from the parents of goroutines,
// candidates follow, each with a strength. Only where nothing shows that the lock still moves do they make a Blockage.
// A dump goes into Memory.Build, a Graph comes out: begin reading there, then at solver.judge.
package waitgraph

import "github.com/gotriage/triage/stackparse"

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
	Semaphore Kind = "semaphore" // runtime_Semacquire by other code: a file's lock
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
	Addr uint64 // 0 where the dump has none: then the waiters are those at one place
	Kind Kind
	// Waiters are those that wait, by bucket.
	Waiters []Waiters
	Count   int // of all waiters
	// Woken counts goroutines that were woken from their wait and have not run yet: the lock moves.
	Woken   int
	Minutes uint32 // the longest wait in a header
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

// A Graph holds what the goroutines of one dump wait for, and for which others.
type Graph struct {
	// Objects are those with waiters, most waiters first; for channels, WaitGroups and Conds only those with two or
	// more.
	Objects []Object
	// Blockages are the causes why goroutines can't go on, those with the most waiters first.
	Blockages []Blockage
	// Orphans are goroutines that wait for something that no other goroutine seems to bring.
	Orphans []Orphan
	// Cut reports that some locks are in no blockage because too many differ for the budget of comparisons.
	Cut bool
	// Test reports that the process is a test binary.
	Test bool
	// Hidden reports that the stack of a goroutine is not in the dump: it ran on another thread, and may hold any lock,
	// or the dump is a Part.
	Hidden bool
	// Part reports that others are missing, too: these few were copied out of a dump, or it was cut.
	Part bool
	// Working reports that a goroutine computes in code outside the standard library, other than the one that dumps.
	Working bool
}

// Empty reports whether nothing is known to hold anyone up.
func (g *Graph) Empty() bool {
	return g == nil || len(g.Objects) == 0 && len(g.Blockages) == 0 && len(g.Orphans) == 0
}

// Bounds. Detailed comparisons are bounded, counts are not.
const (
	// maxMembers is how many waiters of one bucket and object are kept: samples of a bucket are as many.
	maxMembers = 64
	// maxAlike is how many locks with waiters in the same buckets are solved one by one: the same fault in every
	// session of a server is one cause.
	maxAlike = 24
	// maxSmall bounds objects with a single waiter that are kept of one bucket.
	maxSmall = 1024
	// maxAddrs bounds the locks that a blockage names.
	maxAddrs = 1024
)

// GoroutineOf returns the goroutine that r names. A dump that only counts goroutines knows nothing of it.
func GoroutineOf(d *stackparse.Dump, r Ref) *stackparse.Goroutine {
	if len(d.Buckets[r.Bucket].Goroutines) == 0 {
		return &stackparse.Goroutine{}
	}
	return &d.Buckets[r.Bucket].Goroutines[r.Member]
}

// A BlockKind is why goroutines can't go on.
type BlockKind string

// The kinds of blockages.
const (
	// DoubleLock: a goroutine waits for a lock that it holds itself, or that no goroutine holds that could release it.
	DoubleLock BlockKind = "double lock"
	// LockCycle: goroutines wait for locks that others of them hold.
	LockCycle BlockKind = "lock cycle"
	// ReaderRecursion: readers wait behind a writer that waits until the first readers are gone, which wait for the
	// others.
	ReaderRecursion BlockKind = "reader recursion"
	// HeldInChannel: the holder waits for a channel.
	HeldInChannel BlockKind = "held in channel"
	// HeldInWaitGroup, HeldInCond: the holder waits for others to finish, or to be signalled.
	HeldInWaitGroup BlockKind = "held in waitgroup"
	HeldInCond      BlockKind = "held in cond"
	// Held: the holder sleeps, reads, writes or computes, and may go on.
	Held BlockKind = "held"
)

// A Blockage is one reason why goroutines wait for locks.
type Blockage struct {
	Kind BlockKind
	// Links are the locks that take part, each with some of its waiters and its holder. A cycle has one link a lock,
	// so that each holder is a waiter of the next link.
	Links []Link
	// Waiters counts all that wait for the locks of all instances, and for those of victims.
	Waiters int
	// Behind are the victims' locks, whose holders wait in the blockage; Victims counts all that wait for such.
	Behind  []Link
	Victims int
	// Addrs are the addresses of these locks, at most maxAddrs.
	Addrs []uint64
	// Instances counts the locks over which the same buckets block each other.
	Instances int
	// Minutes is the longest wait in a header.
	Minutes uint32
	// Moves reports that a candidate computes, or that a goroutine was just woken from waiting for a lock: it may be
	// released at any time.
	Moves bool
	// Busy reports that a goroutine computes in the package that takes the lock.
	Busy bool
	// Rival reports that another goroutine than the one that waits for its own lock may hold it, and goes on by itself;
	// Beside that one goes on in a package of its callers, which may hold it too.
	Rival, Beside bool
	// Alike reports that another goroutine, which waits for no lock, is as likely to hold the one that a goroutine has
	// most likely locked itself.
	Alike bool
	// Either reports that an outer call on a waiter's own stack is as likely to hold the lock as the holder.
	Either bool
	// Started reports that the holder was started by a goroutine that waits for the lock itself, and that nothing else
	// which that one started goes on.
	Started bool
	// Sleeper is a goroutine that may hold the lock of a DoubleLock or ReaderRecursion asleep (Holder.Asleep), where no
	// stack shows a holder; its Strength is 0 for none.
	Sleeper Holder
	// Served reports that a goroutine that may bring what the holder waits for is at work, or waits for I/O, a timer
	// or a system call.
	Served bool
}

// A Link is a lock with one of its waiters and its holder.
type Link struct {
	Object Object
	Waiter Ref
	// Holder is the candidate; Strength is 0 where no goroutine could hold the lock.
	Holder Holder
	// Self reports that Holder is a waiter of the same object.
	Self bool
	// Site is the call in which the waiter of a DoubleLock takes the lock, and Callback the one on its stack that the
	// code with the lock called back; 0 for none.
	Callback, Site int
	// Panic is the call on the stack of the waiter of a DoubleLock that panicked, where the wait is in what was
	// deferred before; 0 for none.
	Panic int
}

// An Orphan is a bucket of goroutines that wait for something other than a lock, and what is known about those that
// could bring it. The graph counts; rules decide which are faults.
type Orphan struct {
	Bucket int
	Kind   Kind // Channel, WaitGroup, Cond, Semaphore
	Mode   Mode // ModeSend, ModeReceive; ModeWait for selects and the others
	Select bool // a select: the dump names none of its channels
	// Count are the goroutines that wait: those just woken are not among them.
	Count int
	// Objects counts what they wait for, 0 where the dump has no addresses; Most is how many wait for the one with
	// the most.
	Objects, Most int
	// Parents counts those whose parent is printed (Go 1.21+), Gone those of them whose parent has ended, Returned
	// those whose parent lives but has left the function with the go statement.
	Parents, Gone, Returned int
	// Owners counts the parents that live: as many as there are goroutines may each use the one that it started.
	Owners int
	// Served counts the goroutines of which a relative (parent, child, child of the same parent) is at work or waits
	// for the outside world: I/O, a timer, a system call. Of a bucket with more than maxMembers goroutines the first
	// are counted and the number is scaled.
	Served int
	// Explained reports that they wait for relatives that are stuck themselves: the cause lies there.
	Explained bool
	// Minutes is the longest wait in a header.
	Minutes uint32
}

// A Strength is how strong the evidence is that a goroutine holds a lock.
type Strength int

// The strengths. From MinHolder on a goroutine is called a candidate.
const (
	// StrengthFile: it is in code of the file that takes the lock.
	StrengthFile Strength = 1
	// StrengthFamily: in that file, and of the waiters' family.
	StrengthFamily Strength = 2
	// StrengthType: it is in a method of the type whose method takes the lock.
	StrengthType Strength = 3
	// StrengthObject: in a method of that type and of the same family, in the function that takes the lock, behind
	// the place where it does, or at work on an object that the lock lies in.
	StrengthObject Strength = 4
	// StrengthSure: its call has the very receiver whose method takes the lock, or the lock's address as a word.
	StrengthSure Strength = 5

	MinHolder = StrengthFamily
)

// A Holder is a candidate for holding an object.
type Holder struct {
	Ref
	// Frame is the call that is the evidence, an index into the bucket's Frames; -1 where its family does.
	Frame    int
	Strength Strength
	// Doubt reports that the evidence is as good for another lock or for another goroutine.
	Doubt bool
	// Passed reports that it has passed the line at which one of the waiters waits, in the same call of the lock's
	// object.
	Passed bool
	// Asleep reports that it sleeps in the call that it began with, in a method of the type whose method takes the
	// lock or with the lock's address. It may be a loop that rests between two rounds: so it is weak evidence. But a
	// loop that takes the lock in each round would wait for it by now.
	Asleep bool
}

// isLock reports whether goroutines that wait for a kind wait for another one to release it.
func isLock(k Kind) bool { return k == Mutex || k == RWMutex || k == Once }
