package report

import (
	"slices"

	"github.com/gotriage/triage/triage/schema"
)

// maxListed bounds what the JSON report lists of all buckets, in bytes of JSON as listed estimates them: a report over
// 50 MB helps nobody. Measured, estimate and text: 30,000 stacks of eight frames 68.1 and 67.9 MB; 3,000 stacks of
// frames of 4 KB 97.3 and 99.1 MB; 200 stacks of eight frames 0.57 and 0.56 MB.
const maxListed = 40_000_000

// withinListed returns the dumps with as many of their buckets as the JSON report lists, the largest first, and the
// number of the others in BucketsCut. Each dump gets its share, and what those before it left.
func withinListed(dumps []schema.Dump, most int) []schema.Dump {
	total := 0
	for i := range dumps {
		for _, b := range dumps[i].Buckets {
			total += bucketSize(b)
		}
	}
	if total <= most {
		return dumps
	}
	dumps = slices.Clone(dumps)
	for i := range dumps {
		d := &dumps[i]
		share, n := most/(len(dumps)-i), 0
		for n < len(d.Buckets) && bucketSize(d.Buckets[n]) <= share {
			share -= bucketSize(d.Buckets[n])
			most -= bucketSize(d.Buckets[n])
			n++
		}
		d.BucketsCut += len(d.Buckets) - n
		d.Buckets = d.Buckets[:n:n]
	}
	return dumps
}

// bucketSize is about how many bytes of JSON a bucket takes.
func bucketSize(b schema.Bucket) int {
	n := 230 + 8*len(b.Goroutines)
	for _, f := range b.Frames {
		n += frameSize(f)
	}
	if b.CreatedBy != nil {
		n += frameSize(*b.CreatedBy)
	}
	for _, l := range b.Labels {
		n += len(l) + 16
	}
	return n
}

func frameSize(f schema.Frame) int { return 75 + len(f.Function) + len(f.File) + len(f.Class) }

// maxListedInputs bounds the inputs, and the paths that were skipped, of the JSON report: 200,000 of a bundle's were 55
// MB.
const maxListedInputs = 50_000

// withinListedInputs leaves out of r what is over the bounds, and counts it.
func withinListedInputs(r *schema.Report) {
	if n := len(r.Inputs) - maxListedInputs; n > 0 {
		r.InputsCut, r.Inputs = n, r.Inputs[:maxListedInputs]
	}
	if n := len(r.Skipped) - maxListedInputs; n > 0 {
		r.SkippedCut, r.Skipped = n, r.Skipped[:maxListedInputs]
	}
}
