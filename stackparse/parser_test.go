package stackparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParser_CollapsesWhateverSurroundsAStack(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"as printed":                 {pair, pairWant},
		"tabs became spaces":         {strings.ReplaceAll(pair, "\t", "        "), pairWant},
		"tabs were trimmed":          {strings.ReplaceAll(pair, "\t", ""), pairWant},
		"indented by two spaces":     {"  " + strings.ReplaceAll(pair, "\n", "\n  "), pairWant},
		"indented by a tab":          {"\t" + strings.ReplaceAll(pair, "\n", "\n\t"), pairWant},
		"blanks behind lines":        {strings.ReplaceAll(pair, "\n", "  \n"), pairWant},
		"two carriage returns":       {strings.ReplaceAll(pair, "\n", "\r\r\n"), pairWant},
		"no blank line between":      {strings.ReplaceAll(pair, "\n\n", "\n"), pairWant},
		"no line end at the end":     {strings.TrimSuffix(pair, "\n"), pairWant},
		"text before the header":     {strings.Replace(pair, "goroutine 7 [", "got a stack: goroutine 7 [", 1), pairWant},
		"offsets differ":             {strings.Replace(pair, "+0x1d", "+0x3f", 1), pairWant},
		"no offset on one":           {strings.Replace(pair, " +0x2a", "", 1), pairWant},
		"fp, sp and pc on one":       {strings.Replace(pair, "+0x2a", "+0x2a fp=0xc00009af18 sp=0xc00009aef0 pc=0x4a3c1b", 1), pairWant},
		"inlined on one":             {strings.Replace(pair, "main.inner(0xc000010018)", "main.inner(...)", 1), pairWant},
		"no parent id on one":        {strings.Replace(pair, " in goroutine 7", "", 1), pairWant},
		"locked to thread on one":    {strings.Replace(pair, "[chan receive]", "[chan receive, locked to thread]", 1), pairWant},
		"another state on one":       {strings.Replace(pair, "[chan receive]", "[runnable]", 1), pairWant},
		"a path with blanks":         {strings.ReplaceAll(pair, "/src/", "/my source/"), pairWant},
		"a drive letter":             {strings.ReplaceAll(pair, "/src/", "C:/src/"), pairWant},
		"a trimmed path":             {strings.ReplaceAll(pair, "/src/", "example.com/app/"), pairWant},
		"another line is another":    {strings.Replace(pair, "main.go:10", "main.go:11", 1), "1*main.inner<main.outer^main.main 1*main.inner<main.outer^main.main"},
		"another creator is another": {strings.Replace(pair, "main.go:30", "main.go:31", 1), "1*main.inner<main.outer^main.main 1*main.inner<main.outer^main.main"},
		"another leaf is another":    {strings.Replace(pair, "main.inner", "main.other", 1), "1*main.other<main.outer^main.main 1*main.inner<main.outer^main.main"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := parseOne(t, test.text)
			if got := summary(d); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if d.Goroutines != 2 || d.Truncated != (Truncation{}) {
				t.Errorf("%d goroutines, truncated %v", d.Goroutines, d.Truncated)
			}
		})
	}
}

func TestParser_KeepsWhatDiffersBetweenNeighbours(t *testing.T) {
	b := parseOne(t, "log line\n"+pair).Buckets[0]
	want := []Goroutine{
		{ID: 7, Line: 2, Parent: 1, Minutes: 3, Flags: FlagFirst},
		{ID: 8, Line: 10, Parent: 7},
	}
	if diff := cmp.Diff(want, b.Goroutines); diff != "" {
		t.Error(diff)
	}
	if b.MinMinutes != 0 || b.MaxMinutes != 3 {
		t.Errorf("minutes %d to %d", b.MinMinutes, b.MaxMinutes)
	}
}

func TestParser_LinesOfLoggersInsideADumpAreCounted(t *testing.T) {
	const log = `I0304 05:06:06.048422       1 manager.go:55] sync done (3)`
	between := func(before string, lines ...string) string {
		return strings.Replace(pair, before, strings.Join(lines, "\n")+"\n"+before, 1)
	}
	tests := map[string]struct{ text, want string }{
		"between header and leaf":            {between("main.inner", log), pairWant + " unparsed=1"},
		"between function and file":          {between("\t/src/main.go:10", log), pairWant + " unparsed=1"},
		"between file and function":          {between("main.outer", log, log), pairWant + " unparsed=2"},
		"between creator and its file":       {between("\t/src/main.go:30", log), pairWant + " unparsed=1"},
		"between two goroutines":             {between("\ngoroutine 8", "", log), pairWant + " unparsed=1"},
		"behind the creator, no blank line":  {strings.Replace(pair, "\n\n", "\n"+log+"\n", 1), pairWant + " unparsed=1"},
		"a line that ends like a call":       {between("main.outer", "listening on port (8080)"), pairWant + " unparsed=1"},
		"a line that is a call but no frame": {between("main.outer", "main.lost(0x1)"), pairWant + " unparsed=1"},
		"a creator whose file line is lost":  {strings.Replace(pair, "\t/src/main.go:30 +0x5c\n\n", "\n", 1), "1*main.inner<main.outer 1*main.inner<main.outer^main.main unparsed=1"},
		"a stack-like JSON line":             {between("main.outer", `{"msg":"x","stack":"main.f()\n\t/a.go:1"}`), pairWant + " unparsed=1"},
		"behind the last goroutine":          {pair + "\n" + log + "\n" + log + "\n", pairWant},
		"directly behind the last frame":     {pair + log + "\n", pairWant},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := summary(parseOne(t, test.text)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestParser_UnparsedLinesAreQuotedWithTheirNumbers(t *testing.T) {
	long := strings.Repeat("x", 300)
	d := parseOne(t, strings.Replace(pair, "main.outer", "first stray\n"+long+"\nmain.outer", 1))
	want := []UnparsedLine{{Line: 4, Text: "first stray"}, {Line: 5, Text: long[:256]}}
	if diff := cmp.Diff(want, d.Unparsed); diff != "" {
		t.Error(diff)
	}
	many := strings.Replace(pair, "main.outer", strings.Repeat("stray\n", 30)+"main.outer", 1)
	if d := parseOne(t, many); len(d.Unparsed) != maxUnparsed || d.UnparsedLines != 30 {
		t.Errorf("%d kept, %d counted", len(d.Unparsed), d.UnparsedLines)
	}
}

func TestParser_HalvesOfALineAroundALogLineAreJoined(t *testing.T) {
	const log = `time="2026-11-21T02:09:54Z" level=info msg="tick"`
	splice := func(line string, at int) string {
		return strings.Replace(pair, line, line[:at]+log+"\n"+line[at:], 1)
	}
	tests := map[string]string{
		"in a function's name": splice("main.outer(0x1", 7),
		"in arguments":         splice("main.outer(0x1, {0xc000010018", 14),
		"in a file's path":     splice("\t/src/main.go:20", 6),
		"in a line's number":   splice("\t/src/main.go:20", 15),
		"in a header":          splice("goroutine 8 [chan receive]", 14),
		"in the first header":  splice("goroutine 7 [chan receive, 3", 20),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			dumps := parse([]byte(text))
			if name == "in the first header" {
				// No dump is open: nothing shows that the halves belong together. The second goroutine is found.
				if len(dumps) != 1 || dumps[0].Goroutines != 1 {
					t.Errorf("got %v", summaries(dumps))
				}
				return
			}
			if got := summaries(dumps); len(got) != 1 || got[0] != pairWant {
				t.Errorf("got %v, want %s", got, pairWant)
			}
		})
	}
}

func TestParser_SaysWhichEndOfADumpIsMissing(t *testing.T) {
	signal := "SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n" + pair
	tests := map[string]struct {
		text string
		want Truncation
	}{
		"whole":                        {pair, Truncation{}},
		"whole, then a log":            {pair + "\nlog line\n", Truncation{}},
		"a signal's without registers": {signal, Truncation{Tail: true}},
		"a signal's with registers":    {signal + "\nrax    0xca\nrbx    0x0\n", Truncation{}},
		"behind a function line":       {pair[:strings.LastIndex(pair, "\t/src/main.go:20")], Truncation{Tail: true}},
		"in a function line":           {pair[:strings.LastIndex(pair, "ain.outer")], Truncation{Tail: true}},
		"behind a middle frame":        {pair[:strings.LastIndex(pair, "main.outer")], Truncation{Tail: true}},
		"behind the creator":           {pair[:strings.LastIndex(pair, "\t/src/main.go:30")], Truncation{Tail: true}},
		"begins with a file line":      {pair[strings.Index(pair, "\t/src/main.go:30"):], Truncation{Head: true}},
		"begins in a stack":            {pair[strings.Index(pair, "main.outer"):], Truncation{Head: true}},
		"main, whole":                  {"goroutine 1 [select]:\nmain.main()\n\t/src/main.go:5 +0x1d\n", Truncation{}},
		"an initializer":               {"panic: x\n\ngoroutine 1 [running]:\nmain.init.0()\n\t/src/main.go:5 +0x1d\n", Truncation{}},
		"the outer frames elided":      {"goroutine 1 [select]:\nmain.f()\n\t/src/main.go:5 +0x1d\n...additional frames elided...\n", Truncation{}},
		"in the elided middle":         {"goroutine 1 [select]:\nmain.f()\n\t/src/main.go:5 +0x1d\n...17 frames elided...\n", Truncation{Tail: true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := parseOne(t, test.text).Truncated; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestParser_MarksTheGoroutineThatWasCut(t *testing.T) {
	d := parseOne(t, pair[:strings.LastIndex(pair, "\t/src/main.go:20")])
	var cut []uint64
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			if b.Goroutines[i].Flags&FlagCut != 0 {
				cut = append(cut, b.Goroutines[i].ID)
			}
		}
	}
	if diff := cmp.Diff([]uint64{8}, cut); diff != "" {
		t.Error(diff)
	}
}

func TestParser_TellsTwoDumpsInOneStreamApart(t *testing.T) {
	running := strings.Replace(pair, "chan receive, 3 minutes", "running", 1)
	far := strings.Repeat("just a log line\n", maxUnparsedRun+1)
	near := strings.Repeat("just a log line\n", maxUnparsedFirst)
	signal := "SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n"
	other := strings.NewReplacer("goroutine 7", "goroutine 70", "goroutine 8", "goroutine 80").Replace(pair)
	one := "goroutine 99 [select]:\nmain.alone()\n\t/src/main.go:5 +0x1d\ncreated by main.main\n\t/src/main.go:6 +0x1\n\n"
	tests := map[string]struct {
		text string
		want int
	}{
		"by a cause":                         {signal + pair + "\nrax    0x1\n" + signal + other, 2},
		"by a repeated id":                   {pair + "\n" + pair, 2},
		"by the goroutine that prints":       {running + "\n" + strings.NewReplacer("e 7", "e 70", "e 8", "e 80").Replace(running), 2},
		"by distance":                        {pair + "\n" + far + other, 2},
		"by distance behind a lone stack":    {one + near + "one more\n" + other, 2},
		"near ones are one":                  {pair + "\n" + near + other, 1},
		"near a lone stack they are one":     {one + near + other, 1},
		"empty lines are no distance":        {pair + strings.Repeat("\n", 200) + other, 1},
		"a log line about a panic is no end": {pair + "\nE0304 05:06:06.048422       1 a.go:5] Observed a panic: \"x\" (x)\n" + other, 1},
		"a logged panic's stack is its own":  {pair + "\nE0304 05:06:06.048422       1 a.go:5] Observed a panic: \"x\" (x)\n" + strings.NewReplacer("e 7", "e 70", "e 8", "e 80").Replace(running), 2},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dumps := parse([]byte(test.text))
			if len(dumps) != test.want {
				t.Errorf("%d dumps, want %d: %v", len(dumps), test.want, summaries(dumps))
			}
			sum, headers := 0, strings.Count(test.text, "goroutine 7")+strings.Count(test.text, "goroutine 8")+strings.Count(test.text, "goroutine 99")
			headers -= strings.Count(test.text, "in goroutine 7")
			for _, d := range dumps {
				sum += d.Goroutines
			}
			if sum != headers {
				t.Errorf("%d goroutines, %d headers", sum, headers)
			}
		})
	}
}

func TestParser_ASpinnerInADumpWithoutHeadIsNoOtherDump(t *testing.T) {
	cut := pair[strings.Index(pair, "\t/src/main.go:30"):]
	spinner := "\ngoroutine 9 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main\n\t/src/main.go:31 +0x5c\n"
	d := parseOne(t, cut+spinner+"\n"+goroutineText("10", "select", "main.f()"))
	if d.Goroutines != 3 || !d.Truncated.Head {
		t.Errorf("got %s, truncated %+v", summary(d), d.Truncated)
	}
	if dumps := parse([]byte(cut + "\na log line\n" + spinner)); len(dumps) != 2 {
		t.Errorf("behind other text: %v", summaries(dumps))
	}
}

func TestParser_FunctionLinesWithoutFilesEndADump(t *testing.T) {
	other := strings.NewReplacer("goroutine 7", "goroutine 70", "goroutine 8", "goroutine 80").Replace(pair)
	noise := strings.Repeat("sync.done (3)\nmain.done(0x1)\n", maxUnparsedRun)
	cut := pair[:strings.LastIndex(pair, "created by")]
	if dumps := parse([]byte(cut + noise + other)); len(dumps) != 2 {
		t.Errorf("got %v", summaries(dumps))
	}
}

// What GOTRACEBACK=crash prints behind the first dump: each thread is sent the signal in turn (Go 1.5+).
const threadSection = `-----

SIGQUIT: quit
PC=0x490ba1 m=2 sigcode=0

goroutine 0 gp=0xc000006700 m=2 mp=0xc00004e808 [idle]:
runtime.futex(0xc00004e960, 0x80, 0x0, 0x0, 0x0, 0x0)
	/usr/local/go/src/runtime/sys_linux_amd64.s:569 +0x21 fp=0x7f sp=0x7e pc=0x490ba1

rax    0xca
rbx    0x0
`

func TestParser_MergesTheThreadsOfACrash(t *testing.T) {
	first := "SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n" + pair + "\nrax    0xca\n"
	ran := strings.Replace(threadSection, "\nrax", "\ngoroutine 8 gp=0xc000007880 m=2 mp=0xc00004e808 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main in goroutine 1\n\t/src/main.go:30 +0x5c\n\nrax", 1)
	d := parseOne(t, first+threadSection+ran+threadSection)
	if d.Threads != 3 || d.Goroutines != 6 || d.UnparsedLines != 0 || d.Truncated.Tail {
		t.Errorf("%d threads, %d goroutines, %d unparsed, %v", d.Threads, d.Goroutines, d.UnparsedLines, d.Truncated)
	}
}

func TestParser_ARulerInALogBeginsNoThread(t *testing.T) {
	other := strings.NewReplacer("goroutine 7", "goroutine 70", "goroutine 8", "goroutine 80").Replace(pair)
	dumps := parse([]byte(pair + "-----\n" + strings.Repeat("text\n", 100) + other))
	if len(dumps) != 2 || dumps[0].Threads != 0 {
		t.Errorf("got %v", summaries(dumps))
	}
	signal := "SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n"
	dumps = parse([]byte(signal + pair + "\nrax    0x1\n-----\n" + strings.Repeat("text\n", 100) + other))
	if len(dumps) != 2 || dumps[0].Threads != 0 {
		t.Errorf("behind a signal's dump: %v", summaries(dumps))
	}
}

func TestParser_NothingGoesOnBehindRegistersOrAnExitStatus(t *testing.T) {
	for _, end := range []string{"\nrax    0xca\nr8     0x0\nrflags 0x286\n", "exit status 2\n"} {
		dumps := parse([]byte("SIGQUIT: quit\nPC=0x48c5c3 m=0 sigcode=0\n\n" + pair + end + "goroutine 9 [select]:\nmain.f()\n\t/a.go:1 +0x1\n"))
		if len(dumps) != 2 || dumps[0].Goroutines != 2 || dumps[0].UnparsedLines != 0 {
			t.Errorf("behind %q: %v", end, summaries(dumps))
		}
	}
}

func TestParser_AStackLoggedAfterADeathIsNoPartOfThePanicsText(t *testing.T) {
	first := "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/crash.go:49 +0x46b\n"
	second := "goroutine 1 [running]:\nmain.other()\n\t/src/crash.go:77 +0x46b\n"
	for name, text := range map[string]string{
		"behind an exit status": first + "exit status 2\nstarting\nhandler failed: boom\n" + second,
		"behind log lines":      first + "starting\nhandler failed: boom\n" + second,
		"behind an empty line":  first + "\n" + second,
	} {
		dumps := parse([]byte(text))
		n := 0
		for _, d := range dumps {
			n += d.Goroutines
		}
		if n != 2 || dumps[0].Cause == nil || dumps[0].Buckets[0].Frames[0].Func != "main.main" {
			t.Errorf("%s: %v", name, summaries(dumps))
		}
	}
}

func TestParser_HeaderInThePanicsTextIsNoGoroutine(t *testing.T) {
	died := strings.Replace(pair, "chan receive, 3 minutes", "running", 1)
	tests := map[string]string{
		"text behind it":            "panic: plugin failed:\ngoroutine 6 [running]:\nplugin.f()\n\t/p.go:1 +0x1\nand so on\n\n" + died,
		"the dying one's own stack": "panic: boom\ngoroutine 7 [running]:\nplugin.f()\n\t/p.go:1 +0x1\n\n" + died,
		"indented (1.23+)":          "panic: boom\n\tgoroutine 6 [running]:\n\tplugin.f()\n\t\t/p.go:1 +0x1\n\n" + died,
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			d := parseOne(t, text)
			if d.Goroutines != 2 || d.Cause == nil || d.Cause.Kind != CausePanic || d.Buckets[0].Goroutines[0].ID != 7 {
				t.Errorf("got %s, cause %+v", summary(d), d.Cause)
			}
		})
	}
}

func TestParser_AGoroutineOnAnotherThreadIsNoFake(t *testing.T) {
	d := parseOne(t, "panic: boom\n\n"+strings.Replace(pair, "chan receive, 3 minutes", "running", 1)+
		"\ngoroutine 9 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main in goroutine 1\n\t/src/main.go:31 +0x5c\n")
	if d.Goroutines != 3 || d.UnparsedLines != 0 {
		t.Errorf("got %s", summary(d))
	}
}

func TestParser_APrefixedLogLineIsNoHalfOfAFrame(t *testing.T) {
	for _, prefix := range []string{"host app: ", "app ", "foo", "k=v "} {
		text := strings.Replace(pair, "main.outer", prefix+`{"msg":"tick"}`+"\nmain.outer", 1)
		if got, want := summary(parseOne(t, text)), pairWant+" unparsed=1"; got != want {
			t.Errorf("%q: got %s, want %s", prefix, got, want)
		}
		text = strings.Replace(pair, "\ngoroutine 8", "\n"+prefix+`{"msg":"tick"}`+"\ngoroutine 8", 1)
		if got, want := summary(parseOne(t, text)), pairWant+" unparsed=1"; got != want {
			t.Errorf("%q before a header: got %s, want %s", prefix, got, want)
		}
	}
}

func TestParser_SpansExactlyTheLinesOfADump(t *testing.T) {
	tests := map[string]struct {
		text       string
		first, end int64
	}{
		"alone":                      {pair, 1, 15},
		"between log lines":          {"a log line\n" + pair + "\nmore\nmore\n", 2, 16},
		"a log line directly behind": {pair + "more\nmore\n", 1, 15},
		"from its cause":             {"x\npanic: boom\n\n" + strings.Replace(pair, "chan receive, 3 minutes", "running", 1), 2, 18},
		"to its registers":           {"SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n\n" + pair + "\nrax    0xca\nrbx    0x0\n\nbye\n", 1, 21},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := parseOne(t, test.text)
			if d.Line != test.first || d.EndLine != test.end {
				t.Errorf("lines %d to %d, want %d to %d", d.Line, d.EndLine, test.first, test.end)
			}
		})
	}
}

func TestParser_TheRuntimesRemarksInAStackAreNoEnd(t *testing.T) {
	const memory = "stack: frame={sp:0x7ffc09a91a20, fp:0x0} stack=[0xc00005b000,0xc00005c000)\n0000007ffc09a920:  0000000000000000  <0x1\n\n"
	for name, text := range map[string]string{
		"unknown pc":         strings.Replace(pair, "main.outer", "runtime: unknown pc 0x7f1484392b46\n"+memory+"main.outer", 1),
		"before the creator": strings.Replace(pair, "created", "runtime: g 7: unexpected return pc for main.f called from 0x1\n"+memory+"created", 1),
		"SPWRITE":            strings.Replace(pair, "main.outer", "traceback: unexpected SPWRITE function runtime.mcall\nmain.outer", 1),
	} {
		if got := summary(parseOne(t, text)); got != pairWant {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestParser_PassesOnTheStampOfTheFirstHeader(t *testing.T) {
	var got []*Dump
	p := NewParser(func(d *Dump) { got = append(got, d) })
	for i, line := range strings.Split(pair, "\n") {
		p.Line([]byte(line), int64(i+1), fmt.Appendf(nil, "02:09:%02d", i))
	}
	p.Close()
	if len(got) != 1 || got[0].Stamp != "02:09:00" {
		t.Errorf("got %+v", got)
	}
}

func TestParser_FormatTellsWhoPrinted(t *testing.T) {
	tests := map[string]struct {
		text string
		want Format
	}{
		"debug=2":                        {pair, FormatDebug2},
		"a signal":                       {"SIGQUIT: quit\nPC=0x1 m=0 sigcode=0\n\n" + pair, FormatSignal},
		"a panic":                        {"panic: x\n\n" + strings.Replace(pair, "chan receive, 3 minutes", "running", 1), FormatSignal},
		"full detail whose head is lost": {strings.Replace(pair, "goroutine 7", "goroutine 7 gp=0xc000007880 m=nil", 1), FormatSignal},
	}
	for name, test := range tests {
		if got := parseOne(t, test.text).Format; got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestParser_ACauseWithoutStacksIsADump(t *testing.T) {
	d := parseOne(t, "SIGQUIT: quit\nPC=0x45ab11 m=0 sigcode=0\n")
	if d.Cause.Kind != CauseSignal || d.Goroutines != 0 || !d.Truncated.Tail {
		t.Errorf("got %+v", d)
	}
}

func TestParser_NothingInNothingOut(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello\n", "goroutine\n", "goroutine 1 [\n", "the goroutine 5 [is running]\n", "-----\n", "created by main.main\n\t/a.go:1\n"} {
		if dumps := parse([]byte(text)); len(dumps) != 0 {
			t.Errorf("%q: %v", text, summaries(dumps))
		}
	}
}

func TestParserTellsStacksFromLogLines(t *testing.T) {
	text := []string{
		"level=info msg=started", "goroutine 7 [running]:", "main.work(...)", "\t/src/main.go:9 +0x1d", "", "level=info msg=ended",
	}
	want := []bool{false, true, true, true, false, false}
	p := NewParser(func(*Dump) {})
	for i, line := range text {
		p.Line([]byte(line), int64(i+1), nil)
		if p.InStack() != want[i] {
			t.Errorf("line %d, %q: InStack() = %v", i+1, line, p.InStack())
		}
	}
}
