package convert

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on the rows of meters.
const (
	maxMeters = 100 // of each kind: the bound of the contract's other lists
	maxFacts  = 40
	maxQueues = 5 // values of a label, the largest first
)

// Meters are what metrics, control groups and kubectl top show, in order of inputs.
func Meters(pass *rules.Pass) []schema.Meter {
	var all []schema.Meter
	row := func(in *rules.MeterInput, kind ingest.Kind, name string, facts []schema.Fact) {
		if t := in.Target; len(facts) > 0 {
			all = append(all, schema.Meter{Input: in.Input, Kind: string(kind), Namespace: t.Namespace, Pod: t.Pod,
				Container: t.Container, Node: t.Node, Name: name, Facts: facts[:min(len(facts), maxFacts)]})
		}
	}
	for _, in := range pass.Metrics[:min(len(pass.Metrics), maxMeters)] {
		row(in, ingest.KindMetrics, "", scrapeFacts(parsed.Scrape(in)))
	}
	for _, in := range pass.Cgroups[:min(len(pass.Cgroups), maxMeters)] {
		row(in, ingest.KindCgroup, parsed.Group(in).Name, groupFacts(parsed.Group(in)))
	}
	if c := parsed.Cluster(pass); c != nil {
		for _, u := range mostUsed(c.Usages) {
			in := &rules.MeterInput{Input: u.Input, Target: rules.Target{Namespace: u.Namespace, Pod: u.Name,
				Container: u.Container}}
			if u.Kind == "Node" {
				in.Target = rules.Target{Node: u.Name}
			}
			cores := float64(u.MilliCPU) / 1000
			row(in, ingest.KindKubectlText, "", []schema.Fact{
				{Name: "cpu", Value: cores, Text: phrase.Cores(cores), Line: u.Line},
				{
					Name: "memory", Value: float64(u.Bytes), Text: phrase.ByteSize(uint64(u.Bytes)) + " of memory",
					Line: u.Line,
				},
			})
		}
	}
	return all
}

// mostUsed are the rows of kubectl top, those that take most CPU first.
func mostUsed(all []kube.Usage) []kube.Usage {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b kube.Usage) int { return cmp.Compare(b.MilliCPU, a.MilliCPU) })
	return sorted[:min(len(sorted), maxMeters)]
}

// A factList collects facts.
type factList struct {
	s   *metrics.Scrape
	all []schema.Fact
}

// number is a sample's value where it is one that can be written.
func (l *factList) number(name string) (float64, *metrics.Sample) {
	v := l.s.Value(name)
	if v == nil || math.IsNaN(v.Value) || v.Value < 0 || v.Value > 1<<53 {
		return 0, nil
	}
	return v.Value, v
}

func (l *factList) add(v *metrics.Sample, name, format string, args ...any) {
	l.all = append(l.all, schema.Fact{Name: name, Value: v.Value, Text: fmt.Sprintf(format, args...), Line: v.Line})
}

// plain adds a sample's value in words, where it has one.
func (l *factList) plain(name string, text func(float64) string) {
	if n, v := l.number(name); v != nil {
		l.add(v, v.Name, "%s", text(n))
	}
}

func bytesOf(n float64) string { return phrase.ByteSize(uint64(n)) }

// scrapeFacts are what the metrics of a process say of it, what matters most first.
func scrapeFacts(s *metrics.Scrape) []schema.Fact {
	l := &factList{s: s}
	if v := s.Value("process_start_time_seconds"); v != nil && !s.Started().IsZero() {
		l.add(v, v.Name, "started %s", s.Started().Format(time.DateTime))
	}
	l.plain("go_goroutines", func(n float64) string { return phrase.Count(int64(n), "goroutine") })
	l.plain("go_threads", func(n float64) string { return phrase.Count(int64(n), "thread") })
	if open, v := l.number("process_open_fds"); v != nil {
		of := ""
		if most, limit := l.number("process_max_fds"); limit != nil {
			of = " of " + phrase.Number(int64(most))
		}
		l.add(v, v.Name, "%s%s file descriptors open", phrase.Number(int64(open)), of)
	}
	l.plain("process_cpu_seconds_total", func(n float64) string { return phrase.Seconds(n) + " of CPU time in total" })
	l.plain("go_memstats_heap_inuse_bytes", func(n float64) string { return bytesOf(n) + " heap in use" })
	l.plain("process_resident_memory_bytes", func(n float64) string { return bytesOf(n) + " resident" })
	for _, c := range countedMetrics {
		for _, v := range l.sums(c.metric, c.label) {
			if label := v.Label(c.label); v.Value >= c.least {
				l.add(v, v.Name+"{"+label+"}", c.text, phrase.Cut(label, 60), c.write(v.Value))
			}
		}
	}
	l.throttle()
	if len(l.all) == 0 && s.Samples > 0 {
		l.all = []schema.Fact{{Name: "samples", Value: float64(s.Samples), Text: fmt.Sprintf("%s of %s, none of a Go "+
			"process or of a controller", phrase.Count(s.Samples, "sample"), phrase.Count(s.Families, "metric"))}}
	}
	return l.all
}

// countedMetrics are metrics with a fact for each value of a label, the largest first: the label and the value are what
// text is filled in with.
var countedMetrics = []struct {
	metric, label string
	least         float64
	text          string
	write         func(float64) string
}{
	{"workqueue_depth", "name", 1, "queue %s: %s waiting", whole},
	{"workqueue_longest_running_processor_seconds", "name", 60, "queue %s: working on one item for %s", phrase.Seconds},
	{"rest_client_requests_total", "code", 1, "API requests with status %s: %s", whole},
	{"controller_runtime_reconcile_total", "controller", 1, "reconciles of controller %s: %s", whole},
}

func whole(x float64) string { return phrase.Number(int64(x)) }

// sums are a metric's samples added up by a label, the largest of them first.
func (l *factList) sums(name, label string) []*metrics.Sample {
	by := map[string]*metrics.Sample{}
	for _, v := range l.s.All(name) {
		if v.Value <= 0 || !(v.Value < 1<<53) {
			continue
		}
		if sum := by[v.Label(label)]; sum != nil {
			sum.Value += v.Value
			continue
		}
		first := *v
		by[v.Label(label)] = &first
	}
	all := slices.SortedFunc(maps.Values(by), func(a, b *metrics.Sample) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Label(label), b.Label(label)))
	})
	return all[:min(len(all), maxQueues)]
}

// throttle is how long requests waited for the client's own limit.
func (l *factList) throttle() {
	total := func(name string) (sum float64, first *metrics.Sample) {
		for _, v := range l.s.All(name) {
			if v.Value >= 0 && v.Value < 1<<53 {
				sum, first = sum+v.Value, cmp.Or(first, v)
			}
		}
		return sum, first
	}
	sum, first := total("rest_client_rate_limiter_duration_seconds_sum")
	count, _ := total("rest_client_rate_limiter_duration_seconds_count")
	if first != nil && count > 0 && sum/count >= 0.05 { // a client below its limit does not wait
		all := *first
		all.Value = sum
		l.add(&all, all.Name, "waited %s for its client-side rate limiter, %s per request", phrase.Seconds(sum),
			phrase.Seconds(sum/count))
	}
}

// groupFacts are what a control group shows.
func groupFacts(g *cgroup.Group) []schema.Fact {
	var all []schema.Fact
	add := func(k cgroup.Key, text string) {
		if v, ok := g.Get(k); ok {
			all = append(all, schema.Fact{Name: string(k), Value: v.N, Text: text, Line: v.Line})
		}
	}
	if c := g.Cores(); c > 0 {
		add(cgroup.QuotaUS, "limited to "+phrase.Cores(c))
	}
	add(cgroup.Throttled, fmt.Sprintf("throttled in %s of %s CPU periods", phrase.Percent(g.ThrottledShare()),
		phrase.Number(int64(g.N(cgroup.Periods)))))
	add(cgroup.UsageUS, phrase.Seconds(g.N(cgroup.UsageUS)/1e6)+" of CPU time in total")
	of := ""
	if limit := g.N(cgroup.MemoryMax); limit > 0 {
		of = " of " + phrase.ByteSize(uint64(limit))
	}
	add(cgroup.Memory, phrase.ByteSize(uint64(g.N(cgroup.Memory)))+of+" of memory")
	add(cgroup.Anon, phrase.ByteSize(uint64(g.N(cgroup.Anon)))+of+" that can't be reclaimed")
	if n := g.N(cgroup.OOMKills); n > 0 {
		add(cgroup.OOMKills, "ran out of memory "+phrase.CountTimes(int(n)))
	}
	for _, p := range []struct {
		key  cgroup.Key
		what string
	}{{cgroup.PressureCPU, "a CPU"}, {cgroup.PressureMem, "memory"}, {cgroup.PressureIO, "I/O"}} {
		add(p.key, fmt.Sprintf("tasks waited for %s during %.0f%% of the last 300 s", p.what, g.N(p.key)))
	}
	if len(all) == 0 { // a limit without what it limits
		add(cgroup.MemoryMax, "memory limit "+phrase.ByteSize(uint64(g.N(cgroup.MemoryMax))))
		add(cgroup.PeriodUS, "no CPU limit")
		add(cgroup.OOMKills, "never ran out of memory")
	}
	return all
}
