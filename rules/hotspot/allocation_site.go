package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// allocationSite is TR609.
func allocationSite() *rules.Rule {
	return claimRule{
		rule: rules.Rule{
			ID: "TR609", Name: "allocation-site", Category: rules.Memory, Severity: rules.Medium, Needs: rules.NeedsAllocs,
		},
		by: Claimant{Order: 900, Kinds: []profile.Kind{profile.KindAllocs}, Value: "alloc_space", rest: restAll,
			AtLeast: 512, Shares: Shares{Low: 0.6, Medium: 0.8}},
		conf: rules.ConfLow,
		act: func(in *rules.ProfileInput, cl *Claim) (func(string) string, string) {
			size := Amount(in, cl.Index, cl.Value)
			return func(culprit string) string {
					return fmt.Sprintf("%s allocates %s of all bytes (%s)", culprit, phrase.Percent(cl.Share), size)
				}, fmt.Sprintf("%s of %s allocated since the program began come from %s.", size,
					Amount(in, cl.Index, cl.Total), where(cl.Blame.Culprit))
		},
	}.build()
}
