package stackparse

import "testing"

// Dumps of runtime.Stack and debug=2 begin with the goroutine that prints, which is running. Go 1.26 has others that
// say so: those on their way out of a system call.

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
