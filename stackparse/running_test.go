package stackparse

import (
	"fmt"
	"strings"
	"testing"
)

// Dumps of runtime.Stack and debug=2 begin with the goroutine that prints, which is running. Others may be running too:
// from Go 1.26 on those on their way out of a system call, and those on another thread that could not be stopped.

const (
	printing = "goroutine 9 [running]:\nmain.print()\n\t/src/main.go:9 +0x1\n\n"
	mainWait = "goroutine 1 [chan receive]:\nmain.main()\n\t/src/main.go:5 +0x1\n\n"
	leaving  = "goroutine 5 [running]:\nos/signal.signal_recv()\n\t/go/src/runtime/sigqueue.go:152 +0x98\nos/signal.loop()\n\t/go/src/os/signal/signal_unix.go:23 +0x13\ncreated by os/signal.Notify.func1.1 in goroutine 1\n\t/go/src/os/signal/signal.go:152 +0x1f\n\n"
	worker   = "goroutine 6 [select]:\nmain.work()\n\t/src/main.go:30 +0x1\n\n"
)

func TestAGoroutineThatLeavesASystemCallBeginsNoDump(t *testing.T) {
	for _, text := range []string{
		printing + mainWait + leaving + worker,
		printing + mainWait + worker + leaving,
		printing + leaving + mainWait + worker,
	} {
		dumps := parse([]byte(text))
		if len(dumps) != 1 || dumps[0].Goroutines != 4 {
			t.Fatalf("%d dumps, the first of %d goroutines; want one of 4", len(dumps), dumps[0].Goroutines)
		}
		states := map[string]int{}
		for _, b := range dumps[0].Buckets {
			for i := range b.Goroutines {
				states[dumps[0].StateOf(&b.Goroutines[i])]++
			}
		}
		if states["running"] != 2 || states["select"] != 1 || states["chan receive"] != 1 {
			t.Errorf("states %v", states)
		}
	}
}

func TestTheOneThatPrintsBeginsADump(t *testing.T) {
	second := "goroutine 12 [running]:\nmain.print()\n\t/src/main.go:9 +0x1\n\n"
	dumps := parse([]byte(printing + mainWait + worker + second + mainWait + worker))
	if len(dumps) != 2 || dumps[0].Goroutines != 3 || dumps[1].Goroutines != 3 {
		t.Fatalf("%d dumps", len(dumps))
	}
	if dumps := parse([]byte(printing + mainWait + second)); len(dumps) != 2 {
		t.Fatalf("%d dumps where the second has one goroutine, want 2", len(dumps))
	}
}

// waiters are goroutines with the ids from first to last, each with a stack of its own.
func waiters(first, last int) string {
	var text strings.Builder
	for id := first; id <= last; id++ {
		text.WriteString(goroutineText(fmt.Sprint(id), "select", fmt.Sprintf("main.wait%d()", id)))
	}
	return text.String()
}

const (
	spinning  = "goroutine 40 [running]:\nmain.spin()\n\t/src/main.go:70 +0x1\ncreated by main.main in goroutine 1\n\t/src/main.go:7 +0x1\n\n"
	elsewhere = "goroutine 41 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main in goroutine 1\n\t/src/main.go:7 +0x1\n\n"
)

func TestARunningGoroutineInTheMiddleOfADumpBeginsNone(t *testing.T) {
	whole := printing + mainWait + waiters(2, 4)
	for name, text := range map[string]string{
		"the sixth of ten":                       whole + spinning + waiters(50, 53),
		"right behind goroutine 1, which prints": strings.Replace(printing, "goroutine 9", "goroutine 1", 1) + spinning + waiters(50, 57),
		"its stack is unavailable":               whole + elsewhere + waiters(50, 53),
		"its stack is unavailable, at the end":   whole + waiters(50, 53) + elsewhere,
		"without an empty line behind it":        whole + strings.TrimSuffix(spinning, "\n") + waiters(50, 53),
	} {
		t.Run(name, func(t *testing.T) {
			dumps := parse([]byte(text))
			if len(dumps) != 1 || dumps[0].Goroutines != 10 || len(dumps[0].Buckets) != 10 {
				t.Fatalf("%d dumps, want one of 10 goroutines: %v", len(dumps), summaries(dumps))
			}
			wantSameDumps(t, name, dumps, parseInPlace([]byte(text), func(int) int { return len(text) }))
			first := 0
			for _, b := range dumps[0].Buckets {
				for i := range b.Goroutines {
					if b.Goroutines[i].Flags&FlagFirst != 0 {
						first++
					}
				}
			}
			if first != 1 {
				t.Errorf("%d goroutines are the first of the dump", first)
			}
		})
	}
}

// Near misses: the running goroutine does begin another dump.
func TestARunningGoroutineBeginsADumpWhereTheNextOneDoesNotGoOn(t *testing.T) {
	whole := printing + mainWait + waiters(2, 4)
	logged := strings.NewReplacer("e 40", "e 60", "spin", "serve").Replace(spinning)
	noMain := printing + waiters(2, 4)
	const stacks = "goroutine 99 [running]:\nruntime/pprof.writeGoroutineStacks({0x1, 0x2})\n\t/go/src/runtime/pprof/pprof.go:764 +0x1\n\n"
	for name, text := range map[string]string{
		"goroutine 1 again":               whole + "--\n" + spinning + mainWait + waiters(50, 53),
		"another id again":                whole + "--\n" + spinning + waiters(3, 6),
		"a cause before the next":         whole + "--\n" + spinning + "SIGABRT: abort\nPC=0x1 m=0 sigcode=0\n\n--\n" + waiters(50, 53),
		"a cause before it":               whole + "panic: oh no\n\n--\n" + spinning + waiters(50, 53),
		"a lone stack at the end":         whole + "--\n" + spinning,
		"two lone stacks at the end":      whole + "--\n" + spinning + "--\n" + logged,
		"it prints the stacks":            whole + "--\n" + stacks + waiters(50, 53),
		"goroutine 1 is new":              noMain + "--\n" + spinning + mainWait + waiters(50, 53),
		"nothing shows where 1 should be": noMain + "--\n" + spinning + waiters(50, 53),
		"its stack is cut":                whole + "--\n" + spinning[:strings.Index(spinning, "\t/src")] + waiters(50, 53),
	} {
		t.Run(name, func(t *testing.T) {
			var want []string // dumps, between the marks
			for part := range strings.SplitSeq(text, "--\n") {
				want = append(want, fmt.Sprint(strings.Count(part, "goroutine ")-strings.Count(part, "in goroutine ")))
			}
			text := strings.ReplaceAll(text, "--\n", "")
			dumps := parse([]byte(text))
			var got []string
			for _, d := range dumps {
				got = append(got, fmt.Sprint(d.Goroutines))
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("dumps of %v goroutines, want %v", got, want)
			}
			wantSameDumps(t, name, dumps, parseInPlace([]byte(text), func(int) int { return len(text) }))
		})
	}
}
