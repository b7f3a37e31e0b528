package sources

import (
	"hash/fnv"

	"github.com/gotriage/triage/internal/ingest"
)

// A Shard is the Index-th of Of parts of the inputs, from 1, or from 0: part 0 is part Of. The zero value is all of
// them. All inputs of a unit are in one part, and the same unit is always in the same.
type Shard struct{ Index, Of int }

// has reports whether a unit is in the shard.
func (s Shard) has(unit string) bool {
	if s.Of <= 1 {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(unit))                           // it never fails
	return int(h.Sum64()>>33%uint64(s.Of)) == s.Index%s.Of // the high bits depend on all bytes
}

// units are the results that are judged together: all of them, or in a shard those of each unit, so that what is found
// does not depend on how many shards there are.
func (s Shard) units(all []*Result) (units [][]*Result) {
	if s.Of == 0 {
		return [][]*Result{all}
	}
	at := map[string]int{}
	for _, rd := range all {
		key := unitOf(rd.Source)
		if _, ok := at[key]; !ok {
			at[key] = len(units)
			units = append(units, nil)
		}
		units[at[key]] = append(units[at[key]], rd)
	}
	return units
}

// unitOf names the unit of a source. An archive is one unit, because the files of a bundle explain each other. Other
// sources belong to the unit of their pod; a source without a pod is a unit.
func unitOf(source ingest.Source) string {
	if archive := bundleOf(source); archive != "" {
		return archive
	}
	if source.Origin.Pod == "" {
		return FirstPath(source)
	}
	return source.Origin.Namespace + "/" + source.Origin.Pod
}
