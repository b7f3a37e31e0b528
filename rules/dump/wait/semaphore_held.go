package wait

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// semaphoreHeld is semaphore-held (TR437).
func semaphoreHeld(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:    []string{"golang.org/x/sync/semaphore.(*Weighted).Acquire", "golang.org/x/sync/errgroup.(*Group).Go"},
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanSend, stackparse.ClassChanReceive},
		Except: []match.Match{{At: []string{"github.com/jackc/puddle.(*Pool).*"},
			Through: []string{"golang.org/x/sync/semaphore.*"}}},
	})
	return c.rule("TR437", "semaphore-held", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		if w.since(sureMinutes) == 0 {
			return account{}
		}
		h, ok := w.holders(waiting)
		if !ok {
			return account{}
		}
		asks := w.in()
		why := fmt.Sprintf("%s for a slot below %s%s. %s in %s%s, and none of those who hold one computes.",
			w.waits(), asks, w.span(), h.stands(), h.in(), h.span())
		n := w.count
		evidence := []rules.Evidence{rules.EvidenceOf(w.d, w.buckets[0], "")}
		evidence[0].Text += ", waiting for one of them to end"
		w.blame, w.buckets, w.count, w.minutes = h.blame, h.buckets, h.count, h.minutes
		return account{
			level: level{rules.Medium, rules.ConfMedium}, evidence: evidence,
			act: fmt.Sprintf("keeps %s waiting: %s of a limit here%s", phrase.CountGoroutines(n), slots(h.count),
				h.span()),
			why: why,
			fix: fmt.Sprintf("Find out what %s waits for and give it a deadline: as long as it stands, %s gets "+
				"nothing done.", h.in(), asks),
			next: secondDump(w.d.Target),
		}
	})
}

// stands is "The only holder stands", "All 3 holders stand".
func (w *waiters) stands() string {
	if w.count == 1 {
		return "The only holder stands"
	}
	return fmt.Sprintf("All %d holders stand", w.count)
}

func slots(n int) string {
	if n == 1 {
		return "the only slot"
	}
	return fmt.Sprintf("all %d slots", n)
}

// holders are the goroutines that hold what w waits for: an errgroup's own where the waiters call its Go, else those of
// the waiters' go statement that got past Acquire. It is false unless all of them wait, in one function, for minutes.
func (w *waiters) holders(waiting *call) (*waiters, bool) {
	group := hasFunction(w.buckets[0], "golang.org/x/sync/errgroup.(*Group).Go")
	if !group && w.buckets[0].CreatedBy == nil {
		return nil, false
	}
	parents := map[uint64]bool{}
	for _, b := range w.buckets {
		for i := range b.Goroutines {
			parents[b.Goroutines[i].ID] = true
		}
	}
	h := &waiters{dumpIndex: w.dumpIndex}
	for _, b := range w.d.Buckets {
		if b.CreatedBy == nil || w.holds(waiting, b) {
			continue
		}
		creator := rules.PlainName(b.CreatedBy.Func)
		switch {
		case group && (creator != "golang.org/x/sync/errgroup.(*Group).Go" || !startedBy(b, parents)):
			continue
		case !group && !sameCreator(b, w.buckets[0]):
			continue
		}
		bl, own := w.caller(b)
		if !own || b.Active > 0 || waitingSince(b, sureMinutes) < b.Count || !slices.Contains(waitClasses(), b.Class) ||
			h.count > 0 && bl.Culprit.Function != h.blame.Culprit.Function {
			return nil, false
		}
		if h.count == 0 {
			h.blame = bl
		}
		h.add(b, b.Count)
	}
	return h, h.count > 0
}

// startedBy reports whether one of parents started goroutines of b; where headers name no parents anyone may have.
func startedBy(b *stackparse.Bucket, parents map[uint64]bool) bool {
	return slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool {
		return g.Parent == 0 || parents[g.Parent]
	})
}

// sameCreator reports whether two stacks come from one go statement.
func sameCreator(a, b *stackparse.Bucket) bool {
	x, y := a.CreatedBy, b.CreatedBy
	return rules.PlainName(x.Func) == rules.PlainName(y.Func) && x.File == y.File && x.Line == y.Line
}
