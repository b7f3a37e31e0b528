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
			Doc: Doc{
				Title:          "One function of the program allocated most of the heap that is in use",
				Why:            "A heap profile counts what was allocated and is still referred to. Most of it comes from one place: a cache, map or list that grows with what the program has seen.",
				Fix:            "Bound what keeps it (an LRU, a time to live, deletion when the object goes), keep less of each item, or hold it by reference to what is there anyway.",
				FalsePositives: "A program that is a store: its data are meant to be in memory. Growth over two profiles tells (TR602).",
				Refs:           []string{"https://go.dev/doc/gc-guide", "https://go.dev/blog/pprof"},
			},
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
