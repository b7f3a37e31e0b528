package wait

import (
	"fmt"
)

// explainReceive is channel-receive-leak (TR413).
func explainReceive(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits to receive what nobody sends", "waiting to receive what nobody sends"),
		Why: fmt.Sprintf("%s %s at %s to receive from a channel, and nobody who could send or close it is in sight.%s",
			o.subject(), o.verb(), o.at(), o.facts()),
		Fix: fmt.Sprintf("Let who owns the channel close it on every way out (defer close), or wait at %s in a "+
			"select with a context that %s cancels.", o.spot(), o.creator()),
	}
}
