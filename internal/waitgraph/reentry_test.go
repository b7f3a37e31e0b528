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

// reentriesText prints the re-entries of a counted dump: how near, which calls, and whether nothing speaks against it.
func reentriesText(t *testing.T, notes string) string {
	t.Helper()
	dumps := parse([]byte(countedText(t, notes)))
	if len(dumps) != 1 || dumps[0].Format != stackparse.FormatDebug1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	d := dumps[0]
	p := frame.Program{}
	var all []string
	for _, r := range new(Memory).Build(d, p, nil).Reentries {
		fs := d.Buckets[r.Bucket].Frames
		text := fmt.Sprintf("%s: %s from %s of %s", strengthName(r.Near), fs[r.Site].Func, fs[r.Callback].Func, fs[r.Outer].Func)
		if !r.Sole {
			text += ", several"
		}
		if r.Busy {
			text += ", busy"
		}
		all = append(all, text)
	}
	return strings.Join(all, " | ")
}

func TestCountedStacksShowReentries(t *testing.T) {
	const (
		main    = "main.main main.go:9"
		stack   = "m.(*store).del a.go:12; main.purge main.go:30; m.(*store).each a.go:40; " + main
		reenter = "1 lock: " + stack + "\n"
		same    = "type: m.(*store).del from main.purge of m.(*store).each"
	)
	for _, test := range []struct{ name, notes, want string }{
		{"a callback locks what its caller holds", reenter, same},
		{"others queue behind it", reenter + "9 lock: m.(*store).add a.go:7; main.serve main.go:50\n", same},
		{"the same function", "1 lock: m.(*store).log a.go:12; main.Fire main.go:3; m.(*store).log a.go:14; " + main,
			"object: m.(*store).log from main.Fire of m.(*store).log"},
		{"a lock with methods of its own", "1 lock: m.(*wrap).Lock w.go:2; " + stack, same},
		{"plain functions of the package", "1 lock: m.count a.go:12; main.purge main.go:30; m.each a.go:40; " + main,
			"file: m.count from main.purge of m.each"},
		{"another type of the package", "1 lock: m.(*timer).stop a.go:12; main.fired main.go:3; m.(*mock).add a.go:40; " + main,
			"file: m.(*timer).stop from main.fired of m.(*mock).add"},
		{"the callback formats", "1 lock: m.(*store).get a.go:2; main.(*T).String main.go:3; fmt.Sprintf fmt/print.go:9; m.(*store).put a.go:9; " + main,
			"type: m.(*store).get from main.(*T).String of m.(*store).put"},
		{"a callback of the same package", "1 lock: main.(*store).del main.go:12; main.purge main.go:30; main.(*store).each main.go:40; " + main,
			"type: main.(*store).del from main.purge of main.(*store).each"},

		{"a package calls itself, and the program called back further out", "1 lock: m.(*db).mmap a.go:12; m.(*tx).alloc b.go:3; " +
			"m.(*db).update a.go:30; main.save main.go:3; m.(*db).view a.go:40; " + main, "type: m.(*db).mmap from main.save of m.(*db).view"},

		// Near misses: what a healthy program shows as well.
		{"two at once: one of them holds no lock", strings.Replace(reenter, "1", "2", 1), same + ", several"},
		{"two readers without a writer", strings.Replace(reenter, "1 lock", "2 rlock", 1), same + ", several"},
		{"no callback", "1 lock: m.(*store).del a.go:12; m.(*store).each a.go:40; " + main, ""},
		{"no outer call", "1 lock: m.(*store).del a.go:12; main.purge main.go:30; " + main, ""},
		{"the standard library sorts", "1 lock: m.(*store).del a.go:12; m.(*store).each.func1 a.go:38; sort.Slice sort/slice.go:29; m.(*store).each a.go:40; " + main, ""},
		{"another type of a library, in its worker", "1 lock: m.(*stats).add a.go:12; main.task main.go:3; m.(*pool).work a.go:40\n", ""},
		{"another type of main", "1 lock: main.(*timer).stop main.go:12; main.fired main.go:3; main.(*mock).add main.go:40; " + main, ""},
		{"another type, which others work in", "1 lock: m.(*timer).stop a.go:12; main.fired main.go:3; m.(*mock).add a.go:40; " + main +
			"\n1 sleep: m.poll p.go:9; " + main, ""},
		{"somebody works under the lock", reenter + "1 runs: x.sum x.go:1; m.(*store).put a.go:60; x.run x.go:9\n", ""},
		{"somebody sleeps under the lock", reenter + "1 sleep: m.(*store).put a.go:60; x.run x.go:9\n", ""},
		{"somebody waits under the lock", reenter + "1 wg: m.(*store).flush a.go:60; x.run x.go:9\n", ""},
		{"four alike wait under it, who can't all have a Mutex", reenter + "4 wg: m.(*store).flush a.go:60; x.run x.go:9\n", same},
		{"four alike may read under a RWMutex", strings.Replace(reenter, "1 lock", "1 wlock", 1) +
			"4 wg: m.(*store).flush a.go:60; x.run x.go:9\n", ""},
		{"somebody waits for another lock under it", reenter + "1 lock: x.(*log).put x.go:3; m.(*store).flush a.go:60; x.run x.go:9\n", ""},
		{"somebody takes the lock this moment", reenter + "1 try: m.(*store).put a.go:60; x.run x.go:9\n", ""},
		{"it takes the lock this moment", strings.Replace(reenter, "lock", "try", 1), ""},
		{"a caller's package works", reenter + "1 runs: main.step main.go:70; x.run x.go:9\n", same + ", busy"},
		{"a caller's package sleeps, maybe with the lock", reenter + "1 sleep: main.hold main.go:70; x.run x.go:9\n", same + ", busy"},
	} {
		if got := reentriesText(t, test.notes); got != test.want {
			t.Errorf("%s:\n%q, want\n%q", test.name, got, test.want)
		}
	}
}
