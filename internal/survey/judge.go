package survey

import (
	"math"
	"slices"

	"github.com/gotriage/triage/internal/prometheus"
)

// When a process is odd. Values are compared as ratios (logarithms), because loads differ by factors. Those that are
// called chosen have no other origin; the tests of this room measure what they lead to.
const (
	// deviations are how many scaled median absolute deviations a value is above the median, fewOf those in a pool of
	// less than enough. A fleet has thousands of processes with three metrics each, so that the 3.5 of Iglewicz and
	// Hoaglin (1993) would accuse healthy ones in every run. Chosen.
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
	// Of two either may be right, and one alone has only its past. Chosen.
	pairFactor, aloneFactor = 4, 3
	// stillGrows is the share of a growth that the second half of the window must have: what grew before has stopped, as
	// a cache that was filled. Chosen.
	stillGrows = 0.25
	// Growth that is not that of others has at least this factor more. Its usual spread is growthSpread. Chosen.
	growthFactor, growthSpread = 1.5, 0.1
	// A process that hangs uses so little of what the least of the others uses, at least busyCores. Chosen.
	idleFactor, busyCores = 10, 0.1
	// steadyFactor is by how much a steady value changes in the window at most. Chosen.
	steadyFactor = 1.3
	// leaderFactor is how many times the goroutines of the others a leader has at most, moreFactor at least. Chosen.
	leaderFactor, moreFactor = 10, 1.1
)

// A metric is what processes are compared by.
type metric struct {
	name   string
	of     func(*prometheus.Process) *prometheus.Points
	floor  float64 // values below are alike
	least  float64 // the least difference that is worth a look
	big    float64 // a difference of severity high
	spread float64 // the usual one between replicas, as a standard deviation of logarithms
	factor float64 // of growth
	write  func(float64) string
	unit   string
}

// metrics are chosen with differences that someone on call would look at. The spreads are chosen, too.
func metrics() []*metric {
	return []*metric{
		{"goroutines", func(p *prometheus.Process) *prometheus.Points { return &p.Goroutines },
			30, 200, 10_000, 0.2, 1.5, number, " goroutines"},
		{"cores", func(p *prometheus.Process) *prometheus.Points { return &p.Cores },
			0.02, 0.2, 0.9, 0.4, 3, cores, " cores"},
		{"memory", func(p *prometheus.Process) *prometheus.Points { return &p.Memory },
			20e6, 200e6, 1e9, 0.15, 2, bytesText, " of memory"},
	}
}

func (m *metric) log(v float64) float64 { return math.Log(max(v, m.floor)) }

// A pool are processes that are held against each other.
type pool struct {
	members []*member
	judged  func(*member) bool
	of      string // what they are called
	mixed   bool   // of several revisions: what differs may be the code
}

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
	above := outliers(m, v)
	for i, x := range whose {
		growth, grew := grown[x]
		level := slices.Contains(above, i)
		if !p.judged(x) || !level && !grew {
			continue
		}
		others := without(v, append(slices.Clone(above), i))
		r := reason{m: m, grew: grew, level: level, others: len(v) - 1, growth: growth}
		r.value, r.before = v[i], m.of(x.Process).Before
		if len(others) > 0 {
			r.low, r.high = slices.Min(others), slices.Max(others)
			r.score = max(m.log(r.value)-m.log(r.high), 0)
		}
		if grew {
			r.score = max(r.score, m.log(r.value)-m.log(r.before))
		}
		x.reasons = append(x.reasons, r)
	}
}

// outliers are the indices of values far above the others.
func outliers(m *metric, v []float64) (above []int) {
	n := len(v)
	switch {
	case n < 2:
		return nil
	case n == 2:
		i := 0
		if v[1] > v[0] {
			i = 1
		}
		if v[i]-v[1-i] >= m.least && v[i] >= pairFactor*max(v[1-i], m.floor) {
			return []int{i}
		}
		return nil
	}
	logs := make([]float64, n)
	for i, x := range v {
		logs[i] = m.log(x)
	}
	mid, s := middle(logs, m.spread)
	for i := range v {
		if logs[i]-mid >= needed(n)*s {
			above = append(above, i)
		}
	}
	if len(above) > max(1, n/minorityOf) {
		return nil
	}
	rest := without(v, above)
	low, high := slices.Min(rest), slices.Max(rest)
	gap := max(math.Log(gapFactor), gapShare*(m.log(high)-m.log(low)))
	return slices.DeleteFunc(above, func(i int) bool { return v[i]-high < m.least || logs[i]-m.log(high) < gap })
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

// without are the values but those at some indices.
func without(v []float64, which []int) (rest []float64) {
	for i, x := range v {
		if !slices.Contains(which, i) {
			rest = append(rest, x)
		}
	}
	return rest
}

// grows reports whether a value has grown by a factor and so many times the least difference, and goes on growing.
func (m *metric) grows(p prometheus.Points, factor, times float64) bool {
	d := p.Now - p.Before // NaN where unknown: no comparison holds
	return d >= times*m.least && p.Now >= factor*max(p.Before, m.floor) && !(p.Now-p.Mid < stillGrows*d)
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
	for _, x := range growing {
		points := *m.of(x.Process)
		g := m.log(points.Now) - m.log(points.Before)
		if len(logs) == 0 {
			if len(growing) == 1 && m.grows(points, aloneFactor, 2) {
				out[x] = 0
			}
			continue
		}
		mid, s := middle(logs, growthSpread)
		most := slices.Max(logs)
		if g-mid >= needed(len(logs)+1)*s && g-most >= math.Log(growthFactor) {
			out[x] = math.Exp(most) - 1
		}
	}
	return out
}

// idle notes a member that uses next to nothing of the CPU while the others are busy, and was busy itself: it may hang.
func (p *pool) idle(m *metric) {
	v, whose := p.values(m)
	if len(v) < minorityOf || p.mixed {
		return
	}
	for i, x := range whose {
		others := without(v, []int{i})
		low, before := slices.Min(others), m.of(x.Process).Before
		if low < busyCores || v[i] > low/idleFactor || !(before >= low/2) {
			continue
		}
		x.reasons = append(x.reasons, reason{m: m, fell: true, value: v[i], before: before, others: len(others),
			low: low, high: slices.Max(others), score: m.log(low) - m.log(v[i])})
	}
}

// excuse takes back what a leader or a shard with more work shows: more goroutines, more CPU, and both for the whole
// window. It reports whether it did, or else what speaks against a member that is only busier.
func (p *pool) excuse(x *member) (steady bool, against string) {
	for _, r := range x.reasons {
		if r.m == nil || !r.level || r.grew || !(math.Abs(math.Log(r.value/r.before)) <= math.Log(steadyFactor)) {
			return false, ""
		}
	}
	times := func(m *metric) (factor, more float64) {
		v, _ := p.values(m)
		mid := median(v)
		now := m.of(x.Process).Now
		return now / max(mid, m.floor), now - mid
	}
	all := metrics()
	more, _ := times(all[0])
	busier, extra := times(all[1])
	switch whole := math.Round(extra); {
	case busier >= 2 && more >= moreFactor && more < leaderFactor:
		return true, ""
	case len(x.reasons) == 1 && x.reasons[0].m.name == "cores" && (whole < 1 || math.Abs(extra-whole) > 0.06):
		return false, "It was as busy before: it may lead the others, or have more work."
	}
	return false, "" // a loop that never waits takes whole cores
}
