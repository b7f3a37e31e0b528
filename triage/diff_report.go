package triage

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A foundReport is a report that triage wrote before, among the inputs.
type foundReport struct {
	path   string
	report *Report
}

// report takes in a report of triage as an input.
func (in *intake) report(data []byte) error {
	r := &Report{}
	err := json.NewDecoder(bytes.NewReader(data)).Decode(r)
	reason, hint := "", ""
	switch {
	case err != nil:
		reason, hint = fmt.Sprintf("a report of triage that can't be read: %v", err), "write it anew: triage -o json=FILE INPUT"
	case r.Schema != Schema:
		reason, hint = fmt.Sprintf("a report of the form %q; this version reads %s", r.Schema, Schema), "write it anew with this version"
	case r.Diff != nil:
		reason, hint = "a comparison that triage wrote, which has no state of its own", "give the reports or dumps that it was made from"
	}
	if reason != "" {
		in.skips = append(in.skips, Skipped{Path: in.path, Reason: reason, Hint: hint, Named: true})
		return nil
	}
	in.reports = append(in.reports, foundReport{in.path, r})
	return nil
}

// maxReported bounds a count that a report names, so that no sum of them overflows.
const maxReported = 1 << 31

// dumps are the report's dumps in the form that they were made from, as far as a report has it: it keeps the smallest 100
// ids of a stack, and no addresses.
func (f foundReport) dumps(roles *rules.RoleSet) []*rules.DumpInput {
	known := map[string]*rules.Role{}
	if roles != nil {
		for _, role := range roles.Roles() {
			known[role.Name] = role
		}
	}
	var all []*rules.DumpInput
	for i := range f.report.Dumps {
		all = append(all, f.dump(&f.report.Dumps[i], known))
	}
	p := frame.InferProgram(framesOf(all))
	for _, d := range all {
		d.Program = p
	}
	nameProcesses(all)
	return all
}

func (f foundReport) dump(d *Dump, known map[string]*rules.Role) *rules.DumpInput {
	path, line := d.Input, d.Line
	in := &rules.DumpInput{
		Dump: &stackparse.Dump{
			Format: stackparse.Format(d.Format), Line: line, Stamp: d.Time, Go: d.Go, Goroutines: min(max(d.Goroutines, 0), maxReported),
			Truncated: stackparse.Truncation{Head: d.Truncated == "head" || d.Truncated == "both", Tail: d.Truncated == "tail" || d.Truncated == "both"},
			Cause:     causeOf(d),
		},
		// The input's own path: what the report was made from may be gone.
		Input: f.path, Locate: func(int64) (string, int64) { return path, line },
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

// causeOf is as much of a dump's cause as tells whether its process ended with it.
func causeOf(d *Dump) *stackparse.Cause {
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

func rebuilt(d *stackparse.Dump, b *Bucket) *stackparse.Bucket {
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

func reportedFrame(f Frame) stackparse.Frame {
	return stackparse.Frame{Frame: frame.Frame{Func: f.Function, File: f.File, Line: f.Line}, Elided: f.Elided}
}
