package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// manySleepers is how many goroutines of one go statement sleep before it is worth a word: a retry loop or a poll for
// each request or object instead of one for all.
const manySleepers = 100

// sleepersPileUp is TR440.
func sleepersPileUp(c *calls) *rules.Rule {
	const id = "TR440"
	waiting := c.compile(match.Match{At: []string{"time.Sleep"}, Class: []stackparse.Class{stackparse.ClassSleep}})
	return &rules.Rule{
		ID: id, Name: "sleepers-pile-up", Category: rules.Leak, Severity: rules.Low, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			if _, own := s.caller(w.buckets[0]); !own || w.since(sureMinutes) < manySleepers {
				return waitFinding{}
			}
			ch := waitFinding{
				severity: rules.Low, confidence: rules.ConfLow,
				act: fmt.Sprintf("sleeps in %d goroutines%s", w.count, w.span()),
				why: fmt.Sprintf("%s in %s%s, and nothing can end their sleep early.", w.waits(), w.in(), w.span()),
				fix: fmt.Sprintf("Let one goroutine with a timer do what those of %s wait for, or bound them, and "+
					"wait in a select with a context.", w.in()),
				next: secondDump(w.d.Target),
			}
			if sleep, ok := spin.SleepTime(w.buckets[0]); ok {
				ch.why += fmt.Sprintf(" The first one's sleep is %s long.", sleep)
			}
			return ch
		}),
	}
}

// childHangs is TR441.
func childHangs(c *calls) *rules.Rule {
	const id = "TR441"
	waiting := c.compile(match.Match{
		// Output and CombinedOutput are for commands that answer: a daemon's supervisor calls Start and Wait, or Run.
		At: []string{"os/exec.(*Cmd).Output", "os/exec.(*Cmd).CombinedOutput"},
		Class: []stackparse.Class{stackparse.ClassSyscall, stackparse.ClassChanReceive, stackparse.ClassSelect,
			stackparse.ClassIO, stackparse.ClassOther},
	})
	pipe := c.compile(match.Match{Frames: match.FramesMatch{Any: []string{"os/exec.(*Cmd).awaitGoroutines"}}})
	return &rules.Rule{
		ID: id, Name: "child-process-hangs", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			ch := waitFinding{
				act: fmt.Sprintf("waits for a command's output: %s%s", phrase.CountGoroutines(w.count), w.span()),
				why: fmt.Sprintf("%s below %s%s for a command that was run for its output.", w.waits(), w.in(),
					w.span()),
				fix: fmt.Sprintf("Run the command of %s with exec.CommandContext and a deadline, and set "+
					"Cmd.WaitDelay.", w.in()),
				next: []rules.Step{rules.Command("ps -eo pid,ppid,stat,etime,wchan:32,args --sort=-etime").Note(
					"the oldest children; D is a hung disk or mount")},
			}
			if s.holds(pipe, w.buckets[0]) {
				ch.why += " The command has ended; a process that it started still has the pipe of its output open."
				ch.fix = fmt.Sprintf("Set Cmd.WaitDelay in %s, so that a left-over process can't hold the pipe, or "+
					"let the command's output go to a file.", w.in())
			}
			ch.severity, ch.confidence = callSeverity(w)
			return ch
		}),
	}
}

// fileLockWait is TR442.
func fileLockWait(c *calls) *rules.Rule {
	const id = "TR442"
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
	stores := c.compile(match.Match{Frames: match.FramesMatch{Any: []string{"go.etcd.io/bbolt.Open", "github.com/boltdb/bolt.Open",
		"github.com/coreos/bbolt.Open"}}})
	return &rules.Rule{
		ID: id, Name: "file-lock-wait", Category: rules.Contention, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			opens := s.holds(stores, w.buckets[0])
			// A goroutine that asks every 50 ms has no minutes in its header: bolt's is known by its frames, and that
			// it is no start-up by the age of the rest.
			if w.since(sureMinutes) == 0 && !opens {
				return waitFinding{}
			}
			ch := waitFinding{
				severity: rules.Low, confidence: rules.ConfMedium,
				act: fmt.Sprintf("waits for a file lock that somebody else holds%s", w.span()),
				why: fmt.Sprintf("%s below %s%s for a lock on a file.", w.waits(), w.in(), w.span()),
				fix: fmt.Sprintf("See who holds the file, and give the wait in %s an end (bolt: Options.Timeout), "+
					"with the file's name in the error.", w.in()),
				next: []rules.Step{rules.Command("lslocks -o PID,COMMAND,TYPE,PATH").Note("who holds what, on the node"),
					rules.Command("cat /proc/locks")},
			}
			if opens && oldest(w.d) >= sureMinutes {
				ch.severity = rules.Medium
			}
			return ch
		}),
	}
}

// oldest is the longest wait of a dump's goroutines: how old the process is at least, but for two minutes.
func oldest(d *rules.DumpInput) uint32 {
	var most uint32
	for _, b := range d.Buckets {
		most = max(most, b.MaxMinutes)
	}
	return most
}
