package hotspot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// An Attribution is who in the program asks for the work that a rule is about.
type Attribution struct {
	// Culprit is the function that asks for the greatest part of it: the nearest to the work that is the program's own,
	// where none is, a dependency's, and the work's own function where stacks show neither, but for the runtime's. Line
	// is that with most of it.
	Culprit rules.Place
	// Known reports whether Culprit is code of the program or of a dependency.
	Known bool
	// Share is what Culprit asks for, Rest what other functions of its kind do, as parts of the profile.
	Share, Rest float64
	// Purpose reports that the profile shows the work to be what the program is for (Matcher.Purpose).
	Purpose bool
	// Living is the lower end of the share that may be the program's living: of Matcher.LivingIn, else of all.
	Living float64
	// Recurs reports work that is done again and again for the same objects, where the rule asks (Matcher.Living).
	Recurs bool
	// Entry is where the framework hands over to the program on most of these stacks: a Reconcile, an HTTP handler. Its
	// Function is "" where Culprit is that itself or nothing shows it.
	Entry rules.Place
	// Sites are the lines from which one function of the program asks more than once, most used first.
	Sites []rules.Place
	// Others are the functions that ask for most of the rest.
	Others []Caller
	// Path runs from the program's entry to the hot leaf, with shares of the profile.
	Path []rules.PathFrame
}

// A Caller is a function with what it asks for, as a share of the profile.
type Caller struct {
	Place rules.Place
	Share float64
}

// maxOthers is how many other callers a finding names.
const maxOthers = 3

// minSite is the part of a culprit's work from which a line counts as a call site. Chosen: what few samples hit may be
// another branch.
const minSite = 0.05

// attribute works out who asks for a hotspot.
func (hs *Hotspots) attribute(hot *Hotspot) *Attribution {
	v := hs.View
	b := v.Blame(&hot.Selection)
	out := &Attribution{}
	at := workOf(&hot.Selection)
	if v.Program.Class(frame.Frame{Func: at.Function, File: at.File}) != frame.ClassRuntime { // that is never to blame
		out.Culprit = at
	}
	out.Purpose = slices.ContainsFunc(hs.Functions, func(f profile.Function) bool {
		return slices.Contains(hot.by.Purpose, f.Name)
	})
	out.Living, out.Recurs = hs.living(hot), hot.by.Living > 0 && hs.recurs(hot)
	who, payers := culpritOf(b)
	if inner := v.Common(&hot.Selection, minInner); hot.by.inner && inner != nil && fromDependency(inner.Class) {
		who, payers = inner, nil
	}
	if who == nil {
		out.Path = pathTo(v, b, "")
		return out
	}
	out.Known = true
	out.Culprit, out.Share = placeOf(who.Frame), v.Share(who.Weight)
	for i := range payers {
		p := &payers[i]
		if p.Func == who.Func {
			continue
		}
		out.Rest += v.Share(p.Weight)
		if len(out.Others) < maxOthers {
			out.Others = append(out.Others, Caller{placeOf(p.Frame), v.Share(p.Weight)})
		}
	}
	// From here on only what the culprit asks for is looked at.
	mine := v.Blame(through(&hot.Selection, who.Func))
	out.Path = pathTo(v, mine, who.Func)
	for i := range out.Path {
		// The culprit's line is that with most of it on all ways, and not on this one.
		if p := &out.Path[i]; p.Function == out.Culprit.Function {
			p.File, p.Line = out.Culprit.File, out.Culprit.Line
		}
	}
	entries := mine.Entries()
	// Every stack without another entry begins at the program's main.
	if len(entries) > 0 && declaredName(entries[0].Func) != declaredName(who.Func) &&
		entries[0].Func != "main.main" && entries[0].Func != "main.init" {
		out.Entry = placeOf(entries[0].Frame)
	}
	out.Sites = sitesOf(mine, entries, who)
	return out
}

// living is the lower end of the share that may be what the program is for.
func (hs *Hotspots) living(hot *Hotspot) float64 {
	in := hot.by.LivingIn
	if len(in) == 0 {
		return hot.Lower
	}
	counts := func(fr int32) bool { return slices.Contains(in, hs.FuncAt(fr)) }
	part := hot.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[:h.Outer], counts)
	})
	return profile.Wilson(float64(part.Weight.Value)/float64(max(hot.Total, 1))*hot.effective, hot.effective)
}

// minRecurring is the part of a hotspot that controllers do where the work is theirs (chosen: most of it).
const minRecurring = 0.5

// recurs reports work that is done again and again for the same objects, and is not what the program is there for:
// below a Reconcile, or in the machinery of Kubernetes that controllers copy and compare objects with.
func (hs *Hotspots) recurs(hot *Hotspot) bool {
	machinery := func(fr int32) bool { return strings.HasPrefix(hs.FuncAt(fr), "k8s.io/apimachinery/") }
	var again int64
	for _, h := range hot.Hits {
		st := &hs.Stacks[h.Stack]
		if hot.View.Recurs(st) || slices.ContainsFunc(st.Frames, machinery) {
			again += max(st.Values[hs.Value], 0)
		}
	}
	return float64(again) >= minRecurring*float64(hot.Weight.Value)
}

// minInner is the part of a hotspot that is inside one function of a dependency, where the rule asks for the innermost
// one (Matcher.inner). Chosen: most of it, so that no second branch has as much.
const minInner = 0.5

// culpritOf picks who is to blame: the function of the program's own module with most, where these have at least a
// fifth of what its dependencies' functions do for their own sake (chosen: below that the program is a guest in them);
// else the dependency; else the framework. Payers are those of the same class.
func culpritOf(b *profile.Blame) (who *profile.Payer, payers []profile.Payer) {
	var own int64
	for i := range b.Own {
		own += b.Own[i].Weight.Value
	}
	deps := max(b.Weight.Value-b.Hidden.Value-own, 0)
	switch {
	case own > 0 && 4*own >= deps:
		return &b.Own[0], b.Own
	case len(b.Dependencies) > 0 && (b.Culprit == nil || b.Culprit.Class != frame.ClassOwn):
		return &b.Dependencies[0], b.Dependencies
	}
	return b.Culprit, b.Payers
}

// placeOf is the place of a frame; a method value's wrapper is the method, and that of a deferred call the function
// that defers it.
func placeOf(f frame.Frame) rules.Place {
	f.Func = strings.TrimSuffix(f.Func, "-fm")
	if outer, n, ok := strings.Cut(f.Func, ".deferwrap"); ok && strings.Trim(n, "0123456789") == "" {
		f.Func = outer
	}
	return rules.PlaceOf(f)
}

// declaredName is the plain name of a declared function, for its closures too.
func declaredName(function string) string { return symbol.Base(rules.PlainName(function)) }

// through is the part of a selection whose stacks show a function, with the closures in it, outside the matched frame.
func through(sel *profile.Selection, function string) *profile.Selection {
	v, name := sel.View, declaredName(function)
	known := map[int32]bool{} // functions that were looked at
	return sel.Part(func(h profile.Hit, st *profile.Stack) bool {
		return slices.ContainsFunc(st.Frames[max(h.Outer, 0):], func(fr int32) bool {
			fn := v.Frames[fr].Func
			is, ok := known[fn]
			if !ok {
				is = declaredName(v.Functions[fn].Name) == name
				known[fn] = is
			}
			return is
		})
	})
}

// workOf is the function at which most of the rule's work begins: it replaces a culprit that no stack shows.
func workOf(sel *profile.Selection) rules.Place {
	v, weights := sel.View, map[int32]int64{}
	for _, h := range sel.Hits {
		weights[v.Stacks[h.Stack].Frames[max(h.Outer, 0)]] += v.Stacks[h.Stack].Values[v.Value]
	}
	if len(weights) == 0 {
		return rules.Place{}
	}
	return rules.PlaceOf(v.At(slices.MinFunc(slices.Collect(maps.Keys(weights)), func(a, b int32) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})))
}

// sitesOf finds the lines of one function from which the work is asked for more than once: of the entry, else of the
// culprit's caller, else of the culprit.
func sitesOf(b *profile.Blame, entries []profile.Payer, culprit *profile.Payer) []rules.Place {
	var from []*profile.Payer
	if len(entries) > 0 {
		from = append(from, &entries[0])
	}
	if callers := b.Callers(); len(callers) > 0 {
		from = append(from, &callers[0])
	}
	for _, p := range append(from, culprit) {
		if 2*p.Weight.Value < b.Weight.Value {
			continue
		}
		var sites []rules.Place
		for _, l := range p.Lines {
			if float64(l.Weight.Value) >= minSite*float64(p.Weight.Value) {
				sites = append(sites, rules.PlaceOf(l.Frame))
			}
		}
		if len(sites) > 1 {
			return sites
		}
	}
	return nil
}

// minStep is the part of the work that a step of its path must have (chosen).
const minStep = 0.1

// pathTo is the heaviest way from the program's entry to the rule's work, with shares of the profile. Of one that is
// too long, both ends and the culprit's frame remain.
func pathTo(v *profile.View, b *profile.Blame, culprit string) []rules.PathFrame {
	var steps []rules.PathFrame
	for _, n := range b.Path() {
		if float64(n.Weight.Value) < minStep*float64(b.Weight.Value) {
			break // one way of many
		}
		steps = append(steps, rules.PathFrame{Function: n.Func, File: n.File, Line: n.Line, Class: n.Class.String(),
			Share: v.Share(n.Weight)})
	}
	if len(steps) > rules.MaxPath {
		const end = rules.MaxPath / 2
		kept := steps[: end-1 : end-1]
		middle := steps[end-1 : len(steps)-end]
		is := func(p rules.PathFrame) bool { return p.Function == culprit }
		if at := slices.IndexFunc(middle, is); at >= 0 {
			middle = middle[at:]
		}
		steps = append(append(kept, middle[0]), steps[len(steps)-end:]...)
	}
	return steps
}
