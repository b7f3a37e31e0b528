package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// marshalToCompare is TR532.
func marshalToCompare() *rules.Rule {
	return claimRule{
		rule: rules.Rule{
			ID: comparingRule, Name: "marshal-to-compare", Category: rules.HotCPU, Severity: rules.Medium, Needs: rules.NeedsCPU,
		},
		by:   Claimant{Order: 322, Kinds: []profile.Kind{profile.KindCPU}, Shares: Shares{Low: 0.03, Medium: 0.12}},
		conf: rules.ConfMedium,
		act: func(in *rules.ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s spends %s of CPU%s marshalling JSON to compare it", culprit,
						phrase.Percent(cl.Share+cl.Caused), CoresOf(in, cl.Share+cl.Caused))
				}, fmt.Sprintf("%s of all CPU turns two objects into JSON in %s, so that their texts can be "+
					"compared: an encoding of each, "+
					"with reflection, sorting of map keys and garbage.", phrase.Percent(cl.Share), where(cl.Blame.Culprit))
		},
	}.build()
}
