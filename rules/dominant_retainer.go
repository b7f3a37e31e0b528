package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// dominantRetainer is TR601.
func dominantRetainer() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR601", Name: "dominant-retainer", Category: Memory, Severity: Medium, Needs: NeedsHeap,
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindHeap}, value: "inuse_space", rest: restAll, atLeast: 48, shares: Shares{Low: 0.4, Medium: 0.7}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			size := amount(in, cl.index, cl.Value)
			return func(culprit string) string {
				return fmt.Sprintf("%s holds %s, %s of the heap", culprit, size, percent(cl.Share))
			}, fmt.Sprintf("%s of the %s in use were allocated in %s and are still referred to.", size, amount(in, cl.index, cl.Total), where(cl.blame.Culprit))
		},
	}.build()
}
