package rules

import (
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// has is the evidence that p holds.
func (p *Pass) has() Needs {
	var n Needs
	seen := map[string]int{}
	for _, d := range p.Dumps {
		if d.Goroutines > 0 {
			n |= NeedsDump
			if d.Format != stackparse.FormatDebug1 && d.Format != stackparse.FormatProfile {
				n |= NeedsStates
			}
			if d.Process != "" {
				seen[d.Process]++
			}
			if seen[d.Process] > 1 {
				n |= NeedsDumps
			}
		}
		// A dump that is whole in front tells whether there was a cause: without one the process did not crash.
		if d.Cause != nil || d.Goroutines > 0 && !d.Truncated.Head {
			n |= NeedsCause
		}
		if len(d.Races) > 0 {
			n |= NeedsRace
		}
	}
	if len(p.Logs) > 0 {
		n |= NeedsLogs
	}
	if p.Cluster != nil && p.Cluster.Count > 0 {
		n |= NeedsObjects
	}
	if p.Audit != nil && p.Audit.Requests > 0 {
		n |= NeedsAudit
	}
	return n | hasProfiles(p.Profiles)
}

// hasProfiles is the evidence that profiles are.
func hasProfiles(all []*ProfileInput) Needs {
	var n Needs
	heaps := map[string]int{}
	for _, p := range all {
		switch p.Kind {
		case profile.KindCPU:
			n |= NeedsCPU
		case profile.KindAllocs:
			n |= NeedsAllocs
		case profile.KindHeap:
			n |= NeedsHeap
			if heaps[p.Process]++; heaps[p.Process] > 1 && p.Process != "" {
				n |= NeedsHeaps
			}
		case profile.KindMutex:
			n |= NeedsMutex
		case profile.KindBlock:
			n |= NeedsBlock
		default:
			continue
		}
		n |= NeedsProfile
	}
	return n
}

// String says what is needed, for "not applicable": "a goroutine dump".
func (n Needs) String() string {
	s := ""
	for _, k := range []struct {
		bit  Needs
		text string
	}{
		{NeedsDump, "a goroutine dump"},
		{NeedsDumps, "two dumps of one process"},
		{NeedsCause, "a panic or a fatal error"},
		{NeedsRace, "a race detector's report"},
		{NeedsStates, "goroutines with their states (a signal's dump, or goroutine?debug=2)"},
		{NeedsCPU, "a CPU profile"},
		{NeedsHeap, "a heap profile"},
		{NeedsAllocs, "a profile of allocations"},
		{NeedsHeaps, "two heap profiles of one process"},
		{NeedsMutex, "a mutex profile"},
		{NeedsBlock, "a block profile"},
		{NeedsProfile, "a profile"},
		{NeedsLogs, "a log whose lines have times"},
		{NeedsObjects, "Kubernetes objects (YAML or JSON of a bundle, kubectl get -o json)"},
		{NeedsAudit, "an audit log of the API server"},
	} {
		if n&k.bit == 0 {
			continue
		}
		if s != "" {
			s += " and "
		}
		s += k.text
	}
	return s
}
