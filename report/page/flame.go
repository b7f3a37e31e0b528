package page

import (
	"cmp"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/symbol"
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
	// Folded counts the nodes that were too small to be kept.
	Folded int `json:"folded"`
}

const (
	// maxFlames bounds the flame graphs of a page: a bundle of hundreds of dumps has one for each process otherwise.
	maxFlames = 12
	// maxNodes bounds the nodes of one; the heaviest stacks come first. 60,000 of a random profile are 3 MB of page
	// (TestALargePageIsSmallAndOpens).
	maxNodes = 60_000
)

// flames are the drawings of a report: the dumps with the most goroutines, and the profiles whose stacks it has.
func flames(r *schema.Report) []flame {
	all, names := []flame{}, report.InputNames(r)
	dumps := make([]*schema.Dump, len(r.Dumps))
	for i := range r.Dumps {
		dumps[i] = &r.Dumps[i]
	}
	slices.SortStableFunc(dumps, func(a, b *schema.Dump) int { return cmp.Compare(b.Goroutines, a.Goroutines) })
	for _, d := range dumps[:min(len(dumps), maxFlames)] {
		b := newForest(report.Escape(names[d.Input]), "goroutines")
		for i := range d.Buckets {
			bucket := &d.Buckets[i]
			path := make([]step, 0, len(bucket.Frames))
			for _, f := range slices.Backward(bucket.Frames) {
				path = append(path, step{report.Escape(symbol.ShortFunc(f.Function)), report.Escape(symbol.ShortFile(f.File))})
			}
			b.add(path, int64(bucket.Count), cmp.Or(bucket.Wait, "other"))
		}
		all = append(all, b.flame())
	}
	for i := range r.Stacks {
		if len(all) == maxFlames {
			break
		}
		s := &r.Stacks[i]
		t := s.Profile.SampleType[s.Value]
		b := newForest(report.Escape(cmp.Or(names[s.Input], s.Input)+": "+t.Type), t.Unit)
		heaviest := func(a, b *pprof.Sample) int { return cmp.Compare(b.Value[s.Value], a.Value[s.Value]) }
		for _, sample := range slices.SortedStableFunc(slices.Values(s.Profile.Sample), heaviest) {
			var path []step
			for _, c := range slices.Backward(schema.Calls(sample)) {
				path = append(path, step{report.Escape(symbol.ShortFunc(c.Function)), report.Escape(symbol.ShortFile(c.File))})
			}
			b.add(path, sample.Value[s.Value], "")
		}
		all = append(all, b.flame())
	}
	return all
}

// A step is one call of a path from the root.
type step struct{ name, place string }

// A forest builds a flame.
type forest struct {
	f        flame
	names    map[step]int32
	kinds    map[string]int16
	children map[[2]int32]int32 // parent and name → node
	byKind   []map[int16]int64  // value of each kind below a node
}

func newForest(title, unit string) *forest {
	return &forest{
		f: flame{Title: title, Unit: unit, Names: []string{""}, Places: []string{""}, Parent: []int32{-1}, Name: []int32{0},
			Value: []int64{0}, Kinds: []string{}},
		names: map[step]int32{}, kinds: map[string]int16{}, children: map[[2]int32]int32{},
		byKind: []map[int16]int64{{}},
	}
}

// add adds a stack of calls from its root, whose leaf has the kind.
func (b *forest) add(path []step, value int64, kind string) {
	if value <= 0 {
		return
	}
	k := intern(b.kinds, &b.f.Kinds, kind)
	node := int32(0)
	b.count(node, value, k)
	for _, s := range path {
		name, known := b.names[s]
		if !known {
			name = int32(len(b.f.Names))
			b.names[s] = name
			b.f.Names, b.f.Places = append(b.f.Names, s.name), append(b.f.Places, s.place)
		}
		child, known := b.children[[2]int32{node, name}]
		if !known {
			if len(b.f.Parent) == maxNodes {
				b.f.Folded++
				return
			}
			child = int32(len(b.f.Parent))
			b.children[[2]int32{node, name}] = child
			b.f.Parent, b.f.Name, b.f.Value = append(b.f.Parent, node), append(b.f.Name, name), append(b.f.Value, 0)
			b.byKind = append(b.byKind, map[int16]int64{})
		}
		node = child
		b.count(node, value, k)
	}
}

func (b *forest) count(node int32, value int64, kind int16) {
	b.f.Value[node] += value
	b.byKind[node][kind] += value
}

func intern(index map[string]int16, list *[]string, s string) int16 {
	i, known := index[s]
	if !known {
		i = int16(len(*list))
		index[s] = i
		*list = append(*list, s)
	}
	return i
}

// flame concludes the tree: each node gets the kind of most of what is below it.
func (b *forest) flame() flame {
	b.f.Kind = make([]int16, len(b.byKind))
	for i, kinds := range b.byKind {
		most := int64(-1)
		for k := range int16(len(b.f.Kinds)) {
			if v := kinds[k]; v > most {
				b.f.Kind[i], most = k, v
			}
		}
	}
	return b.f
}
