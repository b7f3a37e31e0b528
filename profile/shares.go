package profile

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// wilsonZ is the standard normal quantile of a two-sided 95% interval.
const wilsonZ = 1.959963984540054

// Wilson is the lower end of the 95% Wilson score interval of a share seen k times in n (E. B. Wilson, Probable
// inference, JASA 22, 1927). 0 for n of 0.
func Wilson(k, n float64) float64 {
	low, _ := wilsonInterval(k, n)
	return low
}

// wilsonInterval is both ends of it; 0 and 1 for n of 0.
func wilsonInterval(k, n float64) (low, high float64) {
	if n <= 0 || math.IsNaN(k) || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, 1
	}
	p := min(max(k/n, 0), 1)
	z2 := wilsonZ * wilsonZ
	mid := p + z2/(2*n)
	half := wilsonZ * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return max(0, (mid-half)/(1+z2/n)), min(1, (mid+half)/(1+z2/n))
}

// weights adds up n groups of frames, by group: of the stacks whose leaf is in it, and of those that hold a frame of
// it, each once however often it recurs there. of is a frame's group.
func (v *View) weights(n int, of func(frame int32) int32) (flat, cum []Weight) {
	flat, cum = make([]Weight, n), make([]Weight, n)
	seen := make([]int32, n) // stack + 1
	for i := range v.Stacks {
		s := &v.Stacks[i]
		for j, f := range s.Frames {
			g := of(f)
			if j == 0 {
				flat[g].add(s, v.Value)
			}
			if seen[g] != int32(i+1) {
				seen[g] = int32(i + 1)
				cum[g].add(s, v.Value)
			}
		}
	}
	return flat, cum
}

// A LabelWeight is the part of a profile with one value of a label.
type LabelWeight struct {
	Key, Value string // Value is "" for the samples that lack the key
	Weight     Weight
}

// LabelKeys returns the keys of labels, sorted.
func (p *Profile) LabelKeys() []string {
	var keys []string
	for _, set := range p.Labels {
		for _, pair := range set {
			if key, _, _ := strings.Cut(pair, ": "); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return keys
}

// Get returns the value of a key in a label set.
func (l LabelSet) Get(key string) (string, bool) {
	for _, pair := range l {
		if k, value, ok := strings.Cut(pair, ": "); ok && k == key {
			return value, true
		}
	}
	return "", false
}

// SplitByLabel splits the profile by the values of a label, the heaviest first.
func (v *View) SplitByLabel(key string) []LabelWeight {
	index := map[string]int{}
	of := make([]int, len(v.Labels))
	var all []LabelWeight
	for i, set := range v.Labels {
		value, _ := set.Get(key)
		j, ok := index[value]
		if !ok {
			j = len(all)
			index[value] = j
			all = append(all, LabelWeight{Key: key, Value: value})
		}
		of[i] = j
	}
	for i := range v.Stacks {
		all[of[v.Stacks[i].Label]].Weight.add(&v.Stacks[i], v.Value)
	}
	all = slices.DeleteFunc(all, func(l LabelWeight) bool { return l.Weight == Weight{} })
	slices.SortFunc(all, func(a, b LabelWeight) int {
		return cmp.Or(cmp.Compare(b.Weight.Value, a.Weight.Value), cmp.Compare(a.Value, b.Value))
	})
	return all
}
