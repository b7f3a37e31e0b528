package sources

import (
	"fmt"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// maxStacks bounds what the distinct stacks of all sources' dumps take, in bytes as stackparse.Dump.Cost counts them.
// 1,000 pods with a dump of 47 stacks each take 91 MB where their frames are equal and their words are not.
const maxStacks = 96 << 20

// A dumpBudget keeps the dumps of the first sources, in order of the inputs, and of no more than have room: which are
// kept doesn't depend on which source is read first. Sources that show one stack share its frames: the pods of a
// workload differ in little else than their numbers.
type dumpBudget struct {
	most int

	mu     sync.Mutex
	used   int              // by all
	all    []budgetedSource // in order of the sources
	full   bool             // those behind them have no room
	seed   maphash.Seed
	stacks map[uint64]*sharedStack // by the hash of all their frames
}

// A budgetedSource is a source with dumps.
type budgetedSource struct {
	rd     *Result
	cost   int            // of the dumps that it had
	shares []*sharedStack // of its dumps, whose frames take nothing where a source before has them
}

// A sharedStack is a stack as the first source that was read has it.
type sharedStack struct {
	number int
	bucket *stackparse.Bucket
}

// add takes the result of a source that was read, and drops dumps that have no room now.
func (r *dumpBudget) add(result *Result) {
	u := budgetedSource{rd: result}
	for _, d := range result.Dumps {
		u.cost += d.Dump.Cost
	}
	if u.cost == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i, _ := slices.BinarySearchFunc(r.all, result, func(u budgetedSource, result *Result) int {
		return u.rd.Source.Compare(result.Source)
	})
	if r.full && i == len(r.all) {
		result.dropDumps()
		return
	}
	r.share(&u)
	r.all = slices.Insert(r.all, i, u)
	if r.used > r.most {
		r.drop()
	}
}

// share lets a source's dumps share stacks with those that were read before. What it saves is the same whichever of
// them was read first.
func (r *dumpBudget) share(u *budgetedSource) {
	if r.stacks == nil {
		r.seed, r.stacks = maphash.MakeSeed(), map[uint64]*sharedStack{}
	}
	known := map[uint64]bool{}
	r.used += u.cost
	for _, d := range u.rd.Dumps {
		for _, b := range d.Dump.Buckets {
			if known[b.Key] || len(b.Frames) == 0 {
				continue
			}
			known[b.Key] = true
			hash := r.hash(b)
			s := r.stacks[hash]
			if s == nil {
				s = &sharedStack{number: len(r.stacks), bucket: b}
				r.stacks[hash] = s
			} else if shareStack(b, s.bucket) {
				r.used -= framesCost(b)
			} else {
				continue
			}
			u.shares = append(u.shares, s)
		}
	}
}

// framesCost is what a stack's frames take, as stackparse counts them.
func framesCost(b *stackparse.Bucket) int { return 64 * len(b.Frames) }

// hash finds stacks that are equal in all frames: those of one Key may differ in hidden ones.
func (r *dumpBudget) hash(b *stackparse.Bucket) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	maphash.WriteComparable(&h, b.Key)
	for i := range b.Frames {
		maphash.WriteComparable(&h, b.Frames[i])
	}
	if b.CreatedBy != nil {
		maphash.WriteComparable(&h, *b.CreatedBy)
	}
	for _, i := range b.Shown {
		maphash.WriteComparable(&h, i)
	}
	return h.Sum64()
}

// shareStack makes b's stack that of another bucket, where they are equal.
func shareStack(b, of *stackparse.Bucket) bool {
	if !slices.Equal(b.Frames, of.Frames) || !slices.Equal(b.Shown, of.Shown) ||
		(b.CreatedBy == nil) != (of.CreatedBy == nil) || b.CreatedBy != nil && *b.CreatedBy != *of.CreatedBy {
		return false
	}
	b.Frames, b.Shown, b.CreatedBy = of.Frames, of.Shown, of.CreatedBy
	return true
}

// drop leaves out the dumps of the sources for which those before leave no room.
func (r *dumpBudget) drop() {
	stacks := make([]bool, len(r.stacks))
	before := 0
	for i, u := range r.all {
		if before >= r.most {
			for _, late := range r.all[i:] {
				late.rd.dropDumps()
			}
			r.all, r.full = slices.Delete(r.all, i, len(r.all)), true
			return
		}
		before += u.cost
		for _, s := range u.shares {
			if stacks[s.number] {
				before -= framesCost(s.bucket)
			}
			stacks[s.number] = true
		}
	}
}

// dropDumps leaves out the source's dumps.
func (result *Result) dropDumps() {
	if len(result.Dumps) == 0 {
		return
	}
	result.Skips = append(result.Skips, schema.Skipped{
		Path: FirstPath(result.Source),
		Reason: fmt.Sprintf("dumps that were not read: %d; the distinct stacks of earlier inputs filled the "+
			"memory for stacks (%d MiB)", len(result.Dumps), maxStacks>>20),
		Hint: "give triage fewer dumps at a time",
	})
	result.Dumps = nil
}
