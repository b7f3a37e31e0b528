package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// goroutineAt is the evidence of one goroutine.
func goroutineAt(d *rules.DumpInput, r waitgraph.Ref, text string) rules.Evidence {
	b := d.Buckets[r.Bucket]
	e := rules.EvidenceOf(d, b, "")
	if len(b.Goroutines) > 0 {
		e = rules.EvidenceOfGoroutines(d, b.Goroutines[r.Member:r.Member+1], "")
	} else if b.Count > 1 {
		e.Text += ", one of which"
	}
	e.Text += text
	return e
}

// idOf names a goroutine: "goroutine 17", "the one in store.(*DB).Put (db.go:12)" in a dump without ids.
func idOf(d *rules.DumpInput, r waitgraph.Ref) string {
	if d.Counted() {
		return "the goroutine in " + rules.PlaceText(culpritLine(d, r.Bucket))
	}
	return fmt.Sprintf("goroutine %d", waitgraph.GoroutineOf(d.Dump, r).ID)
}

// subject names a goroutine at the beginning of a sentence that has its place: "Goroutine 17", "A goroutine".
func subject(d *rules.DumpInput, r waitgraph.Ref) string {
	if d.Counted() {
		return "A goroutine"
	}
	return "G" + idOf(d, r)[1:]
}

// culpritLine is the line that a bucket is blamed for.
func culpritLine(d *rules.DumpInput, bucket int) rules.Place {
	return rules.BlameBucket(d, d.Buckets[bucket]).Culprit
}

// callAt is the line of one of a bucket's calls; the line that the bucket is blamed for where frame is -1.
func callAt(d *rules.DumpInput, bucket, frame int) rules.Place {
	if frame < 0 {
		return culpritLine(d, bucket)
	}
	return rules.PlaceOf(d.Buckets[bucket].Frames[frame].Frame)
}

// spot is a place that was named before: "board.go:29".
func spot(p rules.Place) string {
	if p.File == "" {
		return rules.PlaceText(p)
	}
	return rules.PlaceLine(p)
}
