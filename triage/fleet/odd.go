package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// When replicas differ. Three or more are held against their median; what is far from it by all of these differs.
const (
	// oddDeviations is in median absolute deviations, scaled by madScale to standard deviations of normally distributed
	// values: Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993), for the modified z-score.
	oddDeviations = 3.5
	madScale      = 1.4826
	// oddFactor is how many times the median, or its reciprocal. The deviation of three replicas two of which happen to
	// be equal is 0, so that it needs a companion. Chosen: a load balancer's share of requests seldom differs by that.
	oddFactor = 2
	// oddIdleFactor is the same for goroutines that wait where they may for ever: idle connections and workers follow
	// the load of the last minutes.
	oddIdleFactor = 4
	// oddGoroutines is the least difference in goroutines. Chosen: a worker pool, or a burst of requests.
	oddGoroutines = 10
	// oddSpread is how many times as far, as a ratio, it is from the others as they are from each other: of 100,
	// 1,000 and 10,000 no two are alike. Chosen.
	oddSpread = 2
	// Of two replicas either may be right: a difference must be greater then. Chosen.
	pairFactor     = 4
	pairGoroutines = 100
)

// A differingCount is a number of goroutines that a replica differs in: all (key is nil), or those of a group.
type differingCount struct {
	key   *groupKey
	count int
	low   int // of the others
	high  int
	pair  bool // there is one other
}

func (f differingCount) difference() int { return max(f.count-f.high, f.low-f.count) }

// oddity is what makes a replica odd.
type oddity struct {
	r     *replica
	facts []differingCount
	alone []*rules.Finding // findings that most of the others don't have
	lacks []*rules.Finding // findings that most of the others have
}

func fleetOf(members []*replica) schema.Fleet {
	first := members[0]
	f := schema.Fleet{
		Namespace: first.key.Namespace, Workload: first.workload.Name, Container: first.key.Container,
		Replicas: []schema.Replica{}, ReplicasTotal: len(members), Odd: []schema.Odd{},
	}
	if first.key.Pod == "" {
		f.Workload = first.last.Program.Module
	}
	shown := members[:min(len(members), maxReplicas)]
	byRevision := map[string][]*replica{}
	for i, r := range members {
		if i < len(shown) {
			f.Replicas = append(f.Replicas, r.row())
		}
		if !r.leader && r.whole() {
			byRevision[r.workload.Revision] = append(byRevision[r.workload.Revision], r)
		}
	}
	for _, revision := range slices.Sorted(maps.Keys(byRevision)) {
		same := byRevision[revision]
		if len(same) < 2 {
			continue
		}
		f.Compared += len(same)
		for _, o := range oddOnes(same) {
			f.OddTotal++
			if len(f.Odd) < maxOdd {
				f.Odd = append(f.Odd, o.convert(shown))
			}
		}
	}
	return f
}

func (r *replica) whole() bool { return schema.Ends(r.last.Truncated) == "" }

func (r *replica) row() schema.Replica {
	path, line := pods.Located(r.last, r.last.Line)
	return schema.Replica{
		Pod: r.key.Pod, Node: r.last.Target.Node, Input: path, Line: line, Revision: r.workload.Revision,
		Goroutines: r.last.Goroutines, Findings: len(r.findings), Leader: r.leader, Truncated: !r.whole(),
	}
}

// oddOnes are the replicas that differ from most of the others, in order; none where too many do: then it is unknown
// what is usual. same are of one revision, in order.
func oddOnes(same []*replica) []*oddity {
	odd := make([]oddity, len(same))
	minority := max((len(same)-1)/2, 1) // of two one
	note := func(key *groupKey, counts []int, idle bool) {
		which := outliers(counts, idle)
		if len(which) > minority {
			return
		}
		for _, i := range which {
			low, high := spanWithout(counts, which)
			if !apart(counts[i], low, high) {
				continue
			}
			f := differingCount{key: key, count: counts[i], low: low, high: high, pair: len(same) == 2}
			odd[i].facts = append(odd[i].facts, f)
		}
	}
	all := make([]int, len(same))
	for i, r := range same {
		odd[i].r = r
		all[i] = r.last.Goroutines
	}
	note(nil, all, false)
	for _, k := range groupKeys(same) {
		counts, idle, total := make([]int, len(same)), 0, 0
		for i, r := range same {
			if g := r.groups[k]; g != nil {
				counts[i] = g.count
				idle, total = idle+g.idle, total+g.count
			}
		}
		note(&k, counts, 2*idle > total)
	}
	noteFindings(odd, minority)
	var differ []*oddity
	for i := range odd {
		if o := &odd[i]; len(o.facts)+len(o.alone)+len(o.lacks) > 0 {
			slices.SortStableFunc(o.facts, func(a, b differingCount) int {
				return cmp.Compare(b.difference(), a.difference())
			})
			differ = append(differ, o)
		}
	}
	if len(differ) > minority {
		return nil
	}
	return differ
}

// noteFindings notes the alarms that a minority has, or lacks. Of two replicas the one
// that has it is odd.
func noteFindings(odd []oddity, minority int) {
	holders := map[string]int{}
	known := map[string]*rules.Finding{}
	for i := range odd {
		for print, f := range odd[i].r.findings {
			if f.Alarm() {
				holders[print]++
				known[print] = f
			}
		}
	}
	for _, print := range slices.Sorted(maps.Keys(holders)) {
		n := holders[print]
		for i := range odd {
			_, has := odd[i].r.findings[print]
			switch {
			case has && n <= minority:
				odd[i].alone = append(odd[i].alone, known[print])
			case !has && len(odd) > 2 && len(odd)-n <= minority:
				odd[i].lacks = append(odd[i].lacks, known[print])
			}
		}
	}
}

// groupKeys are the keys of all groups, in order.
func groupKeys(same []*replica) []groupKey {
	seen := map[groupKey]bool{}
	for _, r := range same {
		for k := range r.groups {
			seen[k] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b groupKey) int {
		return cmp.Or(strings.Compare(a.function, b.function), cmp.Compare(a.wait, b.wait))
	})
}

// outliers are the indices of the counts that are far from the others. Of two it is the greater one.
func outliers(counts []int, idle bool) []int {
	if len(counts) == 2 {
		high := 0
		if counts[1] > counts[0] {
			high = 1
		}
		most, least := counts[high], counts[1-high]
		if most-least >= pairGoroutines && most >= pairFactor*least {
			return []int{high}
		}
		return nil
	}
	factor := float64(oddFactor)
	if idle {
		factor = oddIdleFactor
	}
	sorted := make([]float64, len(counts))
	for i, n := range counts {
		sorted[i] = float64(n)
	}
	mid := median(sorted)
	for i, n := range counts {
		sorted[i] = math.Abs(float64(n) - mid)
	}
	bound := max(oddDeviations*madScale*median(sorted), oddGoroutines)
	var which []int
	for i, n := range counts {
		x := float64(n)
		if math.Abs(x-mid) >= bound && (x >= factor*mid || x <= mid/factor) {
			which = append(which, i)
		}
	}
	return which
}

// apart reports whether n is far enough from low to high, by oddSpread. Numbers below oddGoroutines count as that: 0
// and 3 are alike.
func apart(n, low, high int) bool {
	at := func(n int) float64 { return float64(max(n, oddGoroutines)) }
	gap := max(at(n)/at(high), at(low)/at(n))
	return gap > math.Pow(at(high)/at(low), oddSpread)
}

// median sorts values and returns the middle one, or the mean of the two.
func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// spanWithout is the least and the greatest count of those that are not in which.
func spanWithout(counts, which []int) (low, high int) {
	var others []int
	for i, n := range counts {
		if !slices.Contains(which, i) {
			others = append(others, n)
		}
	}
	return slices.Min(others), slices.Max(others)
}

// convert brings an oddity into the report's form; shown are the fleet's replicas in order.
func (o *oddity) convert(shown []*replica) schema.Odd {
	row := o.r.row()
	odd := schema.Odd{Pod: row.Pod, Input: row.Input, Line: row.Line, Buckets: []schema.OddBucket{}}
	var why []string
	for _, f := range o.facts {
		if f.key == nil {
			why = append(why, fmt.Sprintf("%s goroutines, %s", phrase.Number(f.count), f.others()))
		}
	}
	for _, f := range o.facts {
		if f.key == nil || len(odd.Buckets) == maxOddBuckets {
			continue
		}
		b := bucketOver(*f.key, o.r, shown)
		if len(odd.Buckets) == 0 {
			at := "stacks without a frame"
			if b.Function != "" {
				at = rules.PlaceText(rules.Place{Function: b.Function, File: b.File, Line: b.Line})
			}
			why = append(why, fmt.Sprintf("%s in %s [%s], %s", phrase.Number(f.count), at, b.Wait, f.others()))
		}
		odd.Buckets = append(odd.Buckets, b)
	}
	why = appendFindings(why, "alone has ", o.alone)
	why = appendFindings(why, "lacks ", o.lacks)
	odd.Why = strings.Join(why, "; ")
	return odd
}

// others writes the counts of the others: "the others 3", "the others 1,190 to 1,204".
func (f differingCount) others() string {
	switch {
	case f.pair:
		return "the other one " + phrase.Number(f.low)
	case f.low == f.high:
		return "the others " + phrase.Number(f.low)
	}
	return "the others " + phrase.Number(f.low) + " to " + phrase.Number(f.high)
}

// maxOddFindings is how many findings a sentence names.
const maxOddFindings = 3

func appendFindings(why []string, verb string, fs []*rules.Finding) []string {
	if len(fs) == 0 {
		return why
	}
	var names []string
	for _, f := range fs {
		names = append(names, f.Name+" ("+f.Rule+")")
	}
	return append(why, verb+phrase.Some(names, maxOddFindings))
}

// bucketOver is a group over all replicas. The odd one's place represents it; where it has none, the first other's.
func bucketOver(k groupKey, odd *replica, shown []*replica) schema.OddBucket {
	b := schema.OddBucket{Function: k.function, Wait: string(k.wait), Counts: make([]int, 0, len(shown))}
	placed := false
	for _, r := range append([]*replica{odd}, shown...) {
		if g := r.groups[k]; g != nil && !placed {
			b.Function, b.File, b.Line, placed = g.place.Function, g.place.File, g.place.Line, true
		}
	}
	for _, r := range shown {
		n := 0
		if g := r.groups[k]; g != nil {
			n = g.count
		}
		b.Counts = append(b.Counts, n)
	}
	return b
}
