package diff

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// alignForms leaves out of both sides what only the form of one prints.
func alignForms(before, after *Side) {
	if n := len(before.chosen); n > 0 && len(after.chosen) > 0 {
		all := rules.AlignForms(slices.Concat(before.chosen, after.chosen))
		before.chosen, after.chosen = all[:n:n], all[n:]
	}
}
