package profile

import "slices"

// Common is the innermost function of the program or of a dependency that has at least a share, 0 to 1, of a selection
// on its stacks; nil for none. A parser of many functions that works at one text has its entry there, a loop itself.
func (v *View) Common(sel *Selection, share float64) *Payer {
	all := newPayers(v)
	var heaviest *Stack
	for _, h := range sel.Hits {
		s := &v.Stacks[h.Stack]
		var seen []int32 // a recursion counts once
		for i, f := range s.Frames {
			if group := all.groupOf(f); v.guilty(f) && !slices.Contains(seen, group) {
				seen = append(seen, group)
				all.add(s, i)
			}
		}
		if heaviest == nil || s.Values[v.Value] > heaviest.Values[v.Value] {
			heaviest = s
		}
	}
	if heaviest == nil {
		return nil
	}
	for _, f := range heaviest.Frames {
		sum := all.byGroup[all.groupOf(f)]
		if v.guilty(f) && float64(sum.weight.Value) >= share*float64(sel.Weight.Value) {
			p := all.withLines(sum)
			return &p
		}
	}
	return nil
}
