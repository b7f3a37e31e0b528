package report

import (
	"slices"

	"github.com/gotriage/triage/triage/schema"
)

// maxListed bounds the frames of all buckets that the JSON report lists, a bucket without frames counting as two. Measured:
// 68,000 stacks of two frames, which count as 275,000, are 33 MB of JSON; a report over 50 MB helps nobody.
const maxListed = 300_000

// fewer returns the dumps with as many of their buckets as the JSON report lists, the largest first, and the number of
// the others in BucketsCut. Each dump gets its share, and what those before it left.
func fewer(dumps []schema.Dump, most int) []schema.Dump {
	total := 0
	for i := range dumps {
		for _, b := range dumps[i].Buckets {
			total += listed(b)
		}
	}
	if total <= most {
		return dumps
	}
	dumps = slices.Clone(dumps)
	for i := range dumps {
		d := &dumps[i]
		share, n := most/(len(dumps)-i), 0
		for n < len(d.Buckets) && listed(d.Buckets[n]) <= share {
			share -= listed(d.Buckets[n])
			most -= listed(d.Buckets[n])
			n++
		}
		d.BucketsCut += len(d.Buckets) - n
		d.Buckets = d.Buckets[:n:n]
	}
	return dumps
}

func listed(b schema.Bucket) int { return 2 + len(b.Frames) }

// maxListedInputs bounds the inputs, and the paths that were skipped, of the JSON report: 200,000 of a bundle's were 55 MB.
const maxListedInputs = 50_000

// fewerInputs leaves out of r what is over the bounds, and counts it.
func fewerInputs(r *schema.Report) {
	if n := len(r.Inputs) - maxListedInputs; n > 0 {
		r.InputsCut, r.Inputs = n, r.Inputs[:maxListedInputs]
	}
	if n := len(r.Skipped) - maxListedInputs; n > 0 {
		r.SkippedCut, r.Skipped = n, r.Skipped[:maxListedInputs]
	}
}
