package survey

import (
	"cmp"
	"math"
	"slices"

	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/triage/schema"
)

// When a process is odd. Values are compared as ratios (logarithms), because loads differ by factors. Those that are
// called chosen have no other origin; the tests of this room measure what they lead to.
const (
	// deviations are how many scaled median absolute deviations a value is above the median, fewDeviations those in a
	// pool of less than enough. A fleet has thousands of processes with three metrics each, so that the 3.5 of Iglewicz
	// and Hoaglin (1993) would accuse healthy ones in every run. Chosen.
	deviations, fewDeviations = 5, 6
	enough                    = 8
	// madScale makes a median absolute deviation a standard deviation of normally distributed values.
	madScale = 1.4826
	// prior is how many processes the usual spread of a metric counts for beside the spread of the pool: two of three
	// may be equal by chance. Chosen.
	prior = 4
	// gapFactor is how many times the greatest of the others; a wide pool needs half its own range. Chosen.
	gapFactor, gapShare = 1.5, 0.5
	// minorityOf is the part of a pool, 1 in so many, that can be odd: more are a second kind of process. Chosen.
	minorityOf = 4
	// maxAbove bounds the work for a large pool. Chosen.
	maxAbove = 100
	// Of two either may be right, and one alone has only its past. Chosen.
	pairFactor, aloneFactor = 4, 3
	// Growth that is not that of others has at least this factor more. Its usual spread is growthSpread. Chosen.
	growthFactor, growthSpread = 1.5, 0.1
	// A process that hangs uses so little of what the least of the others uses, at least busyCores. Chosen.
	idleFactor, busyCores = 10, 0.1
	// steadyFactor is by how much a steady value changes in the window at most. Chosen.
	steadyFactor = 1.5
	// moreFactor is how many times the goroutines of all others a leader has at least. Steady goroutines are a leak all
	// the same if they are so many times those of the others; few replicas have a leader more often than many. Chosen.
	moreFactor, fewReplicas, fewLeaks, manyLeaks = 1.1, 6, 10, 4
	// spinShare is by how much the CPU of loops, up to maxSpins, differs from whole cores. Chosen.
	spinShare, maxSpins = 0.06, 4
)

// A metric is what processes are compared by.
type metric struct {
	name   string
	of     func(*prometheus.Process) *prometheus.Points
	floor  float64 // values below are alike
	least  float64 // the least difference to others that is worth a look
	more   float64 // the least growth that is
	big    float64 // a difference of severity high
	spread float64 // the usual one between replicas, as a standard deviation of logarithms
	factor float64 // of growth
	// still is the share of a growth that the second half of the window must have, so that a cache that was filled does
	// not grow. A loop that never waits takes its CPU from one moment on, and keeps it. Chosen.
	still float64
	write func(float64) string
	unit  string
}

// metrics are chosen with differences that someone on call would look at. The spreads are chosen, too.
func metrics() []*metric {
	return []*metric{
		{"goroutines", func(p *prometheus.Process) *prometheus.Points { return &p.Goroutines },
			30, 200, 200, 10_000, 0.2, 1.5, 0.25, number, " goroutines"},
		{"cores", func(p *prometheus.Process) *prometheus.Points { return &p.Cores },
			0.02, 0.2, 0.5, 0.9, 0.4, 1.5, -0.25, cores, " cores"},
		{"memory", func(p *prometheus.Process) *prometheus.Points { return &p.Memory },
			20e6, 200e6, 200e6, 1e9, 0.15, 2, 0.25, bytesText, " of memory"},
	}
}

func (m *metric) log(v float64) float64 { return math.Log(max(v, m.floor)) }

// A pool are processes that are held against each other.
type pool struct {
	members []*member
	of      string             // what they are called
	mixed   bool               // of several revisions: what differs may be the code
	only    func(*member) bool // those that are judged, nil for all
}

func (p *pool) judged(x *member) bool { return p.only == nil || p.only(x) }

// values are those that the members have now, and whose.
func (p *pool) values(m *metric) (v []float64, whose []*member) {
	for _, x := range p.members {
		if points := m.of(x.Process); points.Known() {
			v, whose = append(v, points.Now), append(whose, x)
		}
	}
	return v, whose
}

// compare notes the members that have far more of a metric than the others, or alone grow.
func (p *pool) compare(m *metric, wholeGrows bool) {
	v, whose := p.values(m)
	grown := map[*member]float64{}
	if !wholeGrows {
		grown = p.grown(m)
	}
	above := map[*member]bool{}
	for _, i := range outliers(m, v) {
		above[whose[i]] = true
	}
	var others []float64 // their range is that of the usual ones
	for i, x := range whose {
		if _, grew := grown[x]; !grew && !above[x] {
			others = append(others, v[i])
		}
	}
	low, high := 0.0, 0.0
	if len(others) > 0 {
		low, high = slices.Min(others), slices.Max(others)
	}
	for i, x := range whose {
		growth, grew := grown[x]
		if !p.judged(x) || !above[x] && !grew {
			continue
		}
		r := reason{m: m, some: len(others) < len(v)-1, level: above[x], grew: grew, growth: growth}
		r.OddReason = schema.OddReason{Metric: m.name, Value: v[i], Before: m.of(x.Process).Before, Others: len(others),
			Low: low, High: high}
		if len(others) > 0 {
			r.score = max(m.log(r.Value)-m.log(r.High), 0)
		}
		if grew {
			r.score = max(r.score, m.log(r.Value)-m.log(r.Before))
		}
		x.reasons = append(x.reasons, r)
	}
}

// outliers are the indices of values far above the others.
func outliers(m *metric, v []float64) []int {
	n := len(v)
	if n < 2 {
		return nil
	}
	order := make([]int, n) // of indices, the greatest value first
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[j], v[i]) })
	if n == 2 {
		if high, low := v[order[0]], v[order[1]]; high-low < m.least || high < pairFactor*max(low, m.floor) {
			return nil
		}
		return order[:1]
	}
	logs := make([]float64, n)
	for i, at := range order {
		logs[i] = m.log(v[at])
	}
	for k := min(max(1, n/minorityOf), maxAbove); k > 0; k-- {
		least, rest := v[order[k-1]], logs[k:] // held against the rest alone: outliers would widen its spread
		gap := max(math.Log(gapFactor), gapShare*(rest[0]-rest[len(rest)-1]))
		if logs[k-1]-rest[0] < gap || least-v[order[k]] < m.least {
			continue
		}
		if mid, s := middle(rest, m.spread); logs[k-1]-mid >= needed(n)*s {
			return order[:k]
		}
	}
	return nil
}

// needed is how many deviations make a value of n odd.
func needed(n int) float64 {
	if n < enough {
		return fewDeviations
	}
	return deviations
}

// middle is the median and the deviation of values, of which the usual spread is known.
func middle(v []float64, usual float64) (mid, s float64) {
	mid = median(v)
	off := make([]float64, len(v))
	for i, x := range v {
		off[i] = math.Abs(x - mid)
	}
	n, mad := float64(len(v)), madScale*median(off)
	return mid, math.Sqrt((prior*usual*usual + n*mad*mad) / (prior + n))
}

// median is that of values of which there is one at least; it doesn't change them.
func median(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// grows reports whether a value has grown by a factor and so many times the least difference, and has not stopped.
func (m *metric) grows(p prometheus.Points, factor, times float64) bool {
	d := p.Now - p.Before // NaN where unknown: no comparison holds
	return d >= times*m.more && p.Now >= factor*max(p.Before, m.floor) && !(p.Now-p.Mid < m.still*d)
}

// grown are the members that grow as the others don't, with the greatest growth of these; without others, those that
// grow much.
func (p *pool) grown(m *metric) map[*member]float64 {
	var growing []*member
	var logs []float64 // of the others
	for _, x := range p.members {
		points := *m.of(x.Process)
		switch g := m.log(points.Now) - m.log(points.Before); {
		case !points.Known() || math.IsNaN(points.Before):
		case m.grows(points, m.factor, 1):
			growing = append(growing, x)
		default:
			logs = append(logs, g)
		}
	}
	out := map[*member]float64{}
	if len(logs) == 0 {
		if len(growing) == 1 && m.grows(*m.of(growing[0].Process), aloneFactor, 2) {
			out[growing[0]] = 0
		}
		return out
	}
	mid, s := middle(logs, growthSpread)
	most := slices.Max(logs)
	for _, x := range growing {
		points := m.of(x.Process)
		g := m.log(points.Now) - m.log(points.Before)
		if g-mid >= needed(len(logs)+1)*s && g-most >= math.Log(growthFactor) {
			out[x] = math.Exp(most) - 1
		}
	}
	return out
}

// idle notes a member that uses next to no CPU while the others are busy, and was busy itself: it may hang.
func (p *pool) idle(m *metric) {
	v, whose := p.values(m)
	if len(v) < minorityOf || p.mixed {
		return
	}
	i := slices.Index(v, slices.Min(v))
	others := slices.Delete(slices.Clone(v), i, i+1)
	low, before := slices.Min(others), m.of(whose[i].Process).Before
	if low < busyCores || v[i] > low/idleFactor || !(before >= low/2) {
		return
	}
	r := schema.OddReason{Metric: m.name, Value: v[i], Before: before, Others: len(others), Low: low,
		High: slices.Max(others)}
	whose[i].reasons = append(whose[i].reasons, reason{OddReason: r, m: m, fell: true, score: m.log(low) - m.log(v[i])})
}

// beside is what a member has of a metric now, and the others; it has others, or no reason to be excused.
func (p *pool) beside(m *metric, x *member) (its float64, others []float64) {
	v, whose := p.values(m)
	i := slices.Index(whose, x)
	if i < 0 || len(v) == 1 {
		return 0, []float64{math.Inf(1)}
	}
	its = v[i]
	return its, slices.Delete(v, i, i+1)
}

// excuse reports whether a member is like a leader, or a shard with more work: more goroutines, more CPU, and both for
// the whole window; or else what speaks against a member that had as much before.
func (p *pool) excuse(x *member) (steady bool, against string) {
	most := float64(fewLeaks)
	if len(p.members) >= fewReplicas {
		most = manyLeaks
	}
	for _, r := range x.reasons {
		if p.mixed || r.m == nil || !r.level || r.grew ||
			!(math.Abs(math.Log(r.Value/r.Before)) <= math.Log(steadyFactor)) ||
			r.m.name == "goroutines" && r.Value > most*max(r.High, r.m.floor) {
			return false, ""
		}
	}
	all := metrics()
	goroutines, others := p.beside(all[0], x)
	cpu, used := p.beside(all[1], x)
	extra := cpu - median(used)
	whole := math.Round(extra) // a loop that never waits takes a whole core
	switch {
	case cpu >= 2*max(median(used), all[1].floor) && goroutines >= moreFactor*slices.Max(others):
		return true, ""
	case whole >= 1 && whole <= maxSpins && math.Abs(extra-whole) <= spinShare:
		return false, ""
	}
	return false, "It was as high before: it may be the leader, or have more work."
}
