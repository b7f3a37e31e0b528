package stackparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readSection feeds text from its first line to the section that begin opens there; used counts the lines that it took.
// beginCounted is beginDebug1 for a dump with a budget of its own.
func beginCounted(text []byte, num int64, stamp []byte) section {
	return beginDebug1(text, num, stamp, nil)
}

func readSection(begin func([]byte, int64, []byte) section, text string) (d *Dump, used int) {
	lines := strings.Split(text, "\n")
	s := begin([]byte(lines[0]), 1, nil)
	if s == nil {
		return nil, 0
	}
	used = 1
	for i, line := range lines[1:] {
		if !s.line([]byte(line), int64(i+2)) {
			break
		}
		used++
	}
	return s.finish(), used
}

const countedProfile = `goroutine profile: total 7
4 @ 0x487aae 0x41797c 0x66efc9 0x48f041
#	0x66efc8	main.(*T).send+0x28	/src/app/main.go:25

2 @ 0x487aae 0x48b9c5 0x66e265
# labels: {"queue":"a \"b\"", "zone":"x"}
#	0x48b9c4	time.Sleep+0x164		/usr/local/go/src/runtime/time.go:363
#	0x66e264	main.tick.func1+0x64		D:/src/my app/tick.go:51

1 @ 0x487aae 0x448fd3 0x48f041
#	0x448fd3	runtime.gopark+0xb3	/usr/local/go/src/runtime/proc.go:375
#	0x448fd2	std::vector<int, A>::push back(int)+0x10	/src/v.cc:7
#	0x1234
`

func TestDebug1ReadsCountsFramesAndLabels(t *testing.T) {
	d, used := readSection(beginCounted, countedProfile)
	if d == nil {
		t.Fatal("not recognised")
	}
	if used != strings.Count(countedProfile, "\n")+1 {
		t.Errorf("%d lines taken", used)
	}
	if d.Format != FormatDebug1 || d.Goroutines != 7 || d.Truncated.Tail || d.UnparsedLines != 0 || d.EndLine != 13 {
		t.Errorf("dump %+v", d)
	}
	got := ""
	for _, b := range d.Buckets {
		got += fmt.Sprintln(b.Count)
		for _, f := range b.Frames {
			got += fmt.Sprintf("  %s %s:%d\n", f.Func, f.File, f.Line)
		}
	}
	want := `4
  main.(*T).send /src/app/main.go:25
2
  time.Sleep /usr/local/go/src/runtime/time.go:363
  main.tick.func1 D:/src/my app/tick.go:51
1
  runtime.gopark /usr/local/go/src/runtime/proc.go:375
  std::vector<int, A>::push back(int) /src/v.cc:7
  0x1234 :0
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("buckets (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", `queue: a "b", zone: x`}, d.Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if d.Buckets[1].Class != ClassSleep {
		t.Errorf("class %q", d.Buckets[1].Class)
	}
}

func TestDebug1TabsMayHaveBecomeSpaces(t *testing.T) {
	d, _ := readSection(beginCounted, strings.ReplaceAll(countedProfile, "\t", "    "))
	f := d.Buckets[1].Frames
	if len(f) != 2 || f[1].Func != "main.tick.func1" || f[1].File != "D:/src/my app/tick.go" || f[1].Line != 51 {
		t.Errorf("frames %+v", f)
	}
}

func TestDebug1CollapsesEqualStacksWithOtherLabels(t *testing.T) {
	d, _ := readSection(beginCounted, `goroutine profile: total 3
2 @ 0x1
# labels: {"k":"1"}
#	0x1	main.f+0x1	/a.go:1

1 @ 0x1
# labels: {"k":"2"}
#	0x1	main.f+0x1	/a.go:1
`)
	if len(d.Buckets) != 1 || d.Buckets[0].Count != 3 || len(d.Labels) != 3 {
		t.Errorf("%d buckets, labels %q", len(d.Buckets), d.Labels)
	}
}

func TestDebug1WithoutSymbolsKeepsAddressesApart(t *testing.T) {
	d, _ := readSection(beginCounted, "goroutine profile: total 3\n2 @ 0x1 0x2\n1 @ 0x1 0x3\n")
	if len(d.Buckets) != 2 || len(d.Buckets[0].Frames) != 2 || d.Buckets[0].Frames[1].Func != "0x2" {
		t.Errorf("buckets %+v", d.Buckets)
	}
}

func TestDebug1GoroutineleakIsLeaked(t *testing.T) {
	d, _ := readSection(beginCounted, "goroutineleak profile: total 1\n1 @ 0x1\n#\t0x1\tmain.f+0x1\t/a.go:1\n")
	if d == nil || !d.Buckets[0].Leaked {
		t.Errorf("dump %+v", d)
	}
}

func TestDebug1CutShortIsTruncated(t *testing.T) {
	for _, text := range []string{"goroutine profile: total 5\n2 @ 0x1\n#\t0x1\tmain.f+0x1\t/a.go:1\n", "goroutine profile: total 5"} {
		if d, _ := readSection(beginCounted, text); d == nil || !d.Truncated.Tail {
			t.Errorf("%q: %+v", text, d)
		}
	}
	if d, _ := readSection(beginCounted, "goroutine profile: total 0\n"); d == nil || d.Truncated.Tail {
		t.Error("an empty profile is whole")
	}
}

func TestDebug1LinesOfOthersInsideAreCounted(t *testing.T) {
	d, _ := readSection(beginCounted, "goroutine profile: total 2\n1 @ 0x1\n2026/03/04 tick\n#\t0x1\tmain.f+0x1\t/a.go:1\n\n1 @ 0x2\n#\t0x2\tmain.g+0x1\t/a.go:2\n")
	if d.Goroutines != 2 || d.UnparsedLines != 1 || len(d.Unparsed) != 1 || d.Unparsed[0].Line != 3 {
		t.Errorf("dump %+v", d)
	}
}

func TestDebug1EndsWhereItIsCompleteOrSomethingElseBegins(t *testing.T) {
	const head = "goroutine profile: total 1\n1 @ 0x1\n#\t0x1\tmain.f+0x1\t/a.go:1\n"
	for _, next := range []string{"2026/03/04 tick", "goroutine 1 [running]:", "panic: boom"} {
		d, used := readSection(beginCounted, head+next)
		if used != 3 || d.UnparsedLines != 0 {
			t.Errorf("before %q: %d lines, %d unparsed", next, used, d.UnparsedLines)
		}
	}
	const incomplete = "goroutine profile: total 9\n1 @ 0x1\n"
	for _, next := range []string{"goroutine 1 [running]:", "panic: boom", "SIGQUIT: quit", "goroutine profile: total 2", "=================="} {
		if _, used := readSection(beginCounted, incomplete+next); used != 2 {
			t.Errorf("%q was taken for a part of the profile", next)
		}
	}
}

func TestDebug1IgnoresProfilesOfOtherThings(t *testing.T) {
	d, used := readSection(beginCounted, "threadcreate profile: total 9\n9 @ 0x1\n#\t0x1\tmain.f+0x1\t/a.go:1\n")
	if d != nil || used != 4 {
		t.Errorf("dump %+v after %d lines", d, used)
	}
	for _, line := range []string{"the goroutine profile: total 4", " profile: total 4", "goroutine profile: total", "goroutine profile: total 4x", "heap profile: 3: 4 [5: 6] @ heap/512"} {
		if beginDebug1([]byte(line), 1, nil, nil) != nil {
			t.Errorf("%q begins a profile", line)
		}
	}
}

func FuzzDebug1(f *testing.F) {
	f.Add(countedProfile)
	f.Add("goroutine profile: total 99999999999999999\n18446744073709551615 @ 0x1\n9223372036854775807 @\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, _ := readSection(beginCounted, text)
		if d == nil {
			return
		}
		sum := 0
		for _, b := range d.Buckets {
			if b.Count <= 0 || len(b.Frames) > maxCountedFrames {
				t.Errorf("bucket of %d with %d frames", b.Count, len(b.Frames))
			}
			sum += b.Count
		}
		if sum != d.Goroutines {
			t.Errorf("buckets hold %d of %d goroutines", sum, d.Goroutines)
		}
	})
}

func TestRecordsWithoutAFirstLineAreAPart(t *testing.T) {
	_, records, _ := strings.Cut(countedProfile, "\n")
	for name, text := range map[string]string{
		"as written":      records,
		"without marks":   strings.ReplaceAll(records, "#\t", "\t"),
		"behind a remark": "Most of them are here:\n\n" + records + "\nWhy?\n",
	} {
		dumps := parse([]byte(text))
		if len(dumps) != 1 {
			t.Errorf("%s: %d dumps", name, len(dumps))
			continue
		}
		d := dumps[0]
		if d.Format != FormatDebug1 || d.Goroutines != 7 || !d.Truncated.Head ||
			d.Buckets[0].Frames[0].Func != "main.(*T).send" {
			t.Errorf("%s: %+v", name, d)
		}
	}
	for _, text := range []string{"4 @ 0x487aae 0x41797c\n4 goroutines\n", "7 @ 0x1f: bad frame\n#\t0x1\tmain.f+0x1\tf.go:1\n",
		"4 5 @ 0x487aae 0x41797c\n#\t0x1\tmain.f+0x1\tf.go:1\n"} {
		if dumps := parse([]byte(text)); len(dumps) != 0 {
			t.Errorf("%q: %+v", text, dumps[0])
		}
	}
}

func TestRecordsThatAreNoDumpTakeNoRoom(t *testing.T) {
	b := &Budget{}
	p := NewParser(func(d *Dump) { t.Errorf("a dump of %d goroutines", d.Goroutines) })
	p.Share(b)
	for i, line := range strings.Split("threadcreate profile: total 1\n1 @ 0x1 0x2\n#\t0x1\tmain.f+0x1\t/a.go:1\n\nok\n"+
		"1 @ 0x1 0x2\n#\t0x1\nok\n3 @ 0x1 0x3\n# labels: {}\nok\n4 @ 0x1 0x4\n5 @ 0x1 0x5\nok", "\n") {
		p.Line([]byte(line), int64(i+1), nil)
	}
	p.Close()
	if b.used != 0 {
		t.Errorf("%d bytes are taken", b.used)
	}
}

func TestALineThatMayBeARecordAllocatesNothing(t *testing.T) {
	p := NewParser(func(*Dump) {})
	lines := [][]byte{[]byte("5 @ 0x487aae 0x41797c"), []byte("5 @ 0x487aae a piece"), []byte("sold")}
	num := int64(0)
	if n := testing.AllocsPerRun(100, func() {
		for _, line := range lines {
			num++
			p.Line(line, num, nil)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
