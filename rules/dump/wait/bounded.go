package wait

// judgeQueue weighs a queue in front of something bounded, in which someone waits for minutes, or a crowd does.
func judgeQueue(w *waiters) verdict {
	lasts := w.since(sureMinutes) > 0
	return verdict{guilty: lasts || w.count >= manyQueued}.but(!lasts, noAge)
}

// verb is the form of a verb that goes with n.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
