package rules

import (
	"fmt"

	"github.com/gotriage/triage/profile"
)

// yieldSpin is TR572.
func yieldSpin() *Rule {
	return claimRule{
		rule: Rule{
			ID: "TR572", Name: "yield-spin", Category: Spin, Severity: High, Needs: NeedsCPU,
		},
		by: claimant{
			order: 420, kinds: []profile.Kind{profile.KindCPU}, shares: Shares{Low: 0.06, Medium: 0.15, High: 0.2},
			cores: 0.1, family: "waiting",
			stacks: []StackMatch{{Frames: []string{"runtime.Gosched", "runtime.gosched_m"},
				NotUnder: []string{"runtime.bgsweep", "runtime.bgscavenge", "runtime.gcBgMarkWorker"}}},
			explains: []string{"TR580"}, doubt: sweeps,
		},
		conf: ConfMedium,
		act: func(in *ProfileInput, cl *Claim) (func(string) string, string) {
			why := fmt.Sprintf("%s of all CPU is runtime.Gosched: somebody waits in a loop that yields and "+
				"looks again.", percent(cl.Share))
			if !cl.blame.Known {
				why += " No stack shows who: the scheduler runs on a stack of its own. A goroutine dump of the same " +
					"time does, as [runnable] with runtime.Gosched on top."
			}
			return func(culprit string) string {
				return fmt.Sprintf("%s spins on runtime.Gosched: %s of CPU%s", culprit, percent(cl.Share+cl.Caused),
					coresOf(in, cl.Share+cl.Caused))
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
		v := c.Stacks[i].Values[cl.index]
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
