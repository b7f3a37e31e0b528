package diff

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// alignForms leaves the runtime's own goroutines out of both sides where only one of them shows any: a traceback at
// level 2 (GOTRACEBACK=system, crash) and some signals print them, /debug/pprof/goroutine never does
// (runtime.isSystemGoroutine). They would count as new or gone.
func alignForms(before, after *Side) {
	if len(before.chosen) == 0 || len(after.chosen) == 0 || before.showsRuntime() == after.showsRuntime() {
		return
	}
	before.dropRuntime()
	after.dropRuntime()
}

func (s *Side) showsRuntime() bool {
	return slices.ContainsFunc(s.chosen, func(d *rules.DumpInput) bool {
		return slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool { return runtimesOwn(d, b) })
	})
}

func (s *Side) dropRuntime() {
	for i, d := range s.chosen {
		kept, in := *d.Dump, *d
		kept.Buckets, in.Roles = nil, nil
		for k, b := range d.Buckets {
			if runtimesOwn(d, b) {
				kept.Goroutines -= b.Count
				continue
			}
			kept.Buckets, in.Roles = append(kept.Buckets, b), append(in.Roles, d.Roles[k])
		}
		in.Dump = &kept
		s.chosen[i] = &in
	}
}

// runtimesOwn reports whether every frame of a stack is the runtime's: of a garbage collector's worker, a finalizer's
// goroutine at rest, a thread's goroutine 0.
func runtimesOwn(d *rules.DumpInput, b *stackparse.Bucket) bool {
	return !slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
		return d.Program.Class(f.Frame) != frame.ClassRuntime
	})
}
