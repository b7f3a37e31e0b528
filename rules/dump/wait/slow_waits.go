package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
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
	return c.rule("TR440", "sleepers-pile-up", rules.Leak, rules.Low, waiting, func(w *waiters) account {
		if _, own := w.caller(w.buckets[0]); !own || w.since(sureMinutes) < manySleepers {
			return account{}
		}
		ch := account{
			level: level{rules.Low, rules.ConfLow},
			act:   fmt.Sprintf("sleeps in %d goroutines%s", w.count, w.span()),
			why:   w.fill("{waits} in {in}{span}, and nothing can end their sleep early."),
			fix: w.fill("Let one goroutine with a timer do what those of {in} wait for, or bound them, and wait in " +
				"a select with a context."),
			next: secondDump(w.d.Target),
		}
		if sleep, ok := spin.SleepTime(w.buckets[0]); ok {
			ch.why += fmt.Sprintf(" The first one's sleep is %s long.", sleep)
		}
		return ch
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
	return c.rule("TR441", "child-process-hangs", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		ch := account{
			level: callSeverity(w),
			act:   w.fill("waits for a command's output: {count}{span}"),
			why:   w.fill("{waits} below {in}{span} for a command that was run for its output."),
			fix:   w.fill("Run the command of {in} with exec.CommandContext and a deadline, and set Cmd.WaitDelay."),
			next: []rules.Step{rules.Command("ps -eo pid,ppid,stat,etime,wchan:32,args --sort=-etime").Note(
				"the oldest children; D is a hung disk or mount")},
		}
		if w.holds(pipe, w.buckets[0]) {
			ch.why += " The command has ended; a process that it started still has the pipe of its output open."
			ch.fix = w.fill("Set Cmd.WaitDelay in {in}, so that a left-over process can't hold the pipe, or let the " +
				"command's output go to a file.")
		}
		return ch
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
	return c.rule("TR442", "file-lock-wait", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		opens := w.holds(stores, w.buckets[0])
		// A goroutine that asks every 50 ms has no minutes in its header: bolt's is known by its frames, and that
		// it is no start-up by the age of the rest.
		if w.since(sureMinutes) == 0 && !opens {
			return account{}
		}
		ch := account{
			level: level{rules.Low, rules.ConfMedium},
			act:   w.fill("waits for a file lock that somebody else holds{span}"),
			why:   w.fill("{waits} below {in}{span} for a lock on a file."),
			fix: w.fill("See who holds the file, and give the wait in {in} an end (bolt: Options.Timeout), with the " +
				"file's name in the error."),
			next: []rules.Step{rules.Command("lslocks -o PID,COMMAND,TYPE,PATH").Note("who holds what, on the node"),
				rules.Command("cat /proc/locks")},
		}
		if opens && oldest(w.d) >= sureMinutes {
			ch.severity = rules.Medium
		}
		return ch
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
