package verdict

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/meters"
	"github.com/gotriage/triage/rules/phrase"
)

// throttledRule is the rule whose finding follows from a process that burns CPU.
const throttledRule = "TR710"

// fewThrottled is the share of throttled periods that is worth a line: healthy services have some percent.
const fewThrottled = 0.1

// Measure adds to findings what the meters of their process show: its metrics, its control group, kubectl top. It
// accuses nobody, and changes neither severity nor confidence. A process that is throttled because a finding shows how
// it burns its CPU is one finding.
func Measure(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	usages := usagesOf(pass)
	if len(pass.Metrics)+len(pass.Cgroups)+len(usages) == 0 {
		return found
	}
	x := measurer{pass, podsByInput(pass), usages}
	explained := map[string]bool{} // inputs of control groups
	for i := range found {
		f := &found[i]
		if len(f.Evidence) == 0 || f.Rule == throttledRule {
			continue
		}
		for _, in := range pass.Cgroups {
			if g := parsed.Group(in); x.same(f, in) && x.group(f, in) && burns(f) && f.Alarm() {
				explained[g.Name] = true
			}
		}
		for _, in := range pass.Metrics {
			if x.same(f, in) && !slices.ContainsFunc(f.Evidence,
				func(e rules.Evidence) bool { return e.Input == in.Input }) {
				x.scrape(f, in.Input, parsed.Scrape(in))
				break // the first of several of one process
			}
		}
		x.usage(f)
	}
	return slices.DeleteFunc(found, func(f rules.Finding) bool {
		return f.Rule == throttledRule && slices.ContainsFunc(pass.Cgroups, func(in *rules.MeterInput) bool {
			v, _ := parsed.Group(in).Get(cgroup.Throttled)
			return explained[parsed.Group(in).Name] && f.Evidence[0].Input == v.Input && f.Evidence[0].Line == v.Line
		})
	})
}

// burns reports findings about a process that takes CPU.
func burns(f *rules.Finding) bool {
	return f.Category == rules.Spin || f.Category == rules.HotCPU || f.Category == rules.GC
}

// A measurer finds the meters of a finding's process.
type measurer struct {
	pass   *rules.Pass
	pods   map[string]rules.Target // by input
	usages []kube.Usage
}

func usagesOf(pass *rules.Pass) []kube.Usage {
	if c := parsed.Cluster(pass); c != nil {
		return c.Usages
	}
	return nil
}

// same reports whether a meter is of the process that a finding is about: of its pod, where both name one; else in the
// folder of its first evidence, where that holds one process, or is named like it: POD-metrics.txt beside
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

// stemOf is what a meter's file is named after: "web-1-" of "web-1-metrics.txt".
func stemOf(input string) string {
	base := path.Base(input)
	for _, word := range []string{"metrics", "cpu.", "memory.", "cgroup"} {
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

func measured(input string, line int64, format string, args ...any) rules.Evidence {
	return rules.Evidence{Input: input, Line: line, Text: fmt.Sprintf(format, args...), Goroutines: []uint64{},
		Count: 1}
}

// group adds what a control group shows, and reports whether it is throttled.
func (x measurer) group(f *rules.Finding, in *rules.MeterInput) (throttled bool) {
	g := parsed.Group(in)
	throttled = g.ThrottledShare() >= fewThrottled
	if throttled && (burns(f) || f.Category == rules.Contention) {
		f.Evidence = append(f.Evidence, meters.ThrottledEvidence(in))
	}
	if used, ok := g.Get(cgroup.Memory); ok && f.Category == rules.Memory && f.Rule != "TR713" {
		text := "the control group has " + phrase.ByteSize(uint64(used.N))
		if limit := g.N(cgroup.MemoryMax); limit > 0 {
			text += " of " + phrase.ByteSize(uint64(limit))
		}
		if kills := g.N(cgroup.OOMKills); kills > 0 {
			text += fmt.Sprintf(", and ran out of memory %s", phrase.CountTimes(int(kills)))
		}
		f.Evidence = append(f.Evidence, measured(used.Input, used.Line, "%s", text))
	}
	return throttled
}

// scrape adds what the metrics of a process show of a finding's kind.
func (x measurer) scrape(f *rules.Finding, input string, s *metrics.Scrape) {
	value := func(name string) (float64, *metrics.Sample) {
		if v := s.Value(name); v != nil && !math.IsNaN(v.Value) && v.Value >= 0 && v.Value < 1<<53 {
			return v.Value, v
		}
		return 0, nil
	}
	switch f.Category {
	case rules.Spin, rules.HotCPU, rules.GC:
		if n, v := value("process_cpu_seconds_total"); v != nil {
			f.Evidence = append(f.Evidence, measured(input, v.Line, "process_cpu_seconds_total %.0f%s", n,
				x.onAverage(s, n)))
		}
	case rules.Leak, rules.Deadlock:
		if n, v := value("go_goroutines"); v != nil {
			f.Evidence = append(f.Evidence, measured(input, v.Line, "go_goroutines %s", phrase.Number(int64(n))))
		}
		open, v := value("process_open_fds")
		if most, limit := value("process_max_fds"); v != nil && limit != nil && f.Category == rules.Leak &&
			f.Rule != "TR711" {
			f.Evidence = append(f.Evidence, measured(input, v.Line, "%s of %s file descriptors are open",
				phrase.Number(int64(open)), phrase.Number(int64(most))))
		}
	case rules.Memory:
		if n, v := value("go_memstats_heap_inuse_bytes"); v != nil {
			f.Evidence = append(f.Evidence, measured(input, v.Line, "go_memstats_heap_inuse_bytes: %s",
				phrase.ByteSize(uint64(n))))
		}
	case rules.HotLoop:
		x.reconciles(f, input, s)
	}
}

// onAverage is how many cores a process took since it started, where the inputs show when they were taken.
func (x measurer) onAverage(s *metrics.Scrape, used float64) string {
	at := s.Time()
	if c := parsed.Cluster(x.pass); at.IsZero() && c != nil {
		at = c.Bundle.Created
	}
	if lived := at.Sub(s.Started()); !at.IsZero() && !s.Started().IsZero() && lived.Seconds() >= 60 {
		return fmt.Sprintf(": %s on average since it started %s before", phrase.Cores(used/lived.Seconds()),
			phrase.Spell(lived))
	}
	return ""
}

// reconciles adds the controller that was called most, where one has most of all calls.
func (x measurer) reconciles(f *rules.Finding, input string, s *metrics.Scrape) {
	byController, lines, total := map[string]float64{}, map[string]int64{}, 0.0
	most := ""
	for _, v := range s.All("controller_runtime_reconcile_total") {
		name := v.Label("controller")
		if !(v.Value >= 0 && v.Value < 1<<53) {
			continue
		}
		byController[name] += v.Value
		total += v.Value
		if lines[name] == 0 {
			lines[name] = v.Line
		}
		if most == "" || byController[name] > byController[most] {
			most = name
		}
	}
	if total >= 1000 && byController[most] > total/2 {
		f.Evidence = append(f.Evidence, measured(input, lines[most],
			"controller_runtime_reconcile_total of %s: %s of %s", phrase.Cut(most, 60),
			phrase.Number(int64(byController[most])), phrase.Number(int64(total))))
	}
}

// usage adds what kubectl top printed of a finding's pod.
func (x measurer) usage(f *rules.Finding) {
	pod := x.podOf(f)
	if pod.Pod == "" || !burns(f) && f.Category != rules.Memory {
		return
	}
	for _, u := range x.usages {
		if u.Kind != "Pod" || u.Name != pod.Pod || u.Namespace != pod.Namespace && u.Namespace != "" {
			continue
		}
		who := ""
		if u.Container != "" {
			who = " of container " + u.Container
		}
		f.Evidence = append(f.Evidence, measured(u.Input, u.Line, "kubectl top%s: %s, %s of memory", who,
			phrase.Cores(float64(u.MilliCPU)/1000), phrase.ByteSize(uint64(u.Bytes))))
		return
	}
}
