package declared

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

// A ProfileDef is the part of a RuleDef that is about profiles. The rule claims the stacks of its kind of profile that
// one of Stacks holds for and no rule of smaller Order does, and fires where those take a share from Shares.Low on,
// at the lower end of its 95 % interval.
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
	// AtLeast is how much must be behind a share: MiB for heap and allocs, seconds of waiting for mutex and block.
	AtLeast float64 `yaml:"at_least"`
}

// A profileRule is a RuleDef about profiles, ready for use.
type profileRule struct {
	def    *RuleDef
	claims *hotspot.Claimant
	words  func() words // read for the first finding
}

// checkProfileRule describes what is wrong with def besides its texts; errors are match.FieldErrors.
func checkProfileRule(def *RuleDef) error {
	kinds, _, _ := profileKinds(def.Profile)
	for _, f := range []struct {
		field string
		bad   bool
		say   string
	}{
		{"profile", len(kinds) == 0,
			fmt.Sprintf("unknown kind %q; the kinds are cpu, heap, allocs, mutex, block", def.Profile)},
		{"needs", len(def.Needs) > 0, "a rule about profiles needs its profile and nothing else"},
		{"match", len(def.Match) > 0, "match is for dumps: a rule about profiles has stacks"},
		{"when", def.When != "", "when is for dumps: a rule about profiles has shares"},
		{"stacks", len(def.Stacks) == 0, "missing: which stacks the rule claims"},
		{"shares", !def.Shares.Valid(),
			"low, medium and high are shares above 0 and up to 1 in ascending order; low is required"},
		{"cores", def.Cores < 0, "cores are 0 or more"},
		{"order", def.Order < 0, "an order is 0 or more"},
		{"at_least", def.AtLeast < 0 || def.AtLeast > 0 && def.Profile == "cpu",
			"a bound of 0 or more, for heap, allocs, mutex and block"},
	} {
		if f.bad {
			return &match.FieldError{Field: f.field, Err: errors.New(f.say)}
		}
	}
	for i := range def.Stacks {
		if err := def.Stacks[i].Check(); err != nil {
			return match.InField(fmt.Sprintf("stacks[%d]", i), err)
		}
	}
	return nil
}

// newProfileRule makes a def without faults ready.
func newProfileRule(def *RuleDef) *profileRule {
	kinds, value, _ := profileKinds(def.Profile)
	return &profileRule{
		def: def,
		claims: &hotspot.Claimant{
			ID: def.ID, Order: def.Order, Kinds: kinds, Value: value, Stacks: def.Stacks, Shares: def.Shares,
			Family: def.Family, Explains: def.Explains, AtLeast: def.AtLeast, Cores: cmp.Or(def.Cores, hotspot.HighCores),
		},
		words: sync.OnceValue(func() words {
			w, _ := compileWords(def, profilePlaceholders()) // compileRule found no fault in them
			return w
		}),
	}
}

// profileKinds is what a rule's kind of profile means. Heap profiles and profiles of allocations both hold what is in
// use and what was allocated, but rules look at what each was taken for, so that two of one process do not report
// everything twice.
func profileKinds(kind string) (kinds []profile.Kind, value string, needs rules.Needs) {
	switch kind {
	case "cpu":
		return []profile.Kind{profile.KindCPU}, "", rules.NeedsCPU
	case "heap":
		return []profile.Kind{profile.KindHeap}, "inuse_space", rules.NeedsHeap
	case "allocs":
		return []profile.Kind{profile.KindAllocs}, "alloc_space", rules.NeedsAllocs
	case "mutex":
		return []profile.Kind{profile.KindMutex}, "", rules.NeedsMutex
	case "block":
		return []profile.Kind{profile.KindBlock}, "", rules.NeedsBlock
	}
	return nil, "", 0
}

func (r *profileRule) run(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Profiles {
		if cl := hotspot.ClaimOf(in, r.claims); cl != nil {
			found = append(found, r.finding(in, cl))
		}
	}
	return found
}

func (r *profileRule) finding(in *rules.ProfileInput, cl *hotspot.Claim) rules.Finding {
	vals, w := values{in: in, claim: cl}, r.words()
	f := hotspot.ClaimFinding(in, cl)
	f.Severity = cl.Severity(in, r.def.Severity)
	f.Confidence = r.def.Confidence
	f.Title = hotspot.FitTitle(func(culprit string) string {
		vals.culprit = culprit
		return w.title.fill(&vals)
	}, cl.Blame)
	f.Why = strings.TrimSpace(hotspot.AccountOf(in, cl) + " " + w.why.fill(&vals))
	f.Fix = w.fix.fill(&vals)
	for _, cmd := range w.next {
		f.Next = rules.AddSteps(f.Next, cmd(in.Target)...)
	}
	return f
}

// profilePlaceholders are those of rules about profiles.
func profilePlaceholders() []placeholder {
	return []placeholder{
		{"culprit", "the culprit", func(v *values) string { return v.culprit }},
		{"function", "the culprit", func(v *values) string {
			if v.claim.Blame.Known {
				return frame.ShortFunc(v.claim.Blame.Culprit.Function)
			}
			return "the process"
		}},
		{"file", "FILE", func(v *values) string { return frame.ShortFile(v.claim.Blame.Culprit.File) }},
		{"line", "LINE", func(v *values) string { return strconv.Itoa(v.claim.Blame.Culprit.Line) }},
		{"share", "a share", func(v *values) string { return phrase.Percent(min(v.claim.Share+v.claim.Caused, 1)) }},
		{"own_share", "a share", func(v *values) string { return phrase.Percent(v.claim.Share) }},
		{"cores", "", func(v *values) string { return hotspot.CoresOf(v.in, v.claim.Share+v.claim.Caused) }},
		{"amount", "an amount", func(v *values) string { return hotspot.Amount(v.in, v.claim.Index, v.claim.Value) }},
		{"entry", "its caller", func(v *values) string {
			if e := v.claim.Blame.Entry.Function; e != "" {
				return frame.ShortFunc(e)
			}
			return "its caller"
		}},
	}
}
