package wait

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// stuckAgain is stuck-again (TR451).
func stuckAgain() *rules.Rule {
	return &rules.Rule{
		ID: "TR451", Name: "stuck-again", Category: rules.Contention, Severity: rules.High,
		Needs: rules.NeedsDumps | rules.NeedsStates,
		Run:   runStuckAgain,
	}
}

const (
	// minStuckMinutes is what a header must show: the runtime dates a wait to the end of the collection before it
	// noticed, at most two minutes (runtime.forcegcperiod) off, so that three are one at least.
	minStuckMinutes = 3
	// minutesOff is by how much a header's minutes may be wrong.
	minutesOff = 2
	// minApart is how far apart two dumps must be made to count as two.
	minApart = time.Minute
	// maxStuck is how many locks and channels of one process are reported: those with most goroutines.
	maxStuck = 20
)

// A stuckObject is a lock or channel that goroutines wait for in every dump of their process.
type stuckObject struct {
	wait  uint64
	rows  []stuckRow // most goroutines first
	count int
}

type stuckRow struct {
	row *stackparse.Row
	ids map[uint64]bool
}

func runStuckAgain(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, s := range p.AllSeries() {
		objects := stuckWaits(s)
		for _, o := range objects[:min(len(objects), maxStuck)] {
			found = append(found, stuckFinding(s, o))
		}
	}
	return found
}

// stuckWaits are the locks and channels whose waiters did not get on between the dumps, most waiters first.
func stuckWaits(s *rules.Series) []stuckObject {
	span, timed := s.Span()
	if timed && span < minApart {
		return nil
	}
	byWait := map[uint64]*stuckObject{}
	for i, r := range s.Rows {
		if s.Roles[i] != nil || len(r.Stuck) == 0 || !heldUp(r.Last().Bucket) {
			continue
		}
		for wait, ids := range stillStuck(s, r, span, timed) {
			if explained(s.Dumps[len(s.Dumps)-1], wait) {
				continue // the rule that knows the holder reports it
			}
			o := byWait[wait]
			if o == nil {
				o = &stuckObject{wait: wait}
				byWait[wait] = o
			}
			o.rows = append(o.rows, stuckRow{r, ids})
			o.count += len(ids)
		}
	}
	all := make([]stuckObject, 0, len(byWait))
	for _, o := range byWait {
		slices.SortStableFunc(o.rows, func(a, b stuckRow) int { return cmp.Compare(len(b.ids), len(a.ids)) })
		all = append(all, *o)
	}
	slices.SortFunc(all, func(a, b stuckObject) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.wait, b.wait))
	})
	return all
}

// heldUp reports whether b's goroutines wait for a lock's owner or for a receiver.
func heldUp(b *stackparse.Bucket) bool {
	switch b.Class {
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassChanSend:
		return !b.Leaked
	}
	return false
}

// stillStuck returns the ids of r's goroutines that waited all the time between the first and the last dump, by what
// they wait for. A goroutine that is in the same place again may have been through in between: its header shows
// whether.
func stillStuck(s *rules.Series, r *stackparse.Row, span time.Duration, timed bool) map[uint64]map[uint64]bool {
	wait := make(map[uint64]uint64, len(r.Stuck))
	for _, g := range r.Stuck {
		if g.Wait != 0 {
			wait[g.ID] = g.Wait
		}
	}
	first := map[uint64]uint32{}
	for _, g := range r.Cells[0].Bucket.Goroutines {
		first[g.ID] = g.Minutes
	}
	still := map[uint64]map[uint64]bool{}
	for _, g := range r.Last().Bucket.Goroutines {
		at, ok := wait[g.ID]
		if !ok || g.Minutes < minStuckMinutes {
			continue
		}
		if timed && time.Duration(g.Minutes+minutesOff)*time.Minute < span || !timed && g.Minutes <= first[g.ID] {
			continue
		}
		if still[at] == nil {
			still[at] = map[uint64]bool{}
		}
		still[at][g.ID] = true
	}
	return still
}

func stuckFinding(s *rules.Series, o stuckObject) rules.Finding {
	top := o.rows[0]
	bl := s.Blame(top.row)
	c := bl.Culprit
	f := rules.Finding{Culprit: c, Path: bl.Path, Creator: bl.Creator, Count: o.count}
	var doubt account.Doubt
	values := account.Values{"what": "lock", "other": "the holder", "count": phrase.CountGoroutines(o.count),
		"who":   verb(o.count, "goroutine", phrase.CountGoroutines(o.count)),
		"class": string(top.row.Last().Bucket.Class), "in": rules.PlaceText(c), "waits": verb(o.count, "waits", "wait"),
		"object": fmt.Sprintf("%#x", o.wait), "dumps": "both dumps", "within": overTime(s),
		"minutes": phrase.CountMinutes(leastMinutes(s, o))}
	if top.row.Last().Bucket.Class == stackparse.ClassChanSend {
		values["what"], values["other"] = "channel", "the receiver"
		f.Severity, f.Category = rules.Medium, rules.Leak
		if takerAtWork(s.Dumps[len(s.Dumps)-1], top.row.Last().Bucket) {
			doubt = takerBusy
		}
	}
	if len(s.Dumps) > 2 {
		values["dumps"] = fmt.Sprintf("all %d dumps", len(s.Dumps))
	}
	last := s.Dumps[len(s.Dumps)-1]
	text := findings().Account("stuck-again", account.Facts{Values: values, Target: last.StepTarget(), Doubt: doubt})
	f.Title = phrase.CutTitle(cmp.Or(symbol.ShortFunc(c.Function), "unknown code") + ": " + text.Act)
	f.Why, f.Fix, f.Next, f.Against = text.Why, text.Fix, text.Next, text.Against
	f.Confidence = doubt.Confidence(true)
	for _, d := range []int{len(s.Dumps) - 1, 0} {
		for _, r := range o.rows[:min(len(o.rows), 10)] {
			if e, ok := stuckEvidence(s, r, d); ok {
				f.Evidence = append(f.Evidence, e)
			}
		}
	}
	if len(o.rows) > 1 {
		f.Notes = append(f.Notes, fmt.Sprintf("They wait for it in %d places; the one with most of them is named.",
			len(o.rows)))
	}
	return f
}

// takerAtWork reports whether a goroutine runs another process, or sleeps for minutes, below a function of the package
// in which those of a bucket wait to send: the loop that takes what they send is at work for hours perhaps.
func takerAtWork(d *rules.DumpInput, b *stackparse.Bucket) bool {
	s := newScene(d)
	at := slices.Index(d.Buckets, b)
	if at < 0 || s.actors[at].site < 0 {
		return false
	}
	w := &s.actors[at]
	pkg := s.name(b.Frames[w.site].Func).Package
	return s.anyIn(w, func(a *actor) bool {
		return (waitsForChild(a.b) || sleepsLong(a)) && slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return f.Elided == 0 && s.name(f.Func).Package == pkg
		})
	})
}

// leastMinutes is the shortest time that one of o's goroutines has waited by the last dump.
func leastMinutes(s *rules.Series, o stuckObject) uint32 {
	least := uint32(0)
	for _, r := range o.rows {
		for _, g := range r.row.Last().Bucket.Goroutines {
			if r.ids[g.ID] && (least == 0 || g.Minutes < least) {
				least = g.Minutes
			}
		}
	}
	return least
}

func stuckEvidence(s *rules.Series, r stuckRow, dump int) (rules.Evidence, bool) {
	for i := range r.row.Cells {
		cell := &r.row.Cells[i]
		if cell.Dump != dump {
			continue
		}
		gs := rules.GoroutinesWhere(cell.Bucket, func(g *stackparse.Goroutine) bool { return r.ids[g.ID] })
		return rules.EvidenceOfGoroutines(s.Dumps[dump], gs, ""), len(gs) > 0
	}
	return rules.Evidence{}, false
}
