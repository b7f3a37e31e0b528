package wait

// explainReceive is channel-receive-leak (TR413).
func explainReceive(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits to receive what nobody sends", "waiting to receive what nobody sends"),
		Why: o.fill("{who} {waits} at {at} to receive from a channel, and nobody who could send or close it is in " +
			"sight.{facts}"),
		Fix: o.fill("Let who owns the channel close it on every way out (defer close), or wait at {spot} in a select " +
			"with a context that {creator} cancels."),
	}
}
