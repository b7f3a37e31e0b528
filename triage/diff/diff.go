// Package diff compares two states of a program: their findings, goroutines and profiles.
//
// It takes two Sides, each a report with its evidence, and returns a schema.Diff. Begin reading at Compare;
// NewBaseline compares a report with that of a healthy process.
package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/verdict"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/internal/identity"
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
// skipped. The rules of set that need two states are applied to both sides together. stacks asks for Diff.Stacks.
func Compare(before, after *Side, set []*rules.Rule, stacks bool) (*schema.Diff, []schema.Skipped) {
	alignForms(before, after)
	d := Outline(before, after)
	profiles, pairs, skips := compareProfiles(before, after)
	d.Profiles = profiles
	if stacks {
		d.Stacks = stacksOf(before, after, pairs, profiles)
	}
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
	case len(profiles) > 0, d.OfMerged():
		d.By = schema.ByFunction
		d.Findings = diffFindings(before, after, true)
	}
	return d, skips
}

// alignForms leaves out of both sides what only the form of one prints.
func alignForms(before, after *Side) {
	if n := len(before.chosen); n > 0 && len(after.chosen) > 0 {
		all := rules.AlignForms(slices.Concat(before.chosen, after.chosen))
		before.chosen, after.chosen = all[:n:n], all[n:]
	}
}

// compareStacks compares the sides' dumps.
func compareStacks(d *schema.Diff, before, after *Side, set []*rules.Rule) {
	var c *stackparse.Comparison
	c, d.By = compareDumps(before, after)
	if d.By == schema.ByGoroutine {
		after.findings = append(slices.Clip(after.findings), together(set, before.chosen[0], after.chosen[0], after)...)
		d.After.Findings = len(after.findings)
	}
	d.Findings = diffFindings(before, after, d.By == schema.ByFunction)
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

// pairs returns for each finding of after the index of the one of before that is the same, by fingerprint; -1 for none,
// and which of before are taken. Where lines moved, a finding of the same rule in the same function is the same.
func pairs(before, after []rules.Finding, moved bool) (of []int, taken []bool) {
	names := []func(*rules.Finding) string{func(f *rules.Finding) string { return f.Fingerprint }}
	if moved {
		names = append(names, func(f *rules.Finding) string {
			return f.Rule + " " + rules.PlainName(f.Culprit.Function)
		})
	}
	of, taken = slices.Repeat([]int{-1}, len(after)), make([]bool, len(before))
	for _, name := range names {
		left := map[string][]int{}
		for i := range before {
			if n := name(&before[i]); !taken[i] {
				left[n] = append(left[n], i)
			}
		}
		for k := range after {
			if n := name(&after[k]); of[k] < 0 && len(left[n]) > 0 {
				of[k], left[n] = left[n][0], left[n][1:]
				taken[of[k]] = true
			}
		}
	}
	return of, taken
}

// diffFindings splits the findings of two sides. One that a side ignores is in none of the parts, and one that both
// have is not gone where AFTER ignores it.
func diffFindings(before, after *Side, moved bool) schema.DiffFindings {
	d := schema.DiffFindings{New: []rules.Finding{}, Both: []rules.Finding{}, Gone: []rules.Finding{}}
	of, taken := pairs(before.all(), after.all(), moved)
	for k := range after.findings {
		if of[k] < 0 {
			d.New = append(d.New, after.findings[k])
		} else {
			d.Both = append(d.Both, after.findings[k])
		}
	}
	for i := range before.findings {
		if !taken[i] {
			d.Gone = append(d.Gone, before.findings[i])
		}
	}
	verdict.Rank(d.Both, nil)
	return d
}

// A Side is one of the two states that are compared.
type Side struct {
	inputs    []string
	findings  []rules.Finding
	ignored   []rules.Finding // by the team's config
	leads     []schema.Lead
	chosen    []*rules.DumpInput // one a process, in order of input
	profiles  []*rules.ProfileInput
	instances int  // of merged reports
	reported  bool // a report of triage with profiles is among the inputs
	// of maps the buckets of what is compared to where they are from.
	of map[*stackparse.Bucket]bucketOrigin
}

// A bucketOrigin is the dump that a bucket is of, and the bucket's role.
type bucketOrigin struct {
	dump *rules.DumpInput
	role *rules.Role
}

// NewSide is the side of the inputs that r is of, which pass was made of, with the reports among them.
func NewSide(r *schema.Report, pass *rules.Pass, saved []schema.Saved, roles *match.RoleSet) *Side {
	s := &Side{findings: r.Findings, leads: r.Leads, profiles: pass.Profiles, inputs: []string{}}
	for _, in := range r.Inputs {
		s.inputs = append(s.inputs, in.Path)
	}
	s.ignore(r)
	dumps := slices.Clone(pass.Dumps)
	for _, f := range saved {
		s.findings = append(s.findings, f.Report.Findings...)
		s.ignore(f.Report)
		s.leads = append(s.leads, f.Report.Leads...)
		if b := f.Report.Baseline; b != nil { // what was known already is there too
			s.findings, s.leads = append(s.findings, b.Findings...), append(s.leads, b.Leads...)
		}
		if m := f.Report.Merged; m != nil {
			s.instances += m.Instances
		}
		s.reported = s.reported || len(f.Report.Profiles) > 0
		dumps = append(dumps, dumpsOf(f, roles)...)
	}
	s.chosen = lastOfEach(dumps)
	s.of = map[*stackparse.Bucket]bucketOrigin{}
	for _, d := range s.chosen {
		for i, b := range d.Buckets {
			s.of[b] = bucketOrigin{d, d.Roles[i]}
		}
	}
	return s
}

func (s *Side) ignore(r *schema.Report) {
	for i := range r.Ignored {
		s.ignored = append(s.ignored, r.Ignored[i].Finding)
	}
}

// all are the side's findings with those that are ignored.
func (s *Side) all() []rules.Finding { return slices.Concat(s.findings, s.ignored) }

// Leads are those of the side by itself.
func (s *Side) Leads() []schema.Lead { return s.leads }

// GrownLeads are the leads of a side without those whose goroutines were as many in the state before.
func (s *Side) GrownLeads(d *schema.Diff) []schema.Lead {
	old := map[rules.Place]bool{}
	for i := range d.Buckets {
		b := &d.Buckets[i]
		at := rules.Place{Function: b.Function, Line: b.Line}
		all, seen := old[at]
		old[at] = (all || !seen) && b.Before >= b.After
	}
	return slices.DeleteFunc(slices.Clone(s.leads), func(l schema.Lead) bool {
		return l.Culprit != nil && old[rules.Place{Function: l.Culprit.Function, Line: l.Culprit.Line}]
	})
}

// HasDumps reports whether the side has goroutine dumps to compare.
func (s *Side) HasDumps() bool { return len(s.chosen) > 0 }

// lastOfEach chooses the last dump of each process: the last whole one where there is one. Dumps of a goroutine or
// two, a recovered panic for instance, count only where there is nothing else; data race reports don't.
func lastOfEach(dumps []*rules.DumpInput) []*rules.DumpInput {
	dumps = slices.DeleteFunc(dumps, func(d *rules.DumpInput) bool { return d.Goroutines == 0 || len(d.Buckets) == 0 })
	if slices.ContainsFunc(dumps, func(d *rules.DumpInput) bool { return d.Goroutines > identity.MaxCollapsed }) {
		dumps = slices.DeleteFunc(dumps, func(d *rules.DumpInput) bool { return d.Goroutines <= identity.MaxCollapsed })
	}
	byProcess := map[string]int{}
	var groups [][]*rules.DumpInput
	for _, d := range dumps {
		i, ok := byProcess[d.Process]
		if !ok || d.Process == "" {
			i = len(groups)
			byProcess[d.Process] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], d)
	}
	var chosen []*rules.DumpInput
	for _, g := range groups {
		rules.SortByTime(g)
		last := g[len(g)-1]
		for _, d := range slices.Backward(g) {
			if schema.Ends(d.Truncated) == "" {
				last = d
				break
			}
		}
		chosen = append(chosen, last)
	}
	return chosen
}

// merged is one dump of all that the side has chosen, without ids: those of different processes have nothing in common.
func (s *Side) merged() *stackparse.Dump {
	m := &stackparse.Dump{Format: stackparse.FormatProfile}
	for _, d := range s.chosen {
		m.Goroutines += d.Goroutines
		m.Buckets = append(m.Buckets, d.Buckets...)
		m.Truncated.Head = m.Truncated.Head || d.Truncated.Head
		m.Truncated.Tail = m.Truncated.Tail || d.Truncated.Tail
	}
	return m
}

// counted reports whether a dump of the side has counted stacks, which name no creator.
func (s *Side) counted() bool {
	return slices.ContainsFunc(s.chosen, func(d *rules.DumpInput) bool { return d.Counted() })
}

// oneProcess reports whether two dumps are of one process and have the ids of all goroutines. Names don't count: the
// pod of a StatefulSet has the same one after a roll-out. Dumps without addresses, such as those of reports, must
// have a pod's name in common besides, because replicas give equal ids at their start.
func oneProcess(a, b *rules.DumpInput) bool {
	if rules.Deadly(a.Dump) || !identified(a.Dump) || !identified(b.Dump) {
		return false
	}
	x, y := identity.SampleOf(a.Dump), identity.SampleOf(b.Dump)
	named := a.Target.Pod != "" && a.Target.Namespace == b.Target.Namespace && a.Target.Pod == b.Target.Pod &&
		a.Target.Container == b.Target.Container
	addressed := func(all []identity.Trait) bool {
		return slices.ContainsFunc(all, func(t identity.Trait) bool { return t.Wait != 0 })
	}
	return identity.SameProcess(x, y) && stackparse.SameStarts(a.Buckets, b.Buckets) &&
		(named || addressed(x) && addressed(y))
}

// identified reports whether d has the id of every goroutine.
func identified(d *stackparse.Dump) bool {
	if d.Counted() {
		return false
	}
	return !slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool { return len(b.Goroutines) != b.Count })
}

// outline describes the side.
func (s *Side) outline() schema.DiffSide {
	out := schema.DiffSide{Inputs: s.inputs, Dumps: []schema.DiffDump{}, Findings: len(s.findings),
		Profiles: len(s.profiles), Instances: s.instances}
	for _, d := range s.chosen {
		path, line := d.Locate(d.Line)
		out.Goroutines += d.Goroutines
		out.Dumps = append(out.Dumps, schema.DiffDump{
			Input: path, Line: line, Time: d.Stamp, Process: d.Process, Signal: d.Cause.SignalName(), Go: d.Go,
			Goroutines: d.Goroutines, Truncated: schema.Ends(d.Truncated),
		})
	}
	return out
}

// bucket is the report's row for a stack that the side has.
func (s *Side) bucket(r *stackparse.Row, counts []int) schema.DiffBucket {
	b := r.Last().Bucket
	from := s.of[b]
	at := rules.BlameBucket(from.dump, b).Culprit
	out := schema.DiffBucket{
		Function: at.Function, File: at.File, Line: at.Line, Wait: string(b.Class),
		Before: counts[0], After: counts[1], SameGoroutines: r.Cells[0].Stayed, Trend: r.Trend,
	}
	if from.role != nil {
		out.Role, out.Idle = from.role.Name, from.role.Idle
	}
	if b.CreatedBy != nil {
		out.CreatedBy = b.CreatedBy.Func
	}
	return out
}

// maxReported bounds a count that a report names, so that no sum of them overflows.
const maxReported = 1 << 31

// dumpsOf are a report's dumps in the form that they were made from, as far as a report has it: it keeps the smallest
// 100 ids of a stack, and no addresses.
func dumpsOf(f schema.Saved, roles *match.RoleSet) []*rules.DumpInput {
	known := map[string]*rules.Role{}
	if roles != nil {
		for _, role := range roles.Roles() {
			known[role.Name] = role
		}
	}
	var all []*rules.DumpInput
	for i := range f.Report.Dumps {
		all = append(all, savedDump(f.Path, &f.Report.Dumps[i], known))
	}
	p := frame.InferProgram(identity.FramesOf(all))
	for _, d := range all {
		d.Program = p
	}
	identity.NameDumps(all, nil)
	return all
}

func savedDump(from string, d *schema.Dump, known map[string]*rules.Role) *rules.DumpInput {
	path, line := d.Input, d.Line
	in := &rules.DumpInput{
		Dump: &stackparse.Dump{
			Format: stackparse.Format(d.Format), Line: line, Stamp: d.Time, Go: d.Go,
			Goroutines: min(max(d.Goroutines, 0), maxReported),
			Truncated: stackparse.Truncation{
				Head: slices.Contains([]string{"head", "both"}, d.Truncated),
				Tail: slices.Contains([]string{"tail", "both"}, d.Truncated),
			},
			Cause: causeOf(d),
		},
		// The input's own path: what the report was made from may be gone.
		Input: from, Locate: func(int64) (string, int64) { return path, line },
		Target: rules.Target{Namespace: d.Namespace, Pod: d.Pod, Container: d.Container},
	}
	if d.Pod != "" {
		in.Process = d.Namespace + "/" + d.Pod + "/" + d.Container
	}
	for i := range d.Buckets {
		b := &d.Buckets[i]
		in.Buckets = append(in.Buckets, rebuilt(in.Dump, b))
		role := known[b.Role]
		if role == nil && b.Role != "" {
			role = &rules.Role{Name: b.Role}
		}
		in.Roles = append(in.Roles, role)
	}
	return in
}

// causeOf is as much of a dump's cause as shows whether its process ended with it.
func causeOf(d *schema.Dump) *stackparse.Cause {
	switch {
	case strings.HasPrefix(d.Reason, "panic: "):
		return &stackparse.Cause{Kind: stackparse.CausePanic}
	case strings.HasPrefix(d.Reason, "fatal error: "):
		return &stackparse.Cause{Kind: stackparse.CauseFatal}
	case d.Signal != "":
		return &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: d.Signal}
	}
	return nil
}

func rebuilt(d *stackparse.Dump, b *schema.Bucket) *stackparse.Bucket {
	state := slices.Index(d.States, b.State)
	if state < 0 && len(d.States) < maxReportedStates {
		state = len(d.States)
		d.States = append(d.States, b.State)
	}
	frames := make([]stackparse.Frame, 0, len(b.Frames))
	for _, fr := range b.Frames {
		frames = append(frames, reportedFrame(fr))
	}
	var created *stackparse.Frame
	if b.CreatedBy != nil {
		fr := reportedFrame(*b.CreatedBy)
		created = &fr
	}
	ids := make([]stackparse.Goroutine, 0, len(b.Goroutines))
	for _, id := range b.Goroutines {
		ids = append(ids, stackparse.Goroutine{ID: id, State: uint16(max(state, 0))})
	}
	return stackparse.NewBucket(frames, created, stackparse.Class(b.Wait), min(max(b.Count, 0), maxReported), ids)
}

// maxReportedStates is the bound of a dump's own list of states (stackparse.maxStates).
const maxReportedStates = 1024

func reportedFrame(f schema.Frame) stackparse.Frame {
	return stackparse.Frame{Frame: frame.Frame{Func: f.Function, File: f.File, Line: f.Line}, Elided: f.Elided}
}
