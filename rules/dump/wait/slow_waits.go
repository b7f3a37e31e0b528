package wait

import "github.com/gotriage/triage/rules"

// manyLeftBehind is how many commands that have ended may be seen at a time while the rest of their output is copied,
// which takes no time. Chosen: three are no moment's chance.
const manyLeftBehind = 3

// childHangs is child-process-hangs (TR441).
func childHangs(w *waiters) verdict {
	v := judgeAnswers(w)
	if w.holds("child-pipe", w.buckets[0]) {
		// The command has ended: what it left behind lives on with its output.
		if w.since(sureMinutes) > 0 || oldest(w.d) == 0 && w.count >= manyLeftBehind {
			v = guilty()
		}
		v.cases = []string{"pipe"}
	}
	return v
}

// fileLockWait is file-lock-wait (TR442).
func fileLockWait(w *waiters) verdict {
	opens := w.holds("file-lock-stores", w.buckets[0])
	// A goroutine that asks every 50 ms has no minutes in its header: bolt's is known by its frames, and that
	// it is no start-up by the age of the rest.
	if w.since(sureMinutes) == 0 && !opens {
		return verdict{}
	}
	return guilty().of(rules.Medium).but(!opens, standsBy).but(oldest(w.d) < sureMinutes, noAge)
}
