package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// hotFunction is TR595.
func hotFunction() *rules.Rule {
	return claimRule{
		rule: rules.Rule{
			ID: "TR595", Name: "hot-function", Category: rules.HotCPU, Severity: rules.Low, Needs: rules.NeedsCPU,
		},
		by:   Claimant{Order: 900, Kinds: []profile.Kind{profile.KindCPU}, rest: restOwns, Shares: Shares{Low: 0.5}},
		conf: rules.ConfLow,
		act: func(in *rules.ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s computes for %s of CPU%s", culprit, phrase.Percent(cl.Share), CoresOf(in, cl.Share))
				}, fmt.Sprintf("%s of all CPU is spent in %s itself and in code of the program that it calls, "+
					"outside everything that a rule knows.",
					phrase.Percent(cl.Share), where(cl.Blame.Culprit))
		},
	}.build()
}
