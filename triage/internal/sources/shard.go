package sources

import (
	"hash/fnv"

	"github.com/gotriage/triage/internal/ingest"
)

// A Shard is the Index-th of Of parts of the inputs, from 1, or from 0: part 0 is part Of. The zero value is all of
// them. All inputs of a batch (see batchOf) are in one part, and the same batch is always in the same.
type Shard struct{ Index, Of int }

// has reports whether a batch is in the shard.
func (s Shard) has(batch string) bool {
	if s.Of <= 1 {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(batch))                          // it never fails
	return int(h.Sum64()>>33%uint64(s.Of)) == s.Index%s.Of // the high bits depend on all bytes
}

// batches are the results that are judged together: all of them, or in a shard those of each batch, so that what is
// found does not depend on how many shards there are.
func (s Shard) batches(all []*Result) (batches [][]*Result) {
	if s.Of == 0 {
		return [][]*Result{all}
	}
	at := map[string]int{}
	for _, result := range all {
		key := batchOf(result.Source)
		if _, ok := at[key]; !ok {
			at[key] = len(batches)
			batches = append(batches, nil)
		}
		batches[at[key]] = append(batches[at[key]], result)
	}
	return batches
}

// batchOf names the batch of a source: what is judged together. An archive is one batch, because the files of a bundle
// explain each other. Other sources belong to the batch of their pod; a source without a pod is a batch.
func batchOf(source ingest.Source) string {
	if archive := bundleOf(source); archive != "" {
		return archive
	}
	if source.Origin.Pod == "" {
		return FirstPath(source)
	}
	return source.Origin.Namespace + "/" + source.Origin.Pod
}
