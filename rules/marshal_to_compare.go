package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// marshalToCompare is TR532.
func marshalToCompare() *Rule {
	return claimRule{
		rule: Rule{
			ID: comparingRule, Name: "marshal-to-compare", Category: HotCPU, Severity: Medium, Needs: NeedsCPU,
		},
		by:   claimant{order: 322, kinds: []profile.Kind{profile.KindCPU}, shares: Shares{Low: 0.03, Medium: 0.12}},
		conf: ConfMedium,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s spends %s of CPU%s marshalling JSON to compare it", culprit, percent(cl.Share+cl.Caused), coresOf(in, cl.Share+cl.Caused))
				}, fmt.Sprintf("%s of all CPU turns two objects into JSON in %s, so that their texts can be compared: an encoding of each, "+
					"with reflection, sorting of map keys and garbage.", percent(cl.Share), where(cl.blame.Culprit))
		},
	}.build()
}
