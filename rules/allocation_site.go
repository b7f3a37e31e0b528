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
			Doc: Doc{
				Title:          "One function of the program allocates most bytes",
				Why:            "The collector's work follows from what is allocated. Most bytes since the program began were allocated in one function and, as far as the heap tells, dropped again.",
				Fix:            "Reuse what it allocates: a buffer that is kept by the caller or in a sync.Pool, a slice made once with its capacity; allocate smaller.",
				FalsePositives: "A program that allocates little altogether: then it costs nothing.",
				Refs:           []string{"https://go.dev/doc/gc-guide", "https://pkg.go.dev/sync#Pool"},
			},
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
