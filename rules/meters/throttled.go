package meters

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of cpu-throttled.
const (
	// throttledSome is the share that kubernetes-mixin's alert CPUThrottlingHigh has. Many healthy containers with
	// small bursts are above it, which is why the alert is for information only: low here.
	throttledSome = 0.25
	// throttledMost: of groups that ran for 330 s beside others on two processors, a spinner with 0.1 of a core was
	// stopped in 76% of its periods, three goroutines with work for 0.6 cores and a limit of 0.15 in 50%, one with
	// work for twice its limit in 16%, since the processors were busy; four healthy ones (5 ms of work every 0.1 s with
	// 0.2 cores; 1 ms a second; bursts of 30 ms a second, of 8 ms every 5 s) in 0, 0, 4 and 15 %.
	throttledMost = 0.5
	// fewPeriods is a minute in which the group had work, enoughPeriods five (of the usual 0.1 s).
	fewPeriods, enoughPeriods = 600, 3000
	// smallLimit in cores: side containers with 0.01 to 0.1 of a core are throttled in most of the few moments in which
	// they do anything, and nobody waits for them.
	smallLimit = 0.2
	// rarely is a share of the container's life: who has work in less of it is held up for moments.
	rarely = 0.05
	// calm is a pressure, in percent of five minutes, below which the group is not held up now.
	calm = 5
)

// runThrottled is cpu-throttled (TR710).
func runThrottled(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Cgroups {
		g := parsed.Group(in)
		share, periods := g.ThrottledShare(), g.N(cgroup.Periods)
		if share < throttledSome || periods < fewPeriods {
			continue
		}
		f := begin("TR710", in, throttledSeverity(p, in, g), "is throttled in "+phrase.Percent(share)+
			" of its CPU periods"+limitText(g, " by its limit of ", ""), "")
		f.Evidence = []rules.Evidence{ThrottledEvidence(in)}
		f.Why = fmt.Sprintf("The control group used up its quota in %s of %s periods with work%s. The kernel then "+
			"stops its threads until the next period.", phrase.Number(int64(g.N(cgroup.Throttled))),
			phrase.Number(int64(periods)), limitText(g, " (its limit is ", ")"))
		f.Fix = "Raise the CPU limit, or reduce the work: a CPU profile shows what uses the CPU."
		if v, ok := g.Get(cgroup.PressureCPU); ok {
			f.Evidence = append(f.Evidence, rules.Evidence{Input: v.Input, Line: v.Line, Count: 1,
				Text: fmt.Sprintf("CPU pressure: in %.0f%% of the last 300 s something waited for a CPU", v.N)})
		}
		f.Next = []rules.Step{in.Target.Top(), in.Target.Describe()}
		found = append(found, f)
	}
	return found
}

// throttledSeverity is medium where the group had work for a good while, has a limit that is not tiny, and is held up
// still, as far as the inputs show. Elsewhere it costs little.
func throttledSeverity(p *rules.Pass, in *rules.MeterInput, g *cgroup.Group) rules.Severity {
	periods := g.N(cgroup.Periods)
	if g.ThrottledShare() < throttledMost || periods < enoughPeriods || cores(g) < smallLimit {
		return rules.Low
	}
	if v, ok := g.Get(cgroup.PressureCPU); ok && v.N < calm {
		return rules.Low
	}
	if c := parsed.Cluster(p); c != nil && in.Target.Pod != "" {
		pod := c.Pod(in.Target.Namespace, in.Target.Pod)
		if pod != nil && pod.RunsToAnEnd() { // it takes what it may
			return rules.Low
		}
		if pod != nil && !pod.Started.IsZero() && !now(p).IsZero() {
			life := now(p).Sub(pod.Started)
			if busy := time.Duration(periods * g.Period() * float64(time.Second)); life > 0 &&
				float64(busy) < rarely*float64(life) {
				return rules.Low
			}
		}
	}
	return rules.Medium
}

// cores is how many CPUs the group may use: by its quota, else by what it used in its periods, nearly all of which it
// was stopped in.
func cores(g *cgroup.Group) float64 {
	if c := g.Cores(); c > 0 {
		return c
	}
	if used, ok := g.Get(cgroup.UsageUS); ok {
		return used.N / 1e6 / (g.N(cgroup.Periods) * g.Period())
	}
	return 0
}

// limitText is the quota between two words, "" where it is unknown.
func limitText(g *cgroup.Group, before, after string) string {
	if c := g.Cores(); c > 0 {
		return before + phrase.Cores(c) + after
	}
	return ""
}

// ThrottledEvidence is what cpu.stat shows: "throttled in 80% of 50,000 periods of 100 ms with work, 412 s in all".
func ThrottledEvidence(in *rules.MeterInput) rules.Evidence {
	g := parsed.Group(in)
	v, _ := g.Get(cgroup.Throttled)
	text := fmt.Sprintf("throttled in %s of %s CPU periods", phrase.Percent(g.ThrottledShare()),
		phrase.Number(int64(g.N(cgroup.Periods))))
	if us := g.N(cgroup.ThrottledUS); us > 0 {
		text += ", " + phrase.Seconds(us/1e6) + " in all, summed over CPUs"
	}
	return rules.Evidence{Input: v.Input, Line: v.Line, Text: text + limitText(g, "; the limit is ", ""), Count: 1,
		Goroutines: []uint64{}}
}
