package wait

import (
	"fmt"
)

// explainSelect is select-leak (TR414).
func explainSelect(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits in a select that nobody ends", "waiting in a select that nobody ends"),
		Why: fmt.Sprintf("%s %s at %s in a select, and nobody who could serve or stop %s is in sight.%s", o.subject(),
			o.verb(), o.at(), verb(o.o.Count, "it", "them"), o.facts()),
		Fix: fmt.Sprintf("Give the select at %s a case for a context that %s cancels at its end (defer cancel()), "+
			"and see that every stop channel is closed.", o.spot(), o.creator()),
	}
}
