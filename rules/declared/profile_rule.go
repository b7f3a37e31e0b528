package declared

import (
	"fmt"
	"sync"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
)

// profileChecks are the faults that a rule about profiles may have besides those of any rule.
func profileChecks(def *RuleDef) []check {
	return []check{
		{"profile", profileNeeds(def.Kind) == 0,
			fmt.Sprintf("unknown kind %q; the kinds are cpu, heap, allocs, mutex, block", def.Kind)},
		{"stacks", len(def.Stacks) == 0, "missing: the stacks that the rule counts"},
		{"shares", !def.Shares.Valid(),
			"low, medium and high must be shares above 0 and up to 1 in ascending order; low is required"},
		{"cores", def.Cores < 0, "cores must be 0 or more"},
		{"floor", def.Floor < 0, "a floor must be 0 or more cores"},
		{"living_in", len(def.LivingIn) > 0 && def.Living == 0, "living_in needs living, a share from 0 to 1"},
		{"living", def.Living < 0 || def.Living > 1, "must be a share from 0 to 1"},
		{"order", def.Order < 0, "an order must be 0 or more"},
		{"at_least", def.AtLeast < 0 || def.AtLeast > 0 && def.Kind == profile.KindCPU,
			"must be 0 or more, and only for heap, allocs, mutex and block"},
		{"large", def.Large < 0 || def.Large > 0 && def.Kind != profile.KindHeap, "must be 0 MiB or more, and only " +
			"for heap"},
	}
}

// profileRule makes a def without faults a rule of the board, whose texts are read for the first finding.
func profileRule(r *rules.Rule, def *RuleDef) {
	by := &hotspot.Matcher{ID: def.ID, Name: def.Name, HotspotDef: def.HotspotDef}
	words := sync.OnceValue(func() *hotspot.Words {
		w, err := compileWords(def)
		if err != nil {
			return &hotspot.Words{} // compileRule found no fault in them
		}
		return w
	})
	r.Hotspots, r.Needs = by, profileNeeds(def.Kind)
	r.Run = by.Run(def.Severity, def.Confidence, words)
}

// profileNeeds is the evidence that a rule about a kind of profile needs, 0 for an unknown kind. Heap profiles and
// profiles of allocations both hold what is in use and what was allocated, but rules look at what each was taken for,
// so that two of one process do not report everything twice.
func profileNeeds(kind profile.Kind) rules.Needs {
	switch kind {
	case profile.KindCPU:
		return rules.NeedsCPU
	case profile.KindHeap:
		return rules.NeedsHeap
	case profile.KindAllocs:
		return rules.NeedsAllocs
	case profile.KindMutex:
		return rules.NeedsMutex
	case profile.KindBlock:
		return rules.NeedsBlock
	}
	return 0
}
