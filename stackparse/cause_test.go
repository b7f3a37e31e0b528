package stackparse

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// causeBefore feeds the lines before the line HEADER, as the scanner does, and returns the cause that belongs to it.
func causeBefore(t *testing.T, text string) *Cause {
	t.Helper()
	var c causeTracker
	for i, line := range strings.Split(text, "\n") {
		num := int64(i + 1)
		if prefix, ok := strings.CutSuffix(line, "HEADER"); ok {
			if c.open() {
				t.Fatal("the panic's text is still open at the header")
			}
			if strings.TrimSpace(prefix) != "" {
				c.line([]byte(prefix), num, nil)
			}
			return c.take(num)
		}
		c.line([]byte(line), num, nil)
	}
	t.Fatal("no HEADER in the text")
	return nil
}

func TestCauseIsWhatTheRuntimePrintedBeforeTheFirstGoroutine(t *testing.T) {
	tests := []struct {
		name string
		text string
		want *Cause
	}{
		{"a signal (1.22+)", "SIGABRT: abort\nPC=0x47 m=0 sigcode=0\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 1, Signal: "SIGABRT: abort", Notes: []string{"PC=0x47 m=0 sigcode=0"}}},
		{"a signal during cgo", "x\nSIGQUIT: quit\nPC=0x47 m=0 sigcode=0\nsignal arrived during cgo execution\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 2, Signal: "SIGQUIT: quit", Notes: []string{"PC=0x47 m=0 sigcode=0", "signal arrived during cgo execution"}}},
		{"a signal without a name", "Signal 45\nPC=0x47\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 1, Signal: "Signal 45", Notes: []string{"PC=0x47"}}},
		{"a Windows exception", "Exception 0xc0000005 0x8 0x0 0x0\nPC=0x0\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 1, Signal: "Exception 0xc0000005 0x8 0x0 0x0", Notes: []string{"PC=0x0"}}},
		{"a C library's abort after the runtime's own note", "runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\nPC=0x1 m=3 sigcode=1\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 1, Signal: "SIGABRT: abort", Notes: []string{"runtime/cgo: pthread_create failed: Resource temporarily unavailable", "PC=0x1 m=3 sigcode=1"}}},
		{"a plain panic", "panic: boom\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "boom", Panics: []Panic{{Text: "boom"}}}},
		{"a nil dereference", "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x63]\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "runtime error: invalid memory address or nil pointer dereference",
				Panics: []Panic{{Text: "runtime error: invalid memory address or nil pointer dereference"}},
				Detail: "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x63]"}},
		{"a panic in a handler (1.24 and before)", "panic: first [recovered]\n\tpanic: second [recovered]\n\tpanic: third\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "third", Panics: []Panic{{Text: "first", Recovered: true}, {Text: "second", Recovered: true}, {Text: "third"}}}},
		{"a panic raised again (1.25+)", "panic: first [recovered, repanicked]\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "first", Panics: []Panic{{Text: "first", Recovered: true, Repanicked: true}}}},
		{"a text of several lines behind tabs (1.23+)", "panic: one [x]\n\ttwo\n\t\n\t\tthree [recovered]\n\tpanic: again\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "again", Panics: []Panic{{Text: "one [x]\ntwo\n\n\tthree", Recovered: true}, {Text: "again"}}}},
		{"a text of several raw lines (1.22 and before)", "panic: one\ntwo\nthree\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "one\ntwo\nthree", Panics: []Panic{{Text: "one\ntwo\nthree"}}}},
		{"a log line written into a panic's text", "panic: one\n2026/03/04 05:06:07 tick\ntwo\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "one\ntwo", Panics: []Panic{{Text: "one\ntwo"}}}},
		{"a test that timed out", "panic: test timed out after 1s\n\trunning tests:\n\t\tTestX (1s)\n\nHEADER",
			&Cause{Kind: CauseTestTimeout, Line: 1, Text: "test timed out after 1s\nrunning tests:\n\tTestX (1s)",
				Panics: []Panic{{Text: "test timed out after 1s\nrunning tests:\n\tTestX (1s)"}}}},
		{"a fatal error", "tick\nfatal error: all goroutines are asleep - deadlock!\n\nHEADER",
			&Cause{Kind: CauseFatal, Line: 2, Text: "all goroutines are asleep - deadlock!"}},
		{"a stack overflow with the runtime's stack",
			"runtime: goroutine stack exceeds 1000000000-byte limit\nruntime: sp=0x1 stack=[0x0, 0x2]\nfatal error: stack overflow\n\n" +
				"runtime stack:\nruntime.throw({0x1?, 0x2?})\n\t/go/src/runtime/panic.go:992 +0x71 fp=0x1 sp=0x2 pc=0x3\nruntime.newstack()\n\tC:/go/src/runtime/stack.go:1101 +0x5cc\n\nHEADER",
			&Cause{Kind: CauseFatal, Line: 1, Text: "stack overflow",
				Notes: []string{"runtime: goroutine stack exceeds 1000000000-byte limit", "runtime: sp=0x1 stack=[0x0, 0x2]"},
				RuntimeStack: []Frame{
					runtimeFrame("runtime.throw", "/go/src/runtime/panic.go", 992),
					runtimeFrame("runtime.newstack", "C:/go/src/runtime/stack.go", 1101),
				}}},
		{"too many threads", "runtime: program exceeds 10000-thread limit\nfatal error: thread exhaustion\n\nHEADER",
			&Cause{Kind: CauseFatal, Line: 1, Text: "thread exhaustion", Notes: []string{"runtime: program exceeds 10000-thread limit"}}},
		{"a fault at an unexpected address", "unexpected fault address 0x7f00\nfatal error: fault\n[signal SIGBUS: bus error code=0x2 addr=0x7f00 pc=0x1]\n\nHEADER",
			&Cause{Kind: CauseFatal, Line: 1, Text: "fault", Notes: []string{"unexpected fault address 0x7f00"}, Detail: "[signal SIGBUS: bus error code=0x2 addr=0x7f00 pc=0x1]"}},
		{"morestack on g0", "fatal: morestack on g0\nSIGTRAP: trace trap\nPC=0x1 m=0 sigcode=128\n\nHEADER",
			&Cause{Kind: CauseFatal, Line: 1, Text: "morestack on g0", Signal: "SIGTRAP: trace trap", Notes: []string{"PC=0x1 m=0 sigcode=128"}}},
		{"a dump as one klog message", "E1120 18:05:32.123456       1 runtime.go:77] Observed a panic: SIGQUIT: quit\nPC=0x49 m=0 sigcode=0\n\nHEADER",
			&Cause{Kind: CauseSignal, Line: 1, Signal: "SIGQUIT: quit", Notes: []string{"PC=0x49 m=0 sigcode=0"},
				LogLine: "E1120 18:05:32.123456       1 runtime.go:77] Observed a panic: SIGQUIT: quit"}},
		{"control characters are escaped", "panic: a\x1b[31mb\xff\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: `a\x1b[31mb\xff`, Panics: []Panic{{Text: `a\x1b[31mb\xff`}}}},
		{"CRLF", "panic: boom\r\n\r\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "boom", Panics: []Panic{{Text: "boom"}}}},
		{"the second of two panics", "panic: old\n\npanic: new\n\nHEADER",
			&Cause{Kind: CausePanic, Line: 3, Text: "new", Panics: []Panic{{Text: "new"}}}},
		{"the header directly behind the text, where framing lost empty lines", "panic: boom\nHEADER",
			&Cause{Kind: CausePanic, Line: 1, Text: "boom", Panics: []Panic{{Text: "boom"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, causeBefore(t, tt.text)); diff != "" {
				t.Errorf("cause (-want +got):\n%s", diff)
			}
		})
	}
}

func runtimeFrame(fn, file string, line int) Frame {
	var f Frame
	f.Func, f.File, f.Line = fn, file, line
	return f
}

func TestErrorsLoggedBeforeAFatalLineAreKept(t *testing.T) {
	const fatal = "F0304 05:06:06.048422       1 manager.go:55] leaderelection lost\nHEADER"
	tests := []struct {
		name, text string
		want       []LoggedLine
	}{
		{"klog's errors and what timed out", "E0304 05:06:05.048422       1 election.go:33] Get \"x\": context deadline exceeded\n" +
			"I0304 05:06:06.048422       1 election.go:28] failed to renew lease: timed out\n" + fatal,
			[]LoggedLine{{1, "Get \"x\": context deadline exceeded"}, {2, "failed to renew lease: timed out"}}},
		{"nothing that failed", "I0304 05:06:05.048422       1 sync.go:33] synced 12 objects\n" + fatal, nil},
	}
	for _, tt := range tests {
		c := causeBefore(t, tt.text)
		if c == nil || c.Kind != CauseLogFatal {
			t.Fatalf("%s: %+v", tt.name, c)
		}
		if diff := cmp.Diff(tt.want, c.Before); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", tt.name, diff)
		}
	}
}

func TestCauseOfALoggedStackIsTheLogLine(t *testing.T) {
	tests := []struct {
		name     string
		text     string
		kind     CauseKind
		value    string
		line     int64
		inLogged string
	}{
		{"net/http", "2026/03/04 05:06:55 http: panic serving [::1]:4711: handler boom\nHEADER", CauseLoggedPanic, "handler boom", 1, "panic serving"},
		{"net/http, a value of three lines", "2026/03/04 05:06:55 http: panic serving 10.0.0.1:4711: one\ntwo\nthree\nHEADER", CauseLoggedPanic, "one", 1, "panic serving"},
		{"HandleCrash before 1.30", `E0304 05:06:06.048422       1 runtime.go:77] Observed a panic: "invalid memory address or nil pointer dereference" (runtime error: invalid memory address or nil pointer dereference)` + "\nHEADER",
			CauseLoggedPanic, "runtime error: invalid memory address or nil pointer dereference", 1, "runtime.go:77]"},
		{"HandleCrash since 1.30", `E0304 05:06:06.048422       1 runtime.go:142] "Observed a panic" panic="assignment to entry in nil map" panicGoValue="\"assignment\"" stacktrace=<` + "\n\tHEADER",
			CauseLoggedPanic, "assignment to entry in nil map", 1, "Observed a panic"},
		{"controller-runtime's JSON", `{"level":"error","ts":"2026-03-04T05:06:55Z","msg":"Observed a panic","controller":"volume","panic":"runtime error: index out of range [3] with length 3","stacktrace":"` + "\nHEADER",
			CauseLoggedPanic, "runtime error: index out of range [3] with length 3", 1, "controller"},
		{"a middleware's recovery", "2026/03/04 05:06:55 [Recovery] panic recovered: boom\nHEADER", CauseLoggedPanic, "boom", 1, "[Recovery]"},
		{"any word of a panic directly before the stack", `time="2026-03-04T05:06:55Z" level=error msg="recovered from panic in worker 3"` + "\nHEADER", CauseLoggedPanic, "recovered from panic in worker 3", 1, "level=error"},
		{"the stack in the message's own line", "2026-03-04T05:06:55Z ERROR recovered: boom HEADER", CauseLoggedPanic, "2026-03-04T05:06:55Z ERROR recovered: boom", 1, "ERROR"},
		{"a log line came between", "2026/03/04 05:06:55 http: panic serving 10.0.0.1:1: boom\nI0304 05:06:06.048422       1 a.go:1] tick\nHEADER", CauseLoggedPanic, "boom", 1, "panic serving"},
		{"klog.Fatal", "F0304 05:06:06.048422       1 manager.go:55] leaderelection lost\nHEADER", CauseLogFatal, "leaderelection lost", 1, "manager.go:55]"},
		{"zap at level fatal", `{"level":"fatal","ts":1.5,"msg":"cannot start"}` + "\nHEADER", CauseLogFatal, "cannot start", 1, "fatal"},
		{"an unknown prefix that the header has too", "[00058.247] 05208> panic: not implemented\n[00058.247] 05208>\n[00058.247] 05208> HEADER", CausePanic, "not implemented", 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := causeBefore(t, tt.text)
			if c == nil {
				t.Fatal("no cause")
			}
			if c.Kind != tt.kind || c.Text != tt.value || c.Line != tt.line || !strings.Contains(c.LogLine, tt.inLogged) {
				t.Errorf("got %s %q at line %d, log line %q", c.Kind, c.Text, c.Line, c.LogLine)
			}
			if tt.kind == CauseLoggedPanic && (len(c.Panics) != 1 || !c.Panics[0].Recovered) {
				t.Errorf("a logged panic was recovered: %+v", c.Panics)
			}
		})
	}
}

func TestNoCauseWhereNothingSpeaksOfOne(t *testing.T) {
	tests := map[string]string{
		"ordinary log lines":                      "I0304 05:06:06.048422       1 a.go:1] tick\ntime=\"x\" level=info msg=tick\n\nHEADER",
		"a panic long ago":                        "panic: boom\n" + strings.Repeat("\n2026/03/04 05:06:07 tick", 70) + "\nHEADER",
		"a logged panic long ago":                 "2026/03/04 05:06:55 http: panic serving 10.0.0.1:1: boom\n" + strings.Repeat("tick\n", 20) + "HEADER",
		"many log lines since a logged panic":     "2026/03/04 05:06:55 http: panic serving 10.0.0.1:1: boom\n" + strings.Repeat("2026/03/04 05:06:55 tick\n", 5) + "HEADER",
		"the word two log lines above":            "2026/03/04 05:06:55 no panic here\n2026/03/04 05:06:55 tick\nHEADER",
		"a note that is no error":                 "runtime: mlock of signal stack failed: 12\n\nHEADER",
		"a program's line about a signal":         "SIGTERM: shutting down\n2026/03/04 tick\n2026/03/04 tick\nHEADER",
		"a debug handler's line before its stack": "=== BEGIN goroutine stack dump ===\nHEADER",
		"another program's fatal line farther up": "2026-03-04 05:06:55 UTC FATAL too many connections\nx\nHEADER",
		"the word in the middle of another":       "2026/03/04 05:06:55 titanic mechanics\nHEADER",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			if c := causeBefore(t, text); c != nil {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestCauseIsTakenOnce(t *testing.T) {
	var c causeTracker
	c.line([]byte("panic: boom"), 1, nil)
	c.line(nil, 2, nil)
	if c.take(3) == nil {
		t.Fatal("no cause")
	}
	if got := c.take(4); got != nil {
		t.Errorf("taken twice: %+v", got)
	}
}

func TestFakeHeaderInAPanicsTextIsHeldBack(t *testing.T) {
	var c causeTracker
	c.line([]byte("panic: one"), 1, nil)
	c.line([]byte("two"), 2, nil)
	if !c.open() {
		t.Error("the text of two lines and no empty line since is not open")
	}
	c.line([]byte("goroutine 99 [fake]:"), 3, nil)
	c.line([]byte("end"), 4, nil)
	c.line(nil, 5, nil)
	if c.open() {
		t.Error("still open behind the empty line")
	}
	if cause := c.take(6); cause == nil || !strings.Contains(cause.Text, "goroutine 99 [fake]:\nend") {
		t.Errorf("cause %+v", cause)
	}
}

func TestTrueHeaderIsFoundWhereFramingLostEmptyLines(t *testing.T) {
	var c causeTracker
	stamp := []byte("Mar 04 05:06:07")
	c.line([]byte("panic: one"), 1, stamp)
	c.line([]byte("\ttwo"), 2, stamp)
	if c.open() {
		t.Error("open, though this framing may have dropped the empty line")
	}
	var plain causeTracker
	plain.line([]byte("panic: one"), 1, nil)
	plain.line([]byte("two"), 2, nil)
	plain.line([]byte("goroutine 1 [running]:"), 3, nil)
	plain.line([]byte("main.main()"), 4, nil)
	if plain.open() {
		t.Error("a header with a frame behind it does not end the text")
	}
}

func TestRuntimeStackEndsAtTheEmptyLine(t *testing.T) {
	var c causeTracker
	for i, line := range []string{"fatal error: stack overflow", "", "runtime stack:", "runtime.throw({0x1?, 0x2?})", "\t/go/src/runtime/panic.go:992 +0x71"} {
		c.line([]byte(line), int64(i), nil)
		if want := i >= 2; c.inStack() != want {
			t.Errorf("behind %q: in the runtime's stack %v, want %v", line, c.inStack(), want)
		}
	}
	c.line(nil, 6, nil)
	if c.inStack() {
		t.Error("still in the runtime's stack behind the empty line")
	}
}

func TestCauseMemoryIsBounded(t *testing.T) {
	var c causeTracker
	long := []byte("panic: " + strings.Repeat("x", 1<<20))
	for i := range int64(10000) {
		c.line(long, i, nil)
		c.line([]byte("runtime: "+strings.Repeat("y", 1<<12)), i, nil)
		c.line([]byte(strings.Repeat("z", 1<<12)), i, nil)
	}
	c.line([]byte("panic: x"), 10001, nil)
	cause := c.take(10002)
	if cause == nil {
		t.Fatal("no cause")
	}
	size := len(cause.Text) + len(cause.Detail)
	for _, n := range cause.Notes {
		size += len(n)
	}
	for _, p := range cause.Panics {
		size += len(p.Text)
	}
	if limit := (maxPanics+2)*maxCauseText + maxCauseNotes*maxNoteText; size > limit {
		t.Errorf("%d bytes kept, more than %d", size, limit)
	}
}

func TestOrdinaryLinesAllocateNothing(t *testing.T) {
	var c causeTracker
	lines := [][]byte{
		[]byte(`time="2026-03-04T05:03:55Z" level=info msg="sync finished" items=521 generation=159`),
		[]byte("E0304 05:03:57.878758       1 leaderelection.go:271] successfully renewed lease"),
		[]byte("runsc started"), []byte("SIGTERM received"), []byte("\tat frame"), nil,
	}
	for range recentSlots { // the slots grow once
		for _, l := range lines {
			c.line(l, 1, nil)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, l := range lines {
			c.line(l, 1, nil)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCauseOrdinaryLine(b *testing.B) {
	var c causeTracker
	line := []byte(`time="2026-03-04T05:03:55Z" level=info msg="sync finished" items=521 generation=159`)
	b.SetBytes(int64(len(line)))
	num := int64(0)
	for b.Loop() {
		num++
		c.line(line, num, nil)
	}
}

func FuzzCause(f *testing.F) {
	f.Add("panic: a [recovered]\n\tpanic: b\n\nH\nSIGABRT: abort\nPC=0x1 m=0\nH")
	f.Add("fatal error: x\n\nruntime stack:\nruntime.throw()\n\t/a.go:1 +0x1\n\nH")
	f.Add("E1120 18:05:32.123456       1 runtime.go:77] Observed a panic: x (y)\nH")
	f.Add("F1120 18:05:32.123456       1 a.go:7] x\n{\"level\":\"fatal\",\"msg\":\"\\u00\nH\nxx panic: x\nxx H")
	f.Fuzz(func(t *testing.T, text string) {
		var c causeTracker
		for i, line := range strings.Split(text, "\n") {
			if prefix, ok := strings.CutSuffix(line, "H"); ok && !c.open() {
				if prefix != "" {
					c.line([]byte(prefix), int64(i), nil)
				}
				if cause := c.take(int64(i)); cause != nil {
					if cause.Kind == "" || len(cause.Text) > maxCauseText || len(cause.LogLine) > maxLogLine {
						t.Errorf("cause %+v", cause)
					}
					for _, s := range []string{cause.Text, cause.LogLine, cause.Signal, cause.Detail} {
						if !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
							t.Errorf("control characters in %+v", cause)
						}
					}
				}
				continue
			}
			c.line([]byte(line), int64(i), []byte("s")[:len(text)%2])
		}
	})
}

func TestABlankLineLongAfterASignalBeginsNothing(t *testing.T) {
	text := "SIGQUIT: quit\n" + strings.Repeat("a line of a log\n", contactLines) + "   \n"
	dumps, err := Parse(strings.NewReader(text))
	if err != nil || len(dumps) != 0 {
		t.Errorf("dumps %v, error %v", dumps, err)
	}
}
