package wait

import (
	"fmt"
)

// explainSend is channel-send-leak (TR412).
func explainSend(o *orphan) LockFinding {
	st := LockFinding{
		Act: o.act("waits to send what nobody receives", "waiting to send what nobody receives"),
		Why: fmt.Sprintf("%s %s at %s to send on a channel, and nobody receives.%s", o.subject(), o.verb(), o.at(),
			o.facts()),
		Fix: fmt.Sprintf("Give the channel room for every answer (make(chan T, 1)) where %s starts the sender, or "+
			"let the send at %s select on a context that ends with the caller.", o.creator(), o.spot()),
	}
	if o.o.Most > 1 && 2*o.o.Objects < o.o.Count {
		st.Act = o.act("waits to send to a reader that is gone or stuck", "waiting to send to a reader that is gone "+
			"or stuck")
		st.Fix = fmt.Sprintf("Find the reader of the channel at %s: it ended early, or waits for something itself. "+
			"Let the send select on a context too.", o.spot())
	}
	return st
}
