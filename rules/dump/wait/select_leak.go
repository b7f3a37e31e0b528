package wait

// explainSelect is select-leak (TR414).
func explainSelect(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits in a select that nobody ends", "waiting in a select that nobody ends"),
		Why: o.fill("{who} {waits} at {at} in a select, and nobody who could serve or stop {them} is in sight.{facts}"),
		Fix: o.fill("Give the select at {spot} a case for a context that {creator} cancels at its end (defer " +
			"cancel()), and see that every stop channel is closed."),
	}
}
