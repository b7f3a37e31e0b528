package diff

import (
	"cmp"
	"math"
	"slices"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/triage/schema"
)

// maxCallers is how many callers a function of a comparison keeps: those of profile.Delta.
const maxCallers = 5

// A callSite is a caller of a function with its values before and after, as the profiles count.
type callSite struct {
	name  string
	class frame.Class
	value [2]float64
}

// A callee is a function that changed, with who calls it.
type callee struct {
	sites map[string]*callSite
	// total is its value, dispatched the part of it below which code of the program's own runs.
	total, dispatched float64
}

// callees are the functions of a comparison by their plain names.
type callees struct {
	by  map[string]*callee
	per [2]float64 // a rate's part for one unit of value
}

// callersOf works out who calls each function of d, right above its outermost frame, so that recursion counts once.
func callersOf(before, after *profile.View, d *profile.Diff) *callees {
	c := &callees{by: map[string]*callee{}}
	for i := range d.Functions {
		c.by[frame.PlainName(d.Functions[i].Func)] = &callee{sites: map[string]*callSite{}}
	}
	wholes := [2]float64{d.Old, d.New}
	for side, v := range []*profile.View{before, after} {
		if v.All.Value != 0 {
			c.per[side] = wholes[side] / float64(v.All.Value)
		}
		c.count(side, v)
	}
	return c
}

func (c *callees) count(side int, v *profile.View) {
	names := make([]string, len(v.Functions))
	for i := range v.Functions {
		names[i] = frame.PlainName(v.Functions[i].Name)
	}
	seen := map[*callee]bool{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		value := float64(s.Values[v.Value]) * c.per[side]
		if value == 0 {
			continue
		}
		clear(seen)
		lowest := slices.IndexFunc(s.Frames, func(f int32) bool { return v.ClassAt(f) == frame.ClassOwn })
		for at, f := range slices.Backward(s.Frames) {
			fn := c.by[names[v.Frames[f].Func]]
			if fn == nil || seen[fn] {
				continue
			}
			seen[fn] = true
			fn.total += value
			if lowest >= 0 && lowest < at && v.ClassAt(f) != frame.ClassOwn {
				fn.dispatched += value
			}
			if at+1 < len(s.Frames) {
				up := s.Frames[at+1]
				fn.add(side, names[v.Frames[up].Func], v.ClassAt(up), value)
			}
		}
	}
}

func (f *callee) add(side int, name string, class frame.Class, value float64) {
	if name == "" {
		return
	}
	if f.sites[name] == nil {
		f.sites[name] = &callSite{name: name, class: class}
	}
	f.sites[name].value[side] += value
}

// complete fills in a function's callers, those with the largest change first.
func (c *callees) complete(d *schema.ProfileDelta) {
	fn := c.by[frame.PlainName(d.Function)]
	if fn == nil {
		return
	}
	d.Dispatches = 2*fn.dispatched > fn.total
	for _, s := range fn.sites {
		d.Callers = append(d.Callers,
			callerDelta(s.name, s.class.String(), s.value[0], s.value[1], s.value[1]-s.value[0]))
	}
	slices.SortFunc(d.Callers, func(a, b schema.CallerDelta) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)), cmp.Compare(a.Function, b.Function))
	})
	d.Callers = d.Callers[:min(len(d.Callers), maxCallers)]
}
