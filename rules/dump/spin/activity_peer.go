package spin

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// neighbours are the goroutines of a dump that wait, as far as they show what the ones at work are up to. It is made
// once for all of them: a hostile dump has as many stacks at work as stacks that wait.
type neighbours struct {
	peers    map[peer]bool        // who waits, for others, in which function
	creators map[frame.Frame]bool // the go statements that peers come from, as far as someone at work does
	joins    map[joiner]bool      // who waits for a WaitGroup, in which function; id 0 for any of that function
	sends    bool                 // someone waits to send
	sleepers map[string]bool      // functions in which someone sleeps
	channels map[string]bool      // functions that started who waits on a channel, and who is at work
	parents  map[uint64]bool      // goroutines that started others that are still there (ids of parents: Go 1.21+)
}

// A peer is the function that a waiting goroutine's stack blames, and the go statement that it comes from.
type peer struct {
	creator  frame.Frame
	function string
}

type joiner struct {
	function string
	id       uint64
}

var neighboursOf = rules.DerivedOfDump(func(d *rules.DumpInput) *neighbours {
	n := &neighbours{peers: map[peer]bool{}, creators: map[frame.Frame]bool{}, joins: map[joiner]bool{},
		channels: map[string]bool{}, parents: map[uint64]bool{}, sleepers: map[string]bool{}}
	starts := startsOfActive(d)
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if parent := b.Goroutines[i].Parent; parent != 0 {
				n.parents[parent] = true
			}
		}
		for i := range b.Goroutines {
			if g := &b.Goroutines[i]; !stackparse.Runnable(d.StateOf(g)) {
				if b.Class == stackparse.ClassWaitGroup {
					n.join(rules.BlameBucket(d, b).Culprit.Function, b)
				} else {
					n.add(d, b, starts)
				}
				break
			}
		}
	}
	return n
})

// startsOfActive are the functions with the go statements that goroutines at work come from: only these have peers.
func startsOfActive(d *rules.DumpInput) map[string]bool {
	starts := map[string]bool{}
	for _, b := range d.Buckets {
		if b.Active > 0 && b.CreatedBy != nil {
			starts[b.CreatedBy.Func] = true
		}
	}
	return starts
}

func (n *neighbours) add(d *rules.DumpInput, b *stackparse.Bucket, starts map[string]bool) {
	if b.Class == stackparse.ClassSleep {
		n.sleepers[rules.BlameBucket(d, b).Culprit.Function] = true
	}
	if !waitsForOthers(b.Class) {
		return
	}
	n.sends = n.sends || b.Class == stackparse.ClassChanSend
	if b.CreatedBy == nil || !starts[b.CreatedBy.Func] {
		return
	}
	n.creators[b.CreatedBy.Frame] = true
	n.peers[peer{b.CreatedBy.Frame, rules.BlameBucket(d, b).Culprit.Function}] = true
	switch b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect:
		n.channels[b.CreatedBy.Func] = true
	}
}

// join notes who waits for a WaitGroup. main is left out: it waits for what runs as long as the program.
func (n *neighbours) join(fn string, b *stackparse.Bucket) {
	for i := range b.Goroutines {
		if id := b.Goroutines[i].ID; id != 1 {
			n.joins[joiner{fn, id}] = true
			n.joins[joiner{fn, 0}] = true
		}
	}
}

// waitsForOthers reports whether goroutines of a class wait for others.
func waitsForOthers(c stackparse.Class) bool {
	switch c {
	case stackparse.ClassChanReceive, stackparse.ClassSelect, stackparse.ClassCond, stackparse.ClassMutex,
		stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassSemaphore, stackparse.ClassChanSend:
		return true
	}
	return false
}

// near are the neighbours, made when they are first asked for.
func (a *active) near() *neighbours { return neighboursOf.Of(a.d) }

// peerWaits reports whether another goroutine of the same go statement waits in a function that a's goroutine has left
// for what it does now: these are workers, the others wait for something to do, and this one has it. Which is no proof:
// another dump shows. Without a stack every waiting goroutine of the go statement is a peer.
func (a *active) peerWaits() bool {
	created := a.bucket.CreatedBy
	if created == nil || !a.near().creators[created.Frame] {
		return false
	}
	if a.leaf < 0 {
		return true
	}
	leaf := a.bucket.Frames[a.leaf].Func
	for _, i := range a.bucket.Shown {
		if fn := a.bucket.Frames[i].Func; i > a.leaf && fn != leaf && fn != "" && a.near().peers[peer{created.Frame,
			fn}] {
			return true
		}
	}
	return false
}

// backsOff reports whether another goroutine sleeps in the function that polls a value: the loop does so where it takes
// long, as in locks that try for a moment first.
func (a *active) backsOff() bool { return a.near().sleepers[a.blame().Culprit.Function] }

// joined reports whether the function that started a's goroutine waits in a WaitGroup: a part of a task that was split
// up, which its starter expects to end.
func (a *active) joined() bool {
	created := a.bucket.CreatedBy
	return created != nil && a.near().joins[joiner{created.Func,
		a.goroutines[0].Parent}] // parents are reported since Go 1.21
}

// talks reports whether a goroutine that the same function started waits on a channel: the two may work for each other.
func (a *active) talks() bool {
	created := a.bucket.CreatedBy
	return created != nil && a.near().channels[created.Func]
}

// starts reports whether one of a's goroutines has started another that is still there: it calls something.
func (a *active) starts() bool {
	return slices.ContainsFunc(a.goroutines, func(g stackparse.Goroutine) bool {
		return a.near().parents[g.ID]
	})
}
