package hotspot

import (
	_ "embed"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

//go:embed doc.md
var hotspotDoc string

// Rules returns the rules about profiles that need more than shares of stacks.
func Rules() []*rules.Rule {
	return rules.Documented(hotspotDoc, []*rules.Rule{
		heapGrowth(), yieldSpin(), regexpBacktracking(), callWithoutResult(), nestedCalls(),
		dominantRetainer(), documentInMemory(), requestsKept(),
	})
}

// hotspotRule completes a rule that takes stacks. Its texts know {total} besides Placeholders.
func hotspotRule(r rules.Rule, by Matcher, words Words) *rules.Rule {
	by.ID, by.Name = r.ID, r.Name
	r.Hotspots, r.Run = &by, by.Run(r.Severity, rules.ConfMedium, func() *Words { return &words })
	return &r
}

func yieldSpin() *rules.Rule {
	return hotspotRule(rules.Rule{
		ID: "TR572", Name: "yield-spin", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsCPU,
	}, Matcher{HotspotDef: HotspotDef{
		Order: 420, Kind: profile.KindCPU, Shares: Shares{Low: 0.06, Medium: 0.15, High: 0.2}, Cores: 0.25,
		// Nothing healthy yields for this share: of 344 profiles of healthy processes none, whatever its CPU.
		Floor: 0.05, Family: "waiting",
		Stacks: []match.StackMatch{{Frames: []string{"runtime.Gosched", "runtime.gosched_m"},
			NotUnder: []string{"runtime.bgsweep", "runtime.bgscavenge", "runtime.gcBgMarkWorker"}}},
		Explains: []string{"TR580"},
	}, doubt: sweeps}, Words{
		Title: "{culprit} spins on runtime.Gosched: {share} of CPU{cores}",
		Why: "A goroutine waits in a loop that yields with runtime.Gosched and checks again. The scheduler runs on " +
			"its own stack, so few stacks show the caller.",
	})
}

// regexpBacktracking is the rule about expressions that try many ways at each place (split.go).
func regexpBacktracking() *rules.Rule {
	return hotspotRule(rules.Rule{
		ID: backtrackingRule, Name: "regexp-backtracking", Category: rules.HotCPU, Severity: rules.Medium,
		Needs: rules.NeedsCPU,
	}, Matcher{HotspotDef: HotspotDef{
		Order: 403, Kind: profile.KindCPU, Shares: Shares{Low: 0.1, Medium: 0.25},
	}}, Words{
		Title: "{culprit} spends {share} of CPU{cores} on regular expressions that backtrack",
		Why: "{function} matches expressions that are not anchored, or whose alternatives begin alike. " +
			"Much of the time goes into repeating attempts that failed before.",
	})
}

// callWithoutResult is the rule about a call that makes nothing (without_result.go).
func callWithoutResult() *rules.Rule {
	return hotspotRule(rules.Rule{
		ID: withoutResultRule, Name: "call-without-result", Category: rules.Spin, Severity: rules.Medium,
		Needs: rules.NeedsCPU,
	}, Matcher{HotspotDef: HotspotDef{
		Order: 418, Kind: profile.KindCPU, AtLeast: withoutResultSeconds, Shares: Shares{Low: 0.5, Medium: 0.9},
	}}, Words{
		Title: "{culprit} spends {share} of CPU{cores} in {called}, which produces nothing",
		Why: "For {amount} of CPU time, the process was only in {called}, and read, wrote and allocated nothing. " +
			"A loop there makes no progress, or its input is very large.",
		Next: []func(rules.Target) []rules.Step{func(t rules.Target) []rules.Step { return []rules.Step{t.Dump()} }},
	})
}

// nestedCalls is the rule about calls that parse or match and are nested deeply (nested.go).
func nestedCalls() *rules.Rule {
	return hotspotRule(rules.Rule{
		ID: nestedRule, Name: "nested-calls", Category: rules.HotCPU, Severity: rules.Medium, Needs: rules.NeedsCPU,
	}, Matcher{HotspotDef: HotspotDef{
		Order: 417, Kind: profile.KindCPU, Shares: Shares{Low: 0.5, Medium: 0.5},
	}, inner: true}, Words{
		Title: "{culprit} spends {share} of CPU{cores} at the end of deeply nested calls",
		Why: "{function} runs inside many nested calls of one parsing or matching function. A text that is twice " +
			"as deep takes far more than twice as long.",
	})
}

// heapRule is a rule about what a heap holds.
func heapRule(r rules.Rule, by Matcher, words Words) *rules.Rule {
	by.Kind = profile.KindHeap
	r.Category, r.Severity, r.Needs = rules.Memory, rules.Medium, rules.NeedsHeap
	return hotspotRule(r, by, words)
}

func dominantRetainer() *rules.Rule {
	return heapRule(rules.Rule{ID: "TR601", Name: "dominant-retainer"}, Matcher{
		HotspotDef: HotspotDef{Order: 900, AtLeast: 48, Large: largeHeap, Shares: Shares{Low: 0.4, Medium: 0.5}},
		rest:       true, keeps: onlyGrows, doubt: notKept,
	}, Words{
		Title: "{culprit} holds {amount}, {share} of the heap, and almost nothing is freed",
		Why: "{amount} of the {total} in use were allocated in {function}, and almost none of the memory that it " +
			"allocates is ever freed. No stack names a cache, pool or index.",
	})
}

func documentInMemory() *rules.Rule {
	return heapRule(rules.Rule{ID: "TR624", Name: "document-in-memory"}, Matcher{
		HotspotDef: HotspotDef{
			Order: 420, Stacks: documentStacks(), AtLeast: 12, Large: 12, Shares: Shares{Low: 0.4, Medium: 0.6},
		},
		keeps: oneDocument, doubt: smallDocument,
	}, Words{
		Title: "{culprit} parses or decodes data that takes {amount}, {share} of the heap",
		Why: "{amount} of the {total} in use were allocated inside one call in {function} that parses, splits or " +
			"decodes.",
	})
}

func requestsKept() *rules.Rule {
	return heapRule(rules.Rule{ID: requestsRule, Name: "requests-kept"}, Matcher{
		HotspotDef: HotspotDef{Order: 300, Shares: Shares{Low: 0.1, Medium: 0.25}},
	}, Words{
		Title: "{culprit} keeps finished requests: {amount}, {share} of the heap",
		Why: "The heap holds far more HTTP requests than there are connections to read them from. These " +
			"requests and their handlers' memory take {amount} of the {total} in use.",
	})
}

// documentStacks are calls that make something of a text or message as a whole.
func documentStacks() []match.StackMatch {
	return []match.StackMatch{{
		Frames: []string{
			"**.Parse*", "**.Unmarshal*", "**.Decode", "**.DecodeAll", "**.DecodeString", "**.Compile*", "**.Split*",
			"**.split*", "**.ReadBytes", "**.Deserialize*", "**.Fields", "**.Lex",
		},
		NotUnder: []string{"runtime.doInit*", "**.init.**", "flag.**"},
	}}
}

// maxCollecting is the part of the CPU that a collector may take beside yields whose caller no stack shows (chosen: a
// program that waits allocates next to nothing).
const maxCollecting = 0.02

// sweeps reports whether the garbage collector explains yields that no one is seen to ask for: its sweeper calls
// Gosched between spans, which is next to all that shows of it where spans are few and large.
func sweeps(hs *Hotspots, hot *Hotspot) bool {
	collecting := hs.sumOf(func(fr int32) bool {
		name := hs.FuncAt(fr)
		return name == "runtime.bgsweep" || name == "runtime.gcBgMarkWorker"
	})
	total := hs.sumOf(nil)
	return float64(collecting) > maxCollecting*float64(total) && !hs.attribute(hot).Known
}
