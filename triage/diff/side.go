package diff

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// A Side is one of the two states that are compared.
type Side struct {
	inputs   []string
	findings []rules.Finding
	chosen   []*rules.DumpInput // one a process, in order of input
	profiles []*rules.ProfileInput
	reported bool // a report of triage with profiles is among the inputs
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
	s := &Side{findings: r.Findings, profiles: pass.Profiles, inputs: []string{}}
	for _, in := range r.Inputs {
		s.inputs = append(s.inputs, in.Path)
	}
	dumps := slices.Clone(pass.Dumps)
	for _, f := range saved {
		s.findings = append(s.findings, f.Report.Findings...)
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
	return slices.ContainsFunc(s.chosen, func(d *rules.DumpInput) bool {
		return d.Format == stackparse.FormatDebug1 || d.Format == stackparse.FormatProfile
	})
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
	if d.Format == stackparse.FormatDebug1 || d.Format == stackparse.FormatProfile {
		return false
	}
	return !slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool { return len(b.Goroutines) != b.Count })
}

// outline describes the side.
func (s *Side) outline() schema.DiffSide {
	out := schema.DiffSide{Inputs: s.inputs, Dumps: []schema.DiffDump{}, Findings: len(s.findings),
		Profiles: len(s.profiles)}
	for _, d := range s.chosen {
		path, line := d.Locate(d.Line)
		out.Goroutines += d.Goroutines
		out.Dumps = append(out.Dumps, schema.DiffDump{
			Input: path, Line: line, Time: d.Stamp, Process: d.Process, Signal: convert.Signal(d.Cause), Go: d.Go,
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
	identity.NameDumps(all)
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
