package wait

import (
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
)

// manySleepers is how many goroutines of one go statement sleep before it is worth a word: a retry loop or a poll for
// each request or object instead of one for all.
const manySleepers = 100

// sleepersPileUp is sleepers-pile-up (TR440).
func sleepersPileUp(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{At: []string{"time.Sleep"}, Class: []stackparse.Class{stackparse.ClassSleep}})
	return c.rule("TR440", "sleepers-pile-up", rules.Leak, rules.Low, waiting, func(w *waiters) verdict {
		if _, own := w.caller(w.buckets[0]); !own || w.since(sureMinutes) < manySleepers {
			return verdict{}
		}
		v := low()
		v.values = account.Values{"number": strconv.Itoa(w.count)}
		if sleep, ok := spin.SleepTime(w.buckets[0]); ok {
			v.cases, v.values["sleep"] = []string{"length"}, sleep.String()
		}
		return v
	})
}

// childHangs is child-process-hangs (TR441).
func childHangs(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		// Output and CombinedOutput are for commands that answer: a daemon's supervisor calls Start and Wait, or Run.
		At: []string{"os/exec.(*Cmd).Output", "os/exec.(*Cmd).CombinedOutput"},
		Class: []stackparse.Class{stackparse.ClassSyscall, stackparse.ClassChanReceive, stackparse.ClassSelect,
			stackparse.ClassIO, stackparse.ClassOther},
	})
	pipe := c.compile(onStack("os/exec.(*Cmd).awaitGoroutines"))
	return c.rule("TR441", "child-process-hangs", rules.Leak, rules.Medium, waiting, func(w *waiters) verdict {
		v := callSeverity(w)
		if w.holds(pipe, w.buckets[0]) {
			v.cases = []string{"pipe"}
		}
		return v
	})
}

// fileLockWait is file-lock-wait (TR442).
func fileLockWait(c *calls) *rules.Rule {
	waiting := c.compile(
		match.Match{At: []string{"syscall.Flock", "syscall.FcntlFlock", "golang.org/x/sys/unix.Flock",
			"golang.org/x/sys/unix.FcntlFlock"}, Class: []stackparse.Class{stackparse.ClassSyscall}},
		// These ask again and again instead.
		match.Match{At: []string{"go.etcd.io/bbolt.flock", "github.com/boltdb/bolt.flock", "github.com/coreos/bbolt.flock"},
			Class: []stackparse.Class{stackparse.ClassSleep}},
		match.Match{At: []string{"github.com/gofrs/flock.(*Flock).*"}, Class: []stackparse.Class{stackparse.ClassSyscall,
			stackparse.ClassSelect, stackparse.ClassSleep}, Through: []string{"golang.org/x/sys/unix.*",
			"github.com/gofrs/flock.*"}},
	)
	stores := c.compile(onStack("go.etcd.io/bbolt.Open", "github.com/boltdb/bolt.Open", "github.com/coreos/bbolt.Open"))
	return c.rule("TR442", "file-lock-wait", rules.Contention, rules.Medium, waiting, func(w *waiters) verdict {
		opens := w.holds(stores, w.buckets[0])
		// A goroutine that asks every 50 ms has no minutes in its header: bolt's is known by its frames, and that
		// it is no start-up by the age of the rest.
		switch {
		case w.since(sureMinutes) == 0 && !opens:
			return verdict{}
		case opens && oldest(w.d) >= sureMinutes:
			return medium()
		}
		return verdict{severity: rules.Low, confidence: rules.ConfMedium}
	})
}

// oldest is the longest wait of a dump's goroutines: how old the process is at least, but for two minutes.
func oldest(d *rules.DumpInput) uint32 {
	var most uint32
	for _, b := range d.Buckets {
		most = max(most, b.MaxMinutes)
	}
	return most
}
