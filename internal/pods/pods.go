// Package pods attributes findings to pods, and pods to workloads.
package pods

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/gotriage/triage/rules"
)

// A lineRange is a dump's lines in one input.
type lineRange struct {
	from, to int64
	reach    int64 // the greatest to of this and all before it
	dump     *rules.DumpInput
}

// A DumpIndex finds the dump that a line of an input belongs to.
type DumpIndex map[string]*inputDumps

// An inputDumps is where the dumps of an input lie, in order of their first lines.
type inputDumps struct {
	ranges []lineRange
	only   *rules.DumpInput // the first where all are of one container or process, else nil
}

// IndexDumps makes one of these dumps.
func IndexDumps(dumps []*rules.DumpInput) DumpIndex {
	w := DumpIndex{}
	for _, d := range dumps {
		first, from := Located(d, d.Line)
		last, to := Located(d, max(d.EndLine, d.LastLine, d.Line))
		if first == last {
			w.add(first, lineRange{from: from, to: to, dump: d})
			continue
		}
		w.add(first, lineRange{from: from, to: math.MaxInt64, dump: d})
		w.add(last, lineRange{from: 0, to: to, dump: d})
	}
	for _, l := range w {
		slices.SortStableFunc(l.ranges, func(a, b lineRange) int { return cmp.Compare(a.from, b.from) })
		l.only = l.ranges[0].dump
		reach := int64(0)
		for i := range l.ranges {
			s := &l.ranges[i]
			reach = max(reach, s.to)
			s.reach = reach
			if l.only != nil && KeyOf(Of(s.dump)) != KeyOf(Of(l.only)) {
				l.only = nil
			}
		}
	}
	return w
}

func (w DumpIndex) add(input string, s lineRange) {
	if w[input] == nil {
		w[input] = &inputDumps{}
	}
	w[input].ranges = append(w[input].ranges, s)
}

// At is the dump that a line is in; nil where none is. The dumps of a log of several pods may be interleaved: then
// it is the one with a goroutine there, else the one that began last.
func (w DumpIndex) At(input string, line int64) *rules.DumpInput {
	l := w[input]
	if l == nil {
		return nil
	}
	end := sort.Search(len(l.ranges), func(i int) bool { return l.ranges[i].from > line })
	var in []*rules.DumpInput // the one that began last first
	for i := end - 1; i >= 0 && l.ranges[i].reach >= line; i-- {
		if line <= l.ranges[i].to {
			in = append(in, l.ranges[i].dump)
		}
	}
	if len(in) == 0 {
		return l.only
	}
	if len(in) > 1 {
		for _, d := range in {
			if hasGoroutineAt(d, input, line) {
				return d
			}
		}
	}
	return in[0]
}

// Process identifies the process whose dump a line is in, the input where it is in none.
func (w DumpIndex) Process(input string, line int64) Key {
	if d := w.At(input, line); d != nil {
		return KeyOf(Of(d))
	}
	return Key{input: input}
}

func hasGoroutineAt(d *rules.DumpInput, input string, line int64) bool {
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if path, at := Located(d, int64(b.Goroutines[i].Line)); at == line && path == input {
				return true
			}
		}
	}
	return false
}

// Attribute lists for each finding the pods that show it, before findings are merged. Nothing is listed where there
// is only one process and nothing names its pod.
func (w DumpIndex) Attribute(found []rules.Finding) {
	for i := range found {
		found[i].Pods = w.podsOf(&found[i])
	}
}

func (w DumpIndex) podsOf(f *rules.Finding) []rules.PodCount {
	counts := map[*rules.DumpInput]int{}
	var order []*rules.DumpInput
	add := func(d *rules.DumpInput, n int) {
		if d == nil {
			return
		}
		if _, ok := counts[d]; !ok {
			order = append(order, d)
		}
		if f.Category == rules.Crash || f.Category == rules.RaceCat {
			counts[d] = max(counts[d], n) // several lines about one end
			return
		}
		counts[d] += n
	}
	told := map[string]bool{}
	for _, e := range f.Evidence {
		told[e.Input] = true
		add(w.At(e.Input, e.Line), e.Count)
	}
	for _, input := range f.Sources { // a finding has more sources than pieces of evidence where it is of many crashes
		if !told[input] {
			if l := w[input]; l != nil {
				add(l.only, 1)
			}
		}
	}
	if len(order) == 1 {
		counts[order[0]] = f.Count
	}
	var pods []rules.PodCount
	for _, d := range order {
		p := Of(d)
		p.Count = counts[d]
		i := slices.IndexFunc(pods, func(q rules.PodCount) bool { return KeyOf(p) == KeyOf(q) })
		switch {
		case i < 0:
			pods = append(pods, p)
		case f.Category == rules.Crash || f.Category == rules.RaceCat:
			pods[i].Count += p.Count // each dump is another one
		default:
			pods[i] = worsePod(pods[i], p) // the same goroutines again
		}
	}
	return pods
}

// Of is the container or process that left a dump, without a count.
func Of(d *rules.DumpInput) rules.PodCount {
	t := d.Target
	p := rules.PodCount{Namespace: t.Namespace, Pod: t.Pod, Container: t.Container, Node: t.Node}
	p.Input, p.Line = Located(d, d.Line)
	if p.Pod == "" {
		p.Process = d.Process
	}
	return p
}

// Join keeps each pod once, with the greatest count: several dumps of one process show the same goroutines.
func Join(all []rules.PodCount) []rules.PodCount {
	at := make(map[Key]int, len(all))
	var joined []rules.PodCount
	for _, p := range all {
		if i, ok := at[KeyOf(p)]; ok {
			joined[i] = worsePod(joined[i], p)
			continue
		}
		at[KeyOf(p)] = len(joined)
		joined = append(joined, p)
	}
	return joined
}

func worsePod(a, b rules.PodCount) rules.PodCount {
	if comparePods(b, a) < 0 {
		return b
	}
	return a
}

// comparePods puts the most affected first.
func comparePods(a, b rules.PodCount) int {
	return cmp.Or(
		cmp.Compare(b.Count, a.Count), strings.Compare(a.Namespace, b.Namespace), compareNames(a.Pod, b.Pod),
		strings.Compare(a.Container, b.Container), strings.Compare(a.Process, b.Process),
		strings.Compare(a.Input, b.Input), cmp.Compare(a.Line, b.Line),
	)
}

// Complete finishes a merged finding: its pods in order, as many as are listed.
func Complete(f rules.Finding, pods []rules.PodCount) rules.Finding {
	f.Pods = pods
	slices.SortFunc(f.Pods, comparePods)
	if len(f.Pods) == 1 && f.Pods[0].Pod == "" {
		f.Pods = nil
	}
	f.PodsTotal = len(f.Pods)
	f.Pods = f.Pods[:min(len(f.Pods), rules.MaxPods)]
	return f
}
