package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// dominantRetainer is TR601.
func dominantRetainer() *rules.Rule {
	return claimRule{
		rule: rules.Rule{
			ID: "TR601", Name: "dominant-retainer", Category: rules.Memory, Severity: rules.Medium, Needs: rules.NeedsHeap,
		},
		by: Claimant{Order: 900, Kinds: []profile.Kind{profile.KindHeap}, Value: "inuse_space", rest: restAll,
			AtLeast: 48, Shares: Shares{Low: 0.4, Medium: 0.7}},
		conf: rules.ConfLow,
		act: func(in *rules.ProfileInput, cl *Claim) (func(string) string, string) {
			size := Amount(in, cl.Index, cl.Value)
			return func(culprit string) string {
					return fmt.Sprintf("%s holds %s, %s of the heap", culprit, size, phrase.Percent(cl.Share))
				}, fmt.Sprintf("%s of the %s in use were allocated in %s and are still referred to.", size,
					Amount(in, cl.Index, cl.Total), where(cl.Blame.Culprit))
		},
	}.build()
}
