package profile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func textOf(t *testing.T, lines ...string) *Profile {
	t.Helper()
	p, err := readText([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestIsTextKnowsTheFirstLines(t *testing.T) {
	for line, want := range map[string]bool{
		"heap profile: 1: 2 [3: 4] @ heap/1048576":     true,
		"\r\n--- mutex:\ncycles/second=1":              true,
		"--- contention:\n":                            true,
		"goroutine profile: total 12\n":                true,
		"threadcreate profile: total 4":                true,
		"goroutine profile: total 12 or so":            false,
		"goroutine 1 [running]:":                       false,
		"heap profile:   85: 200 [ 85: 200] @ growthz": false,
		"\x1f\x8b":                             false,
		"a heap profile: 1: 2 [3: 4] @ heap/1": false,
		"":                                     false,
	} {
		if got := isText([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestHeapTextIsScaledToWhatItStandsFor(t *testing.T) {
	p := textOf(t,
		"heap profile: 1: 512 [3: 1536] @ heap/1048576",
		"1: 512 [3: 1536] @ 0x420cef 0x422151 0x4221da",
		"#\t0x422150\texample.com/m/cache.(*Cache).Add+0x50\t/src/cache/cache.go:31",
		"#\t0x4221d9\tmain.main+0x19\t\t\t\t/src/main.go:7",
		"",
		"# runtime.MemStats",
		"# HeapAlloc = 1048")
	// 512 bytes are sampled once in 1,024.5 times at a rate of 524,288.
	if diff := cmp.Diff([]int64{3073, 1573632, 1024, 524544}, p.Stacks[0].Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	want := "example.com/m/cache.(*Cache).Add@/src/cache/cache.go:31 < main.main@/src/main.go:7"
	if got := stackText(p, &p.Stacks[0]); got != want {
		t.Errorf("stack %q", got)
	}
	if p.Kind != KindHeap || p.Period != 524288 || p.Stacks[0].Samples != 1 || p.Unparsed != 0 {
		t.Errorf("%s, period %d, %d samples, %d lines unparsed", p.Kind, p.Period, p.Stacks[0].Samples, p.Unparsed)
	}
	if diff := cmp.Diff([]string{"HeapAlloc = 1048"}, p.Comments); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}
}

func TestMutexTextBecomesNanoseconds(t *testing.T) {
	lines := []string{
		"--- mutex:", "cycles/second=2000000000", "sampling period=5",
		"6000 3 @ 0x48f0a5 0x48f09d",
		"#\t0x48f0a4\tSYNC.Unlock+0x24\t/usr/local/go/src/sync/mutex.go:223",
		"#\t0x48f09c\tmain.main+0x1c\t/src/main.go:12",
	}
	with := func(mutex string) *Profile {
		return textOf(t, strings.Split(strings.ReplaceAll(strings.Join(lines, "\n"), "SYNC", mutex), "\n")...)
	}
	p := with("sync.(*Mutex)")
	if p.Kind != KindMutex || p.Total() != 3000 || p.Samples() != 3 {
		t.Errorf("since Go 1.20 the runtime counts what it didn't sample itself: %d ns in %d contentions", p.Total(), p.Samples())
	}
	lines[4] = "#\t0x48f0a4\truntime.findrunnable+0x24\truntime/proc.go:223"
	if p := with(""); p.Total() != 15000 || p.Go != "<=1.18" {
		t.Errorf("Go %s and older print what was sampled: %d ns", p.Go, p.Total())
	}
	lines = lines[:4]
	if p := with(""); p.Total() != 15000 || p.Unsymbolized != 1 {
		t.Errorf("without names the old way is taken: %d ns, %.1f without names", p.Total(), p.Unsymbolized)
	}
}

func TestBlockTextIsOfBlocking(t *testing.T) {
	p := textOf(t, "--- contention:", "cycles/second=1000000000", "700 2 @ 0x1 0x2",
		"#\t0x1\tsync.(*Mutex).Unlock+0x1\tsync/mutex.go:1")
	if p.Kind != KindBlock || p.Total() != 700 {
		t.Errorf("%s, %d ns", p.Kind, p.Total())
	}
}

func TestGoroutineTextKeepsLabelsAndInlining(t *testing.T) {
	p := textOf(t, "goroutine profile: total 7",
		"4 @ 0x43e7b6 0x407a6b 0x407658",
		`# labels: {"queue":"a \"b\"", "shard":"7"}`,
		"#\t0x407a6b\tmain.(*W).next+0x2b\t/src/w.go:9",
		"#\t0x407a6b\tmain.(*W).run+0x2b\t/src/w.go:20",
		"#\t0x407657\tmain.main.gowrap1+0x17\t/src/main.go:4",
		"",
		"3 @ 0x43e7b6",
		"#\t0x43e7b5\tmain.main+0x5    /src/main.go:9")
	want := "main.(*W).next@/src/w.go:9 <in main.(*W).run@/src/w.go:20 < main.main.gowrap1@/src/main.go:4"
	if got := stackText(p, &p.Stacks[0]); got != want {
		t.Errorf("stack %q", got)
	}
	if got := stackText(p, &p.Stacks[1]); got != "main.main@/src/main.go:9" {
		t.Errorf("tabs that became blanks: %q", got)
	}
	if diff := cmp.Diff(LabelSet{`queue: a "b"`, "shard: 7"}, p.Labels[p.Stacks[0].Label]); diff != "" || p.Total() != 7 {
		t.Errorf("%d goroutines, labels (-want +got):\n%s", p.Total(), diff)
	}
}

func TestForeignLinesInATextAreCounted(t *testing.T) {
	p := textOf(t, "goroutine profile: total 2",
		"1 @ 0x1", "#\t0x1\tmain.a+0x1\t/src/main.go:1",
		"2026-11-21T05:00:00Z INFO still here",
		"1 @ 0x2", "#\t0x2\tmain.b+0x1\t/src/main.go:2")
	if p.Total() != 2 || p.Unparsed != 1 {
		t.Errorf("%d goroutines, %d lines unparsed", p.Total(), p.Unparsed)
	}
}
