package page

import (
	"cmp"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// A flame is one flame graph: a tree of calls with the value below each, as columns. Node 0 is the root; a parent comes
// before its children, and children of one parent are in order of value.
type flame struct {
	Title string `json:"title"`
	Unit  string `json:"unit"` // of the values: goroutines, or a profile's unit
	// Names and Places are the functions and their files that Name indexes; Kinds the waits that Kind indexes.
	Names  []string `json:"names"`
	Places []string `json:"places"`
	Parent []int32  `json:"parent"`
	Name   []int32  `json:"name"`
	Value  []int64  `json:"value"`
	// Kind colours a node: the wait of most goroutines below it, or the class of its function.
	Kinds []string `json:"kinds"`
	Kind  []int16  `json:"kind"`
	// After is the part of each Value that the after side has, where two sides are compared; the rest is of before.
	// Scale is what 1 of them is in Unit, and Chance what one sample of each side counts, 0 where values are exact.
	After  []int64    `json:"after,omitempty"`
	Scale  float64    `json:"scale,omitempty"`
	Chance [2]float64 `json:"chance,omitzero"`
	// Folded counts the nodes that were too small to be kept.
	Folded int `json:"folded"`
}

const (
	// maxFlames bounds the flame graphs of a page: a bundle of hundreds of dumps has one for each process otherwise.
	// Chosen.
	maxFlames = 12
	// maxNodes bounds the nodes of one graph: those of the heaviest stacks are kept. 60,000 of a random profile are
	// 3 MB of page (TestALargePageIsSmallAndOpens in tools/browser).
	maxNodes = 60_000
)

// flames are the drawings of a report: what was compared, the dumps with the most goroutines, and the profiles whose
// stacks it has.
func flames(r *schema.Report) []flame {
	all, names := []flame{}, report.InputNames(r)
	if r.Diff != nil {
		for i := range r.Diff.Stacks[:min(len(r.Diff.Stacks), maxFlames)] {
			all = append(all, compared(&r.Diff.Stacks[i]))
		}
	}
	dumps := make([]*schema.Dump, len(r.Dumps))
	for i := range r.Dumps {
		dumps[i] = &r.Dumps[i]
	}
	slices.SortStableFunc(dumps, func(a, b *schema.Dump) int { return cmp.Compare(b.Goroutines, a.Goroutines) })
	for _, d := range dumps[:min(len(dumps), maxFlames-len(all))] {
		b := newForest(safe(names[d.Input]), "goroutines")
		for i := range d.Buckets {
			bucket := &d.Buckets[i]
			path := make([]pathCall, 0, len(bucket.Frames))
			for _, f := range slices.Backward(bucket.Frames) {
				path = append(path, newStep(f.Function, f.File))
			}
			b.add(stack{path: path, value: int64(bucket.Count), kind: cmp.Or(bucket.Wait, "other")})
		}
		all = append(all, b.flame())
	}
	for i := range r.Stacks {
		if len(all) == maxFlames {
			break
		}
		s := &r.Stacks[i]
		t := s.Profile.SampleType[s.Value]
		b := newForest(safe(cmp.Or(names[s.Input], s.Input)+": "+t.Type), t.Unit)
		heaviest := func(a, b *pprof.Sample) int { return cmp.Compare(b.Value[s.Value], a.Value[s.Value]) }
		for _, sample := range slices.SortedStableFunc(slices.Values(s.Profile.Sample), heaviest) {
			var path []pathCall
			for _, c := range slices.Backward(schema.Calls(sample)) {
				path = append(path, newStep(c.Function, c.File))
			}
			b.add(stack{path: path, value: sample.Value[s.Value]})
		}
		all = append(all, b.flame())
	}
	return all
}
