package sources

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gotriage/triage/triage/schema"
)

// maxStacks bounds what the distinct stacks of all sources' dumps take, in bytes as stackparse.Dump.Cost counts them.
// 300 pods with a dump of 50 stacks each take 60 MB.
const maxStacks = 80 << 20

// A stackRoom keeps the dumps of the first sources, in order of the inputs, and of no more than have room: which are kept
// doesn't depend on which source is read first.
type stackRoom struct {
	most int

	mu   sync.Mutex
	used int
	all  []stackUser // in order of the sources
}

// A stackUser is a source with dumps.
type stackUser struct {
	rd   *Result
	cost int // of the dumps that it had
}

// add takes the result of a source that was read, and drops dumps that have no room now.
func (r *stackRoom) add(rd *Result) {
	cost := 0
	for _, d := range rd.Dumps {
		cost += d.Dump.Cost
	}
	if cost == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i, _ := slices.BinarySearchFunc(r.all, rd, func(u stackUser, rd *Result) int { return u.rd.Source.Compare(rd.Source) })
	r.all = slices.Insert(r.all, i, stackUser{rd, cost})
	if r.used += cost; r.used <= r.most {
		return
	}
	before := 0
	for _, u := range r.all {
		if before >= r.most {
			u.rd.dropDumps()
		}
		before += u.cost
	}
}

// dropDumps leaves out the source's dumps.
func (rd *Result) dropDumps() {
	if len(rd.Dumps) == 0 {
		return
	}
	rd.Skips = append(rd.Skips, schema.Skipped{
		Path: FirstPath(rd.Source),
		Reason: fmt.Sprintf("dumps that were not looked at: %d; the inputs before hold as many distinct stacks as there is room "+
			"for (%d MiB)", len(rd.Dumps), maxStacks>>20),
		Hint: "give triage fewer dumps at a time",
	})
	rd.Dumps = nil
}
