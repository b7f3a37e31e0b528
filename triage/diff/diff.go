// Package diff compares two states of a program: their findings, goroutines and profiles.
package diff

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/verdict"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// maxDiffBuckets is how many stacks a comparison keeps. Chosen: no program that was seen has as many that changed.
const maxDiffBuckets = 1_000

// Outline is a comparison of which only the sides are known; after may be nil.
func Outline(before, after *Side) *schema.Diff {
	d := &schema.Diff{
		By: schema.ByStack, Before: before.outline(),
		After:    schema.DiffSide{Inputs: []string{}, Dumps: []schema.DiffDump{}},
		Findings: schema.DiffFindings{New: []rules.Finding{}, Gone: []rules.Finding{}, Both: []rules.Finding{}},
		Buckets:  []schema.DiffBucket{},
	}
	if after != nil {
		d.After = after.outline()
	}
	return d
}

// Compare compares dumps with dumps and profiles with profiles of their kind; what has no counterpart is reported as
// skipped. The rules of set that need two states are applied to both sides together.
func Compare(before, after *Side, set []*rules.Rule) (*schema.Diff, []schema.Skipped) {
	d := Outline(before, after)
	profiles, pairs, skips := compareProfiles(before, after)
	d.Profiles = profiles
	dumps := len(before.chosen) > 0 && len(after.chosen) > 0
	if len(before.profiles) > 0 || len(after.profiles) > 0 {
		after.findings = append(slices.Clip(after.findings), togetherProfiles(set, pairs, after)...)
		old, fresh := map[profile.Kind]bool{}, map[profile.Kind]bool{}
		for _, p := range pairs {
			old[p.before.inputs[0].Kind], fresh[p.after.inputs[0].Kind] = true, true
		}
		before.findings, after.findings = before.findingsOn(old, dumps), after.findingsOn(fresh, dumps)
		d.Before.Findings, d.After.Findings = len(before.findings), len(after.findings)
	}
	switch {
	case dumps:
		compareStacks(d, before, after, set)
	case len(profiles) > 0:
		d.By = schema.ByFunction
		d.Findings = diffFindings(before.findings, after.findings, true)
	}
	return d, skips
}

// compareStacks compares the sides' dumps.
func compareStacks(d *schema.Diff, before, after *Side, set []*rules.Rule) {
	var c *stackparse.Comparison
	c, d.By = compareDumps(before, after)
	if d.By == schema.ByGoroutine {
		after.findings = append(slices.Clip(after.findings), together(set, before.chosen[0], after.chosen[0], after)...)
		d.After.Findings = len(after.findings)
	}
	d.Findings = diffFindings(before.findings, after.findings, d.By == schema.ByFunction)
	if d.By == schema.ByGoroutine {
		step := schema.SeriesStep(c.Steps[0])
		d.Goroutines = &step
	}
	rows := slices.Clone(c.Rows)
	slices.SortStableFunc(rows, func(a, b *stackparse.Row) int {
		x, y := a.Counts(2), b.Counts(2)
		return cmp.Or(changed(y)-changed(x), y[1]-x[1])
	})
	d.BucketsTotal = len(rows)
	for i, r := range rows {
		counts := r.Counts(2)
		if changed(counts) == 0 {
			d.Unchanged++
		}
		if i < maxDiffBuckets {
			side := after
			if r.Last().Dump == 0 {
				side = before
			}
			d.Buckets = append(d.Buckets, side.bucket(r, counts))
		}
	}
}

// changed is by how much two counts differ.
func changed(counts []int) int { return max(counts[1]-counts[0], counts[0]-counts[1]) }

// compareDumps compares what the sides have chosen: two dumps of one process by their goroutines, anything else by
// stacks.
func compareDumps(before, after *Side) (*stackparse.Comparison, string) {
	if a, b := before.chosen[0], after.chosen[0]; len(before.chosen) == 1 && len(after.chosen) == 1 &&
		oneProcess(a, b) {
		return stackparse.Compare([]*stackparse.Dump{a.Dump, b.Dump}, stackparse.StackKey), schema.ByGoroutine
	}
	a, b := before.merged(), after.merged()
	bare := before.counted() != after.counted()
	same := stackparse.SameBuild(a.Buckets, b.Buckets)
	key, by := stackparse.StackKey, schema.ByStack
	switch {
	case same && bare:
		key = stackparse.BareKey
	case !same && bare:
		key, by = stackparse.BareFuncKey, schema.ByFunction
	case !same:
		key, by = stackparse.FuncKey, schema.ByFunction
	}
	return stackparse.Compare([]*stackparse.Dump{a, b}, key), by
}

// together applies the rules that need two dumps of a process to the sides' two; what the after side shows by itself
// already is left out.
func together(set []*rules.Rule, before, after *rules.DumpInput, s *Side) []rules.Finding {
	a, b := *before, *after
	a.Process, b.Process = "both sides", "both sides"
	dumps := []*rules.DumpInput{&a, &b}
	pass := &rules.Pass{Dumps: dumps, Series: rules.SeriesOf(dumps), Target: b.Target}
	return news(set, rules.NeedsDumps, pass, s.findings)
}

// news applies the rules of set that need the evidence named, and returns those of their findings that are not among
// known, by fingerprint.
func news(set []*rules.Rule, needs rules.Needs, pass *rules.Pass, known []rules.Finding) []rules.Finding {
	var found []rules.Finding
	for _, rule := range set {
		if rule.Needs&needs != 0 {
			found = append(found, verdict.Ask(rule, pass).Found...)
		}
	}
	found = verdict.Rank(verdict.Merge(found), nil)
	return slices.DeleteFunc(found, func(f rules.Finding) bool {
		return slices.ContainsFunc(known, func(g rules.Finding) bool { return g.Fingerprint == f.Fingerprint })
	})
}

// diffFindings splits the findings of two sides. Where lines moved, a finding of the same rule in the same function is
// the same.
func diffFindings(before, after []rules.Finding, moved bool) schema.DiffFindings {
	names := []func(*rules.Finding) string{func(f *rules.Finding) string { return f.Fingerprint }}
	if moved {
		names = append(names, func(f *rules.Finding) string {
			return f.Rule + " " + rules.PlainName(f.Culprit.Function)
		})
	}
	d := schema.DiffFindings{
		New: append([]rules.Finding{}, after...), Both: []rules.Finding{}, Gone: append([]rules.Finding{}, before...),
	}
	for _, name := range names {
		left := map[string]int{}
		for i := range d.Gone {
			left[name(&d.Gone[i])]++
		}
		matched := map[string]int{}
		d.New = slices.DeleteFunc(d.New, func(f rules.Finding) bool {
			n := name(&f)
			if matched[n] >= left[n] {
				return false
			}
			matched[n]++
			d.Both = append(d.Both, f)
			return true
		})
		d.Gone = slices.DeleteFunc(d.Gone, func(f rules.Finding) bool {
			n := name(&f)
			if matched[n] == 0 {
				return false
			}
			matched[n]--
			return true
		})
	}
	verdict.Rank(d.Both, nil)
	return d
}
