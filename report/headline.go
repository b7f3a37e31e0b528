package report

import (
	"io"

	"github.com/gotriage/triage/triage/schema"
)

// Headline is the sentence of the verdict, on one line of any length: what Text prints behind VERDICT.
func Headline(r *schema.Report) string {
	return newView(r, newPrinter(io.Discard, TextOptions{Width: 1 << 16})).sentence()
}
