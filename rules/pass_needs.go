package rules

import (
	"slices"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// parsed returns p without the inputs that hold nothing; p itself where there is none.
func (p *Pass) parsed() *Pass {
	if p == nil {
		return &Pass{}
	}
	noDump := func(d *DumpInput) bool { return d == nil || d.Dump == nil }
	noProfile := func(in *ProfileInput) bool { return in == nil || in.View == nil || in.Profile == nil }
	noLog := func(in *LogInput) bool { return in == nil || empty(in.Log) }
	noMeter := func(in *MeterInput) bool { return in == nil || empty(in.Meter) }
	noSeries := func(s *Series) bool { return s == nil || s.Comparison == nil }
	if !slices.ContainsFunc(p.Dumps, noDump) && !slices.ContainsFunc(p.Profiles, noProfile) &&
		!slices.ContainsFunc(p.Logs, noLog) && !slices.ContainsFunc(p.Series, noSeries) &&
		!slices.ContainsFunc(p.Metrics, noMeter) && !slices.ContainsFunc(p.Cgroups, noMeter) {
		return p
	}
	q := *p
	q.Dumps = slices.DeleteFunc(slices.Clone(p.Dumps), noDump)
	q.Profiles = slices.DeleteFunc(slices.Clone(p.Profiles), noProfile)
	q.Logs = slices.DeleteFunc(slices.Clone(p.Logs), noLog)
	q.Metrics = slices.DeleteFunc(slices.Clone(p.Metrics), noMeter)
	q.Cgroups = slices.DeleteFunc(slices.Clone(p.Cgroups), noMeter)
	q.Series = slices.DeleteFunc(slices.Clone(p.Series), noSeries)
	return &q
}

// missing is the part of need that p lacks. Dumps and profiles are looked at until nothing is missing: a log may hold
// thousands.
func (p *Pass) missing(need Needs) Needs {
	if len(p.Logs) > 0 {
		need &^= NeedsLogs
	}
	if len(p.Metrics) > 0 {
		need &^= NeedsMetrics
	}
	if len(p.Cgroups) > 0 {
		need &^= NeedsCgroup
	}
	if !empty(p.Cluster) {
		need &^= NeedsObjects
	}
	if !empty(p.Audit) {
		need &^= NeedsAudit
	}
	if !empty(p.Code) {
		need &^= NeedsSource
	}
	seen := map[string]bool{}
	for _, d := range p.Dumps {
		if need == 0 {
			return 0
		}
		need &^= dumpShows(d)
		if d.Goroutines > 0 && d.Process != "" && need&NeedsDumps != 0 {
			if seen[d.Process] {
				need &^= NeedsDumps
			}
			seen[d.Process] = true
		}
	}
	if need == 0 {
		return 0
	}
	return need &^ hasProfiles(p.Profiles)
}

func empty(p Parsed) bool { return p == nil || p.Empty() }

// dumpShows is the evidence that one dump is.
func dumpShows(d *DumpInput) Needs {
	var n Needs
	if d.Goroutines > 0 {
		n |= NeedsDump
		switch {
		case !d.Counted():
			n |= NeedsStates | NeedsWaits
		case slices.ContainsFunc(d.Buckets, waits):
			n |= NeedsWaits
		}
	}
	// A dump that is whole in front shows whether there was a cause: without one the process did not crash.
	if d.Cause != nil || d.Goroutines > 0 && !d.Truncated.Head {
		n |= NeedsCause
	}
	if len(d.Races) > 0 {
		n |= NeedsRace
	}
	return n
}

// waits reports whether the frames of a counted stack show what its goroutines wait for: those of a debug=1 profile
// always show locks, and channels where its release is known.
func waits(b *stackparse.Bucket) bool {
	switch b.Class {
	case "", stackparse.ClassOther, stackparse.ClassRunning, stackparse.ClassRunnable, stackparse.ClassIdle:
		return false
	}
	return true
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

// needTexts are what each kind of evidence is called, in the order in which they are listed.
var needTexts = [...]struct {
	bit  Needs
	text string
}{
	{NeedsDump, "a goroutine dump"},
	{NeedsDumps, "two dumps of one process"},
	{NeedsCause, "a panic or a fatal error"},
	{NeedsRace, "a race detector's report"},
	{NeedsStates, "goroutine states (a signal's dump, or goroutine?debug=2)"},
	{NeedsWaits, "the reasons why goroutines wait"},
	{NeedsCPU, "a CPU profile"},
	{NeedsHeap, "a heap profile"},
	{NeedsAllocs, "a profile of allocations"},
	{NeedsHeaps, "two heap profiles of one process"},
	{NeedsMutex, "a mutex profile"},
	{NeedsBlock, "a block profile"},
	{NeedsProfile, "a profile"},
	{NeedsLogs, "a log whose lines have timestamps"},
	{NeedsObjects, "Kubernetes objects (YAML or JSON of a bundle, kubectl get -o json)"},
	{NeedsAudit, "an audit log of the API server"},
	{NeedsMetrics, "metrics of a process (curl http://localhost:PORT/metrics)"},
	{NeedsCgroup, "files of a container's control group (/sys/fs/cgroup/cpu.stat, cpu.max)"},
	{NeedsSource, "the program's source code (--source DIR)"},
}

// String names what is needed, for "not applicable": "a goroutine dump".
func (n Needs) String() string {
	s := ""
	for _, k := range &needTexts {
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
