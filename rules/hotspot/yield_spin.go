package hotspot

import (
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
)

// yieldSpin is TR572.
func yieldSpin() *rules.Rule {
	return claimRule{
		rule: rules.Rule{
			ID: "TR572", Name: "yield-spin", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsCPU,
		},
		by: Claimant{
			Order: 420, Kinds: []profile.Kind{profile.KindCPU}, Shares: Shares{Low: 0.06, Medium: 0.15, High: 0.2},
			Cores: 0.1, Family: "waiting",
			Stacks: []match.StackMatch{{Frames: []string{"runtime.Gosched", "runtime.gosched_m"},
				NotUnder: []string{"runtime.bgsweep", "runtime.bgscavenge", "runtime.gcBgMarkWorker"}}},
			Explains: []string{"TR580"}, doubt: sweeps,
		},
		conf: rules.ConfMedium,
		act: func(in *rules.ProfileInput, cl *Claim) (func(string) string, string) {
			why := fmt.Sprintf("%s of all CPU is runtime.Gosched: somebody waits in a loop that yields and "+
				"looks again.", phrase.Percent(cl.Share))
			if !cl.Blame.Known {
				why += " No stack shows who: the scheduler runs on a stack of its own. A goroutine dump of the same " +
					"time does, as [runnable] with runtime.Gosched on top."
			}
			return func(culprit string) string {
				return fmt.Sprintf("%s spins on runtime.Gosched: %s of CPU%s", culprit, phrase.Percent(cl.Share+cl.Caused),
					CoresOf(in, cl.Share+cl.Caused))
			}, why
		},
	}.build()
}

// maxCollecting is the part of the CPU that a collector may take beside yields whose caller no stack shows (chosen: a
// program that waits allocates next to nothing).
const maxCollecting = 0.02

// sweeps reports whether the garbage collector explains yields that no one is seen to ask for: its sweeper calls
// Gosched between spans, which is next to all that shows of it where spans are few and large.
func sweeps(c *Claims, cl *Claim) bool {
	var value, total int64
	for i := range c.Stacks {
		v := c.Stacks[i].Values[cl.Index]
		total += v
		for _, fr := range c.Stacks[i].Frames {
			switch c.FuncAt(fr) {
			case "runtime.bgsweep", "runtime.gcBgMarkWorker":
				value += v
			default:
				continue
			}
			break
		}
	}
	return float64(value) > maxCollecting*float64(total) && !c.ask(cl).Known
}
