package hotspot

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

//go:embed doc.md
var hotspotDoc string

// Rules returns the rules about profiles that need more than shares of stacks.
func Rules() []*rules.Rule {
	all := []*rules.Rule{
		hotLabel(), heapGrowth(),
		{ID: "TR671", Name: "mostly-idle", Category: rules.HotCPU, Severity: rules.Info, Needs: rules.NeedsCPU,
			Run: remarks("TR671", mostlyIdle)},
		{ID: "TR672", Name: "names-missing", Category: rules.HotCPU, Severity: rules.Info, Needs: rules.NeedsProfile,
			Run: remarks("TR672", namesMissing)},
	}
	for _, r := range claimRules() {
		by := &r.by
		by.ID, by.Name = r.rule.ID, r.rule.Name
		r.rule.Claims, r.rule.Run = by, by.Run(r.rule.Severity, r.conf, func() *Words { return &r.words })
		all = append(all, &r.rule)
	}
	return rules.Documented(hotspotDoc, all)
}

// A claimRule is a rule that claims stacks. Its texts know {total} and {where} besides Placeholders, {account}
// (accountOf), and {unknown}: Words.Unknown if no stack shows who asks, else "".
type claimRule struct {
	rule  rules.Rule
	by    Claimant
	conf  rules.Confidence
	words Words
}

func claimRules() []claimRule { return append(cpuRules(), memoryRules()...) }

func cpuRules() []claimRule {
	return []claimRule{{
		rule: rules.Rule{
			ID: "TR572", Name: "yield-spin", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsCPU,
		},
		by: Claimant{
			Order: 420, Kind: profile.KindCPU, Shares: Shares{Low: 0.06, Medium: 0.15, High: 0.2}, Cores: 0.25,
			// Nothing healthy yields for this share: of 344 profiles of healthy processes none, whatever its CPU.
			Floor: 0.05, Family: "waiting",
			Stacks: []match.StackMatch{{Frames: []string{"runtime.Gosched", "runtime.gosched_m"},
				NotUnder: []string{"runtime.bgsweep", "runtime.bgscavenge", "runtime.gcBgMarkWorker"}}},
			Explains: []string{"TR580"}, doubt: sweeps,
		},
		conf: rules.ConfMedium, words: Words{
			Title: "{culprit} spins on runtime.Gosched: {share} of CPU{cores}",
			Why: "A goroutine waits in a loop that yields with runtime.Gosched and checks again.{unknown} " +
				"{account}",
			Unknown: " No stack shows the caller: the scheduler runs on a stack of its own. A goroutine dump of the " +
				"same time does, as [runnable] with runtime.Gosched on top.",
		},
	}, {
		rule: rules.Rule{
			ID: "TR595", Name: "hot-function", Category: rules.HotCPU, Severity: rules.Low, Needs: rules.NeedsCPU,
		},
		// Neither share nor CPU separates work from waste: ten wasteful functions have 0.73 to 1.0 of 0.1 to 1.0 cores,
		// nine healthy solvers, searches, matchers and simulations 0.6 to 1.0 of 0.1 to 1.2.
		by:   Claimant{Order: 900, Kind: profile.KindCPU, rest: restOwns, Shares: Shares{Low: 0.5}},
		conf: rules.ConfLow, words: Words{
			Title: "{culprit} computes for {share} of CPU{cores}",
			Why: "The CPU is spent in {where} itself and in code of the program that it calls, on nothing that " +
				"another rule knows. {account}",
		},
	},
		splitRule(comparingRule, "marshal-to-compare", 322, Shares{Low: 0.03, Medium: 0.12}, Words{
			Title: "{culprit} spends {share} of CPU{cores} marshalling JSON to compare it",
			Why: "{where} turns two objects into JSON, so that their texts can be compared: each is encoded, with " +
				"reflection, sorting of map keys and garbage. {account}",
		}),
		splitRule(ambiguousRule, "regexp-backtracking", 403, Shares{Low: 0.1, Medium: 0.25}, Words{
			Title: "{culprit} spends {share} of CPU{cores} on regular expressions that backtrack",
			Why: "{where} matches regular expressions that are not anchored, or whose alternatives begin alike: much " +
				"of the time goes into ways that were tried before. {account} Where users write the " +
				"expressions, that is a false positive.",
		}),
		fruitless(), nestedCalls(),
		splitRule(rescanRule, "copies-in-a-parser", 419, Shares{Low: 0.3, Medium: 0.45}, Words{
			Title: "{culprit} spends {share} of CPU{cores} in a library's copies of one text",
			Why: "One function of a library below {where} copies or searches the same text again and again: twice " +
				"the text takes four times as long. {account} The same share with short texts would refute " +
				"this.",
		}),
	}
}

// splitRule is a rule that is given a part of another rule's claim (claims_split.go).
func splitRule(id, name string, order int, shares Shares, words Words) claimRule {
	return claimRule{
		rule: rules.Rule{ID: id, Name: name, Category: rules.HotCPU, Severity: rules.Medium, Needs: rules.NeedsCPU},
		by:   Claimant{Order: order, Kind: profile.KindCPU, Shares: shares},
		conf: rules.ConfMedium, words: words,
	}
}

// fruitless is the rule about a call that makes nothing (fruitless.go).
func fruitless() claimRule {
	dump := func(t rules.Target) []rules.Step { return []rules.Step{t.Dump()} }
	return claimRule{
		rule: rules.Rule{
			ID: fruitlessRule, Name: "call-without-result", Category: rules.Spin, Severity: rules.Medium,
			Needs: rules.NeedsCPU,
		},
		by: Claimant{
			Order: 418, Kind: profile.KindCPU, AtLeast: fruitlessSeconds, Shares: Shares{Low: 0.5, Medium: 0.9},
		},
		conf: rules.ConfMedium, words: Words{
			Title: "{culprit} spends {share} of CPU{cores} in {called}, and nothing comes of it",
			Why: "For {amount} of CPU time the process did nothing but {called}, called in {where}: it goes through " +
				"its input, and meanwhile nothing was read, written, allocated or handed on. What is parsed becomes " +
				"something. Either a loop in it does not advance, or a very large text is in memory already. {account}",
			Next: []func(rules.Target) []rules.Step{dump},
		},
	}
}

// nestedCalls is the rule about calls that parse or match and are nested deeply (nested.go).
func nestedCalls() claimRule {
	r := splitRule(nestedRule, "nested-calls", 417, Shares{Low: 0.5, Medium: 0.5}, Words{
		Title: "{culprit} spends {share} of CPU{cores} at the end of deeply nested calls",
		Why: "{where} computes at the end of many calls of one parsing or matching function of a library, nested " +
			"in one another. Where each level goes through what was gone through before, a text that is twice as " +
			"deep, or a pattern of more wildcards, takes far more than twice as long. {account}",
	})
	r.by.inner = true
	return r
}

func memoryRules() []claimRule {
	return []claimRule{{
		rule: rules.Rule{
			ID: "TR601", Name: "dominant-retainer",
			Category: rules.Memory, Severity: rules.Medium, Needs: rules.NeedsHeap,
		},
		by: Claimant{Order: 900, Kind: profile.KindHeap, Value: "inuse_space", rest: restAll,
			AtLeast: 48, Large: largeHeap, Shares: Shares{Low: 0.4, Medium: 0.5}, keeps: onlyGrows},
		conf: rules.ConfLow, words: Words{
			Title: "{culprit} holds {amount}, {share} of the heap",
			Why: "{amount} of the {total} in use were allocated in {where} and are still referred to. {usage} " +
				"{account} A later heap profile in which it is no larger would refute growth.",
		},
	}, {
		rule: rules.Rule{
			ID: "TR624", Name: "document-in-memory", Category: rules.Memory, Severity: rules.Medium,
			Needs: rules.NeedsHeap,
		},
		by: Claimant{Order: 420, Kind: profile.KindHeap, Value: "inuse_space", Stacks: documentStacks(),
			AtLeast: 12, Large: 12, Shares: Shares{Low: 0.4, Medium: 0.6}, keeps: oneDocument, doubt: smallDocument},
		conf: rules.ConfMedium, words: Words{
			Title: "{culprit} parses or decodes what takes {amount}, {share} of the heap",
			Why: "{amount} of the {total} in use were allocated below one call in {where} that parses, splits or " +
				"decodes. {usage} {account} Where documents of that size are meant to be read, that is a false " +
				"positive.",
		},
	}, {
		rule: rules.Rule{
			ID: requestsRule, Name: "requests-kept", Category: rules.Memory, Severity: rules.Medium,
			Needs: rules.NeedsHeap,
		},
		by: Claimant{
			Order: 300, Kind: profile.KindHeap, Value: "inuse_space", Shares: Shares{Low: 0.1, Medium: 0.25},
		},
		conf: rules.ConfMedium, words: Words{
			Title: "{culprit} keeps requests that are over: {amount}, {share} of the heap",
			Why: "The heap holds far more HTTP requests than there are connections to read one from. What is read " +
				"for requests and made in their handlers takes {amount} of the {total} in use, the largest part of " +
				"it in {where}. {usage} {account} As many handlers in a goroutine dump would refute this.",
		},
	}, {
		rule: rules.Rule{
			ID: "TR609", Name: "allocation-site",
			Category: rules.Memory, Severity: rules.Medium, Needs: rules.NeedsAllocs,
		},
		by: Claimant{Order: 900, Kind: profile.KindAllocs, Value: "alloc_space", rest: restAll,
			AtLeast: 512, Shares: Shares{Low: 0.6, Medium: 0.8}},
		conf: rules.ConfLow, words: Words{
			Title: "{culprit} allocates {share} of all bytes ({amount})",
			Why:   "{amount} of {total} allocated since the program began comes from {where}. {account}",
		},
	}}
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
func sweeps(c *Claims, cl *Claim) bool {
	collecting := c.sumOf(cl.Index, func(fr int32) bool {
		name := c.FuncAt(fr)
		return name == "runtime.bgsweep" || name == "runtime.gcBgMarkWorker"
	})
	total := c.sumOf(cl.Index, nil)
	return float64(collecting) > maxCollecting*float64(total) && !c.ask(cl).Known
}

// mostlyIdle is TR671.
func mostlyIdle(p *rules.Pass, in *rules.ProfileInput) (r remark) {
	if !in.Idle() {
		return remark{}
	}
	r.title = fmt.Sprintf("The process was mostly idle: %s over %s", phrase.Cores(in.Cores()),
		in.Duration.Round(100*time.Millisecond))
	ofIt := func(d *rules.DumpInput) bool { return d.Process != "" && d.Process == in.Process }
	if slices.ContainsFunc(p.Dumps, ofIt) {
		r.fix = "The goroutine dump of the same process shows what it waits for. Take a CPU profile while the load " +
			"is there."
		r.next = []rules.Step{in.Target.Capture()}
		return r
	}
	r.next = []rules.Step{in.Target.Dump()}
	return r
}

// namesMissing is TR672.
func namesMissing(_ *rules.Pass, in *rules.ProfileInput) (r remark) {
	if in.Unsymbolized < 0.5 || in.Total() <= 0 {
		return remark{}
	}
	for _, d := range in.Doubts(rules.Quote(in.Input)) {
		if d.Name == profile.DoubtUnsymbolized {
			r.next = rules.Commands(d.Hint)
		}
	}
	r.title = phrase.Percent(in.Unsymbolized) + " of the profile has no names of functions"
	return r
}

// A remark is what is said about a profile itself; without a fix it has the rule's.
type remark struct {
	title, fix string
	next       []rules.Step
}

// remarks returns what makes findings about profiles themselves, one for each profile whose remark has a title.
func remarks(id string, of func(*rules.Pass, *rules.ProfileInput) remark) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, in := range p.Profiles {
			r := of(p, in)
			if r.title == "" {
				continue
			}
			found = append(found, rules.Finding{
				Severity: rules.Info, Confidence: rules.ConfHigh, Title: phrase.CutTitle(r.title), Fix: r.fix,
				Next: r.next,
				Evidence: []rules.Evidence{{Input: in.Input, Count: 1, Text: fmt.Sprintf("%s samples in %s",
					phrase.Thousands(in.Samples()), in.Duration.Round(time.Millisecond))}},
				Fingerprint: rules.Fingerprint(id, rules.Place{Function: cmp.Or(in.Process, in.Input)}, ""),
			})
		}
		return found
	}
}
