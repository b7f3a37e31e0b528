package wait

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// placed is the name of a note's function in full, with the file that it is in.
func placed(call string) (fn, file string) {
	fn, _, _ = strings.Cut(call, "|")
	switch pkg, rest, _ := strings.Cut(fn, "."); pkg {
	case "lib":
		return "example.com/lib." + rest, "/go/pkg/mod/example.com/lib@v1.2.0/lib.go"
	case "main":
		return fn, "/src/shop/main.go"
	case "shop":
		return "example.com/shop." + rest, "/src/shop/shop/shop.go"
	case "jobs":
		return "example.com/shop/jobs." + rest, "/src/shop/shop/jobs/jobs.go"
	default:
		return fn, "/usr/local/go/src/" + pkg + "/x.go"
	}
}

// listed is a dump that lists the goroutines of notes. "lib." begins functions of a dependency, "main.", "shop."
// and "jobs." those of the program; others are of the standard library. A word in braces behind a call is its receiver:
// "lib.(*Queue).Put{0xc000010000}". Goroutine 1 started them in main.main, or in the function that a last word
// behind "<" names.
func listed(t *testing.T, text string) *rules.DumpInput {
	t.Helper()
	var b strings.Builder
	for _, n := range dumptest.NotesOf(t, text) {
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", n.Number, n.State)
		creator := "main.main"
		for i, call := range n.Calls {
			if by, ok := strings.CutPrefix(call, "<"); ok {
				creator = by
				break
			}
			name, words, _ := strings.Cut(strings.TrimSuffix(call, "}"), "{")
			fn, file := placed(name)
			fmt.Fprintf(&b, "%s(%s)\n\t%s:%d +0x20\n", fn, words, file, 10+i)
		}
		fn, file := placed(creator)
		fmt.Fprintf(&b, "created by %s in goroutine 1\n\t%s:5 +0x20\n\n", fn, file)
	}
	return ready(dumptest.ParseDumps([]byte(b.String()))[0])
}

// counted is a goroutine profile of the stacks of notes.
func counted(t *testing.T, text string) *rules.DumpInput {
	t.Helper()
	tops := map[string][]string{
		"chan send": {"runtime.gopark", "runtime.chansend", "runtime.chansend1"}, "select": {"runtime.gopark", "runtime.selectgo"},
		"chan receive":        {"runtime.gopark", "runtime.chanrecv", "runtime.chanrecv1"},
		"IO wait":             {"runtime.gopark", "runtime.netpollblock", "internal/poll.runtime_pollWait", "internal/poll.(*FD).Read"},
		"sync.WaitGroup.Wait": {"runtime.gopark", "sync.runtime_SemacquireWaitGroup", "sync.(*WaitGroup).Wait"},
		"sync.Cond.Wait":      {"runtime.gopark", "runtime.goparkunlock", "sync.runtime_notifyListWait", "sync.(*Cond).Wait"},
	}
	var all []stackparse.CountedStack
	for _, n := range dumptest.NotesOf(t, text) {
		s := stackparse.CountedStack{Count: int64(n.Number)}
		if tops[n.State] == nil {
			t.Fatalf("no top for %q", n.State)
		}
		for i, call := range append(append([]string{}, tops[n.State]...), n.Calls...) {
			name, _, _ := strings.Cut(call, "{")
			fn, file := placed(name)
			s.Frames = append(s.Frames, stackparse.Frame{Frame: frame.Frame{Func: fn, File: file, Line: 10 + i}})
		}
		all = append(all, s)
	}
	return ready(stackparse.FromProfile(func(yield func(stackparse.CountedStack) bool) {
		for _, s := range all {
			if !yield(s) {
				return
			}
		}
	}, false, time.Time{}))
}

func ready(d *stackparse.Dump) *rules.DumpInput {
	in := &rules.DumpInput{Dump: d, Input: "dump.txt"}
	rulestest.Prepare([]*rules.DumpInput{in}, declared.Roles())
	return in
}

// judged applies all rules about waits to a dump, and lists the confidence and the function of what one of them found.
func judged(d *rules.DumpInput, rule string) string {
	var all []string
	for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}}) {
		if f.Name == rule {
			all = append(all, string(sureness(&f))+" "+strings.TrimPrefix(f.Culprit.Function, "example.com/"))
		}
	}
	return strings.Join(all, ", ")
}

// A claim is what a rule finds in a dump of notes.
type claim struct{ name, notes, want string }

// check holds a rule to claims about dumps that all begin with the same notes.
func check(t *testing.T, dump func(t *testing.T, notes string) *rules.DumpInput, begin, rule string, claims []claim) {
	t.Helper()
	for _, c := range claims {
		if got := judged(dump(t, begin+c.notes), rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
