package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// hotFunction is TR595.
func hotFunction() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR595", Name: "hot-function", Category: HotCPU, Severity: Low, Needs: NeedsCPU,
		},
		by:   claimant{order: 900, kinds: []profile.Kind{profile.KindCPU}, rest: restOwns, shares: Shares{Low: 0.5}},
		conf: ConfLow,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			return func(culprit string) string {
					return fmt.Sprintf("%s computes for %s of CPU%s", culprit, percent(cl.Share), coresOf(in, cl.Share))
				}, fmt.Sprintf("%s of all CPU is spent in %s itself and in code of the program that it calls, outside everything that a rule knows.",
					percent(cl.Share), where(cl.blame.Culprit))
		},
	}.build()
}
