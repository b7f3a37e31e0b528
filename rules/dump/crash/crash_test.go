package crash

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestEachCauseBelongsToOneRule(t *testing.T) {
	signal := func(name string, notes ...string) *stackparse.Cause {
		return &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: name, Notes: notes}
	}
	fatal := func(text string, notes ...string) *stackparse.Cause {
		return &stackparse.Cause{Kind: stackparse.CauseFatal, Text: text, Notes: notes}
	}
	died := func(texts ...string) *stackparse.Cause {
		c := &stackparse.Cause{Kind: stackparse.CausePanic, Text: texts[len(texts)-1]}
		for _, s := range texts {
			c.Panics = append(c.Panics, stackparse.Panic{Text: s})
		}
		return c
	}
	logged := func(text string) *stackparse.Cause {
		return &stackparse.Cause{Kind: stackparse.CauseLoggedPanic, Text: text}
	}
	const cgo = "signal arrived during cgo execution"
	for _, tt := range []struct {
		claim string
		cause *stackparse.Cause
		want  string
	}{
		{"no cause at all", nil, ""},
		{"SIGQUIT is asked for", signal("SIGQUIT: quit", "PC=0x1 m=0 sigcode=0"), ""},
		{"SIGABRT by kill is asked for", signal("SIGABRT: abort", "PC=0x1 m=0 sigcode=0"), ""},
		{"SIGABRT by kill while in C is asked for", signal("SIGABRT: abort", "PC=0x1 m=0 sigcode=0", cgo), ""},
		{"SIGABRT without a code (Go 1.4) is taken as asked for", signal("SIGABRT: abort", "PC=0x1"), ""},
		{"SIGTERM is asked for", signal("SIGTERM: terminated"), ""},
		{"SIGSEGV by kill is asked for", signal("SIGSEGV: segmentation violation", "PC=0x1 m=0 sigcode=0"), ""},
		{"abort(3) in C", signal("SIGABRT: abort", "PC=0x1 m=0 sigcode=18446744073709551610", cgo), idCgoCrash},
		{"abort(3) because no thread could be made", signal("SIGABRT: abort", "runtime/cgo: pthread_create failed: "+
			"Resource temporarily unavailable", "PC=0x1 m=0 sigcode=18446744073709551610"), idThreadExhaustion},
		{"SIGSEGV in C", signal("SIGSEGV: segmentation violation", "PC=0x1 m=3 sigcode=1 addr=0x0", cgo), idCgoCrash},
		{"SIGSEGV in assembly", signal("SIGSEGV: segmentation violation", "PC=0x1 m=79 sigcode=128"), idFatalSignal},
		{"a Windows exception", signal("Exception 0xc0000005 0x0 0x0 0x7ffa1b2c3d4e", "PC=0x7ffa1b2c3d4e"),
			idFatalSignal},
		{"a Windows exception in C", signal("Exception 0xc0000005 0x0 0x0 0x7ffa1b2c3d4e", "PC=0x7ffa1b2c3d4e", cgo),
			idCgoCrash},
		{"SIGILL", signal("SIGILL: illegal instruction", "PC=0x1 m=0 sigcode=2"), idFatalSignal},
		{"SIGSYS", signal("SIGSYS: bad system call", "PC=0x1 m=0 sigcode=1"), idFatalSignal},

		{"deadlock", fatal("all goroutines are asleep - deadlock!"), idAllAsleep},
		{"Goexit in main", fatal("no goroutines (main called runtime.Goexit) - deadlock!"), idAllAsleep},
		{"map writes", fatal("concurrent map writes"), idConcurrentMap},
		{"map read", fatal("concurrent map read and map write"), idConcurrentMap},
		{"map iteration", fatal("concurrent map iteration and map write"), idConcurrentMap},
		{"small map (1.24)", fatal("small map with no empty slot (concurrent map writes?)"), idConcurrentMap},
		{"unlock", fatal("sync: unlock of unlocked mutex"), idUnlockOfUnlocked},
		{"RUnlock", fatal("sync: RUnlock of unlocked RWMutex"), idUnlockOfUnlocked},
		{"synctest misuse", fatal("send on synctest channel from outside bubble"), idSynctestDeadlock},
		{"synctest misuse of a WaitGroup", fatal("sync: WaitGroup.Add called from multiple synctest bubbles"),
			idSynctestDeadlock},
		{"out of memory", fatal("out of memory"), idOutOfMemory},
		{"out of memory (1.13)", fatal("runtime: out of memory"), idOutOfMemory},
		{"out of address space", fatal("runtime: cannot allocate heap metadata"), idOutOfMemory},
		{"threads", fatal("thread exhaustion"), idThreadExhaustion},
		{"no new thread", fatal("runtime.newosproc"), idThreadExhaustion},
		{"overflow", fatal("stack overflow"), idStackOverflow},
		{"fault", fatal("fault", "unexpected fault address 0x7f0000000000"), idFatalSignal},
		{"signal in the runtime", fatal("unexpected signal during runtime execution"), idFatalSignal},
		{"signal in C, unhandled", fatal("unexpected signal during runtime execution", cgo), idCgoCrash},
		{"bad pointer", fatal("found bad pointer in Go heap (incorrect use of unsafe or cgo?)"), idHeapCorruption},
		{"malloc deadlock", fatal("malloc deadlock"), idHeapCorruption},
		{"swept twice", fatal("mspan.sweep: bad span state"), idHeapCorruption},
		{"checkptr", fatal("checkptr: misaligned pointer conversion"), idCgoPointer},
		{"nil go", fatal("go of nil func value"), idNilDereference},
		{"anything else", fatal("casgstatus: bad incoming values"), idRuntimeFatal},

		{"nil", died("runtime error: invalid memory address or nil pointer dereference"), idNilDereference},
		{"nil pointer to a value method", died("value method main.T.M called using nil *T pointer"), idNilDereference},
		{"index", died("runtime error: index out of range [5] with length 3"), idIndexOutOfRange},
		{"index before 1.13", died("runtime error: index out of range"), idIndexOutOfRange},
		{"slice", died("runtime error: slice bounds out of range [:5] with capacity 3"), idIndexOutOfRange},
		{"array conversion", died("runtime error: cannot convert slice with length 2 to array or pointer to array " +
			"with length 4"), idIndexOutOfRange},
		{"nil map", died("assignment to entry in nil map"), idNilMapWrite},
		{"assertion", died("interface conversion: interface {} is string, not int"), idFailedTypeAssertion},
		{"unhashable", died("runtime error: hash of unhashable type []int"), idUnhashableKey},
		{"uncomparable", died("runtime error: comparing uncomparable type []int"), idUnhashableKey},
		{"division", died("runtime error: integer divide by zero"), idArithmeticPanic},
		{"shift", died("runtime error: negative shift amount"), idArithmeticPanic},
		{"send", died("send on closed channel"), idClosedChannel},
		{"close twice", died("close of closed channel"), idClosedChannel},
		{"close nil", died("close of nil channel"), idClosedChannel},
		{"negative counter", died("sync: negative WaitGroup counter"), idWaitGroupMisuse},
		{"misuse", died("sync: WaitGroup misuse: Add called concurrently with Wait"), idWaitGroupMisuse},
		{"reuse", died("sync: WaitGroup is reused before previous Wait has returned"), idWaitGroupMisuse},
		{"makeslice", died("runtime error: makeslice: len out of range"), idAllocationSize},
		{"makechan", died("makechan: size out of range"), idAllocationSize},
		{"growslice", died("runtime error: growslice: len out of range"), idAllocationSize},
		{"Repeat", died("strings: negative Repeat count"), idAllocationSize},
		{"reflect", died("reflect: call of reflect.Value.Elem on struct Value"), idReflectMisuse},
		{"reflect.Set", died("reflect.Set: value of type int is not assignable to type string"), idReflectMisuse},
		{"cgocheck", died("runtime error: cgo argument has Go pointer to unpinned Go pointer"), idCgoPointer},
		{"bubble", died("deadlock: all goroutines in bubble are blocked"), idSynctestDeadlock},
		{"an error of the program", died("open /etc/depot.yaml: no such file or directory"), idExplicitPanic},
		{"an error that speaks of reflection", died("shelf: reflect: nothing to see"), idExplicitPanic},
		{"an error that speaks of a deadlock", died("database deadlock: retry"), idExplicitPanic},
		{"no text", died(""), idExplicitPanic},
		{"a wrapped runtime error", died("worker 3: runtime error: index out of range [5] with length 3"),
			idIndexOutOfRange},
		{"a chain belongs to its first link", died("runtime error: integer divide by zero", "giving up"),
			idArithmeticPanic},
		{"a logged panic, quoted", logged(`"send on closed channel" (send on closed channel)`), idClosedChannel},
		{"a logged panic, reflect quoted", logged(`"reflect: call of reflect.Value.Type on zero Value"`),
			idReflectMisuse},
		{"test timeout", &stackparse.Cause{Kind: stackparse.CauseTestTimeout, Text: "test timed out after 1s"},
			idTestTimeout},
		{"fatal log", &stackparse.Cause{Kind: stackparse.CauseLogFatal, Text: "leaderelection lost"}, idLogFatal},
		{"race report", &stackparse.Cause{Kind: stackparse.CauseRace}, ""},
	} {
		if got := causeRule(tt.cause); got != tt.want {
			t.Errorf("%s: rule %q, want %q", tt.claim, got, tt.want)
		}
	}
}

// Every rule must bear every dump, whatever is missing in it: a log is hostile.
func TestCrashRulesBearDumpsWithHolesInThem(t *testing.T) {
	kinds := []stackparse.CauseKind{
		stackparse.CauseSignal, stackparse.CauseFatal, stackparse.CausePanic, stackparse.CauseLoggedPanic,
		stackparse.CauseLogFatal, stackparse.CauseTestTimeout, stackparse.CauseRace, "unheard of",
	}
	var texts []string
	for _, table := range [][]textRule{fatalTexts(), panicTexts()} {
		for _, row := range table {
			texts = append(texts, row.texts...)
		}
	}
	texts = append(texts, "", "leaderelection lost", strings.Repeat("x", 5000), "index out of range [",
		"test timed out after", "cannot allocate -byte block (")
	buckets := [][]*stackparse.Bucket{
		nil,
		{{}},
		{{Goroutines: []stackparse.Goroutine{{}}, Count: 1}},
		{{Frames: []stackparse.Frame{{Elided: -1}}, Goroutines: []stackparse.Goroutine{{ID: 1, State: 99}}, Count: 1}},
		{{Frames: []stackparse.Frame{{Frame: frame.Frame{Func: "panic"}}}, Shown: []int{0},
			Goroutines: []stackparse.Goroutine{{ID: 1}}, Count: 1}},
		{{Frames: []stackparse.Frame{{Frame: frame.Frame{Func: "a.b", File: "<autogenerated>", Line: 1}}},
			Goroutines: []stackparse.Goroutine{{ID: 1}}, Count: 1}},
		{{Frames: []stackparse.Frame{{Frame: frame.Frame{Func: "a._Cfunc_b"}}},
			Goroutines: []stackparse.Goroutine{{ID: 1, Flags: stackparse.FlagG0}}, Count: 1}},
	}
	set := Rules()
	for _, kind := range kinds {
		for _, text := range texts {
			for i, b := range buckets {
				cause := &stackparse.Cause{Kind: kind, Text: text, Signal: "SIGSEGV: x"}
				d := &rules.DumpInput{Dump: &stackparse.Dump{Cause: cause, Buckets: b, Races: []stackparse.Race{{Op: text}}}}
				found := rulestest.ApplyAll(set, &rules.Pass{Dumps: []*rules.DumpInput{d}})
				for j := range found {
					if f := &found[j]; f.Title == "" || len([]rune(f.Title)) > phrase.MaxTitle || len(f.Evidence) == 0 ||
						f.Why == "" || f.Fix == "" {
						t.Fatalf("%s %q, buckets %d: incomplete finding %+v", kind, text, i, f)
					}
				}
			}
		}
	}
}

func TestRaisedBelowFindsThePanicNearestToTheEntry(t *testing.T) {
	for _, tt := range []struct {
		claim  string
		stack  string
		want   int
		panics bool
	}{
		{"a fatal panic prints no panic frame", "a.f a.g", 0, false},
		{"a handler stands above the panic frame", "debug.Stack a.Safe.func1 panic a.f a.Safe", 3, true},
		{"re-panicked twice", "a.h.func1 panic a.g.func1 panic a.f a.g a.h", 4, true},
		{"runtime.gopanic unabbreviated", "runtime.gopanic runtime.panicmem a.f", 1, true},
		{"Go 1.2 to 1.4", "a.Safe.func1 runtime.panic a.f", 2, true},
	} {
		got, panics := raisedBelow(dumptest.StackOf(tt.stack))
		if got != tt.want || panics != tt.panics {
			t.Errorf("%s: %d %v, want %d %v", tt.claim, got, panics, tt.want, tt.panics)
		}
	}
}

func TestCrashTitlesKeepTheirLimitAndTheLine(t *testing.T) {
	long := strings.Repeat("very", 50)
	for _, tt := range []struct{ who, act, where, want string }{
		{"engine.(*Volume).desired", "dereferences a nil pointer", "engine.go:70", "engine.(*Volume).desired " +
			"dereferences a nil pointer (engine.go:70)"},
		{"the process", "runs out of memory", "", "The process runs out of memory"},
		{"a.F", "panics: one\n\ttwo  three", "a.go:1", "a.F panics: one two three (a.go:1)"},
		{"engine.(*Volume).desired", "panics: " + long, "engine.go:70", "(*Volume).desired panics: " + long[:58] +
			"… (engine.go:70)"},
	} {
		if got := crashTitle(tt.who, tt.act, tt.where); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, who := range []string{"a.F", long + "." + long, "p.(*" + long + ").M"} {
		for _, act := range []string{"acts", long, strings.Repeat("語 ", 90)} {
			for _, where := range []string{"", "a.go:1", long + ".go:12"} {
				if got := crashTitle(who, act, where); len([]rune(got)) > phrase.MaxTitle {
					t.Errorf("%d characters: %q", len([]rune(got)), got)
				}
			}
		}
	}
}

func TestTimedOutReadsTheLimitAndTheTests(t *testing.T) {
	for _, tt := range []struct {
		text  string
		limit string
		names []string
	}{
		{"test timed out after 10m0s\n\trunning tests:\n\t\tTestA (9m59s)\n\t\tTestA/sub_b (9m58s)", "10m0s",
			[]string{"TestA", "TestA/sub_b"}},
		{`test timed out after 1s\n\trunning tests:\n\t\tTestA (1s)`, "1s", []string{"TestA"}},
		{"test timed out after 1s", "1s", nil}, // Go before 1.20
		{"something else", "", nil},
	} {
		limit, names := rules.RunningTests(&stackparse.Cause{Text: tt.text})
		if limit != tt.limit || !cmp.Equal(names, tt.names) {
			t.Errorf("%q: %q %q, want %q %q", tt.text, limit, names, tt.limit, tt.names)
		}
	}
}

func TestSameCrashInTwoPodsIsOneFindingWithTwoSources(t *testing.T) {
	dump := func(input, text string, kind stackparse.CauseKind, seen int) *rules.DumpInput {
		return &rules.DumpInput{Input: input, Process: input, Dump: &stackparse.Dump{
			Line: 1, Seen: seen, Stamp: "stamp of " + input, Goroutines: 1, States: []string{"running"},
			Cause: &stackparse.Cause{Kind: kind, Line: 1, Text: text, Panics: []stackparse.Panic{{Text: text}}},
			Buckets: []*stackparse.Bucket{{
				Frames: []stackparse.Frame{{Frame: frame.Frame{Func: "panic"}},
					{Frame: frame.Frame{Func: "example.com/a.f", File: "a.go", Line: 7}}},
				Goroutines: []stackparse.Goroutine{{ID: 9, Line: 2}}, Count: 1,
			}},
		}}
	}
	const text = "send on closed channel"
	found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{
		dump("one.log", text, stackparse.CauseLoggedPanic, 12),
		dump("two.log", text, stackparse.CausePanic, 1),
		dump("two.log", "assignment to entry in nil map", stackparse.CausePanic, 1),
	}})
	if len(found) != 2 {
		t.Fatalf("%d findings, want one for each kind of panic", len(found))
	}
	f := found[1]
	if f.Rule != idClosedChannel || f.Count != 13 || f.Severity != rules.Critical {
		t.Errorf("%s count %d severity %s, want %s 13 critical", f.Rule, f.Count, f.Severity, idClosedChannel)
	}
	if diff := cmp.Diff([]string{"one.log", "two.log"}, f.Sources); diff != "" {
		t.Error(diff)
	}
	if f.FirstSeen != "stamp of one.log" || f.LastSeen != "stamp of two.log" {
		t.Errorf("seen %q to %q", f.FirstSeen, f.LastSeen)
	}
}

func TestAThousandEqualRecoveredPanicsAreCountedAndFewAreListed(t *testing.T) {
	var dumps []*rules.DumpInput
	for i := range 1000 {
		dumps = append(dumps, &rules.DumpInput{Input: "app.log", Dump: &stackparse.Dump{
			Line: int64(i), Stamp: fmt.Sprint("t", i), Goroutines: 1, States: []string{"running"},
			Cause: &stackparse.Cause{Kind: stackparse.CauseLoggedPanic, Line: int64(i), Text: "assignment to entry " +
				"in nil map"},
			Buckets: []*stackparse.Bucket{{
				Key: 42,
				Frames: []stackparse.Frame{{Frame: frame.Frame{Func: "panic"}},
					{Frame: frame.Frame{Func: "example.com/a.f", File: "a.go", Line: 7}}},
				Goroutines: []stackparse.Goroutine{{ID: uint64(i)}}, Count: 1,
			}},
		}})
	}
	found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps})
	if len(found) != 1 {
		t.Fatalf("%d findings, want 1", len(found))
	}
	f := found[0]
	if f.Count != 1000 || f.FirstSeen != "t0" || f.LastSeen != "t999" || len(f.Evidence) > maxCrashEvidence+1 {
		t.Errorf("count %d, %s to %s, %d evidence", f.Count, f.FirstSeen, f.LastSeen, len(f.Evidence))
	}
	if want := "a.f wrote to a nil map, recovered 1000 times (a.go:7)"; f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
}

func TestRaceReportsOfOneWriterAreOneFinding(t *testing.T) {
	access := func(op, fn string, line int, id uint64) stackparse.Race {
		return stackparse.Race{Op: op, Addr: 0xc000018478, Goroutine: id,
			Frames: []stackparse.Frame{{Frame: frame.Frame{Func: fn, File: "a.go", Line: line}}}}
	}
	report := func(races ...stackparse.Race) *rules.DumpInput {
		return &rules.DumpInput{Dump: &stackparse.Dump{Format: stackparse.FormatRace, Races: races}}
	}
	found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{
		report(access("Write", "example.com/a.(*G).Inc", 34, 8), access("Previous write", "example.com/a.(*G).Inc", 34,
			9)),
		report(access("Read", "example.com/a.(*G).Value", 36, 0), access("Previous write", "example.com/a.(*G).Inc", 34,
			8)),
		report(access("Write", "example.com/a.(*G).Inc", 34, 9), access("Previous read", "example.com/a.(*G).Value", 36,
			0)),
		report(access("Read", "example.com/a.(*G).Name", 50, 3), access("Previous write", "example.com/a.(*G).Rename",
			52, 4)),
		report(access("Write", "", 0, 3)),
	}})
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s x%d %s", f.Culprit.Function, f.Count, f.Title))
	}
	want := []string{
		"example.com/a.(*G).Inc x3 a.(*G).Inc raced with itself in several goroutines (a.go:34)",
		"example.com/a.(*G).Rename x1 a.(*G).Rename wrote while (*G).Name read (a.go:52)",
		" x1 The process wrote memory that another goroutine used (a.go)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The corpus holds real crashes whose culprits are known from their authors' reports.
func TestRealCrashesNameTheirCulprits(t *testing.T) {
	corpus := os.Getenv("TRIAGE_CORPUS")
	if corpus == "" {
		t.Skip("TRIAGE_CORPUS is not set")
	}
	for _, tt := range []struct{ file, want string }{
		{"zoo/crash-go1.18.10-cgo-abort.txt", "TR222 main.main"},
		{"zoo/crash-go1.18.10-deadlock.txt", "TR214 main.main.func1"},
		{"zoo/crash-go1.18.10-err.txt", "TR213 main.main"},
		{"zoo/crash-go1.18.10-goexit.txt", "TR214 main.main.func2"},
		{"zoo/crash-go1.18.10-httppanic.txt", "TR213 main.main.func7"},
		{"zoo/crash-go1.18.10-maprace.txt", "TR302 main.main.func3"},
		{"zoo/crash-go1.18.10-overflow.txt", "TR219 main.overflow"},
		{"zoo/crash-go1.18.10-repanic.txt", "TR213 main.main"},
		{"zoo/crash-go1.18.10-unlock.txt", "TR210 main.main"},
		{"zoo/crash-go1.26.8-nil-tbcrash.txt", "TR201 main.main"},
		{"zoo/crash-go1.26.8-oom.txt", "TR217 main.main"},
		{"zoo/crash-go1.26.8-overflow.txt", "TR219 main.overflow"},
		{"zoo/crash-go1.26.8-resame.txt", "TR213 main.main"},
		{"zoo/crash-go1.26.8-cgo-spin-quit.txt", ""},
		{"zoo/crash-go1.26.8-interleave-quit.txt", ""},
		{"combinestacks/oom-panic.txt", "TR217 main.useMemory"},
	} {
		data, err := os.ReadFile(filepath.Join(corpus, "dumps", filepath.FromSlash(tt.file)))
		if err != nil {
			t.Fatal(err)
		}
		var dumps []*rules.DumpInput
		for _, d := range dumptest.ParseDumps(data) {
			dumps = append(dumps, &rules.DumpInput{Dump: d, Input: tt.file, Process: tt.file})
		}
		if len(dumps) == 0 {
			t.Errorf("%s: no dump", tt.file)
			continue
		}
		rulestest.Prepare(dumps, nil)
		var got []string
		for _, f := range rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps}) {
			got = append(got, f.Rule+" "+f.Culprit.Function)
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.file, s, tt.want)
		}
	}
}

// The labels name the function each program crashes in.
func TestFixtureProgramsCrashWhereTheirLabelsSay(t *testing.T) {
	root := filepath.Join("..", "..", "..", "testdata", "dumps")
	cases, err := captures.ReadCases(filepath.Join(root, "all.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	dir, checked := captures.Dumps(t, root), 0
	for _, c := range cases {
		kind, ok := strings.CutPrefix(c.Program, "crash/")
		if !ok {
			continue
		}
		file, release, goroutines, category := c.Name, c.About["go"], c.About["goroutines"], c.RootCause.Category[0]
		switch {
		case goroutines == "0":
			continue // GOTRACEBACK=none: nothing but the panic's line
		case kind == "multi-line" && release < "1.23":
			continue // the panic's text holds a whole goroutine, unindented: nothing distinguishes it from a real one
		case len(c.RootCause.Function) == 0:
			continue
		}
		culprit := c.RootCause.Function[0]
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		var dumps []*rules.DumpInput
		for _, d := range dumptest.ParseDumps(data) {
			dumps = append(dumps, &rules.DumpInput{Dump: d, Input: file, Process: file})
		}
		rulestest.Prepare(dumps, nil)
		found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 {
			t.Errorf("%s: %d findings, want one", file, len(found))
			continue
		}
		f := found[0]
		if string(f.Category) != category {
			t.Errorf("%s: category %s, want %s", file, f.Category, category)
		}
		// An inlined function may show only as the closure that holds it.
		// Before Go 1.21 the entry of a deep stack is not shown: any function of the cycle will do.
		if kind == "stack-overflow" && release < "1.21" {
			culprit = "main.visitBerth"
		}
		if f.Culprit.Function != culprit && kind != "map-writes" {
			t.Errorf("%s: culprit %s, want %s", file, f.Culprit.Function, culprit)
		}
		if f.Severity.Rank() < rules.High.Rank() {
			t.Errorf("%s: severity %s", file, f.Severity)
		}
		checked++
	}
	if checked == 0 {
		t.Error("the manifest lists no crash")
	}
}

func TestAFileIsPrintedAsACheckoutHasIt(t *testing.T) {
	known, guessed := frame.Program{Module: "github.com/acme/x"}, frame.Program{Module: "example.com/team/x", Guessed: true}
	for _, tt := range []struct {
		claim     string
		program   frame.Program
		pkg, file string
		want      string
	}{
		{"a folder of the module", known, "github.com/acme/x/a/b", "/app/a/b/c.go", "a/b/c.go"},
		{"the module's root", known, "github.com/acme/x", "/app/c.go", "c.go"},
		{"a package of tests", known, "github.com/acme/x/a_test", "/app/a/a_test.go", "a/a_test.go"},
		{"a package of tests in the root", known, "github.com/acme/x_test", "/app/x_test.go", "x_test.go"},
		{"a dot in the folder", known, "github.com/acme/x/v1%2e2", "/app/v1.2/c.go", "v1.2/c.go"},
		{"another module", known, "github.com/acme/xyz/a", "/app/a/c.go", ""},
		{"what the module vendors", known, "github.com/acme/x/vendor/example.com/a", "/app/vendor/example.com/a/c.go", ""},
		{"where the module begins is a guess", guessed, "example.com/team/x/a/b", "/app/a/b/c.go",
			`"$(git ls-files ':(glob)**/a/b/c.go')"`},
		{"the package may be the module or a folder of it", guessed, "example.com/team/x", "x/c.go",
			`"$(git ls-files c.go ':(glob)**/x/c.go')"`},
		{"what git would take for a pattern", guessed, "example.com/team/x/a[b]", "x/c.go", ""},
		{"what a shell would take for a command", guessed, "example.com/team/x/a$(b)'", "x/c.go",
			`"$(git ls-files ':(glob)**/a$(b)'\''/c.go')"`},
	} {
		c := &crash{d: &rules.DumpInput{Program: tt.program}}
		c.blame.Culprit = rules.Place{Package: tt.pkg, File: tt.file, Line: 1}
		if got := c.sourceFile(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.claim, got, tt.want)
		}
	}
}
