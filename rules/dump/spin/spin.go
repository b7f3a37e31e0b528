package spin

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
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
		for _, d := range p.AskedDumps() {
			all := activity(d)
			for i := range all {
				if !s.accuses(&all[i], all) {
					continue
				}
				f := all[i].facts()
				if s.facts != nil {
					s.facts(&all[i], &f)
				}
				report(known.rest(all[i]), f)
			}
		}
	})
}

// An accuser reports goroutines, if there are any, with what their texts are to be filled with.
type accuser func(active, account.Facts)

func spinRule(id, name string, needs rules.Needs, look func(*rules.Pass, accuser)) *rules.Rule {
	run := func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		look(p, func(a active, f account.Facts) {
			if len(a.goroutines) > 0 {
				found = append(found, a.finding(p, findings().Tell(name, f)))
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
	return account.Facts{Values: account.Values{"who": a.who(), "in": rules.PlaceText(a.blame().Culprit),
		"called": called, "short": frame.ShortFunc(called)}}
}

// finding writes an account up for the goroutines of a.
func (a *active) finding(p *rules.Pass, told account.Account) rules.Finding {
	bl := a.blame()
	f := rules.Finding{
		Severity:   rules.High,
		Confidence: rules.ConfMedium,
		Title:      a.title(bl.Culprit, told.Act),
		Culprit:    bl.Culprit,
		Path:       bl.Path,
		Creator:    bl.Creator,
		Evidence:   []rules.Evidence{rules.EvidenceOfGoroutines(a.d, a.goroutines, "")},
		Why:        told.Why,
		Fix:        told.Fix,
		Next:       confirmCPU(a.d.Target),
		Count:      len(a.goroutines),
	}
	if labels := a.labels(); labels != "" {
		f.Evidence[0].Text += " {" + labels + "}"
	}
	if again := seenAgain(p, a); len(again) > 0 {
		f.Confidence = rules.ConfHigh
		f.Evidence = append(f.Evidence, again...)
		f.Why += fmt.Sprintf(" The same goroutine is in the same function in %d dumps.", 1+len(again))
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

// confirmCPU are the commands that confirm or refute a spinner.
func confirmCPU(t rules.Target) []rules.Step {
	return []rules.Step{
		t.Top().Note("a spinner takes one whole core"),
		rules.Command("go tool pprof -top 'http://localhost:6060/debug/pprof/profile?seconds=10'").Note(
			"if it serves pprof: " + t.PortForward().Command),
	}
}

// onCPU reports whether the dump shows for sure that the goroutine computed when it was stopped: it was preempted in its
// own code, or it is the one that a thread was running.
func (a *active) onCPU() bool {
	g := &a.goroutines[0]
	return g.Flags&stackparse.FlagPreempted != 0 || a.d.StateOf(g) == "running"
}
