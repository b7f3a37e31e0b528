package report

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A waitGroup is the goroutines without a role that wait in one way at one place, over all dumps.
type waitGroup struct {
	b       *schema.Bucket // the first of its buckets
	frame   schema.Frame
	rank    int // of its frame's class: the program's own code first
	count   int
	dumps   int
	minutes schema.Minutes
}

// framesToOwn is how many frames of a bucket lead from its leaf to the first of the program's own code, all without
// one.
func framesToOwn(b *schema.Bucket) int {
	if at := slices.IndexFunc(b.Frames, func(f schema.Frame) bool { return f.Class == "own" }); at >= 0 {
		return at + 1
	}
	return len(b.Frames)
}

// writeOthers lists what is left after the findings, the locks, the running ones and the roles, the program's own code
// first. With --all the groups do.
func (v *view) writeOthers() {
	if v.all {
		return
	}
	latest := v.latest()
	list, goroutines := v.leftovers(latest)
	ledTo := v.ledTo()
	list = slices.DeleteFunc(list, func(g waitGroup) bool {
		to := func(f schema.Frame) bool { return ledTo[f.Function] }
		listed := slices.ContainsFunc(g.b.Frames[:framesToOwn(g.b)], to)
		if listed {
			goroutines -= g.count
		}
		return listed
	})
	if len(list) == 0 {
		return
	}
	v.section("OTHERS", phrase.Count(goroutines, "goroutine")+" in "+phrase.Count(len(list), "more group")+
		" without a known role"+v.ofDumps(len(latest)))
	if v.accuses() { // the finding is the answer: --all lists them
		return
	}
	shown := list[:v.fitting(len(list), v.rowsBesideLead(otherRows))]
	rows := make([]gridRow, 0, len(shown))
	for _, g := range shown {
		rows = append(rows, gridRow{
			cells: []string{phrase.Number(g.count)}, name: v.shortFunction(g.frame.Function),
			at: v.place(g.frame.File, g.frame.Line),
			tail: "[" + v.stateText(&schema.Bucket{State: g.b.State, Minutes: g.minutes}) + "]" +
				textIf(g.dumps > 1, " in "+phrase.Count(g.dumps, "dump")),
			under: schema.EndingsText(g.b.Ends),
		})
		goroutines -= g.count
	}
	v.writeGrid(nil, rows, countWidth)
	v.restOfGroups(list[len(shown):], goroutines)
}

// restOfGroups counts the groups that are not shown, with their states.
func (v *view) restOfGroups(list []waitGroup, goroutines int) {
	if len(list) == 0 {
		return
	}
	var states []string
	for _, g := range list {
		if !slices.Contains(states, g.b.State) {
			states = append(states, g.b.State)
		}
	}
	v.labelled(plain(padLeft(phrase.Number(goroutines), countWidth)), "in "+phrase.Count(len(list), "more group")+
		textIf(!v.accuses(), phrase.InBrackets(v.some(len(states), len(states), shownIDs, func(i int) string {
			return states[i]
		}))), 0)
}

// ofDumps reports which dumps a section counts, where there are others.
func (v *view) ofDumps(latest int) string {
	switch all := len(v.report.Dumps); {
	case latest == all:
		return ""
	case latest == 1:
		return ", in the last of " + phrase.Count(all, "dump")
	}
	return ", in the last dump of each process"
}

// leftovers are the groups without a role that no other section speaks of, the program's own code first, and how many
// goroutines they are.
func (v *view) leftovers(latest []*schema.Dump) ([]waitGroup, int) {
	type key struct { // what a row shows
		state, function, file string
		line                  int
	}
	at := map[key]int{}
	var list []waitGroup
	goroutines := 0
	for _, d := range latest {
		inDump := map[key]bool{}
		atLocks := v.atLocks(d)
		for b := range pointers(d.Buckets) {
			rest := v.unexplained(b) - atLocks[b]
			if b.Expected() || rest <= 0 {
				continue
			}
			goroutines += rest
			f, rank := representative(b)
			k := key{b.State, f.Function, symbol.ShortFile(f.File), f.Line}
			n, ok := at[k]
			if !ok {
				n = len(list)
				at[k] = n
				list = append(list, waitGroup{b: b, frame: f, rank: rank, minutes: b.Minutes})
			}
			g := &list[n]
			g.count += rest
			g.minutes.Min, g.minutes.Max = min(g.minutes.Min, b.Minutes.Min), max(g.minutes.Max, b.Minutes.Max)
			if !inDump[k] {
				g.dumps++
			}
			inDump[k] = true
		}
	}
	slices.SortStableFunc(list, func(a, b waitGroup) int {
		return cmp.Or(a.rank-b.rank, b.count-a.count)
	})
	return list, goroutines
}

// atLocks counts the goroutines of each bucket that WHO BLOCKS WHOM speaks of, or a finding about the same lock:
// waiters of a lock that has a candidate for its holder, and these holders.
func (v *view) atLocks(d *schema.Dump) map[*schema.Bucket]int {
	waiters, holders := map[uint64]*schema.Wait{}, map[uint64]bool{}
	for w := range pointers(d.Waits) {
		if !isLock(w.Kind) || len(w.Holders) == 0 {
			continue
		}
		for _, id := range w.Goroutines {
			waiters[id] = w
		}
		for _, h := range w.Holders {
			holders[h.Goroutine] = true
		}
	}
	if len(waiters) == 0 {
		return nil
	}
	at := map[*schema.Bucket]int{}
	for b := range pointers(d.Buckets) {
		seen := map[*schema.Wait]bool{}
		for _, id := range b.Goroutines {
			w := waiters[id]
			switch {
			case w != nil && w.Waiters > len(w.Goroutines): // the first of them are listed
				if !seen[w] {
					at[b] += min(w.Waiters, b.Count)
				}
				seen[w] = true
			case w != nil, holders[id]:
				at[b]++
			}
		}
	}
	return at
}
