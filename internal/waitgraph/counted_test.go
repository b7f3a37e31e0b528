package waitgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// countedText writes a profile at debug=1 of notes: "2 lock: m.(*store).get a.go:12; main.main main.go:3", one a line,
// with their count, what is on top, and the calls, leaf first.
func countedText(t *testing.T, notes string) string {
	t.Helper()
	tops := map[string]string{
		"lock":  "internal/sync.runtime_SemacquireMutex runtime/sema.go:95; sync.(*Mutex).Lock sync/mutex.go:46",
		"try":   "internal/sync.(*Mutex).lockSlow internal/sync/mutex.go:100; sync.(*Mutex).Lock sync/mutex.go:46",
		"rlock": "sync.runtime_SemacquireRWMutexR runtime/sema.go:100; sync.(*RWMutex).RLock sync/rwmutex.go:74",
		"wlock": "sync.runtime_SemacquireRWMutex runtime/sema.go:105; sync.(*RWMutex).Lock sync/rwmutex.go:155",
		"wg":    "sync.runtime_SemacquireWaitGroup runtime/sema.go:114; sync.(*WaitGroup).Wait sync/waitgroup.go:206",
		"sleep": "time.Sleep runtime/time.go:363",
		"runs":  "",
	}
	var out strings.Builder
	total := 0
	for line := range strings.Lines(notes) {
		head, stack, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		n, what, _ := strings.Cut(head, " ")
		top, ok := tops[what]
		if !ok {
			t.Fatalf("no top: %s", line)
		}
		if top != "" {
			stack = top + "; " + stack
		}
		var count int
		if _, err := fmt.Sscan(n, &count); err != nil {
			t.Fatal(err)
		}
		total += count
		calls := strings.Split(stack, "; ")
		fmt.Fprintf(&out, "%d @%s\n", count, strings.Repeat(" 0x45d000", len(calls)+1))
		for _, call := range calls {
			fn, place, _ := strings.Cut(call, " ")
			fmt.Fprintf(&out, "#\t0x45d000\t%s+0x20\t%s\n", fn, place)
		}
		out.WriteString("\n")
	}
	return fmt.Sprintf("goroutine profile: total %d\n%s", total, out.String())
}

// heldText prints who waits for what it may hold in a counted dump: how likely, and by which call.
func heldText(t *testing.T, notes string) string {
	t.Helper()
	dumps := parse([]byte(countedText(t, notes)))
	if len(dumps) != 1 || dumps[0].Format != stackparse.FormatDebug1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	d := dumps[0]
	var all []string
	for _, b := range new(Memory).Build(d, frame.Program{}, neverIdle).Blockages {
		l := b.Links[0]
		text := string(b.Kind)
		if l.Holder.Strength > 0 {
			text += fmt.Sprintf(", %s: %s", strengthName(l.Holder.Strength), d.Buckets[l.Holder.Bucket].Frames[max(0, l.Holder.Frame)].Func)
		}
		if l.Callback > 0 {
			text += " called " + d.Buckets[l.Waiter.Bucket].Frames[l.Callback].Func
		}
		if b.Moves {
			text += ", moves"
		}
		if b.Beside {
			text += ", beside"
		}
		all = append(all, text)
	}
	return strings.Join(all, " | ")
}

func TestCountedStacksShowWhoWaitsForWhatItHolds(t *testing.T) {
	const (
		main    = "main.main main.go:9"
		stack   = "m.(*store).del a.go:12; main.purge main.go:30; m.(*store).each a.go:40; " + main
		reenter = "1 lock: " + stack + "\n"
	)
	for _, test := range []struct{ name, notes, want string }{
		{"a callback locks what its caller holds", reenter,
			"double lock, type: m.(*store).each called main.purge"},
		{"others queue behind it", reenter + "9 lock: m.(*store).add a.go:7; main.serve main.go:50\n",
			"double lock, type: m.(*store).each called main.purge"},
		{"the same function", "1 lock: m.(*store).log a.go:12; main.Fire main.go:3; m.(*store).log a.go:14; " + main,
			"double lock, type: m.(*store).log called main.Fire"},
		{"a lock with methods of its own", "1 lock: m.(*wrap).Lock w.go:2; " + stack,
			"double lock, type: m.(*store).each called main.purge"},
		{"plain functions of the package", "1 lock: m.count a.go:12; main.purge main.go:30; m.each a.go:40; " + main,
			"double lock, family: m.each called main.purge"},
		{"another type of the package", "1 lock: m.(*timer).stop a.go:12; main.fired main.go:3; m.(*mock).add a.go:40; " + main,
			"double lock, family: m.(*mock).add called main.fired"},
		{"the callback formats", "1 lock: m.(*store).get a.go:2; main.(*T).String main.go:3; fmt.Sprintf fmt/print.go:9; m.(*store).put a.go:9; " + main,
			"double lock, type: m.(*store).put called main.(*T).String"},
		{"a callback of the same package", "1 lock: main.(*store).del main.go:12; main.purge main.go:30; main.(*store).each main.go:40; " + main,
			"double lock, family: main.(*store).each called main.purge"},

		{"a package calls itself, and the program called back further out", "1 lock: m.(*db).mmap a.go:12; m.(*tx).alloc b.go:3; " +
			"m.(*db).update a.go:30; main.save main.go:3; m.(*db).view a.go:40; " + main,
			"double lock, type: m.(*db).view called main.save"},

		// What a healthy program shows as well: rules judge that.
		{"two at once: one of them holds no lock", strings.Replace(reenter, "1", "2", 1),
			"double lock, family: m.(*store).each called main.purge"},
		{"two readers without a writer", strings.Replace(reenter, "1 lock", "2 rlock", 1),
			"double lock, family: m.(*store).each called main.purge"},
		{"no callback", "1 lock: m.(*store).del a.go:12; m.(*store).each a.go:40; " + main,
			"double lock, family: m.(*store).each"},
		{"no outer call", "1 lock: m.(*store).del a.go:12; main.purge main.go:30; " + main,
			"double lock"},
		{"the standard library sorts", "1 lock: m.(*store).del a.go:12; m.(*store).each.func1 a.go:38; sort.Slice sort/slice.go:29; m.(*store).each a.go:40; " + main,
			"double lock, family: m.(*store).each.func1"},
		{"another type of a library, in its worker", "1 lock: m.(*stats).add a.go:12; main.task main.go:3; m.(*pool).work a.go:40\n",
			"double lock"},
		{"another type of main", "1 lock: main.(*timer).stop main.go:12; main.fired main.go:3; main.(*mock).add main.go:40; " + main,
			"double lock"},
		{"another type, which others work in", "1 lock: m.(*timer).stop a.go:12; main.fired main.go:3; m.(*mock).add a.go:40; " + main +
			"\n1 sleep: m.poll p.go:9; " + main,
			"double lock, family: m.(*mock).add called main.fired, beside"},
		{"somebody works under the lock", reenter + "1 runs: x.sum x.go:1; m.(*store).put a.go:60; x.run x.go:9\n",
			"held, type: m.(*store).put"},
		{"somebody sleeps under the lock", reenter + "1 sleep: m.(*store).put a.go:60; x.run x.go:9\n",
			"held, type: m.(*store).put"},
		{"somebody waits under the lock", reenter + "1 wg: m.(*store).flush a.go:60; x.run x.go:9\n",
			"held in waitgroup, type: m.(*store).flush"},
		{"four alike wait under it, who can't all have a Mutex", reenter + "4 wg: m.(*store).flush a.go:60; x.run x.go:9\n",
			"double lock, type: m.(*store).each called main.purge"},
		{"four alike may read under a RWMutex", strings.Replace(reenter, "1 lock", "1 wlock", 1) +
			"4 wg: m.(*store).flush a.go:60; x.run x.go:9\n",
			"held in waitgroup, type: m.(*store).flush"},
		{"somebody waits for another lock under it", reenter + "1 lock: x.(*log).put x.go:3; m.(*store).flush a.go:60; x.run x.go:9\n",
			"double lock, type: m.(*store).each called main.purge | double lock"},
		{"somebody takes the lock this moment", reenter + "1 try: m.(*store).put a.go:60; x.run x.go:9\n",
			"held, type: m.(*store).put, moves"},
		{"it takes the lock this moment", strings.Replace(reenter, "lock", "try", 1), ""},
		{"a caller's package works", reenter + "1 runs: main.step main.go:70; x.run x.go:9\n",
			"double lock, type: m.(*store).each called main.purge, beside"},
		{"a caller's package sleeps, maybe with the lock", reenter + "1 sleep: main.hold main.go:70; x.run x.go:9\n",
			"double lock, type: m.(*store).each called main.purge, beside"},
	} {
		if got := heldText(t, test.notes); got != test.want {
			t.Errorf("%s:\n%q, want\n%q", test.name, got, test.want)
		}
	}
}
