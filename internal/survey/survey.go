// Package survey judges the processes of a fleet by their metrics: which differ from the others of their workload,
// grow, were restarted or can't be scraped.
package survey

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// manyRestarts are of severity high. Chosen: the kubelet has backed off four times by then.
const manyRestarts = 5

// A member is a process of a workload.
type member struct {
	*prometheus.Process
	name    schema.SurveyName
	reasons []reason
	against string
}

// A reason is why a member is odd. Its Before is NaN where unknown.
type reason struct {
	schema.OddReason
	m                 *metric // nil for restarts
	some              bool    // others are not all: there are more odd ones
	level, grew, fell bool
	growth            float64 // the greatest of the others, as a share
	score             float64 // as a logarithm: how odd
}

// A workload are processes that should be alike.
type workload struct {
	members []*member // without those that have ended
	alive   []*member // with metrics now
	isGo    bool

	name, noun, span string // for words
}

// Of judges a population; at most limit rows of each kind are kept, 0 for all.
func Of(p *prometheus.Population, window time.Duration, limit int) *schema.Survey {
	s := &schema.Survey{Schema: schema.SurveySchema, Server: p.Server, Window: int(window.Seconds()),
		Notes: append([]string{}, p.Notes...), Odd: []schema.OddProcess{}, Down: []schema.DownWorkload{},
		Cost: p.Cost}
	var odd []scored
	for _, w := range workloadsOf(p.Processes) {
		w.span = phrase.Spell(window)
		w.down(s)
		if len(w.alive) == 0 {
			continue
		}
		s.Workloads++
		s.Processes += len(w.alive)
		if len(w.alive) == 1 {
			s.Alone++
		}
		odd = append(odd, w.judge(s)...)
	}
	slices.SortStableFunc(odd, compareRows)
	seen := map[schema.SurveyName]string{} // a pod that two jobs scrape is one row
	for _, o := range odd {
		pod := o.SurveyName
		pod.Job, pod.Instance = "", ""
		// Nor is what a workload shows as a whole repeated of the pod that shows it most.
		const more = "more"
		if s := seen[pod]; pod.Pod != "" && !o.Whole && (s == more || len(o.Reasons) == 1 && s == o.Reasons[0].Metric) {
			continue
		}
		seen[pod] = phrase.OnlyIf(!o.Whole, more) + phrase.OnlyIf(o.Whole, o.Reasons[0].Metric)
		s.OddTotal++
		if o.Confidence.Rank() >= rules.ConfMedium.Rank() {
			s.OddLikely++
		}
		if limit == 0 || s.OddTotal <= limit {
			s.Odd = append(s.Odd, o.OddProcess)
		}
	}
	slices.SortStableFunc(s.Down, func(a, b schema.DownWorkload) int { return b.Targets - a.Targets })
	if s.DownTotal = len(s.Down); limit > 0 {
		s.Down = s.Down[:min(limit, len(s.Down))]
	}
	return s
}

// A scored row is a row with how odd it is.
type scored struct {
	schema.OddProcess
	score float64
}

func compareRows(a, b scored) int {
	return cmp.Or(b.Confidence.Rank()-a.Confidence.Rank(), b.Severity.Rank()-a.Severity.Rank(),
		cmp.Compare(b.score, a.score))
}

// workloadsOf groups processes, in order of their names.
func workloadsOf(all []*prometheus.Process) []*workload {
	byName := map[schema.SurveyName]*workload{}
	var groups []*workload
	members := make([]*member, len(all))
	for i, p := range all {
		of := pods.WorkloadOf(p.Pod, p.Container, "", false)
		members[i] = &member{Process: p, name: p.SurveyName}
		members[i].name.Workload, members[i].name.Revision = cmp.Or(of.Name, p.App, p.Job), of.Revision
	}
	slices.SortStableFunc(members, func(a, b *member) int {
		x, y := a.name, b.name
		return cmp.Or(strings.Compare(x.Cluster, y.Cluster), strings.Compare(x.Namespace, y.Namespace),
			strings.Compare(x.Workload, y.Workload), strings.Compare(x.Pod, y.Pod),
			strings.Compare(x.Instance, y.Instance), strings.Compare(x.Job, y.Job))
	})
	for _, m := range members {
		k := m.name
		k.Revision, k.Pod, k.Instance = "", "", ""
		w := byName[k]
		if w == nil {
			w = &workload{name: m.name.Workload, noun: phrase.OnlyIf(m.Pod != "", "pod") +
				phrase.OnlyIf(m.Pod == "", "process")}
			byName[k] = w
			groups = append(groups, w)
		}
		g := m.Goroutines
		w.isGo = w.isGo || g.Known() || !math.IsNaN(g.Mid) || !math.IsNaN(g.Before)
		if g.Known() {
			w.alive = append(w.alive, m)
		}
		if g.Known() || m.Down {
			w.members = append(w.members, m)
		}
	}
	return groups
}

// judge returns the rows of a workload.
func (w *workload) judge(s *schema.Survey) (rows []scored) {
	if m, r, against := w.restarts(); m != nil {
		rows = append(rows, row(m, []reason{r}, true, against))
	}
	whole := map[string]bool{}
	for _, m := range metrics() {
		if x, r, against := w.growth(m); x != nil {
			rows, whole[m.name] = append(rows, row(x, []reason{r}, true, against)), true
		}
	}
	for _, p := range w.pools() {
		for _, m := range metrics() {
			p.compare(m, whole[m.name])
		}
		p.idle(metrics()[1])
		for _, x := range p.members {
			if len(x.reasons) == 0 || !p.judged(x) {
				continue
			}
			steady, against := p.excuse(x)
			if steady {
				s.Steady++
				x.reasons = nil
				continue
			}
			x.against = cmp.Or(against, w.doubt(p, x))
			for i := range x.reasons {
				if r := &x.reasons[i]; r.m != nil {
					r.Why = w.differs(r, p)
				}
			}
		}
	}
	for _, x := range w.members {
		if len(x.reasons) > 0 {
			rows = append(rows, row(x, x.reasons, false, x.against))
		}
	}
	return rows
}

// pools are the processes that are compared: those of one revision, which run the same code. Pods of a revision that
// has fewer than three are compared with all of the workload.
func (w *workload) pools() (all []*pool) {
	byRevision := map[string][]*member{}
	for _, m := range w.alive {
		byRevision[m.name.Revision] = append(byRevision[m.name.Revision], m)
	}
	few := func(m *member) bool { return len(byRevision[m.name.Revision]) < 3 }
	for revision, same := range byRevision {
		switch {
		case len(byRevision) == 1:
			all = append(all, &pool{members: same, of: w.name})
		case len(same) >= 3:
			all = append(all, &pool{members: same, of: w.name + "-" + revision})
		}
	}
	if len(byRevision) > 1 && slices.ContainsFunc(w.alive, few) {
		all = append(all, &pool{members: w.alive, of: w.name, mixed: true, only: few})
	}
	slices.SortFunc(all, func(a, b *pool) int { return strings.Compare(a.of, b.of) })
	return all
}

// doubt is what speaks against a member of a pool, "" for nothing.
func (w *workload) doubt(p *pool, x *member) string {
	has := func(holds func(reason) bool) bool { return slices.ContainsFunc(x.reasons, holds) }
	switch {
	case has(func(r reason) bool { return r.m == nil && r.Value > 1 }):
		return ""
	case p.mixed:
		return "The others are from another revision, whose code may differ."
	case has(func(r reason) bool {
		return r.grew && (r.Others > 1 || r.Others == 1 && r.Value >= aloneFactor*r.Before)
	}):
		return ""
	case len(x.reasons) == 1 && x.reasons[0].m == nil:
		return onceOnly
	case len(p.members) == 1:
		return "No other " + w.noun + " shows whether this is usual."
	case len(p.members) == 2:
		return "With two, nothing shows which one is normal."
	case math.IsNaN(x.Goroutines.Before) && !has(func(r reason) bool { return r.m != nil && r.m.name != "cores" }):
		return "It started within the window and may still be warming up."
	}
	return ""
}

// onceOnly is what speaks against a single restart.
const onceOnly = "It restarted only once."

// restarts notes the members that were restarted. If most were, it returns the one with most restarts, the reason and
// what speaks against it.
func (w *workload) restarts() (most *member, r reason, against string) {
	var again []*member // the one with most restarts first
	total := 0
	for _, m := range w.members {
		if m.Restarts > 0 {
			again, total = append(again, m), total+m.Restarts
		}
	}
	slices.SortStableFunc(again, func(a, b *member) int { return b.Restarts - a.Restarts })
	n := len(w.members)
	if n > 1 && 2*len(again) > n {
		most = again[0]
		if most.Restarts == 1 {
			against = "Each restarted only once, as in a deployment."
		}
		r.OddReason = restarted(most.Restarts, n-1, most.Restarts, w.allRestarted(len(again), n, total))
		r.score = math.Log(1 + float64(total))
		return most, r, against
	}
	for i, m := range again {
		if m.Restarts == 1 {
			m.against = onceOnly
		}
		high := 0 // of the others
		if i > 0 {
			high = again[0].Restarts
		} else if len(again) > 1 {
			high = again[1].Restarts
		}
		m.reasons = append(m.reasons, reason{score: math.Log(1 + float64(m.Restarts)),
			OddReason: restarted(m.Restarts, n-1, high, w.restarted(m.Restarts, n-1, high))})
	}
	return nil, r, ""
}

func restarted(times, others, high int, why string) schema.OddReason {
	return schema.OddReason{Metric: "restarts", Value: float64(times), Before: math.NaN(), Others: others,
		High: float64(high), Why: why}
}

// growth returns the member that has most, if most of the workload grow, with the reason and what speaks against it.
func (w *workload) growth(m *metric) (top *member, r reason, against string) {
	var now, before, were, are []float64
	known := 0 // that are old enough
	for _, x := range w.alive {
		p := *m.of(x.Process)
		if !math.IsNaN(p.Before) {
			known++
		}
		if !m.grows(p, m.factor, 1) {
			continue
		}
		now, before = append(now, p.Now), append(before, p.Before)
		if c := x.Cores; c.Known() && !math.IsNaN(c.Before) {
			are, were = append(are, c.Now), append(were, c.Before)
		}
		if top == nil || p.Now > m.of(top.Process).Now {
			top = x
		}
	}
	if len(now) < 2 || 2*len(now) <= known {
		return nil, r, ""
	}
	r = reason{m: m, grew: true, OddReason: schema.OddReason{Metric: m.name, Value: median(now),
		Before: median(before), Others: len(w.alive) - 1, Low: slices.Min(now), High: slices.Max(now)}}
	r.score = m.log(r.Value) - m.log(r.Before)
	r.Why = w.allGrow(&r, len(now), known)
	if cpu := metrics()[1]; m.name == cpu.name {
		against = "The load may have grown."
	} else if len(are) > 0 && math.Log(median(are)/median(were)) >= r.score/2 {
		against = "CPU grew as well, so the load may have grown."
	}
	return top, r, against
}

// row is the row of a member.
func row(x *member, reasons []reason, whole bool, against string) scored {
	o := scored{OddProcess: schema.OddProcess{SurveyName: x.name, Whole: whole, Severity: rules.Medium,
		Confidence: rules.ConfMedium, Against: against, Reasons: []schema.OddReason{}}}
	if against != "" {
		o.Confidence = rules.ConfLow
	}
	slices.SortStableFunc(reasons, func(a, b reason) int { return cmp.Compare(b.score, a.score) })
	for _, r := range reasons {
		big := r.Value >= manyRestarts
		if r.m != nil {
			base := r.High
			if whole || r.Others == 0 {
				base = r.Before
			}
			big = r.Value-base >= r.m.big
		}
		if big {
			o.Severity = rules.High
		}
		if math.IsNaN(r.Before) {
			r.Before = -1
		}
		o.score += r.score
		o.Reasons = append(o.Reasons, r.OddReason)
	}
	o.Next = next(x, reasons)
	return o
}

// down notes the targets of a workload that can't be scraped.
func (w *workload) down(s *schema.Survey) {
	var down []*member
	for _, m := range w.members {
		if m.Down {
			down = append(down, m)
		}
	}
	switch {
	case len(down) == 0:
	case !w.isGo:
		s.DownOther += len(down)
	default:
		d := schema.DownWorkload{SurveyName: down[0].name, Targets: len(down), Of: len(w.members),
			Next: next(down[0], nil)}
		for _, m := range down {
			d.Error = cmp.Or(d.Error, m.LastError)
		}
		s.Down = append(s.Down, d)
	}
}
