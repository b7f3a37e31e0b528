package coded

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// ofResults are the rules about results of calls that pile up: sql-pool-exhausted, http-body-not-closed and
// http-connections-kept. The source shows which calls leave theirs open.
var ofResults = [...]string{"TR420", "TR424", "TR662"}

// Decides reports whether the program's source may prove a finding that was made without it: goroutines wait in code
// that may be at hand for what other goroutines bring, and stacks alone don't settle it; or what piles up has been left
// open by calls that no stack shows.
func Decides(f *rules.Finding, p *rules.Pass) bool {
	if slices.Contains(ofResults[:], f.Rule) {
		return true
	}
	if f.Category != rules.Deadlock && f.Category != rules.Leak || f.Confidence == rules.ConfHigh {
		return false
	}
	return slices.ContainsFunc(p.Dumps, func(d *rules.DumpInput) bool {
		shows := func(e rules.Evidence) bool { return e.Input == d.Input }
		return slices.ContainsFunc(f.Evidence, shows) && whole(d) &&
			slices.ContainsFunc(d.Buckets, func(b *stackparse.Bucket) bool { return waitsAt(d, b, &f.Culprit) })
	})
}

// waitsAt reports whether goroutines wait for others, below a call at a place, in code that is no part of a Go release.
func waitsAt(d *rules.DumpInput, b *stackparse.Bucket, at *rules.Place) bool {
	if _, ok := waitClasses[b.Class]; !ok && !b.ForLock() {
		return false
	}
	k := slices.IndexFunc(b.Frames, func(f stackparse.Frame) bool { return !symbol.WaitsForOthers(f.Func) })
	if k < 0 {
		return false
	}
	switch d.Program.Class(b.Frames[k].Frame) {
	case frame.ClassRuntime, frame.ClassStdlib, frame.ClassForeign:
		return false
	}
	return slices.ContainsFunc(b.Frames[k:], func(f stackparse.Frame) bool {
		return f.Func == at.Function && f.Line == at.Line
	})
}
