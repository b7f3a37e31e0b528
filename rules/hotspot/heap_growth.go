package hotspot

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// heapGrowth is TR602.
func heapGrowth() *rules.Rule {
	return &rules.Rule{
		ID: "TR602", Name: "heap-growth", Category: rules.Memory, Severity: rules.High, Needs: rules.NeedsHeaps,
		Run: findHeapGrowth,
	}
}

// Bounds of heap-growth. Chosen: what matters in pods that have hundreds of MiB, and what sampling (one sample each 512
// KiB, runtime.MemProfileRate) can't bring about.
const (
	// minHeapGrowth is what a place must have grown by: 16 MiB are 32 samples.
	minHeapGrowth = 16 << 20
	// minHeapFactor is what it must have grown to, of what it was: half again.
	minHeapFactor = 1.5
	// highHeapGrowth makes it severe, where it also doubled.
	highHeapGrowth = 64 << 20
	// maxHeapGrowths is how many places of one process are reported.
	maxHeapGrowths = 3
	// rateSpan is the time between two profiles from which growth is given as a rate. Chosen: what was seen for less
	// says nothing about a minute.
	rateSpan = 30 * time.Second
)

// A growthSite is a place that grows over the heap profiles of one process.
type growthSite struct {
	of      []*rules.ProfileInput // in order of time
	trend   profile.Trend
	culprit rules.Place
}

func findHeapGrowth(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, g := range heapGrowths(p) {
		found = append(found, g.finding())
	}
	return found
}

// heapGrowths finds what grows in every process with two heap profiles or more.
func heapGrowths(p *rules.Pass) []growthSite {
	byProcess := map[string][]*rules.ProfileInput{}
	var order []string
	for _, in := range p.Profiles {
		if in.Kind != profile.KindHeap || in.Process == "" {
			continue
		}
		if byProcess[in.Process] == nil {
			order = append(order, in.Process)
		}
		byProcess[in.Process] = append(byProcess[in.Process], in)
	}
	var all []growthSite
	for _, process := range order {
		all = append(all, growthsOf(byProcess[process])...)
	}
	return all
}

func growthsOf(of []*rules.ProfileInput) []growthSite {
	of = slices.Clone(of)
	if !slices.ContainsFunc(of, func(in *rules.ProfileInput) bool { return in.Time.IsZero() }) {
		slices.SortStableFunc(of, func(a, b *rules.ProfileInput) int { return a.Time.Compare(b.Time) })
	}
	for i := 1; i < len(of); i++ {
		if !sameHeap(of[i-1], of[i]) {
			return nil
		}
	}
	if len(of) < 2 {
		return nil
	}
	views := make([]*profile.View, len(of))
	for i := range of {
		views[i] = of[i].View
	}
	trends, err := profile.Trends(views...)
	if err != nil {
		return nil
	}
	var sites []growthSite
	for _, t := range trends {
		first, last := t.Values[0], t.Values[len(t.Values)-1]
		if t.Growth < minHeapGrowth || float64(last) < minHeapFactor*float64(first) || !t.Monotone {
			continue
		}
		sites = append(sites, growthSite{of: of, trend: t, culprit: rules.PlaceOf(t.Frame)})
		if len(sites) == maxHeapGrowths {
			break
		}
	}
	return sites
}

// sameHeap reports whether two heap profiles can be of one process: what a place has allocated since the start never
// shrinks. Nineteen in twenty bytes must agree, since sampling rounds.
func sameHeap(before, after *rules.ProfileInput) bool {
	i, j := before.TypeIndex("alloc_space"), after.TypeIndex("alloc_space")
	if i < 0 || j < 0 {
		return true // nothing shows it
	}
	a, b := leafSums(before, i), leafSums(after, j)
	var all, kept float64
	for fn, v := range a {
		all += v
		if 50*b[fn] >= 49*v {
			kept += v
		}
	}
	return 20*kept >= 19*all
}

// leafSums adds a value up by the function at the leaf.
func leafSums(in *rules.ProfileInput, index int) map[string]float64 {
	sums := map[string]float64{}
	for i := range in.Stacks {
		if st := &in.Stacks[i]; len(st.Frames) > 0 && st.Values[index] > 0 {
			sums[in.FuncAt(st.Frames[0])] += float64(st.Values[index])
		}
	}
	return sums
}

func (g growthSite) finding() rules.Finding {
	first, last := g.of[0], g.of[len(g.of)-1]
	t := g.trend
	from, to := t.Values[0], t.Values[len(t.Values)-1]
	f := rules.Finding{
		Severity: rules.Medium, Confidence: rules.ConfMedium, Culprit: g.culprit, Count: len(g.of),
		Title: fitTitle(symbol.ShortFunc(g.culprit.Function), func(culprit string) string {
			return fmt.Sprintf("%s grows from %s to %s of heap over %d profiles", culprit, phrase.BytesText(from),
				phrase.BytesText(to), len(g.of))
		}),
		Path: g.path(),
		Next: []rules.Step{last.Peek(g.culprit.Function)},
	}
	if !first.Text && !last.Text {
		base := "go tool pprof -top -base " + rules.Quote(first.Input) + " " + rules.Quote(last.Input)
		f.Next = append(rules.Commands(base), f.Next...)
	}
	if t.Growth >= highHeapGrowth && to >= 2*from {
		f.Severity = rules.High
	}
	if len(g.of) > 2 {
		f.Confidence = rules.ConfHigh
	}
	for i, in := range g.of[:min(len(g.of), rules.MaxEvidence)] {
		e := rules.Evidence{Input: in.Input, Text: fmt.Sprintf("%s of %s in use", phrase.BytesText(t.Values[i]),
			phrase.BytesText(in.Total())), Count: 1,
			Share: float64(t.Values[i]) / float64(max(in.Total(), 1))}
		if !in.Time.IsZero() {
			e.Time = in.Time.UTC().Format(time.RFC3339)
		}
		f.Evidence = append(f.Evidence, e)
	}
	// The last profile's evidence comes first: it is the state that someone acts on.
	slices.Reverse(f.Evidence)
	span := ""
	if apart := last.Time.Sub(first.Time); !first.Time.IsZero() && apart >= rateSpan {
		span = fmt.Sprintf(" in %s (%s a minute)", apart.Round(time.Second), phrase.BytesText(int64(t.PerMinute)))
	}
	f.Why = fmt.Sprintf("Memory that %s allocated and that is still in use grew by %s%s and never shrank. "+
		"The whole heap went from %s to %s.", rules.PlaceText(g.culprit), phrase.BytesText(t.Growth), span,
		phrase.BytesText(first.Total()), phrase.BytesText(last.Total()))
	return f
}

// path is the heaviest way to the site in the last profile.
func (g growthSite) path() []rules.PathFrame {
	last := g.of[len(g.of)-1]
	name := rules.PlainName(g.culprit.Function)
	sel := last.Select(func(_ int, st *profile.Stack) (inner, outer int, ok bool) {
		k := slices.IndexFunc(st.Frames, func(fr int32) bool {
			return last.Frames[fr].Line == int32(g.culprit.Line) && rules.PlainName(last.FuncAt(fr)) == name
		})
		return k, k, k >= 0 && st.Values[last.Value] > 0
	})
	return pathTo(last.View, last.Blame(sel), g.culprit.Function)
}
