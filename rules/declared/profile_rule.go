package declared

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
)

// A ProfileDef is the part of a RuleDef that is about profiles. The rule claims the stacks of its kind of profile that
// one of Stacks holds for and no rule of smaller Order does, and fires where those take a share from Shares.Low on,
// at the lower end of its 95% interval.
type ProfileDef struct {
	// Profile is the kind: cpu, heap (what is in use), allocs (what was allocated since the program began), mutex,
	// block.
	Profile string             `yaml:"profile"`
	Stacks  []match.StackMatch `yaml:"stacks"`
	Shares  hotspot.Shares     `yaml:"shares"`
	// Order puts causes before what follows from them; 0 comes before all built-in rules. Those have 100 to 199 for
	// cryptography, 200 to 299 for work that is done again and again, 300 to 399 for encoding, copying and comparing,
	// 400 to 499 for libraries in general, 500 to 599 for what the runtime does for a piece of code, and 600 on for
	// what it does for the program as a whole.
	Order int `yaml:"order"`
	// Family joins rules that see one cause in several places: of those that fire with the same culprit the greatest
	// is reported, with the shares of the others.
	Family string `yaml:"family"`
	// Explains are ids of rules whose claims this rule's work causes, on any stacks.
	Explains []string `yaml:"explains"`
	// Cores is the CPU from which a high share is of high severity; 0 for half a core, which is what many pods may use
	// at all.
	Cores float64 `yaml:"cores"`
	// Floor is the CPU below which a finding is low; 0 for a quarter of a core. Work that is never what a program is
	// for, whatever it is for, has less.
	Floor float64 `yaml:"floor"`
	// Against is what speaks for another reason, a sentence without its full stop: the confidence is low with it. It
	// holds where NotMain, Living or Purpose do, in any profile where the rule has none of them.
	Against string `yaml:"against"`
	// NotMain doubts a culprit that is main itself: what a program does there for most of its CPU is what it is for.
	NotMain bool `yaml:"not_main"`
	// Living is the share below which work is doubted that programs do for a living: all but controllers, whose
	// Reconciles do it for the same objects again. 1 is for any share, 0 for work that is nobody's purpose.
	Living float64 `yaml:"living"`
	// LivingIn are names of functions: only what they do of the work counts for Living. Without any, all of it does.
	LivingIn []string `yaml:"living_in"`
	// Purpose are names of functions which show, anywhere in the profile, that this work is what the program is for.
	Purpose []string `yaml:"purpose"`
	// AtLeast is how much must be behind a share: MiB for heap and allocs, seconds of waiting for mutex and block.
	AtLeast float64 `yaml:"at_least"`
	// Large is the part of a heap, in MiB, below which a finding is low: a share alone does not show whether it
	// matters.
	Large float64 `yaml:"large"`
}

// profileChecks are the faults that a rule about profiles may have besides those of any rule.
func profileChecks(def *RuleDef) []check {
	_, needs := profileKind(def.Profile)
	return []check{
		{"profile", needs == 0, fmt.Sprintf("unknown kind %q; the kinds are cpu, heap, allocs, mutex, block",
			def.Profile)},
		{"needs", len(def.Needs) > 0, "a rule about profiles needs its profile and nothing else"},
		{"match", len(def.Match) > 0, "match is for dumps: a rule about profiles has stacks"},
		{"when", def.When != "", "when is for dumps: a rule about profiles has shares"},
		{"stacks", len(def.Stacks) == 0, "missing: which stacks the rule claims"},
		{"shares", !def.Shares.Valid(),
			"low, medium and high are shares above 0 and up to 1 in ascending order; low is required"},
		{"cores", def.Cores < 0, "cores are 0 or more"},
		{"floor", def.Floor < 0, "a floor is 0 or more cores"},
		{"living_in", len(def.LivingIn) > 0 && def.Living == 0, "which part of the work counts for living, a share"},
		{"living", def.Living < 0 || def.Living > 1, "a share from 0 to 1"},
		{"order", def.Order < 0, "an order is 0 or more"},
		{"at_least", def.AtLeast < 0 || def.AtLeast > 0 && def.Profile == "cpu",
			"a bound of 0 or more, for heap, allocs, mutex and block"},
		{"large", def.Large < 0 || def.Large > 0 && def.Profile != "heap", "MiB of 0 or more, for heap"},
	}
}

// profileRule makes a def without faults ready, which is read for the first profile of its kind, and its texts for the
// first finding.
func profileRule(kind string, def func() *RuleDef) (hotspot.Later, func(*rules.Pass) []rules.Finding, rules.Needs) {
	value, needs := profileKind(kind)
	by := sync.OnceValue(func() *hotspot.Claimant {
		def := def()
		return &hotspot.Claimant{
			ID: def.ID, Name: def.Name, Order: def.Order, Kind: profile.Kind(kind), Value: value,
			Stacks: def.Stacks, Shares: def.Shares, Family: def.Family, Explains: def.Explains, AtLeast: def.AtLeast,
			Cores: def.Cores, Floor: def.Floor, NotMain: def.NotMain, Living: def.Living, LivingIn: def.LivingIn,
			Purpose: def.Purpose, Against: strings.Join(strings.Fields(def.Against), " "), Large: def.Large,
		}
	})
	words := sync.OnceValue(func() *hotspot.Words {
		w, err := compileWords(def())
		if err != nil {
			return &hotspot.Words{} // compileRule found no fault in them
		}
		return w
	})
	run := func(p *rules.Pass) []rules.Finding { return by().Run(def().Severity, def().Confidence, words)(p) }
	return hotspot.Later{Kind: profile.Kind(kind), Value: value, Claimant: by}, run, needs
}

// profileKind is what a rule's kind of profile means: the sample type that shares are of, "" for the profile's own, and
// the evidence that the rule needs, 0 for an unknown kind. Heap profiles and profiles of allocations both hold what is
// in use and what was allocated, but rules look at what each was taken for, so that two of one process do not report
// everything twice.
func profileKind(kind string) (value string, needs rules.Needs) {
	switch profile.Kind(kind) {
	case profile.KindCPU:
		return "", rules.NeedsCPU
	case profile.KindHeap:
		return "inuse_space", rules.NeedsHeap
	case profile.KindAllocs:
		return "alloc_space", rules.NeedsAllocs
	case profile.KindMutex:
		return "", rules.NeedsMutex
	case profile.KindBlock:
		return "", rules.NeedsBlock
	}
	return "", 0
}
