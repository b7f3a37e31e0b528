package verdict

import (
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/meters"
)

// throttledRule is the rule whose finding follows from a process that burns CPU.
const throttledRule = "TR710"

// fewThrottled is the share of throttled periods that is worth a line: healthy services have some percent.
const fewThrottled = 0.1

// Throttled makes one finding of a process that is throttled and of how it burns its CPU: the latter has the share of
// throttled periods as evidence. Other findings that compete for CPU get that line too.
func Throttled(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	if len(pass.Cgroups) == 0 {
		return found
	}
	x := measurer{pass, targetsByInput(pass)}
	explained := map[string]bool{} // inputs of control groups
	for i := range found {
		f := &found[i]
		burns := f.Category == rules.Spin || f.Category == rules.HotCPU || f.Category == rules.GC
		if len(f.Evidence) == 0 || f.Rule == throttledRule || !burns && f.Category != rules.Contention {
			continue
		}
		for _, in := range pass.Cgroups {
			if g := parsed.Group(in); g.ThrottledShare() >= fewThrottled && x.same(f, in) {
				f.Evidence = append(f.Evidence, meters.ThrottledEvidence(in))
				explained[g.Name] = explained[g.Name] || burns && f.Alarm()
			}
		}
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool {
		return f.Rule == throttledRule && slices.ContainsFunc(pass.Cgroups, func(in *rules.MeterInput) bool {
			v, _ := parsed.Group(in).Get(cgroup.Throttled)
			return explained[parsed.Group(in).Name] && f.Evidence[0].Input == v.Input && f.Evidence[0].Line == v.Line
		})
	})
}

// A measurer finds the control groups of a finding's process.
type measurer struct {
	pass *rules.Pass
	pods map[string]rules.Target // by input
}

// same reports whether a meter is of the process that a finding is about: of its pod, where both name one; else in the
// folder of its first evidence, where that holds one process, or is named like it: POD-cpu.stat beside
// POD-goroutine.txt.
func (x measurer) same(f *rules.Finding, in *rules.MeterInput) bool {
	pod := x.podOf(f)
	if pod.Pod != "" && in.Target.Pod != "" {
		return pod.Pod == in.Target.Pod && (pod.Namespace == in.Target.Namespace || pod.Namespace == "" ||
			in.Target.Namespace == "")
	}
	input := f.Evidence[0].Input
	if path.Dir(input) != path.Dir(in.Input) || pod.Pod != "" || in.Target.Pod != "" {
		return false
	}
	if stem := stemOf(in.Input); stem != "" {
		return strings.HasPrefix(path.Base(input), stem)
	}
	return x.alone(path.Dir(input))
}

// stemOf is what a meter's file is named after: "web-1-" of "web-1-cpu.stat".
func stemOf(input string) string {
	base := path.Base(input)
	for _, word := range []string{"cpu.", "memory.", "cgroup"} {
		if i := strings.Index(base, word); i >= 0 {
			return base[:i]
		}
	}
	return base
}

// alone reports whether all dumps and profiles of a folder are of one process.
func (x measurer) alone(folder string) bool {
	processes, unnamed := map[string]bool{}, 0
	add := func(input, process string) {
		switch {
		case path.Dir(input) != folder:
		case process == "":
			unnamed++
		default:
			processes[process] = true
		}
	}
	for _, d := range x.pass.Dumps {
		add(d.Input, d.Process)
	}
	for _, p := range x.pass.Profiles {
		add(p.Input, p.Process)
	}
	return len(processes)+unnamed == 1
}

// podOf is the pod that a finding is about; empty where nothing names it.
func (x measurer) podOf(f *rules.Finding) rules.Target {
	if f.Object != nil && f.Object.Kind == "Pod" {
		return rules.Target{Namespace: f.Object.Namespace, Pod: f.Object.Name}
	}
	return x.pods[f.Evidence[0].Input]
}
