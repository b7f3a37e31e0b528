package wait

import (
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/spin"
)

// manySleepers is how many goroutines of one go statement sleep before it is worth a word: a retry loop or a poll for
// each request or object instead of one for all.
const manySleepers = 100

// sleepersPileUp is sleepers-pile-up (TR440).
func sleepersPileUp(w *waiters) verdict {
	if _, own := w.caller(w.buckets[0]); !own || w.since(sureMinutes) < manySleepers {
		return verdict{}
	}
	v := low()
	v.values = account.Values{"number": strconv.Itoa(w.count)}
	if sleep, ok := spin.SleepTime(w.buckets[0]); ok {
		v.cases, v.values["sleep"] = []string{"length"}, sleep.String()
	}
	return v
}

// manyLeftBehind is how many commands that have ended may be seen at a time while the rest of their output is copied,
// which takes no time. Chosen: three are no moment's chance.
const manyLeftBehind = 3

// childHangs is child-process-hangs (TR441).
func childHangs(w *waiters) verdict {
	v := answerSeverity(w)
	if w.holds("child-pipe", w.buckets[0]) {
		// The command has ended: what it left behind lives on with its output.
		if w.since(sureMinutes) > 0 || oldest(w.d) == 0 && w.count >= manyLeftBehind {
			v = medium()
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
	switch {
	case w.since(sureMinutes) == 0 && !opens:
		return verdict{}
	case opens && oldest(w.d) >= sureMinutes:
		return medium()
	}
	return verdict{severity: rules.Low, confidence: rules.ConfMedium}
}
