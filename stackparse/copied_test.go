package stackparse

import (
	"strings"
	"testing"
)

const copiedDump = `fatal error: all goroutines are asleep - deadlock!

goroutine 1 [sync.WaitGroup.Wait, 3 minutes]:
sync.(*WaitGroup).Wait(0xc000012340)
	/usr/local/go/src/sync/waitgroup.go:118 +0x48
main.main()
	/src/shop/main.go:41 +0x24c

goroutine 7 [chan send, 3 minutes]:
main.(*Till).ring(0xc000080000, 0x7)
	/src/shop/till.go:77 +0x45
created by main.main in goroutine 1
	/src/shop/main.go:36 +0x1c5
`

// eachLine puts something before each line that is not empty.
func eachLine(text, before string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if l != "\n" && l != "" {
			lines[i] = before + l
		}
	}
	return strings.Join(lines, "")
}

func TestACopiedDumpHasItsCauseAndItsFrames(t *testing.T) {
	for name, text := range map[string]string{
		"as it was":               copiedDump,
		"in a list":               "1. It hangs:\n" + eachLine(copiedDump, "   "),
		"in a code block":         "It hangs:\n\n" + eachLine(copiedDump, "    ") + "\nIt did not before.\n",
		"behind a tab":            eachLine(copiedDump, "\t"),
		"behind a quote":          "`" + copiedDump + "`\n",
		"in tags":                 "<details>\n<pre><code class=\"go\">" + copiedDump + "</code></pre>\n",
		"in a report of tests":    "\t\t<failure message=\"Failed\" type=\"\"><![CDATA[" + copiedDump + "]]></failure>\n",
		"with empty lines":        strings.ReplaceAll(copiedDump, "\n", "\n\n"),
		"with empty lines, once":  strings.ReplaceAll(strings.ReplaceAll(copiedDump, "\n\n", "\n"), "\n", "\n\n"),
		"with empty lines of one": strings.ReplaceAll(copiedDump, "\n", "\n \n"),
	} {
		dumps := parse([]byte(text))
		if len(dumps) != 1 || dumps[0].Goroutines != 2 {
			t.Errorf("%s: %d dumps", name, len(dumps))
			continue
		}
		d := dumps[0]
		if d.Cause == nil || d.Cause.Kind != CauseFatal {
			t.Errorf("%s: cause %+v", name, d.Cause)
		}
		if d.Truncated.Head || d.Truncated.Tail || len(d.Buckets[0].Frames) != 2 || len(d.Buckets[1].Frames) != 1 {
			t.Errorf("%s: %+v, %d and %d frames", name, d.Truncated, len(d.Buckets[0].Frames), len(d.Buckets[1].Frames))
		}
	}
}

func TestASentenceAboutAPanicIsNoCause(t *testing.T) {
	_, stacks, _ := strings.Cut(copiedDump, "\n\n")
	for name, text := range map[string]string{
		"indented, without stacks":        "It said:\n\n    panic: out of change\n\nand ended.\n",
		"in quotes, without stacks":       "\"panic: out of change\" is what it said.\n",
		"indented, before another's dump": "It said:\n\n    panic: out of change\n\nThis is the dump:\n\n" + stacks,
		"in quotes, long before a dump":   "`panic: out of change`\n" + strings.Repeat("Then it went on.\n", 20) + stacks,
	} {
		for _, d := range parse([]byte(text)) {
			if d.Cause != nil {
				t.Errorf("%s: cause %+v", name, d.Cause)
			}
		}
	}
	dumps := parse([]byte("It said:\n\n    panic: out of change\n\n" + copiedDump))
	if len(dumps) != 1 || dumps[0].Cause == nil || dumps[0].Cause.Kind != CauseFatal {
		t.Errorf("behind such a sentence: %+v", dumps)
	}
}

func TestAnEmptyLineBehindAStackEndsIt(t *testing.T) {
	_, stacks, _ := strings.Cut(copiedDump, "\n\n")
	for name, text := range map[string]string{
		"headers alone":              "goroutine 5 [select]:\n\ngoroutine 6 [select]:\n\nmain: two goroutines wait\n",
		"a line behind empty lines":  strings.ReplaceAll(stacks, "\n", "\n\n") + "\n\nmain: two goroutines wait\n",
		"a line behind a whole dump": stacks + "\nmain: two goroutines wait\n",
	} {
		dumps := parse([]byte(text))
		if len(dumps) != 1 || dumps[0].Goroutines != 2 {
			t.Errorf("%s: %d dumps", name, len(dumps))
			continue
		}
		for _, b := range dumps[0].Buckets {
			if strings.Contains(b.Text, "two goroutines") {
				t.Errorf("%s: the line is in a stack", name)
			}
		}
	}
}

func TestAnEmptyLineBehindAHeaderAloneIsNotBetweenAllLines(t *testing.T) {
	const text = "goroutine 1 [running]:\n\nmain.main()\n\t/src/a.go:1\n\n" +
		"goroutine 2 [select]:\nmain.f()\n\t/src/a.go:2\n\nmain.g()\n\t/src/a.go:3\n"
	dumps := parse([]byte(text))
	if len(dumps) != 1 || dumps[0].Goroutines != 2 {
		t.Fatalf("%d dumps", len(dumps))
	}
	for i, fn := range []string{"main.main", "main.f"} {
		if b := dumps[0].Buckets[i]; len(b.Frames) != 1 || b.Frames[0].Func != fn {
			t.Errorf("goroutine %d: %+v, want %s alone", i+1, b.Frames, fn)
		}
	}
}

func TestAHeaderAloneInAPanicsTextIsNoGoroutine(t *testing.T) {
	dumps := parse([]byte("panic: boom\ngoroutine 1 [running]:\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/a.go:1\n"))
	if len(dumps) != 1 || dumps[0].Goroutines != 1 || len(dumps[0].Buckets[0].Frames) != 1 {
		t.Errorf("%+v", dumps)
	}
}

func TestASentenceAboutAPanicTakesNoHeader(t *testing.T) {
	_, stacks, _ := strings.Cut(copiedDump, "\n\n")
	for name, text := range map[string]string{
		"directly before it":    "It said:\n\n    panic: out of change\n" + stacks,
		"a line before it":      "It said:\n\n    panic: out of change\nand then\n" + stacks,
		"in quotes":             "\"panic: out of change\" is what it said.\nHere are its stacks.\n" + stacks,
		"before another margin": "It said:\n\n    panic: out of change\n" + eachLine(stacks, "  "),
	} {
		if dumps := parse([]byte(text)); len(dumps) != 1 || dumps[0].Goroutines != 2 {
			t.Errorf("%s: %d dumps", name, len(dumps))
		}
	}
	dumps := parse([]byte("  panic: a sentence\npanic: out of change\n\n" + stacks))
	if len(dumps) != 1 || dumps[0].Cause == nil || len(dumps[0].Cause.Panics) != 1 {
		t.Errorf("before a panic: %+v", dumps)
	}
}

func TestTheTextOfACopiedPanicHasNoGoroutine(t *testing.T) {
	const text = "panic: boom\n\tgoroutine 7 [running]:\n\tmain.f()\n\n" +
		"goroutine 1 [running]:\nmain.main()\n\t/src/a.go:1\n"
	for _, margin := range []string{"", "    ", "\t"} {
		dumps := parse([]byte(eachLine(text, margin)))
		if len(dumps) != 1 || dumps[0].Goroutines != 1 || dumps[0].Cause == nil || dumps[0].Cause.Kind != CausePanic {
			t.Errorf("behind %q: %+v", margin, dumps)
		}
	}
}
