package diff

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

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
				Head: d.Truncated == "head" || d.Truncated == "both", Tail: d.Truncated == "tail" ||
					d.Truncated == "both",
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
