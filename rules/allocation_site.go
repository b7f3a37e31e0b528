package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// allocationSite is TR609.
func allocationSite() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR609", Name: "allocation-site", Category: Memory, Severity: Medium, Needs: NeedsAllocs,
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindAllocs}, value: "alloc_space", rest: restAll, atLeast: 512, shares: Shares{Low: 0.6, Medium: 0.8}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			size := amount(in, cl.index, cl.Value)
			return func(culprit string) string {
				return fmt.Sprintf("%s allocates %s of all bytes (%s)", culprit, percent(cl.Share), size)
			}, fmt.Sprintf("%s of %s allocated since the program began come from %s.", size, amount(in, cl.index, cl.Total), where(cl.blame.Culprit))
		},
	}.build()
}
