package diff

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/schema"
)

// noiseErrors is the standard error past which the change of a whole isn't called noise: the two-sided p of 0.001 that
// profile.Compare has for functions.
const noiseErrors = 3.29

// A kindSide is what one side has of a kind of profile.
type kindSide struct {
	kind   profile.Kind
	inputs []*rules.ProfileInput // the last one of each process
	older  int
	view   *profile.View // of all of them together
}

// kindSides sorts profiles by kind, in order of input. Of several of one process the last counts, as it does of dumps.
func kindSides(all []*rules.ProfileInput) []*kindSide {
	var sides []*kindSide
	for _, p := range all {
		i := slices.IndexFunc(sides, func(s *kindSide) bool { return s.kind == p.Kind })
		if i < 0 {
			i = len(sides)
			sides = append(sides, &kindSide{kind: p.Kind})
		}
		sides[i].add(p)
	}
	return sides
}

func (s *kindSide) add(p *rules.ProfileInput) {
	i := slices.IndexFunc(s.inputs, func(q *rules.ProfileInput) bool {
		return p.Process != "" && q.Process == p.Process
	})
	if i < 0 {
		s.inputs = append(s.inputs, p)
		return
	}
	s.older++
	if q := s.inputs[i]; p.Time.IsZero() || q.Time.IsZero() || !p.Time.Before(q.Time) {
		s.inputs[i] = p
	}
}

// seenAs is the side as another kind that its profiles hold too: allocations are in heap profiles. Nil where they
// don't.
func (s *kindSide) seenAs(kind profile.Kind) *kindSide {
	as := &kindSide{kind: kind, older: s.older}
	for _, p := range s.inputs {
		q, ok := p.As(kind)
		if !ok {
			return nil
		}
		seen := *p
		seen.View = profile.NewViewOf(q, p.Program)
		as.inputs = append(as.inputs, &seen)
	}
	return as
}

// merge adds the side's profiles up.
func (s *kindSide) merge() error {
	if len(s.inputs) == 1 {
		s.view = s.inputs[0].View
		return nil
	}
	list := make([]*profile.Profile, 0, len(s.inputs))
	for _, p := range s.inputs {
		list = append(list, p.Profile)
	}
	p, err := profile.Merge(list...)
	if err != nil {
		return err
	}
	s.view = profile.NewView(p)
	return nil
}

func (s *kindSide) path() string { return s.inputs[0].Input }

// A profilePair is what both sides have of one kind.
type profilePair struct{ before, after *kindSide }

// pairProfiles puts like to like by kind. What has no counterpart comes back as left out, with what to collect.
func pairProfiles(before, after *Side) ([]profilePair, []schema.Skipped) {
	a, b := kindSides(before.profiles), kindSides(after.profiles)
	var pairs []profilePair
	take := func(match func(x, y *kindSide) (profilePair, bool)) {
		a = slices.DeleteFunc(a, func(x *kindSide) bool {
			for j, y := range b {
				if p, ok := match(x, y); ok {
					pairs = append(pairs, p)
					b = slices.Delete(b, j, j+1)
					return true
				}
			}
			return false
		})
	}
	take(func(x, y *kindSide) (profilePair, bool) { return profilePair{x, y}, x.kind == y.kind })
	take(func(x, y *kindSide) (profilePair, bool) {
		seen := x.seenAs(y.kind)
		return profilePair{seen, y}, seen != nil
	})
	var skips []schema.Skipped
	for i, left := range [][]*kindSide{a, b} {
		other, name := after, "AFTER"
		if i == 1 {
			other, name = before, "BEFORE"
		}
		for _, s := range left {
			skips = append(skips, unpaired(s, other, name))
		}
	}
	return pairs, skips
}

// unpaired explains why a profile was not compared: the other side, called name, has none of its kind.
func unpaired(s *kindSide, other *Side, name string) schema.Skipped {
	has := "nothing to compare with it"
	var kinds []string
	for _, k := range kindSides(other.profiles) {
		kinds = append(kinds, string(k.kind))
	}
	switch {
	case len(kinds) > 0:
		has = "profiles of kind " + strings.Join(kinds, ", ") + " only"
	case len(other.chosen) > 0:
		has = "goroutine dumps only"
	case other.reported:
		has = "only a report, with a profile's heaviest functions but not the profile"
	}
	return schema.Skipped{
		Path: s.path(), Reason: fmt.Sprintf("a profile of kind %s was not compared: %s has %s", s.kind, name, has),
		Hint: "profiles must be of one kind, such as " + profilePath(s.kind) +
			" from both states",
	}
}

// profilePath is where a program that serves pprof has a kind of profile.
func profilePath(kind profile.Kind) string {
	switch kind {
	case profile.KindCPU:
		return "/debug/pprof/profile?seconds=30"
	case profile.KindHeap, profile.KindThreadCreate:
		return "/debug/pprof/" + string(kind)
	case profile.KindAllocs, profile.KindMutex, profile.KindBlock:
		return "/debug/pprof/" + string(kind) + "?seconds=30"
	}
	return "two"
}

// compareProfiles compares the profiles of two sides, kind by kind; what can't be compared is reported as skipped.
func compareProfiles(before, after *Side) ([]schema.ProfileDiff, []profilePair, []schema.Skipped) {
	pairs, skips := pairProfiles(before, after)
	var diffs []schema.ProfileDiff
	var compared []profilePair
	for _, p := range pairs {
		d, skip := p.compare()
		if skip != nil {
			skips = append(skips, *skip)
			continue
		}
		diffs, compared = append(diffs, *d), append(compared, p)
	}
	return diffs, compared, skips
}

// compare compares two profiles of a kind. Those of different programs have nothing in common; different builds of one
// do, since functions keep their names.
func (p profilePair) compare() (*schema.ProfileDiff, *schema.Skipped) {
	refuse := func(reason, hint string) (*schema.ProfileDiff, *schema.Skipped) {
		reason = "not compared with " + p.before.path() + ": " + reason
		return nil, &schema.Skipped{Path: p.after.path(), Reason: reason, Hint: hint}
	}
	for _, s := range []*kindSide{p.before, p.after} {
		if err := s.merge(); err != nil {
			return refuse(err.Error(), "compare them one by one: triage diff BEFORE AFTER with one profile each")
		}
	}
	a, b := p.before.view, p.after.view
	if x, y := a.Program.Module, b.Program.Module; otherProgram(x, y) {
		return refuse(fmt.Sprintf("they are of different programs, %s and %s", x, y),
			"give two profiles of one program")
	}
	if x, y := a.ValueType(), b.ValueType(); x != y {
		return refuse(fmt.Sprintf("one counts %s in %s, the other %s in %s", x.Type, x.Unit, y.Type, y.Unit),
			"take both from the same address: "+profilePath(p.after.kind))
	}
	d, err := profile.Compare(a, b)
	if err != nil {
		return refuse(err.Error(), "take both from the same address: "+profilePath(p.after.kind))
	}
	return p.convert(d), nil
}

// otherProgram reports whether two modules are surely not of one program: a name inside the other may be the same one,
// inferred from a profile that shows a part of it.
func otherProgram(a, b string) bool {
	within := func(x, y string) bool { return x == y || strings.HasPrefix(x, y+"/") }
	a, b = symbol.PlainName(a), symbol.PlainName(b)
	return a != "" && b != "" && !within(a, b) && !within(b, a)
}

func (p profilePair) convert(d *profile.Diff) *schema.ProfileDiff {
	t := p.after.view.ValueType()
	out := &schema.ProfileDiff{
		Kind: string(d.Kind), Type: t.Type, Unit: t.Unit, Rate: string(d.Rate),
		Change: rounded(d.New - d.Old), OtherBuild: d.OtherBuild,
		Before: p.before.outline(d.Old), After: p.after.outline(d.New),
		Payers: deltasOf(d.Payers), Functions: deltasOf(d.Functions),
	}
	out.Noise = withinNoise(d, p.before.view, p.after.view)
	return out
}

func deltasOf(all []profile.Delta) []schema.ProfileDelta {
	out := make([]schema.ProfileDelta, len(all))
	for i, d := range all {
		out[i] = schema.ProfileDelta{
			Function: d.Func, File: d.File, Line: d.Line, Class: d.Class.String(),
			Before: rounded(d.Old), After: rounded(d.New), Change: rounded(d.Change), Noise: d.Noise,
			Dispatches: d.Dispatches, Callers: []schema.CallerDelta{},
		}
		for _, by := range d.Callers {
			out[i].Callers = append(out[i].Callers, schema.CallerDelta{
				Function: by.Function, Class: by.Class.String(), Before: rounded(by.Old), After: rounded(by.New),
				Change: rounded(by.Change),
			})
		}
	}
	return out
}

// withinNoise reports whether the change of the whole may be chance: n samples are off by the root of n.
func withinNoise(d *profile.Diff, before, after *profile.View) bool {
	if d.Rate == profile.RateShare {
		return true // either whole is 1
	}
	n, m := before.EffectiveSamples(), after.EffectiveSamples()
	variance := d.Old*d.Old/max(n, 1) + d.New*d.New/max(m, 1)
	return math.Abs(d.New-d.Old) < noiseErrors*math.Sqrt(variance) || d.New == d.Old
}

// rounded keeps six digits of a number: more than any sampling knows.
func rounded(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
	if math.IsInf(scale, 0) || scale == 0 {
		return 0
	}
	return math.Round(x*scale) / scale
}

func (s *kindSide) outline(value float64) schema.DiffProfile {
	v := s.view
	out := schema.DiffProfile{
		Inputs: []string{}, Older: s.older, Time: convert.Time(v.Time), Go: v.Go, Program: v.Program.Module,
		Value: rounded(value), Total: v.Total(),
		Duration: int64(v.Duration), Samples: v.Samples(), Cores: math.Round(1e4*v.Cores()) / 1e4,
	}
	for _, p := range s.inputs {
		out.Inputs = append(out.Inputs, p.Input)
	}
	return out
}

// togetherProfiles applies the rules that need several heap profiles to those of both sides, where each side has one.
func togetherProfiles(set []*rules.Rule, pairs []profilePair, s *Side) []rules.Finding {
	pass := &rules.Pass{}
	for _, p := range pairs {
		if p.after.kind != profile.KindHeap || len(p.before.inputs) != 1 || len(p.after.inputs) != 1 {
			continue
		}
		for _, in := range []*rules.ProfileInput{p.before.inputs[0], p.after.inputs[0]} {
			both := *in
			both.Process = "both sides"
			pass.Profiles = append(pass.Profiles, &both)
			pass.Target = both.Target
		}
	}
	if len(pass.Profiles) == 0 {
		return nil
	}
	return news(set, rules.NeedsHeaps, pass, s.findings)
}

// findingsOn leaves out findings on profiles of kinds that were not compared, and on dumps where those were not: they
// are neither new nor gone.
func (s *Side) findingsOn(kinds map[profile.Kind]bool, dumps bool) []rules.Finding {
	known := map[string]profile.Kind{}
	for _, p := range s.profiles {
		known[p.Input] = p.Kind
	}
	kept := []rules.Finding{}
	for _, f := range s.findings {
		input := ""
		if len(f.Evidence) > 0 {
			input = f.Evidence[0].Input
		}
		kind, ofProfile := known[input]
		if ofProfile && kinds[kind] || !ofProfile && dumps {
			kept = append(kept, f)
		}
	}
	return kept
}
