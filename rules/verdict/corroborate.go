package verdict

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// minCorroborated is the share of a CPU profile with which it confirms that a goroutine burns CPU: at one core of eight
// a spinner has an eighth. Chosen below that, and above what rare work has.
const minCorroborated = 0.05

// Corroborate holds CPU profiles and dumps of one process against each other. What both say is surer: a goroutine that
// a dump accuses of burning CPU and whose function has the samples, a function that a profile accuses and in which
// goroutines of a dump run. A spin that both accuse is one finding: the dump's, which names the goroutine.
func Corroborate(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	if len(pass.Profiles) == 0 || len(pass.Dumps) == 0 {
		return found
	}
	for i := range found {
		f := &found[i]
		// What speaks for another reason still does so where both show the place.
		if f.Culprit.Function == "" || f.Confidence == rules.ConfHigh || len(f.Against) > 0 {
			continue
		}
		if d := dumpOf(f, pass.Dumps); d != nil {
			confirmByProfile(f, d, pass.Profiles)
		} else if p := profileOf(f, pass.Profiles); p != nil {
			confirmByDump(f, p, pass.Dumps)
		}
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return sameSpin(f, found, pass) })
}

// sameSpin hands a profile's spin over to the dump's finding that it is, where there is one: of the same function, or
// of any where no stack of the profile shows who spins.
func sameSpin(f rules.Finding, found []rules.Finding, pass *rules.Pass) bool {
	p := profileOf(&f, pass.Profiles)
	if f.Category != rules.Spin || p == nil || len(f.Evidence[0].Goroutines) > 0 {
		return false
	}
	nameless := f.Culprit.Function == ""
	for i := range found {
		other := &found[i]
		d := dumpOf(other, pass.Dumps)
		if other.Category != rules.Spin || d == nil || d.Process != p.Process ||
			!nameless && baseOf(f.Culprit.Function) != baseOf(other.Culprit.Function) {
			continue
		}
		if !slices.ContainsFunc(other.Evidence, func(e rules.Evidence) bool { return e.Input == p.Input }) {
			surer(other)
			other.Evidence = append(other.Evidence, f.Evidence[0])
			other.Notes = append(other.Notes, fmt.Sprintf("A CPU profile of the same process shows it too: %s (%s).",
				f.Evidence[0].Text, f.Rule))
		}
		return true
	}
	return false
}

// baseOf is the name of a function without the closures in it.
func baseOf(function string) string { return symbol.Base(rules.PlainName(function)) }

// dumpOf is the dump that a finding's first goroutines are in, nil where there is none of a known process.
func dumpOf(f *rules.Finding, dumps []*rules.DumpInput) *rules.DumpInput {
	if len(f.Evidence) == 0 || len(f.Evidence[0].Goroutines) == 0 {
		return nil
	}
	for _, d := range dumps {
		if d.Process != "" && d.Input == f.Evidence[0].Input {
			return d
		}
	}
	return nil
}

// profileOf is the CPU profile that a finding begins with, nil where there is none of a known process.
func profileOf(f *rules.Finding, profiles []*rules.ProfileInput) *rules.ProfileInput {
	for _, p := range profiles {
		if p.Process != "" && p.Kind == profile.KindCPU && len(f.Evidence) > 0 && p.Input == f.Evidence[0].Input {
			return p
		}
	}
	return nil
}

// surer raises the confidence of what a second input shows. It says nothing about what speaks for another reason: a
// long computation has its samples too.
func surer(f *rules.Finding) {
	if len(f.Against) == 0 {
		f.Confidence = rules.ConfHigh
	}
}

// confirmByProfile looks for the samples of a spinner that a dump accuses.
func confirmByProfile(f *rules.Finding, d *rules.DumpInput, profiles []*rules.ProfileInput) {
	if f.Category != rules.Spin && f.Category != rules.HotCPU {
		return
	}
	for _, p := range profiles {
		if p.Kind != profile.KindCPU || p.Process != d.Process {
			continue
		}
		share, lower := shareOf(p, f.Culprit.Function)
		if lower < minCorroborated {
			continue
		}
		surer(f)
		percent := fmt.Sprintf("%.0f%%", 100*share)
		f.Evidence = append(f.Evidence, rules.Evidence{Input: p.Input, Goroutines: []uint64{}, Count: 1, Share: share,
			Text: percent + " of CPU in a profile of the same process"})
		f.Notes = append(f.Notes,
			"A CPU profile of the same process shows this function in "+percent+" of its samples.")
		return
	}
}

// confirmByDump looks for goroutines that were running in the function that a profile accuses.
func confirmByDump(f *rules.Finding, p *rules.ProfileInput, dumps []*rules.DumpInput) {
	name := baseOf(f.Culprit.Function)
	for _, d := range dumps {
		if d.Process != p.Process {
			continue
		}
		for _, b := range d.Buckets {
			running := rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool {
				return stackparse.Runnable(d.StateOf(g))
			})
			is := func(fr stackparse.Frame) bool { return baseOf(fr.Func) == name }
			if len(running) == 0 || !slices.ContainsFunc(b.Frames, is) {
				continue
			}
			surer(f)
			f.Evidence = append(f.Evidence, rules.EvidenceOfGoroutines(d, running, ""))
			f.Notes = append(f.Notes, fmt.Sprintf("A dump of the same process shows %s in this function.",
				phrase.CountGoroutines(len(running))))
			return
		}
	}
}

// shareOf is the part of a profile's stacks that show a function, with the closures in it, and its lower bound.
func shareOf(p *rules.ProfileInput, function string) (share, lower float64) {
	name := baseOf(function)
	is := make([]bool, len(p.Functions))
	for i := range p.Functions {
		is[i] = baseOf(p.Functions[i].Name) == name
	}
	var w profile.Weight
	for i := range p.Stacks {
		st := &p.Stacks[i]
		if slices.ContainsFunc(st.Frames, func(fr int32) bool { return is[p.Frames[fr].Func] }) {
			w.Value += st.Values[p.Value]
			w.Samples += st.Samples
		}
	}
	return p.Share(w), p.LowerBound(w)
}

// enoughSamples is how many samples a CPU profile needs for their absence to mean something: what takes 1.5% of the
// CPU is then missing in one profile of 20 (Poisson).
const enoughSamples = 200

// Unsampled reports whether a CPU profile of a process has no sample in a function, and how many samples it has: a
// goroutine that was runnable there was about to do something short.
func Unsampled(profiles []*rules.ProfileInput, process, function string) (samples int64, absent bool) {
	for _, p := range profiles {
		if p.Kind != profile.KindCPU || p.Process == "" || p.Process != process || p.Samples() < enoughSamples {
			continue
		}
		if share, _ := shareOf(p, function); share == 0 {
			return p.Samples(), true
		}
	}
	return 0, false
}
