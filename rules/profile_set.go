package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// profileRules are the rules about profiles that need more than shares of stacks.
func profileRules() []*Rule {
	return []*Rule{
		marshalToCompare(),
		yieldSpin(),
		hotFunction(),
		hotLabel(),
		dominantRetainer(),
		heapGrowth(),
		allocationSite(),
		mostlyIdle(),
		namesMissing(),
	}
}

// A claimRule is a rule that claims stacks and words its findings itself.
type claimRule struct {
	rule Rule
	by   claimant
	act  func(in *ProfileInput, cl *Claim) (title func(culprit string) string, why string)
	conf Confidence
}

func (r claimRule) build() *Rule {
	by := r.by
	by.id = r.rule.ID
	if by.cores == 0 {
		by.cores = highCores
	}
	out := r.rule
	out.claims = &by
	out.Run = func(p *Pass) []Finding {
		var found []Finding
		for _, in := range p.Profiles {
			cl := claimOf(in, &by)
			if cl == nil || !inScope(p, in, cl) {
				continue
			}
			title, why := r.act(in, cl)
			f := claimFinding(in, cl)
			f.Severity, f.Confidence = cl.severity(in, out.Severity), r.conf
			f.Title, f.Why = fitTitle(title, cl.blame), why+" "+accountOf(in, cl)
			found = append(found, f)
		}
		return found
	}
	return &out
}

// inScope leaves a heap's retainer to the rule about growth where a series shows that it grows, and a hot function to
// the one about labels where one value of a label has most.
func inScope(p *Pass, in *ProfileInput, cl *Claim) bool {
	if cl.by.rest == restOwns && topLabel(in).Key != "" {
		return false // the label says more
	}
	if in.Kind != profile.KindHeap {
		return true
	}
	for _, g := range heapGrowths(p) {
		for _, member := range g.of {
			if member == in && PlainName(g.culprit.Function) == PlainName(cl.blame.Culprit.Function) {
				return false
			}
		}
	}
	return true
}

// marshalToCompare is TR532.
func marshalToCompare() *Rule {
	return claimRule{
		rule: Rule{
			ID: comparingRule, Name: "marshal-to-compare", Category: HotCPU, Severity: Medium, Needs: NeedsCPU,
			Doc: Doc{
				Title:          "CPU spent on marshalling two objects to JSON only to compare the texts",
				Why:            "To compare two objects by their JSON costs an encoding of each, with reflection, sorting of map keys and garbage. The function that marshals does so from two lines and is called, or calls, a comparison.",
				Fix:            "Compare fields, or use equality.Semantic.DeepEqual or reflect.DeepEqual where the types allow; keep a hash of the last written state beside the object, and look at generation or resourceVersion first.",
				FalsePositives: "A function that writes two objects out for good and whose name says compare or diff.",
				Refs:           []string{"https://pkg.go.dev/reflect#DeepEqual"},
			},
		},
		by:   claimant{order: 322, kinds: []profile.Kind{profile.KindCPU}, shares: Shares{Low: 0.03, Medium: 0.12}},
		conf: ConfMedium,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s spends %s of CPU%s marshalling JSON to compare it", culprit, percent(cl.Share+cl.Caused), coresOf(in, cl.Share+cl.Caused))
				}, fmt.Sprintf("%s of all CPU turns two objects into JSON in %s, so that their texts can be compared: an encoding of each, "+
					"with reflection, sorting of map keys and garbage.", percent(cl.Share), where(cl.blame.Culprit))
		},
	}.build()
}

// yieldSpin is TR572.
func yieldSpin() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR572", Name: "yield-spin", Category: Spin, Severity: High, Needs: NeedsCPU,
			Doc: Doc{
				Title:          "Goroutines that call runtime.Gosched in a loop",
				Why:            "runtime.Gosched puts the goroutine at the end of the run queue and comes back at once where nothing else runs: a loop around it burns a processor while it waits. The scheduler's work runs on its own stack, so that one sample in 50 shows the caller (measured on Go 1.26). 41 real CPU profiles have 5.3 % there at most, from the sweeper of the garbage collector, which yields too.",
				Fix:            "Wait for what the loop asks about: a channel, a sync.Cond, a context's Done; where nothing signals it, sleep for milliseconds, not for no time.",
				FalsePositives: "A computation that yields on purpose on a system without preemption (before Go 1.14, js/wasm).",
				Refs:           []string{"https://pkg.go.dev/runtime#Gosched"},
			},
		},
		by: claimant{
			order: 420, kinds: []profile.Kind{profile.KindCPU}, shares: Shares{Low: 0.06, Medium: 0.15, High: 0.2}, cores: 0.1, family: "waiting",
			stacks:   []StackMatch{{Frames: []string{"runtime.Gosched", "runtime.gosched_m"}, NotUnder: []string{"runtime.bgsweep", "runtime.bgscavenge", "runtime.gcBgMarkWorker"}}},
			explains: []string{"TR580"}, doubt: sweeps,
		},
		conf: ConfMedium,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			why := fmt.Sprintf("%s of all CPU is runtime.Gosched: somebody waits in a loop that yields and looks again.", percent(cl.Share))
			if !cl.blame.Known {
				why += " No stack shows who: the scheduler runs on a stack of its own. A goroutine dump of the same time does, as [runnable] with runtime.Gosched on top."
			}
			return func(culprit string) string {
				return fmt.Sprintf("%s spins on runtime.Gosched: %s of CPU%s", culprit, percent(cl.Share+cl.Caused), coresOf(in, cl.Share+cl.Caused))
			}, why
		},
	}.build()
}

// maxCollecting is the part of the CPU that a collector may take beside yields whose caller no stack shows (chosen: a
// program that waits allocates next to nothing).
const maxCollecting = 0.02

// sweeps reports whether the garbage collector explains yields that nobody is seen to ask for: its sweeper calls Gosched
// between spans, which is next to all that shows of it where spans are few and large.
func sweeps(c *Claims, cl *Claim) bool {
	var value, total int64
	for i := range c.Stacks {
		v := c.Stacks[i].Values[cl.index]
		total += v
		for _, fr := range c.Stacks[i].Frames {
			switch c.FuncAt(fr) {
			case "runtime.bgsweep", "runtime.gcBgMarkWorker":
				value += v
			default:
				continue
			}
			break
		}
	}
	return float64(value) > maxCollecting*float64(total) && !c.ask(cl).Known
}

// hotFunction is TR595.
func hotFunction() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR595", Name: "hot-function", Category: HotCPU, Severity: Low, Needs: NeedsCPU,
			Doc: Doc{
				Title:          "One function of the program computes most of the time, without a known anti-pattern",
				Why:            "Nearly all CPU is spent in the function's own instructions or in those of code inlined into it, outside everything that other rules know. That may be its work; it is where making the program faster begins.",
				Fix:            "Look at its lines (go tool pprof -list), at how often it is called and with how much: an algorithm whose cost grows with the square, a result that could be kept, a loop that need not run.",
				FalsePositives: "A program whose work this is.",
				Refs:           []string{"https://go.dev/blog/pprof"},
			},
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindCPU}, rest: restOwns, shares: Shares{Low: 0.5}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s computes for %s of CPU%s", culprit, percent(cl.Share), coresOf(in, cl.Share))
				}, fmt.Sprintf("%s of all CPU is spent in %s itself and in code of the program that it calls, outside everything that a rule knows.",
					percent(cl.Share), where(cl.blame.Culprit))
		},
	}.build()
}

// dominantRetainer is TR601.
func dominantRetainer() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR601", Name: "dominant-retainer", Category: Memory, Severity: Medium, Needs: NeedsHeap,
			Doc: Doc{
				Title:          "One function of the program allocated most of the heap that is in use",
				Why:            "A heap profile counts what was allocated and is still referred to. Most of it comes from one place: a cache, map or list that grows with what the program has seen.",
				Fix:            "Bound what keeps it (an LRU, a time to live, deletion when the object goes), keep less of each item, or hold it by reference to what is there anyway.",
				FalsePositives: "A program that is a store: its data are meant to be in memory. Growth over two profiles tells (TR602).",
				Refs:           []string{"https://go.dev/doc/gc-guide", "https://go.dev/blog/pprof"},
			},
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindHeap}, value: "inuse_space", rest: restAll, atLeast: 48, shares: Shares{Low: 0.4, Medium: 0.7}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			size := amount(in, cl.index, cl.Value)
			return func(culprit string) string {
				return fmt.Sprintf("%s holds %s, %s of the heap", culprit, size, percent(cl.Share))
			}, fmt.Sprintf("%s of the %s in use were allocated in %s and are still referred to.", size, amount(in, cl.index, cl.Total), where(cl.blame.Culprit))
		},
	}.build()
}

// allocationSite is TR609.
func allocationSite() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR609", Name: "allocation-site", Category: Memory, Severity: Medium, Needs: NeedsAllocs,
			Doc: Doc{
				Title:          "One function of the program allocates most bytes",
				Why:            "The collector's work follows from what is allocated. Most bytes since the program began were allocated in one function and, as far as the heap tells, dropped again.",
				Fix:            "Reuse what it allocates: a buffer that is kept by the caller or in a sync.Pool, a slice made once with its capacity; allocate smaller.",
				FalsePositives: "A program that allocates little altogether: then it costs nothing.",
				Refs:           []string{"https://go.dev/doc/gc-guide", "https://pkg.go.dev/sync#Pool"},
			},
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindAllocs}, value: "alloc_space", rest: restAll, atLeast: 512, shares: Shares{Low: 0.6, Medium: 0.8}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			size := amount(in, cl.index, cl.Value)
			return func(culprit string) string {
				return fmt.Sprintf("%s allocates %s of all bytes (%s)", culprit, percent(cl.Share), size)
			}, fmt.Sprintf("%s of %s allocated since the program began come from %s.", size, amount(in, cl.index, cl.Total), where(cl.blame.Culprit))
		},
	}.build()
}
