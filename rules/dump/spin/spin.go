package spin

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// maxCrowd is how many goroutines may compute beside a signature that healthy code shows too, for a moment: healthy
// servers under load have 5 to 30 of them when they are stopped, and among that many one may be caught anywhere.
const maxCrowd = 2

// crowd counts the goroutines that compute without any spinner's signature.
func crowd(all []active) int {
	return count(all, func(a *active) bool {
		switch a.act {
		case actSyscall, actFastLock, actLocks, actOwn, actLibrary:
			return true
		}
		return false
	})
}

// rule applies a signature to every bucket of active goroutines in dumps that someone asked for. A goroutine that
// several dumps of its process show is accused once, with all of them as evidence.
func (s signature) rule() *rules.Rule {
	return spinRule(s.id, s.name, rules.NeedsDump|rules.NeedsStates, func(p *rules.Pass, report accuser) {
		known := reported{}
		for _, d := range p.AliveDumps() {
			all := activity(d)
			for i := range all {
				if !s.accuses(&all[i], all) {
					continue
				}
				f := all[i].facts()
				if s.facts != nil {
					s.facts(&all[i], &f)
				}
				if s.doubts != nil && s.doubts(&all[i]) {
					f.Doubt = longWork
				}
				report(known.rest(all[i]), f)
			}
		}
	})
}

// surely reports whether the signature accuses a, and no honest work shows the same.
func (s signature) surely(a *active, all []active) bool {
	return s.accuses(a, all) && (s.doubts == nil || !s.doubts(a))
}

// An accuser reports goroutines, if there are any, with what their texts are to be filled with.
type accuser func(a active, f account.Facts)

// The doubts of these rules: what honest work shows as well.
const (
	longWork    account.Doubt = "In one dump a long computation looks the same."
	mayAllocate account.Doubt = "An allocation may have yielded, as it does while the collector runs."
	longCallToo account.Doubt = "A long computation looks the same in two dumps."
	takenOver   account.Doubt = "A handler that took over the connection, or left the body unread, looks the same."
)

func spinRule(id, name string, needs rules.Needs, look func(*rules.Pass, accuser)) *rules.Rule {
	run := func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		look(p, func(a active, f account.Facts) {
			if len(a.goroutines) > 0 {
				found = append(found, a.finding(p, name, f))
			}
		})
		return found
	}
	return &rules.Rule{ID: id, Name: name, Category: rules.Spin, Severity: rules.High, Needs: needs, Run: run}
}

// facts are those that all sentences may use: {who} computes {in} a place, inside the function that is {called} there,
// in {short}.
func (a *active) facts() account.Facts {
	called := ""
	if a.leaf >= 0 {
		called = a.called()
	}
	bl := a.blame()
	f := account.Facts{Values: account.Values{"who": a.who(), "in": rules.PlaceText(bl.Culprit), "called": called,
		"short": symbol.ShortFunc(called)}}
	f.OfLibrary(bl)
	return f
}

// finding writes an account of a rule up for the goroutines of a.
func (a *active) finding(p *rules.Pass, rule string, facts account.Facts) rules.Finding {
	return a.findingAt(a.blame(), p, rule, facts)
}

// findingAt is finding with whom it accuses.
func (a *active) findingAt(bl rules.Blame, p *rules.Pass, rule string, facts account.Facts) rules.Finding {
	again := seenAgain(p, a)
	if a.mayAllocate() && len(again) == 0 && facts.Doubt == "" {
		facts.Doubt = mayAllocate
	}
	text := findings().Account(rule, facts)
	f := rules.Finding{
		Confidence: facts.Doubt.Confidence(len(again) > 0),
		Against:    text.Against,
		Title:      a.title(bl.Culprit, text.Act),
		Culprit:    bl.Culprit,
		Path:       bl.Path,
		Creator:    bl.Creator,
		Evidence:   []rules.Evidence{rules.EvidenceOfGoroutines(a.d, a.goroutines, "")},
		Why:        text.Why,
		Fix:        text.Fix,
		Next:       findings().Account("confirm", account.Facts{Target: a.d.StepTarget()}).Next,
		Count:      len(a.goroutines),
	}
	if labels := a.labels(); labels != "" {
		f.Evidence[0].Text += " {" + labels + "}"
	}
	if len(again) > 0 {
		f.Evidence = append(f.Evidence, again...)
		f.Notes = append(f.Notes, fmt.Sprintf("The same goroutine is in the same function in %d dumps.", 1+len(again)))
	}
	return f
}

// blame is whom these goroutines accuse: their leaf's nearest code, the creator where there is no stack. A leaf at its
// first instruction had just been called: the loop is its caller's.
func (a *active) blame() rules.Blame {
	if a.act == actOwn && a.leaf >= 0 && a.bucket.Args()[a.leaf].AtEntry {
		if bl := rules.BlameBelow(a.d, a.bucket, a.leaf+1); bl.Index > a.leaf {
			bl.Path = rules.BlameBucket(a.d, a.bucket).Path
			return bl
		}
	}
	return rules.BlameBucket(a.d, a.bucket)
}

// labels are the profiler labels of the first goroutine: which key, which queue.
func (a *active) labels() string {
	if i := int(a.goroutines[0].Labels); i < len(a.d.Labels) {
		return a.d.Labels[i]
	}
	return ""
}

// who names the goroutines: "goroutine 6139", "8 goroutines".
func (a *active) who() string {
	if len(a.goroutines) == 1 {
		return fmt.Sprintf("goroutine %d", a.goroutines[0].ID)
	}
	return phrase.CountGoroutines(len(a.goroutines))
}

// title writes "goroutine 6139: dep.(*T).M calls runtime.Gosched in a loop", dropping what does not fit: the package
// first, then the line, then the goroutine.
func (a *active) title(culprit rules.Place, act string) string {
	name, bare, at := rules.TitleParts(culprit)
	return rules.FirstTitle(a.who()+" "+act, a.who()+": "+name+" "+act+at, a.who()+": "+bare+" "+act+at,
		a.who()+": "+bare+" "+act, bare+" "+act)
}

// onCPU reports whether the dump shows for sure that the goroutine computed when it was stopped: it was preempted in
// its own code, or it is the one that a thread was running.
func (a *active) onCPU() bool {
	g := &a.goroutines[0]
	return g.Flags&stackparse.FlagPreempted != 0 || a.d.StateOf(g) == "running"
}

// again returns those of a's goroutines that compute in the same function in at least so many other dumps of the
// process.
func (a *active) again(p *rules.Pass, others int) active {
	one := *a
	one.goroutines = nil
	for _, g := range a.goroutines {
		if len(elsewhere(p, a, g.ID)) >= others {
			one.goroutines = append(one.goroutines, g)
		}
	}
	return one
}

// seenAgain is the evidence that a's goroutines compute in the same function in other dumps of the process.
func seenAgain(p *rules.Pass, a *active) []rules.Evidence {
	var all []rules.Evidence
	for _, g := range a.goroutines[:min(len(a.goroutines), 10)] {
		all = append(all, elsewhere(p, a, g.ID)...)
	}
	return all
}

func elsewhere(p *rules.Pass, a *active, id uint64) []rules.Evidence {
	if id == 0 {
		return nil
	}
	var all []rules.Evidence
	want := a.blame().Culprit.Function
	for _, d := range p.Dumps {
		if d == a.d || !rules.Alive(d) || d.Process == "" || d.Process != a.d.Process {
			continue
		}
		others := activity(d)
		for i := range others {
			o := &others[i]
			if !o.busy() || o.blame().Culprit.Function != want || o.act != actYields && a.mayAllocate() {
				continue
			}
			k := slices.IndexFunc(o.goroutines, func(g stackparse.Goroutine) bool { return g.ID == id })
			if k >= 0 {
				all = append(all, rules.EvidenceOfGoroutines(d, o.goroutines[k:k+1], ""))
			}
		}
	}
	return all
}

// reported are the goroutines that a rule has accused already, from an earlier dump of the same process.
type reported map[accused]bool

// An accused is a goroutine in a function; a loop's line may differ from dump to dump.
type accused struct {
	process, function string
	id                uint64
}

// rest returns a without the goroutines that were reported before, and notes the others.
func (r reported) rest(a active) active {
	if a.d.Process == "" {
		return a
	}
	fn := a.blame().Culprit.Function
	var left []stackparse.Goroutine
	for _, g := range a.goroutines {
		who := accused{a.d.Process, fn, g.ID}
		if g.ID == 0 || !r[who] {
			left = append(left, g)
		}
		r[who] = true
		r.note(a.d.Process, g.ID)
	}
	a.goroutines = left
	return a
}

// has reports whether a goroutine was reported in any function, and note marks it.
func (r reported) has(process string, id uint64) bool { return r[accused{process, "", id}] }

func (r reported) note(process string, id uint64) { r[accused{process, "", id}] = true }
