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
			Doc: Doc{
				Title:          "One function of the program computes most of the time, without a known anti-pattern",
				Why:            "Nearly all CPU is spent in the function's own instructions or in those of code inlined into it, outside everything that other rules know. That may be its work; it is where making the program faster begins.",
				Fix:            "Look at its lines (go tool pprof -list), at how often it is called and with how much: an algorithm whose cost grows with the square, a result that could be kept, a loop that need not run.",
				FalsePositives: "A program whose work this is.",
				Refs:           []string{"https://go.dev/blog/pprof"},
			},
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
