package triage

import (
	"cmp"
	"context"
	"slices"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A Diff is what changed from one state of a program to another. A side may hold several dumps: the last whole one of
// each of its processes counts, and a side of several processes counts them together.
type Diff struct {
	// By says what was compared: "goroutine" in two dumps of one process, whose ids are the same goroutines; "stack" in dumps
	// of different processes; "function" where their builds differ, so that lines moved, and where only profiles are compared.
	By       string       `json:"by"`
	Before   DiffSide     `json:"before"`
	After    DiffSide     `json:"after"`
	Findings DiffFindings `json:"findings"`
	// Goroutines says what became of them; absent unless By is "goroutine".
	Goroutines *SeriesStep `json:"goroutines,omitempty"`
	// Buckets are the distinct stacks of both sides, those whose number changed most first; at most maxDiffBuckets of
	// BucketsTotal. Unchanged counts the stacks that have as many goroutines on either side.
	Buckets      []DiffBucket `json:"buckets"`
	BucketsTotal int          `json:"buckets_total"`
	Unchanged    int          `json:"unchanged"`
	// Profiles compares the profiles of both sides, one for each kind that both have.
	Profiles []ProfileDiff `json:"profiles,omitempty"`
}

// The values of Diff.By.
const (
	ByGoroutine = "goroutine"
	ByStack     = "stack"
	ByFunction  = "function"
)

// A DiffSide is one of the two states.
type DiffSide struct {
	Inputs []string `json:"inputs"` // all that were read
	// Dumps are those that were compared: one a process.
	Dumps      []DiffDump `json:"dumps"`
	Goroutines int        `json:"goroutines"`
	Findings   int        `json:"findings"`
	// Profiles is how many profiles other than of goroutines were read.
	Profiles int `json:"profiles,omitempty"`
}

func (s *DiffSide) recognised() bool { return len(s.Dumps) > 0 }

// A DiffDump names one dump that was compared.
type DiffDump struct {
	Input      string `json:"input"`
	Line       int64  `json:"line"`
	Time       string `json:"time"`
	Process    string `json:"process"`
	Signal     string `json:"signal"`
	Go         string `json:"go"`
	Goroutines int    `json:"goroutines"`
	Truncated  string `json:"truncated"`
}

// DiffFindings are the findings of both sides, told apart by their fingerprints: rule, culprit and creator.
type DiffFindings struct {
	New  []rules.Finding `json:"new"`  // of the after side alone
	Gone []rules.Finding `json:"gone"` // of the before side alone
	Both []rules.Finding `json:"both"` // as the after side has them
}

// A DiffBucket is one distinct stack on both sides.
type DiffBucket struct {
	// Function, File and Line are the place that is blamed for it; as the after side has it where it is there.
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Wait      string `json:"wait"`
	Role      string `json:"role"`
	Idle      bool   `json:"idle"`
	CreatedBy string `json:"created_by"`
	Before    int    `json:"before"`
	After     int    `json:"after"`
	// SameGoroutines are those that stand there on both sides; 0 unless Diff.By is "goroutine".
	SameGoroutines int              `json:"same_goroutines"`
	Trend          stackparse.Trend `json:"trend"`
}

// maxDiffBuckets is how many stacks a comparison keeps. Chosen: no program that was seen has as many that changed.
const maxDiffBuckets = 1_000

// Compare compares two states of a program: o.Inputs is not used, before and after are, each as Run takes its inputs;
// reports that triage wrote before are inputs too. The rules are applied to each side by itself, and where both are dumps of
// one process those that need two dumps to both together. The report it returns has
// the comparison under Diff and no findings or dumps of its own.
func Compare(ctx context.Context, before, after []string, o Options) (*Report, error) {
	o.reports = true
	r := newReport(o.Version)
	sides := make([]*side, 2)
	for i, inputs := range [][]string{before, after} {
		o.Inputs = inputs
		s, err := readSide(ctx, o)
		if err != nil && ctx.Err() == nil {
			return r, err
		}
		o.Book = &s.book
		sides[i] = s
		r.Inputs = append(r.Inputs, s.report.Inputs...)
		r.Skipped = append(r.Skipped, s.report.Skipped...)
		r.Rules, r.NotApplicable = s.report.Rules, s.report.NotApplicable
		if len(s.chosen) == 0 {
			r.Advice = append(r.Advice, s.report.Advice...)
		}
		if err != nil {
			r.Diff = emptyDiff(sides)
			return r, err
		}
	}
	var skips []Skipped
	r.Diff, skips = compareSides(sides[0], sides[1])
	r.Skipped = append(r.Skipped, skips...)
	if len(r.Diff.Profiles) > 0 {
		r.Advice = []Advice{}
	}
	return r, nil
}

func emptyDiff(sides []*side) *Diff {
	d := &Diff{
		By: ByStack, Before: sides[0].outline(), After: DiffSide{Inputs: []string{}, Dumps: []DiffDump{}},
		Findings: DiffFindings{New: []rules.Finding{}, Gone: []rules.Finding{}, Both: []rules.Finding{}}, Buckets: []DiffBucket{},
	}
	if sides[1] != nil {
		d.After = sides[1].outline()
	}
	return d
}

// compareSides compares dumps with dumps and profiles with profiles of their kind; what has no counterpart is told.
func compareSides(before, after *side) (*Diff, []Skipped) {
	d := emptyDiff([]*side{before, after})
	profiles, pairs, skips := compareProfiles(before, after)
	d.Profiles = profiles
	dumps := len(before.chosen) > 0 && len(after.chosen) > 0
	if len(before.profiles) > 0 || len(after.profiles) > 0 {
		after.findings = append(slices.Clip(after.findings), togetherProfiles(pairs, after)...)
		for _, side := range []struct {
			of   *side
			kept func(profilePair) profile.Kind
		}{
			{before, func(p profilePair) profile.Kind { return p.before.inputs[0].Kind }},
			{after, func(p profilePair) profile.Kind { return p.after.inputs[0].Kind }},
		} {
			kinds := map[profile.Kind]bool{}
			for _, p := range pairs {
				kinds[side.kept(p)] = true
			}
			side.of.findings = side.of.findingsOn(kinds, dumps)
		}
		d.Before.Findings, d.After.Findings = len(before.findings), len(after.findings)
	}
	switch {
	case dumps:
		compareStacks(d, before, after)
	case len(profiles) > 0:
		d.By = ByFunction
		d.Findings = diffFindings(before.findings, after.findings, true)
	}
	return d, skips
}

// compareStacks compares the sides' dumps.
func compareStacks(d *Diff, before, after *side) {
	var c *stackparse.Comparison
	c, d.By = compareDumps(before, after)
	if d.By == ByGoroutine {
		after.findings = append(slices.Clip(after.findings), together(before.chosen[0], after.chosen[0], after)...)
		d.After.Findings = len(after.findings)
	}
	d.Findings = diffFindings(before.findings, after.findings, d.By == ByFunction)
	if d.By == ByGoroutine {
		step := SeriesStep(c.Steps[0])
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
			d.Buckets = append(d.Buckets, sideOf(r, before, after).bucket(r, counts))
		}
	}
}

// changed is by how much two counts differ.
func changed(counts []int) int { return max(counts[1]-counts[0], counts[0]-counts[1]) }

// sideOf is the side that shows a row: after where it is there.
func sideOf(r *stackparse.Row, before, after *side) *side {
	if r.Last().Dump == 0 {
		return before
	}
	return after
}

// compareDumps compares what the sides have chosen: two dumps of one process by their goroutines, anything else by stacks.
func compareDumps(before, after *side) (*stackparse.Comparison, string) {
	if a, b := before.chosen[0], after.chosen[0]; len(before.chosen) == 1 && len(after.chosen) == 1 && oneProcess(a, b) {
		return stackparse.Compare([]*stackparse.Dump{a.Dump, b.Dump}, stackparse.StackKey), ByGoroutine
	}
	a, b := before.merged(), after.merged()
	bare := before.counted() != after.counted()
	same := stackparse.SameBuild(a.Buckets, b.Buckets)
	key, by := stackparse.StackKey, ByStack
	switch {
	case same && bare:
		key = stackparse.BareKey
	case !same && bare:
		key, by = stackparse.BareFuncKey, ByFunction
	case !same:
		key, by = stackparse.FuncKey, ByFunction
	}
	return stackparse.Compare([]*stackparse.Dump{a, b}, key), by
}

// together applies the rules that need two dumps of a process to the sides' two; what the after side shows by itself already
// is left out.
func together(before, after *rules.DumpInput, s *side) []rules.Finding {
	a, b := *before, *after
	a.Process, b.Process = "both sides", "both sides"
	dumps := []*rules.DumpInput{&a, &b}
	pass := &rules.Pass{Dumps: dumps, Series: rules.SeriesOf(dumps), Target: b.Target}
	var found []rules.Finding
	for _, rule := range s.book.Rules {
		if rule.Needs&rules.NeedsDumps != 0 {
			found = append(found, try(rule, pass).found...)
		}
	}
	return notYet(found, s.findings)
}

// notYet are the findings that are not among known, by fingerprint.
func notYet(found, known []rules.Finding) []rules.Finding {
	found = slices.DeleteFunc(mergeFindings(found), func(f rules.Finding) bool {
		return slices.ContainsFunc(known, func(g rules.Finding) bool { return g.Fingerprint == f.Fingerprint })
	})
	return rank(found, nil)
}

// diffFindings tells the findings of two sides apart. Where lines moved, a finding of the same rule in the same function is
// the same.
func diffFindings(before, after []rules.Finding, moved bool) DiffFindings {
	names := []func(*rules.Finding) string{func(f *rules.Finding) string { return f.Fingerprint }}
	if moved {
		names = append(names, func(f *rules.Finding) string { return f.Rule + " " + rules.PlainName(f.Culprit.Function) })
	}
	d := DiffFindings{New: slices.Clone(after), Both: []rules.Finding{}, Gone: slices.Clone(before)}
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
	slices.SortStableFunc(d.Both, func(a, b rules.Finding) int { return compareFindings(a, b, nil) })
	if d.New == nil {
		d.New = []rules.Finding{}
	}
	if d.Gone == nil {
		d.Gone = []rules.Finding{}
	}
	return d
}
