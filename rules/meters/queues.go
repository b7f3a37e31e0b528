package meters

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of queue-worker-stuck.
const (
	// longItem is how long a worker may be in one item where the queue grows: a reconcile that waits for a cloud's API
	// takes up to some minutes.
	longItem = 10 * time.Minute
	// longAlone is how long where only one scrape shows it.
	longAlone = 30 * time.Minute
	// manyWaiting items show that a queue is stuck, and does not just have a few new ones.
	manyWaiting = 10
)

const (
	queueDepth   = "workqueue_depth"
	queueLongest = "workqueue_longest_running_processor_seconds"
	queueAdds    = "workqueue_adds_total"
	queueWork    = "workqueue_unfinished_work_seconds"
)

// runStuckQueues is queue-worker-stuck (TR712).
func runStuckQueues(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, scrapes := range byProcess(p.Metrics) {
		last := scrapes[len(scrapes)-1]
		var before *rules.MeterInput
		if len(scrapes) > 1 {
			before = scrapes[0]
		}
		for _, longest := range parsed.Scrape(last).All(queueLongest) {
			if f, ok := stuckQueue(last, before, longest); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// byProcess groups scrapes of one process, in order of the CPU time that it had used: times are in none of them.
// Replicas may start in the same second: where no pod is known, scrapes in folders with different names are of
// different processes. A folder that a number or a time names is a moment.
func byProcess(all []*rules.MeterInput) [][]*rules.MeterInput {
	type key struct {
		pod    rules.Target
		folder string
		start  int64
	}
	var keys []key
	groups := map[key][]*rules.MeterInput{}
	for i, in := range all {
		s := parsed.Scrape(in)
		k := key{pod: rules.Target{Namespace: in.Target.Namespace, Pod: in.Target.Pod}, start: s.Started().UnixMilli()}
		if folder := path.Dir(in.Input); k.pod.Pod == "" && strings.Trim(path.Base(folder), "0123456789-_:.TZ") != "" {
			k.folder = folder
		}
		if s.Started().IsZero() {
			k.start = -int64(i) // of a process of its own, as far as is known
		}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], in)
	}
	var out [][]*rules.MeterInput
	for _, k := range keys {
		slices.SortStableFunc(groups[k], func(a, b *rules.MeterInput) int {
			return cmp.Compare(cpuSeconds(a), cpuSeconds(b))
		})
		out = append(out, groups[k])
	}
	return out
}

func cpuSeconds(in *rules.MeterInput) float64 {
	if v := parsed.Scrape(in).Value("process_cpu_seconds_total"); v != nil && !math.IsNaN(v.Value) {
		return v.Value
	}
	return 0
}

// ofQueue is a sample of the same queue; nil for none.
func ofQueue(s *metrics.Scrape, name string, queue *metrics.Sample) *metrics.Sample {
	for _, v := range s.All(name) {
		if v.Label("name") == queue.Label("name") && v.Label("controller") == queue.Label("controller") {
			return v
		}
	}
	return nil
}

// stuckQueue judges one queue by its last scrape and by one before, nil for none.
func stuckQueue(last, before *rules.MeterInput, longest *metrics.Sample) (f rules.Finding, ok bool) {
	s := parsed.Scrape(last)
	depth := ofQueue(s, queueDepth, longest)
	if depth == nil || !(depth.Value >= 1) || !(longest.Value < 1e9) {
		return f, false
	}
	took := time.Duration(longest.Value * float64(time.Second))
	grew, stuck := "", false
	waiting := phrase.Count(int64(depth.Value), "item")
	why := "Behind it: " + waiting + "."
	if before != nil {
		b := parsed.Scrape(before)
		was, ran := ofQueue(b, queueDepth, longest), ofQueue(b, queueLongest, longest)
		if was != nil && ran != nil && ran.Value > 0 && longest.Value > ran.Value && depth.Value > was.Value &&
			depth.Value >= manyWaiting && took >= longItem {
			grew, stuck = phrase.Number(int64(was.Value))+" → ", true
			why = fmt.Sprintf("Between two scrapes the item was not finished, and the queue grew from %s to %s.",
				phrase.Number(int64(was.Value)), waiting)
		}
	}
	if !stuck && took < longAlone {
		return f, false
	}
	name := phrase.Cut(cmp.Or(longest.Label("name"), longest.Label("controller"), "without a name"), 40)
	f = begin("TR712", last, rules.Medium, fmt.Sprintf("has spent %s on one item of queue %s",
		phrase.Spell(took), name), name)
	f.Why = "A reconcile normally takes seconds. " + why
	f.Fix = "Set a deadline for the call in which the worker waits: a goroutine dump shows that call."
	if !stuck {
		f.Doubt("One scrape does not show whether the item makes progress.")
	}
	f.Evidence = []rules.Evidence{
		{Input: last.Input, Line: longest.Line, Count: 1,
			Text: fmt.Sprintf("%s of %s: %.0f", queueLongest, name, longest.Value)},
		{Input: last.Input, Line: depth.Line, Count: int(min(depth.Value, 1<<30)),
			Text: fmt.Sprintf("%s of %s: %s%s", queueDepth, name, grew, phrase.Number(int64(depth.Value)))},
	}
	if w := ofQueue(s, queueWork, longest); w != nil && w.Value > 0 && w.Value < 1e12 {
		f.Evidence = append(f.Evidence, rules.Evidence{Input: last.Input, Line: w.Line, Count: 1,
			Text: fmt.Sprintf("%s of %s: %.0f", queueWork, name, w.Value)})
	}
	f.Next = []rules.Step{last.Target.Dump()}
	return f, true
}
