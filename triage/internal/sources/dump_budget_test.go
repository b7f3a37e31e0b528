package sources

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/stackparse"
)

// podResult is what a pod's log gave: a dump of stacks that all pods have, with words of their own and with a frame of
// the runtime or not, and one stack of its own.
func podResult(t *testing.T, pod int, words string, hidden bool) *Result {
	t.Helper()
	var text strings.Builder
	for i := range 8 {
		fmt.Fprintf(&text, "goroutine %d [select]:\n", i+7)
		if hidden {
			text.WriteString("runtime.gopark(0x1)\n\t/usr/lib/go/src/runtime/proc.go:435 +0xce\n")
		}
		for line := range 12 {
			fmt.Fprintf(&text, "example.com/shop.F%d(%s)\n\t/a.go:%d +0x1\n", i, words, line+1)
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "goroutine 90 [select]:\nexample.com/shop.Own%d(0x1)\n\t/a.go:1 +0x1\n", pod)
	dumps, err := stackparse.Parse(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	result := &Result{Source: ingest.Source{Parts: []ingest.Part{{Path: fmt.Sprint(pod)}}}}
	result.Source.At = []int32{int32(pod)}
	for _, d := range dumps {
		result.Dumps = append(result.Dumps, Dump{d, 0})
	}
	return result
}

func TestWhichDumpsAreKeptDoesNotDependOnTheOrderOfReading(t *testing.T) {
	var want []bool
	for seed := range uint64(20) {
		budget := &dumpBudget{most: 20 * 9 * 1200}
		all := make([]*Result, 40)
		for i := range all {
			all[i] = podResult(t, i, []string{"0x1", "0x2, 0x3, 0x4, 0x5, 0x6", "0x7"}[i*i%3], i%5 == 1)
		}
		order := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, result := range order {
			budget.add(result)
		}
		var kept []bool
		for _, result := range all {
			kept = append(kept, len(result.Dumps) > 0)
		}
		if want == nil {
			want = kept
		}
		if !slices.Equal(kept, want) {
			t.Errorf("seed %d: kept %v, want %v", seed, kept, want)
		}
	}
	if n := slices.Index(want, false); n < 10 || n >= 21 || slices.Contains(want[n:], true) {
		t.Errorf("kept %v, want the first 20 or so", want)
	}
}

func TestSourcesShareTheStacksThatTheyHaveInCommon(t *testing.T) {
	budget := &dumpBudget{most: maxStacks}
	a, b := podResult(t, 1, "0x1", false), podResult(t, 2, "0x1", false)
	budget.add(a)
	budget.add(b)
	shared := 0
	for i, x := range a.Dumps[0].Dump.Buckets {
		y := b.Dumps[0].Dump.Buckets[i]
		if &x.Frames[0] == &y.Frames[0] {
			shared++
		}
	}
	if shared != 8 {
		t.Errorf("%d stacks are shared, want the 8 that are equal", shared)
	}
}
