package report

import (
	"io"

	"github.com/gotriage/triage/triage/schema"
)

// Headline is the sentence of the verdict, on one line of any length: what Text prints behind VERDICT.
func Headline(r *schema.Report) string {
	v := newView(r, newPrinter(io.Discard, TextOptions{Width: 1 << 16}))
	if r.Diff != nil {
		return v.diffVerdict(r.Diff)
	}
	return v.sentence()
}

// InputNames gives each path of a report the shortest name that no other path ends in: what Text shows of it.
func InputNames(r *schema.Report) map[string]string { return inputNames(r) }
