package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/triage/schema"
)

func TestTheJSONReportListsTheLargestStacksOfEachDumpAndCountsTheOthers(t *testing.T) {
	dump := func(buckets ...int) (d schema.Dump) {
		for _, frames := range buckets {
			d.Buckets = append(d.Buckets, schema.Bucket{Frames: make([]schema.Frame, frames)})
		}
		return d
	}
	if got := bucketSize(dump(8).Buckets[0]); got < 800 || got > 900 {
		t.Fatalf("a bucket of eight frames counts as %d bytes, want some 850", got)
	}
	counts := func(dumps []schema.Dump) (kept [][2]int) {
		for _, d := range dumps {
			kept = append(kept, [2]int{len(d.Buckets), d.BucketsCut})
		}
		return kept
	}
	dumps := []schema.Dump{dump(8, 8, 8, 8), dump(8), dump(8, 8, 8)}
	for most, want := range map[int][][2]int{
		8000: {{4, 0}, {1, 0}, {3, 0}},
		6000: {{2, 2}, {1, 0}, {3, 0}},
		4000: {{1, 3}, {1, 0}, {2, 1}},
		300:  {{0, 4}, {0, 1}, {0, 3}},
	} {
		if diff := cmp.Diff(want, counts(withinListed(dumps, most))); diff != "" {
			t.Errorf("of %d:\n%s", most, diff)
		}
	}
	if len(dumps[0].Buckets) != 4 {
		t.Error("the report was changed")
	}
}
