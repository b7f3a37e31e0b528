package wait

// explainSend is channel-send-leak (TR412).
func explainSend(o *orphan) LockFinding {
	st := LockFinding{
		Act: o.act("waits to send what nobody receives", "waiting to send what nobody receives"),
		Why: o.fill("{who} {waits} at {at} to send on a channel, and nobody receives.{facts}"),
		Fix: o.fill("Give the channel room for every answer (make(chan T, 1)) where {creator} starts the sender, or " +
			"let the send at {spot} select on a context that ends with the caller."),
	}
	if o.o.Most > 1 && 2*o.o.Objects < o.o.Count {
		const to = "to send to a reader that is gone or stuck"
		st.Act = o.act("waits "+to, "waiting "+to)
		st.Fix = o.fill("Find the reader of the channel at {spot}: it ended early, or waits for something itself. Let " +
			"the send select on a context too.")
	}
	return st
}
