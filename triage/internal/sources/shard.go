package sources

import (
	"hash/fnv"

	"github.com/gotriage/triage/internal/ingest"
)

// A Shard is the Index-th of Of parts of the inputs, from 1, or from 0: part 0 is part Of. The zero value is all of
// them. All inputs of a pod are in one part, and the same pod is always in the same.
type Shard struct{ Index, Of int }

// has reports whether a source is in the shard: by its pod, and where nothing names one by its path.
func (s Shard) has(source ingest.Source) bool {
	if s.Of <= 1 {
		return true
	}
	name := source.Origin.Namespace + "/" + source.Origin.Pod
	if source.Origin.Pod == "" && len(source.Parts) > 0 {
		name = source.Parts[0].Path
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))                           // it never fails
	return int(h.Sum64()>>33%uint64(s.Of)) == s.Index%s.Of // the high bits depend on all bytes
}
