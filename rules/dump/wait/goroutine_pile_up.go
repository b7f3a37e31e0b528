package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// Thresholds: of the healthy processes looked at, the one with the most goroutines in a stack without a role had 500; a
// message broker with 1,000 clients has 7,000 in seven. Ten thousand cost 20 MB of stacks at least.
const (
	manyAlike = 1_000
	tooMany   = 10_000
)

// pileUps is goroutine-pile-up (TR416).
func pileUps(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, d := range dumpsWithWaits(p) {
		for i := range d.Waits.Orphans {
			o := orphan{d, &d.Waits.Orphans[i]}
			if o.o.Count < manyAlike || d.RoleOf(o.o.Bucket) != nil || o.isMachinery() {
				continue
			}
			if _, _, known := o.verdict(); known || o.o.Explained {
				continue
			}
			severity := rules.Low
			if o.o.Count >= tooMany {
				severity = rules.Medium
			}
			found = append(found, o.finding(explainPileUp(&o), severity, rules.ConfLow))
		}
	}
	return found
}

// isMachinery reports whether no code of the program or its libraries is there.
func (o *orphan) isMachinery() bool {
	b := o.d.Buckets[o.o.Bucket]
	i := rules.BlameBucket(o.d, b).Index
	return i < 0 || !rules.Blameable(o.d.Program.Class(b.Frames[i].Frame))
}

func explainPileUp(o *orphan) LockFinding {
	what := "wait"
	if o.o.Kind == waitgraph.Channel && o.o.Select {
		what = "wait in the same select"
	}
	return LockFinding{
		Act: fmt.Sprintf("has %d goroutines waiting", o.o.Count),
		Why: fmt.Sprintf("%d goroutines %s at %s.%s That many are a server's clients, or a leak: one dump does "+
			"not tell.", o.o.Count, what, o.at(), o.facts()),
		Fix: fmt.Sprintf("Take a second dump some minutes later: if the number only grows, end the goroutines that "+
			"%s starts with what they serve (a context per session, cancelled when it ends).", o.creator()),
	}
}
