package ingest

import (
	"cmp"
	"slices"
)

// An order is where something lies in the inputs: its place among the arguments, then in its folder or archive, then in the
// archive within that, and so on.
type order []int32

func (o order) compare(p order) int { return slices.Compare(o, p) }

// child is the i-th place below o.
func (o order) child(i int) order {
	c := make(order, len(o)+1)
	copy(c, o)
	c[len(o)] = int32(min(i, 1<<31-1))
	return c
}

// An orderedSkip is a Skip with its place.
type orderedSkip struct {
	at order
	Skip
}

// inOrder sorts skips as they lie in the inputs.
func inOrder(all []orderedSkip) []Skip {
	slices.SortStableFunc(all, func(a, b orderedSkip) int {
		return cmp.Or(a.at.compare(b.at), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	out := make([]Skip, len(all))
	for i := range all {
		out[i] = all[i].Skip
	}
	return out
}
