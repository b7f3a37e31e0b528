package rules

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// AlignForms are the dumps in a form in which they can be compared: where only some of them show the runtime's own
// goroutines, all are without. A traceback at level 2 (GOTRACEBACK=system, crash) and some signals print them,
// /debug/pprof/goroutine never does (runtime.isSystemGoroutine), so that they would count as new or gone.
func AlignForms(dumps []*DumpInput) []*DumpInput {
	show := 0
	for _, d := range dumps {
		if slices.ContainsFunc(d.Buckets, d.runtimesOwn) {
			show++
		}
	}
	if show == 0 || show == len(dumps) {
		return dumps
	}
	aligned := make([]*DumpInput, len(dumps))
	for i, d := range dumps {
		aligned[i] = d.withoutRuntime()
	}
	return aligned
}

// withoutRuntime is a copy without the runtime's own goroutines.
func (d *DumpInput) withoutRuntime() *DumpInput {
	dump, in := *d.Dump, *d
	dump.Buckets, in.Roles, in.Dump = nil, nil, &dump
	for i, b := range d.Buckets {
		if d.runtimesOwn(b) {
			dump.Goroutines -= b.Count
			continue
		}
		dump.Buckets, in.Roles = append(dump.Buckets, b), append(in.Roles, d.RoleOf(i))
	}
	return &in
}

// runtimesOwn reports whether every frame of a stack is the runtime's: of a garbage collector's worker, a finalizer's
// goroutine at rest, a thread's goroutine 0.
func (d *DumpInput) runtimesOwn(b *stackparse.Bucket) bool {
	return !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		return d.Program.Class(f.Frame) != frame.ClassRuntime
	})
}
