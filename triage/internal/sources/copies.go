package sources

import (
	"cmp"
	"math/bits"
	"path"
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// copiedShare of the lines of a copy are in the log that it is a copy of; all of them but what sampling, a cut line
	// and the seconds between two collections cost.
	copiedShare = 0.98
	// fewCopied is how many sampled lines must agree: short logs of two replicas may be alike by chance.
	fewCopied = 8
	// maxCopies bounds how many logs with one line are compared.
	maxCopies = 64
)

// dropCopies leaves one of the logs that the inputs hold in two places, as a bundle does with the log that the API gave
// and the node's own files: the longer one. What the other holds would count twice. It stays where it holds what the
// longer one lacks: later lines, or dumps.
func dropCopies(results []*Result) {
	order := slices.Clone(results)
	order = slices.DeleteFunc(order, func(result *Result) bool {
		return result.sketch == nil || result.sketch.lines < fewCopied
	})
	// Longer logs come first; of equals those whose pod is known.
	slices.SortStableFunc(order, func(a, b *Result) int {
		return cmp.Or(cmp.Compare(b.sketch.lines, a.sketch.lines), cmp.Compare(rankOrigin(b), rankOrigin(a)))
	})
	for _, stamped := range []bool{true, false} {
		for _, p := range sharedLines(order, stamped) {
			whole, result := order[p.longer], order[p.shorter]
			if whole.copyOf == "" && result.copyOf == "" && result.isCopyOf(whole, p.shared, stamped) {
				result.drop(whole)
			}
		}
	}
	dropEqualDumps(order)
	for _, result := range results {
		result.sketch = nil
	}
}

// dropEqualDumps leaves one of the files that hold the same dumps in the same lines, as a bundle and a copy of one of
// its files do: the lines of a dump have no times, so the samples show nothing. Files of one folder stay: dumps that
// were taken one after the other are equal where nothing moved between them.
func dropEqualDumps(order []*Result) {
	type text struct {
		lines  int64
		digest uint64
	}
	seen := map[text]*Result{}
	for _, result := range order {
		if result.copyOf != "" || len(result.Dumps) == 0 {
			continue
		}
		t := text{result.sketch.lines, result.sketch.digest}
		first, ok := seen[t]
		if !ok {
			seen[t] = result
			continue
		}
		stamps := result.sketch.noStamp < result.sketch.lines && first.sketch.noStamp < first.sketch.lines
		apart := path.Dir(FirstPath(result.Source)) != path.Dir(FirstPath(first.Source))
		if apart && !stamps && result.sameDumps(first) && result.heldBy(first, false) {
			result.drop(first)
		}
	}
}

// sameDumps reports whether the dumps of two sources list the same goroutines: equal ids in equal states that have
// waited equally long.
func (result *Result) sameDumps(other *Result) bool {
	return slices.EqualFunc(result.Dumps, other.Dumps, func(a, b Dump) bool {
		return slices.EqualFunc(a.Dump.Buckets, b.Dump.Buckets, func(x, y *stackparse.Bucket) bool {
			return slices.EqualFunc(x.Goroutines, y.Goroutines, func(g, h stackparse.Goroutine) bool {
				return g.ID == h.ID && g.State == h.State && g.Minutes == h.Minutes && g.Wait == h.Wait
			})
		})
	})
}

func rankOrigin(result *Result) int {
	n, origin := 0, result.Source.Origin
	for _, s := range []string{origin.Pod, origin.Container, origin.Namespace} {
		if s != "" {
			n++
		}
	}
	return n
}

func (k *sketch) sampleFor(stamped bool) *sample {
	if stamped {
		return &k.stamped
	}
	return &k.plain
}

// An overlap is two logs with lines in common, by their place in a list: the longer one comes first.
type overlap struct{ longer, shorter, shared int }

// A sampledLine is a line of a log's sample: its hash, and the log's place in a list.
type sampledLine struct {
	key uint64
	at  int
}

// partBits is how many bits of the hashes, the first ones, part the lines of all samples: the parts are compared one by
// one, so that a bundle of 10,000 logs needs an eighth of 34 MB for it.
const partBits = 3

// sharedLines are the pairs of logs whose samples have lines in common, in order of the list.
func sharedLines(list []*Result, stamped bool) []overlap {
	shared := map[[2]int]int{}
	var all []sampledLine
	for part := range uint64(1 << partBits) {
		all = all[:0]
		for i, result := range list {
			if result.copyOf != "" {
				continue
			}
			for _, k := range result.sketch.sampleFor(stamped).keys {
				if k>>(64-partBits) == part {
					all = append(all, sampledLine{k, i})
				}
			}
		}
		countShared(shared, all)
	}
	pairs := make([]overlap, 0, len(shared))
	for at, n := range shared {
		pairs = append(pairs, overlap{at[0], at[1], n})
	}
	slices.SortFunc(pairs, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(a.shorter, b.shorter), cmp.Compare(a.longer, b.longer))
	})
	return pairs
}

// countShared counts, of each pair of logs, the lines that both have.
func countShared(shared map[[2]int]int, all []sampledLine) {
	slices.SortFunc(all, func(a, b sampledLine) int { return cmp.Or(cmp.Compare(a.key, b.key), a.at-b.at) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].key == all[0].key {
			n++
		}
		same := all[:min(n, maxCopies)]
		for i := range same {
			for _, other := range same[i+1:] {
				shared[[2]int{same[i].at, other.at}]++
			}
		}
		all = all[n:]
	}
}

// isCopyOf reports whether rd is a copy of a longer log, with so many sampled lines in common.
func (result *Result) isCopyOf(other *Result, shared int, stamped bool) bool {
	own, theirs := result.sketch.sampleFor(stamped), other.sketch.sampleFor(stamped)
	// Two logs with the times of their framing are compared by these.
	if !stamped && result.sketch.noStamp == 0 && other.sketch.noStamp == 0 {
		return false
	}
	n, level := 0, max(own.level, theirs.level)
	for _, k := range own.keys {
		if bits.TrailingZeros64(k) >= level {
			n++
		}
	}
	return n >= fewCopied && float64(shared) >= copiedShare*float64(n) && result.heldBy(other, stamped)
}

// heldBy reports whether a longer log holds all that counts of rd: its last line, and as many dumps. Logs of two pods
// are two, whatever they hold, unless their framing shows equal times.
func (result *Result) heldBy(other *Result, stamped bool) bool {
	a, b := result.Source.Origin, other.Source.Origin
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	if !stamped && (differ(a.Pod, b.Pod) || differ(a.Container, b.Container) || differ(a.Namespace, b.Namespace)) {
		return false
	}
	if len(result.Dumps) > len(other.Dumps) {
		return false
	}
	if result.sketch.lines == other.sketch.lines {
		return true
	}
	if result.Log == nil || other.Log == nil || result.Log.Last.IsZero() || other.Log.Last.IsZero() {
		return false
	}
	last, theirs := result.Log.Last, other.Log.Last
	if result.Log.Yearless != other.Log.Yearless {
		last, theirs = last.AddDate(-last.Year(), 0, 0), theirs.AddDate(-theirs.Year(), 0, 0)
	}
	return !last.After(theirs)
}

// drop leaves out what rd holds of the log that it is a copy of.
func (result *Result) drop(whole *Result) {
	result.copyOf = FirstPath(whole.Source)
	if rankOrigin(whole) == 0 {
		whole.Source.Origin = result.Source.Origin
	}
	result.Dumps, result.Log = nil, nil
	for _, p := range result.Source.Parts {
		result.Skips = append(result.Skips, schema.SkippedCopy(p.Path, result.copyOf))
	}
}
