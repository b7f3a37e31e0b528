package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// All returns the built-in rules, ordered by id. Each call returns new Rules, which share the definitions of the declarative
// ones.
func All() []*Rule { return allWith(embedded()) }

// allWith returns the rules written in Go and the declarative ones of b, ordered by id.
func allWith(b *builtins) []*Rule {
	all := b.rules()
	all = append(all, spinRules()...)
	all = append(all, crashRules()...)
	all = append(all, waitRules()...)
	all = append(all, waitingRules()...)
	all = append(all, seriesRules()...)
	all = append(all, profileRules()...)
	all = append(all, logRules()...)
	all = append(all, objectRules()...)
	all = append(all, auditRules()...)
	slices.SortStableFunc(all, func(a, b *Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Find returns the rule of all whose id or name is key (case ignored for ids), nil where there is none.
func Find(all []*Rule, key string) *Rule {
	for _, r := range all {
		if strings.EqualFold(r.ID, key) || r.Name == key {
			return r
		}
	}
	return nil
}

// Applicable reports whether p holds what r looks at.
func (r *Rule) Applicable(p *Pass) bool { return r.Missing(p) == 0 }

// Missing is the part of r.Needs that p lacks; 0 where r applies.
func (r *Rule) Missing(p *Pass) Needs { return r.Needs &^ p.has() }

// Apply runs r and completes its findings: what they leave empty comes from the rule (id, name, category, severity,
// why, fix, references) or from their other fields (fingerprint, count); slices are never nil.
func (r *Rule) Apply(p *Pass) []Finding {
	found := r.Run(p)
	for i := range found {
		r.complete(&found[i])
	}
	return found
}

func (r *Rule) complete(f *Finding) {
	f.Rule = cmp.Or(f.Rule, r.ID)
	f.Name = cmp.Or(f.Name, r.Name)
	f.Category = cmp.Or(f.Category, r.Category)
	f.Severity = cmp.Or(f.Severity, r.Severity)
	f.Confidence = cmp.Or(f.Confidence, ConfMedium)
	f.Why = cmp.Or(f.Why, r.Doc.Why)
	f.Fix = cmp.Or(f.Fix, r.Doc.Fix)
	if f.Fingerprint == "" {
		f.Fingerprint = Fingerprint(f.Rule, f.Culprit, f.Creator)
		if f.Object != nil {
			f.Fingerprint = FingerprintObject(f.Rule, *f.Object)
		}
	}
	if len(f.Refs) == 0 {
		f.Refs = slices.Clone(r.Doc.Refs)
	}
	f.Refs = notNil(f.Refs)
	f.Actors = notNil(f.Actors)
	f.Path = notNil(f.Path)
	f.Evidence = notNil(f.Evidence)
	f.Next = notNil(f.Next)
	f.Sources = notNil(f.Sources)
	for i := range f.Evidence {
		e := &f.Evidence[i]
		e.Goroutines = notNil(e.Goroutines)
		if f.Count < e.Count {
			f.Count = e.Count
		}
	}
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

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
