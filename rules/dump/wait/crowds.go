package wait

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A crowd is the goroutines of one dump that run one function: the outermost on their stacks that is code of the
// program or of a library, and no layer that runs what others give it. Where there is none it is the outermost function
// at all.
type crowd struct {
	d       *rules.DumpInput
	home    string // that function's PlainName
	class   frame.Class
	role    *rules.Role // of the biggest bucket
	buckets []*stackparse.Bucket
	count   int
	// waits counts the goroutines by class. A goroutine that was just woken counts as waiting.
	waits map[stackparse.Class]int
}

// crowdsOf groups the goroutines of a dump by what they run, most first; groups of fewer than least, which is at least
// fewSenders, are left out.
func crowdsOf(d *rules.DumpInput, least int) []*crowd {
	all := crowds.Of(d)
	n := slices.IndexFunc(all, func(c *crowd) bool { return c.count < least })
	if n < 0 {
		return all
	}
	return all[:n]
}

var crowds = rules.DerivedOfDump(func(d *rules.DumpInput) []*crowd {
	counts := make(map[string]int, len(d.Buckets))
	for _, b := range d.Buckets {
		counts[homes.Of(d, b).name] += b.Count
	}
	byHome := map[string]*crowd{}
	var all []*crowd
	for i, b := range d.Buckets {
		h := homes.Of(d, b)
		if h.frame == nil || counts[h.name] < fewSenders {
			continue
		}
		c := byHome[h.name]
		if c == nil {
			c = &crowd{d: d, home: h.name, class: d.Program.Class(h.frame.Frame), role: d.RoleOf(i),
				waits: map[stackparse.Class]int{}}
			byHome[h.name] = c
			all = append(all, c)
		}
		c.buckets = append(c.buckets, b)
		c.count += b.Count
		c.waits[b.Class] += b.Count
	}
	slices.SortFunc(all, func(a, b *crowd) int {
		return cmp.Or(cmp.Compare(b.count, a.count), strings.Compare(a.home, b.home))
	})
	return all
})

// A home is the function that a stack's goroutines run, with its PlainName; nothing for the runtime's own.
type home struct {
	frame *stackparse.Frame
	name  string
}

var homes = rules.DerivedOfStack(func(d *rules.DumpInput, b *stackparse.Bucket) home {
	f := findHome(d, b)
	if f == nil {
		return home{}
	}
	return home{f, rules.PlainName(f.Func)}
})

// homeOf is the frame of the function that a bucket's goroutines run, nil for the runtime's own.
func homeOf(d *rules.DumpInput, b *stackparse.Bucket) *stackparse.Frame { return homes.Of(d, b).frame }

func findHome(d *rules.DumpInput, b *stackparse.Bucket) *stackparse.Frame {
	var outermost *stackparse.Frame
	shown, code := rules.ShownFrames(b), d.CodeOf(b)
	for _, i := range slices.Backward(shown) {
		f := &b.Frames[i]
		if f.Elided != 0 || f.Func == "" {
			continue
		}
		class := code.Class(i)
		if rules.Blameable(class) && !code.Framework(i) {
			return f
		}
		if outermost == nil && class != frame.ClassRuntime {
			outermost = f
		}
	}
	return outermost
}

// inLibrary reports whether the crowd waits in code of a module that the program imports, or of the standard library,
// wherever it began.
func (c *crowd) inLibrary() bool {
	b := c.buckets[0]
	if i := rules.BlameBucket(c.d, b).Index; i >= 0 && len(libraryCase(c.d, &b.Frames[i])) > 0 {
		return true
	}
	return c.class == frame.ClassStdlib
}

// libraryCase chooses texts for code of others, which who calls it can't change.
func libraryCase(d *rules.DumpInput, f *stackparse.Frame) []string {
	switch d.Program.Class(f.Frame) {
	case frame.ClassDependency, frame.ClassVendored:
		return []string{"library"}
	}
	return nil
}

// has reports whether a bucket is one of the crowd's.
func (c *crowd) has(b *stackparse.Bucket) bool { return slices.Contains(c.buckets, b) }

// company reports whether a goroutine outside the crowd is in code that may make the crowd move: the function around
// the closure that the crowd runs, another method of its receiver's type, or the function that started it. A collector
// of results is in the first, a consumer or a refill loop in the second.
func (c *crowd) company() bool {
	return c.accompanied(func(*stackparse.Bucket) bool { return false })
}

// accompanied is company without the buckets that it leaves out.
func (c *crowd) accompanied(leaves func(*stackparse.Bucket) bool) bool {
	home := symbol.ParseName(c.home)
	starts := map[string]bool{}
	for _, b := range c.buckets {
		if b.CreatedBy != nil {
			starts[rules.PlainName(b.CreatedBy.Func)] = true
		}
	}
	for _, b := range c.d.Buckets {
		if c.has(b) || leaves(b) {
			continue
		}
		for _, i := range rules.ShownFrames(b) {
			fn := b.Frames[i].Func
			if symbol.PlainPackage(fn) != symbol.PlainPackage(c.home) && len(starts) == 0 {
				continue
			}
			plain := rules.PlainName(fn)
			if starts[plain] || aroundOrBeside(home, symbol.ParseName(plain)) {
				return true
			}
		}
	}
	return false
}

// aroundOrBeside reports whether f is the function around the closure home or, where home is a method, one of its type.
func aroundOrBeside(home, f symbol.Name) bool {
	if f.Package != home.Package || f.Receiver != home.Receiver {
		return false
	}
	if home.Closure == "" {
		return home.Receiver != ""
	}
	return f.Func == home.Func && f.Closure != home.Closure && strings.HasPrefix(home.Closure, f.Closure)
}

// arrival is how the goroutines of a crowd came, as their ids show: ids are given in order of birth.
type arrival struct {
	first, last, newest uint64 // newest is the largest id of the dump
	known               bool
	// came reports that they were born one by one, with others between them, until just now. Of 47 crowds of innocent
	// goroutines in dumps of faulty programs none came like that; of leaks three in four did. Clients come so as well.
	came bool
}

// Thresholds on ids: crowds that a process starts in one go have a density of 0.9 to 1 and end at 0.83 of the largest
// id or before; those that came have a density of 0.12 to 0.75. Eleven leaks spread over 0.99 of all ids and more;
// cursors that end within four minutes over 0.71, in a process that is five minutes old.
const (
	lateTail     = 0.95
	wideSpread   = 0.75
	looseDensity = 0.8
	// longSpan minutes between the oldest and the youngest show the same of goroutines that nothing was born between.
	longSpan = 3
)

// arrivalOf looks at the ids and minutes of goroutines that come together.
func arrivalOf(d *rules.DumpInput, buckets ...*stackparse.Bucket) arrival {
	var a arrival
	var all []stackparse.Goroutine
	for _, b := range buckets {
		all = append(all, b.Goroutines...)
	}
	if len(all) == 0 {
		return a
	}
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			a.newest = max(a.newest, b.Goroutines[i].ID)
		}
	}
	slices.SortFunc(all, func(x, y stackparse.Goroutine) int { return cmp.Compare(x.ID, y.ID) })
	a.known = true
	a.first, a.last = all[0].ID, all[len(all)-1].ID
	longest, shortest := uint32(0), ^uint32(0)
	for i := range all {
		longest, shortest = max(longest, all[i].Minutes), min(shortest, all[i].Minutes)
	}
	span := float64(a.last - a.first + 1)
	early := all[len(all)/20].ID // some are younger than their ids: a processor takes ids in batches
	switch {
	case float64(a.last) < lateTail*float64(a.newest), float64(a.last-early) < wideSpread*float64(a.newest):
	case burstOver(all, longest): // some may have been woken since
	default:
		a.came = float64(len(all)) < looseDensity*span || longest-shortest >= longSpan
	}
	return a
}

// burstOver reports whether the last of a crowd, in order of birth, have waited for minutes, and as long as anyone of
// it within one: all came at one time.
func burstOver(all []stackparse.Goroutine, longest uint32) bool {
	last := all[len(all)-1-len(all)/20:]
	return !slices.ContainsFunc(last, func(g stackparse.Goroutine) bool {
		return g.Minutes < sureMinutes || longest-g.Minutes > 1
	})
}

// hasAges reports whether the dump shows how long goroutines wait: one of them at least.
func hasAges(d *rules.DumpInput) bool { return oldest(d) > 0 }
