package wait

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// growingGoroutines is growing-goroutines (TR450).
func growingGoroutines() *rules.Rule {
	return &rules.Rule{
		ID: "TR450", Name: "growing-goroutines", Category: rules.Leak, Severity: rules.High, Needs: rules.NeedsDumps,
		Run: runGrowing,
	}
}

// Bounds of growing-goroutines, all chosen: the first ones so that what a process starts at its beginning, or a burst
// of requests, does not look like a leak, and the last ones by what a leak costs.
const (
	// minGrowth is how many goroutines must have come in three dumps or more: what three standard deviations of a few
	// are.
	minGrowth = 10
	// minGrowthTwo is that for two dumps, which must also show the number doubled: no order of dumps supports it there.
	minGrowthTwo = 50
	// maxLeavers is how many in a hundred may leave their place from a dump to the next one: a leak's goroutines stay.
	maxLeavers = 10
	// hugeGrowth and the half of all goroutines, or vastGrowth alone, make a leak severe. A goroutine holds a stack of
	// at least 2 KiB (runtime.stackMin), and what it refers to: 10,000 are 20 MiB of stacks alone.
	hugeGrowth = 1_000
	vastGrowth = 10_000
	// roleGrowth is how many times over goroutines with a role must have become more: a role excuses what they do, not
	// that they pile up. Chosen: ten clients may become fifty.
	roleGrowth = 10
	// steadyGrowth is how many there must be in the first of two dumps if their ids are to show that they came since
	// the process began: then the number need not have doubled. Chosen: few ids show an order by chance.
	steadyGrowth = 100
	// minLeakSpan: dumps that were made within less may show one burst of slow requests; no client waits longer as a
	// rule (net/http sets no limit of its own, and the proxies before it take 60 seconds).
	minLeakSpan = time.Minute
	// leakMinutes is by how many minutes the longest wait of a process must be longer in its last dump than in its
	// first one, where they are to show that the dumps are minLeakSpan apart: headers round to whole minutes.
	leakMinutes = 2
	// manyDumps show a slow growth without times, too. Chosen: who makes five follows a growth.
	manyDumps = 5
	// followers is how many in ten of the new goroutines must have come with a new connection to follow them.
	followers = 8
	// maxGrowing is how many growing places of one process are reported: the biggest ones.
	maxGrowing = 20
)

const (
	// minutesOff is by how much a header's minutes may be wrong: the runtime dates a wait to the end of the collection
	// before it noticed, at most two minutes off (runtime.forcegcperiod).
	minutesOff = 2
	// minApart is how far apart two dumps must be made to count as two.
	minApart = time.Minute
)

// A growth is one place whose goroutines pile up.
type growth struct {
	row    *stackparse.Row
	counts []int
	net    int
	blame  rules.Blame
	role   *rules.Role
}

// excused reports whether a role explains the growth: what a process has with each client comes and goes with them.
func (g *growth) excused() bool {
	last := g.counts[len(g.counts)-1]
	return g.role != nil && (last < roleGrowth*max(g.counts[0], 1) || g.net < minGrowthTwo)
}

func runGrowing(p *rules.Pass) (found []rules.Finding) {
	for _, s := range p.AllSeries() {
		if s.Cut {
			continue
		}
		connections := newConnections(s)
		for _, g := range growingPlaces(s) {
			found = append(found, growthFinding(s, g, connections))
		}
	}
	return found
}

// growingPlaces are the places of a series that leak, most new goroutines first.
func growingPlaces(s *rules.Series) []growth {
	var all []growth
	for i, r := range s.Rows {
		if !mayLeak(r.Last().Bucket) {
			continue
		}
		counts := r.Counts(len(s.Dumps))
		g := growth{row: r, counts: counts, net: counts[len(counts)-1] - counts[0], role: s.Roles[i]}
		if leaks(s, g) && !g.excused() {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b growth) int { return cmp.Compare(b.net, a.net) })
	all = all[:min(len(all), maxGrowing)]
	for i := range all {
		all[i].blame = s.Blame(all[i].row)
	}
	return all
}

// mayLeak reports whether b's goroutines wait for something that may never come. Other rules are about locks, and about
// what one dump proves already.
func mayLeak(b *stackparse.Bucket) bool {
	switch b.Class {
	case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassWaitGroup,
		stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassSleep, stackparse.ClassIO,
		stackparse.ClassSyscall, stackparse.ClassCgo:
		return !b.Leaked
	}
	return false
}

// leaks reports whether g's goroutines come and don't go.
func leaks(s *rules.Series, g growth) bool {
	n := len(s.Dumps)
	last := g.counts[n-1]
	if g.row.Trend != stackparse.TrendGrew && g.row.Trend != stackparse.TrendNew {
		return false
	}
	if !s.Identified {
		return g.row.Grows(n) && g.net >= minGrowthTwo && last >= 2*g.counts[0]
	}
	before, stayed := g.stays(n)
	left := before - stayed
	// Those that come to stay must outnumber those that leave, and by more than chance makes it in one of 50 stacks:
	// three standard deviations (see stackparse.Trend), of a turnover of net + 2*left.
	if 100*left > maxLeavers*before || left > g.net || g.net*g.net <= 9*(g.net+2*left) {
		return false
	}
	if g.row.Grows(n) {
		// A pool that filled up has stopped growing.
		return g.net >= minGrowth && last > g.counts[n-2]
	}
	if n == 2 && g.counts[0] >= steadyGrowth && stayed == before && g.net >= minGrowth && g.steady(s) {
		return true
	}
	return n == 2 && g.counts[0] >= minGrowth && g.net >= max(minGrowthTwo, g.counts[0]) &&
		g.row.Last().Bucket.Class != stackparse.ClassIO
}

// steady reports whether g's goroutines came one by one since the process began, as the ids of the last dump show, and
// wait for what happens in the process. In none of the healthy programs of testdata/well such a place grows.
func (g *growth) steady(s *rules.Series) bool {
	last := g.row.Last()
	switch last.Bucket.Class {
	case stackparse.ClassIO, stackparse.ClassSyscall, stackparse.ClassCgo:
		return false
	}
	came := arrivalOf(s.Dumps[last.Dump], last.Bucket)
	// Where nearly all that the process ever started is there, nothing was born between them, and ids show no order.
	// That counts for loops; those that were called wait for an answer, which may come for all at once.
	return came.came || uint64(last.Bucket.Count)*10 >= came.newest*9 && isLoop(s.Dumps[last.Dump], last.Bucket)
}

// isLoop reports whether goroutines wait for several things, or for a moment, in the function that they began with.
func isLoop(d *rules.DumpInput, b *stackparse.Bucket) bool {
	if b.Class != stackparse.ClassSelect && b.Class != stackparse.ClassSleep {
		return false
	}
	home, waits := homeOf(d, b), rules.BlameBucket(d, b).Index
	return home != nil && waits >= 0 && home == &b.Frames[waits]
}

// stays counts the goroutines in all of n dumps but the last, and those of them that the next dump shows again.
func (g *growth) stays(n int) (before, stayed int) {
	for i, kept := range g.row.Stays(n) {
		before += g.counts[i]
		stayed += kept
	}
	return before, stayed
}

// newConnections is how many goroutines more wait for a connection's data in the last dump than in the first.
func newConnections(s *rules.Series) int {
	n := 0
	for _, r := range s.Rows {
		if r.Last().Bucket.Class != stackparse.ClassIO {
			continue
		}
		counts := r.Counts(len(s.Dumps))
		n += counts[len(counts)-1] - counts[0]
	}
	return n
}

// cases choose the texts: who calls a library can't change its loops.
func (g *growth) cases(s *rules.Series) []string {
	c := g.row.Last()
	if g.blame.Index < 0 {
		return nil
	}
	return libraryCase(s.Dumps[c.Dump], &c.Bucket.Frames[g.blame.Index])
}

func growthFinding(s *rules.Series, g growth, connections int) rules.Finding {
	n := len(s.Dumps)
	first, last := g.counts[0], g.counts[n-1]
	c, creator := g.blame.Culprit, g.blame.Creator
	started, by := "They start but don't end.", "the program"
	if creator != "" {
		by = symbol.ShortFunc(creator)
		started = by + " starts them, but they don't end."
	}
	v := g.verdict(s).but(g.role != nil && g.role.Ceiling > last, inOrder).
		but(connections > 0 && 10*connections >= followers*g.net, oneEach)
	role := ""
	if g.role != nil {
		role = g.role.Doc
	}
	text := findings().Account("growing-goroutines", account.Facts{Cases: g.cases(s), Values: account.Values{
		"first": strconv.Itoa(first), "last": strconv.Itoa(last), "class": string(g.row.Last().Bucket.Class),
		"in": rules.PlaceText(c), "counts": listCounts(g.counts), "dumps": strconv.Itoa(n), "within": overTime(s),
		"started": started, "creator": by, "starts": startName(creator),
		"role": role,
	}, Target: s.Dumps[n-1].StepTarget(), Doubt: v.doubt})
	name, _, at := rules.TitleParts(c)
	title := cmp.Or(name, "unknown code") + " " + text.Act
	f := rules.Finding{
		Culprit: c, Path: g.blame.Path, Creator: creator, Count: last,
		Title: rules.FirstTitle(phrase.CutTitle(title), title+at), Why: text.Why, Fix: text.Fix, Next: text.Next,
		Severity: v.severity, Confidence: v.confidence(), Against: text.Against,
	}
	if stayed := stayedSentence(s, g); stayed != "" {
		f.Notes = append(f.Notes, stayed)
	}
	// The last dump shows most of them: its evidence comes first.
	for k := len(g.row.Cells) - 1; k >= 0 && len(f.Evidence) < n; k-- {
		cell := &g.row.Cells[k]
		f.Evidence = append(f.Evidence, rules.EvidenceOf(s.Dumps[cell.Dump], cell.Bucket, ""))
	}
	return f
}

// verdict is how bad a growth is, and how sure. A small one counts where time shows that it goes on: dumps that are
// minLeakSpan apart, or many of them. Within seconds the 14 leaks of the published bugs in testdata/wild (halves first,
// third and fourth) that this rule finds, of 787 to 1,825 goroutines, grow by 1.5 to 3.4 %. So do sessions that a
// process opens when it starts (12,000, then 12,240), a pool on its way to its limit and requests that have begun to
// wait: they came one by one, as their ids show, and none has left. Other rules name 13 of the 14 in the same dumps.
func (g *growth) verdict(s *rules.Series) verdict {
	n := len(s.Dumps)
	first, last := g.counts[0], g.counts[n-1]
	apart, doubled := minutesApart(s), last >= 2*first
	v := guilty().of(rules.Medium).but(!apart && !doubled && n < manyDumps, momentApart)
	huge := last >= hugeGrowth && 2*last >= s.Dumps[n-1].Goroutines
	if doubled && (huge || last >= vastGrowth) || apart && (n > 2 && huge || last >= vastGrowth) {
		v.severity = rules.High
	}
	_, timed := s.Span()
	v.proven = n > 2 && s.Identified && (apart || !timed)
	return v
}

// minutesApart reports whether the first and the last dump of a series are minLeakSpan apart. Their stamps show it or,
// where there are none, the longest wait in each: who waits in the last one for minutes longer than anyone in the first
// did has done so since before then, or was not yet waiting there.
func minutesApart(s *rules.Series) bool {
	if span, timed := s.Span(); timed {
		return span >= minLeakSpan
	}
	return oldest(s.Dumps[len(s.Dumps)-1]) >= oldest(s.Dumps[0])+leakMinutes
}

// maxListed is how many counts of a series a sentence lists.
const maxListed = 6

// listCounts writes "12, 140 and 1,040"; of many the first ones and the last.
func listCounts(counts []int) string {
	parts := make([]string, 0, len(counts))
	for i, n := range counts {
		if len(counts) > maxListed && i >= maxListed-1 && i < len(counts)-1 {
			if i == maxListed-1 {
				parts = append(parts, "…")
			}
			continue
		}
		parts = append(parts, fmt.Sprint(n))
	}
	return phrase.List(parts)
}

// overTime is " within 20m0s" where the dumps' stamps show it.
func overTime(s *rules.Series) string {
	if span, ok := s.Span(); ok && span > 0 {
		return " within " + span.Round(1e9).String()
	}
	return ""
}

func stayedSentence(s *rules.Series, g growth) string {
	if !s.Identified {
		return ""
	}
	before, stayed := g.stays(len(s.Dumps))
	switch {
	case before == 0:
		return ""
	case stayed == before:
		return "None of them has ended."
	}
	return fmt.Sprintf("Of %d goroutines in one dump, %d are in the same place in the next.", before, stayed)
}
