package hotspot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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

// A growthSite is a line that grows over the heap profiles of one process.
type growthSite struct {
	of      []*rules.ProfileInput // in order of time
	values  []int64               // one a profile
	culprit rules.Place
}

func (g *growthSite) ends() (first, last int64) { return g.values[0], g.values[len(g.values)-1] }

func (g *growthSite) growth() int64 { return g.values[len(g.values)-1] - g.values[0] }

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
	for _, in := range p.Profiles {
		if in.Kind == profile.KindHeap && in.Process != "" {
			byProcess[in.Process] = append(byProcess[in.Process], in)
		}
	}
	var all []growthSite
	for _, process := range slices.Sorted(maps.Keys(byProcess)) {
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
	// A siteKey names a line across builds of one program.
	type siteKey struct {
		function string
		line     int32
	}
	sites := map[siteKey]*growthSite{}
	for i, in := range of {
		for j := range in.Stacks {
			st := &in.Stacks[j]
			at := in.Payer(st.Frames)
			if at < 0 {
				continue
			}
			f := &in.Frames[st.Frames[at]]
			key := siteKey{in.Plain(f.Func), f.Line}
			if sites[key] == nil {
				sites[key] = &growthSite{of, make([]int64, len(of)), rules.PlaceOf(in.At(st.Frames[at]))}
			}
			sites[key].values[i] += st.Values[in.Value]
		}
	}
	var grown []growthSite
	for _, g := range sites {
		first, last := g.ends()
		if last-first >= minHeapGrowth && float64(last) >= minHeapFactor*float64(first) && slices.IsSorted(g.values) {
			grown = append(grown, *g)
		}
	}
	slices.SortFunc(grown, func(a, b growthSite) int {
		return cmp.Or(cmp.Compare(b.growth(), a.growth()), cmp.Compare(a.culprit.Function, b.culprit.Function),
			cmp.Compare(a.culprit.Line, b.culprit.Line))
	})
	return grown[:min(len(grown), maxHeapGrowths)]
}

// sameHeap reports whether two heap profiles count the same and can be of one process: what a place has allocated since
// the start never shrinks. Nineteen in twenty bytes must agree, since sampling rounds.
func sameHeap(before, after *rules.ProfileInput) bool {
	if before.Types[before.Value] != after.Types[after.Value] || totalOf(after) == math.MaxInt64 {
		return false
	}
	i, j := before.TypeIndex("alloc_space"), after.TypeIndex("alloc_space")
	if i < 0 || j < 0 {
		return true // nothing shows it
	}
	now := leafSums(after, j)
	var all, kept float64
	for fn, v := range leafSums(before, i) {
		all += v
		if 50*now[fn] >= 49*v {
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
	from, to := g.ends()
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
	if to-from >= highHeapGrowth && to >= 2*from {
		f.Severity = rules.High
	}
	if len(g.of) > 2 {
		f.Confidence = rules.ConfHigh
	}
	for i, in := range g.of[:min(len(g.of), rules.MaxEvidence)] {
		e := rules.Evidence{Input: in.Input, Count: 1, Share: float64(g.values[i]) / float64(max(in.Total(), 1)),
			Text: phrase.BytesText(g.values[i]) + " of " + phrase.BytesText(in.Total()) + " in use"}
		if !in.Time.IsZero() {
			e.Time = in.Time.UTC().Format(time.RFC3339)
		}
		f.Evidence = append(f.Evidence, e)
	}
	// The last profile's evidence comes first: it is the state that someone acts on.
	slices.Reverse(f.Evidence)
	span := ""
	if apart := last.Time.Sub(first.Time); !first.Time.IsZero() && apart >= rateSpan {
		rate := int64(float64(to-from) / apart.Minutes())
		span = fmt.Sprintf(" in %s (%s a minute)", apart.Round(time.Second), phrase.BytesText(rate))
	}
	f.Why = fmt.Sprintf("Memory that %s allocated and that is still in use grew by %s%s and never shrank. "+
		"The whole heap went from %s to %s.", rules.PlaceText(g.culprit), phrase.BytesText(to-from), span,
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
