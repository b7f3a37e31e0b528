package profile

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWilsonIsTheRootOfItsEquation(t *testing.T) {
	// The two roots p of (p - k/n)² = z²p(1-p)/n, solved by the quadratic formula.
	for _, tt := range []struct{ k, n, low, high float64 }{
		{10, 100, 0.05523, 0.17437},
		{30, 300, 0.07095, 0.13917},
		{100, 1000, 0.08291, 0.12015},
		{0, 10, 0, 0.27753},
		{10, 10, 0.72247, 1},
		{0, 0, 0, 1},
	} {
		low, high := wilsonInterval(tt.k, tt.n)
		if math.Abs(low-tt.low) > 5e-5 || math.Abs(high-tt.high) > 5e-5 {
			t.Errorf("%v of %v: %.5f to %.5f, want %.5f to %.5f", tt.k, tt.n, low, high, tt.low, tt.high)
		}
	}
}

func TestWeightsCountRecursionOnce(t *testing.T) {
	v := cpu("10 | a.F@a.go:1 < a.F@a.go:2 < main.main@m.go:1\n30 | main.main@m.go:2").view(t)
	got := map[string][2]int64{}
	for _, r := range v.Top(-1, ByCum, nil) {
		got[v.Functions[r.Func].Name] = [2]int64{r.Flat.Samples, r.Cum.Samples}
	}
	if diff := cmp.Diff(map[string][2]int64{"a.F": {10, 10}, "main.main": {30, 40}}, got); diff != "" {
		t.Errorf("samples, flat and cumulative (-want +got):\n%s", diff)
	}
	_, cum := v.weights(len(v.Frames), func(f int32) int32 { return f })
	if v.Share(cum[v.Stacks[1].Frames[0]]) != 0.75 {
		t.Errorf("a line's share: %v", v.Share(cum[v.Stacks[1].Frames[0]]))
	}
}

func TestTopTakesFunctionsOfOneNameTogether(t *testing.T) {
	v := cpu("10 | a.F[...]@a.go:1 < main.main@m.go:1\n30 | a.F[...]@a_gen.go:2 < main.main@m.go:2").view(t)
	top := v.Top(1, ByFlat, nil)
	if len(top) != 1 || top[0].Flat.Samples != 40 {
		t.Errorf("top %+v", top)
	}
}

func TestGiantAllocationsAreSampledForSureAndSmallOnesAreNot(t *testing.T) {
	v := heap(`
		1 1073741824 1 1073741824 | a.Giant@a.go:1 < main.main@m.go:1
		1 1073741824 1 1073741824 | a.Other@a.go:2 < main.main@m.go:1`).view(t)
	cum := v.cum[v.same[v.Frames[v.Stacks[0].Frames[0]].Func]]
	if share, low := v.Share(cum), v.LowerBound(cum); share != 0.5 || low < 0.49 {
		t.Errorf("share %.2f, surely %.2f: nothing else can be there", share, low)
	}
	// Two samples of small objects stand for a mebibyte, give or take as much.
	v = heap(`
		8192 524288 8192 524288 | a.Small@a.go:1 < main.main@m.go:1
		8192 524288 8192 524288 | a.Other@a.go:2 < main.main@m.go:1`).view(t)
	if n := v.EffectiveSamples(); math.Abs(n-2) > 0.01 {
		t.Errorf("%v samples", n)
	}
}

func TestLabelsSplitAProfile(t *testing.T) {
	v := cpu(`
		10 | a.F@a.go:1 | handler=/list
		30 | a.G@a.go:2 | handler=/get
		5 | a.F@a.go:1`).view(t)
	want := []LabelWeight{
		{"handler", "/get", Weight{300_000_000, 30}},
		{"handler", "/list", Weight{100_000_000, 10}},
		{"handler", "", Weight{50_000_000, 5}},
	}
	if diff := cmp.Diff(want, v.SplitByLabel("handler")); diff != "" {
		t.Errorf("whole profile (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"handler"}, v.LabelKeys()); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestADifferenceShowsTheNewerProfileAlone(t *testing.T) {
	v := cpu(`
		30 | a.F@a.go:1
		-40 | a.F@a.go:1 | pprof::base=true
		-10 | a.G@a.go:2 | pprof::base=true`).view(t)
	if v.Total() != 300_000_000 || v.Samples() != 30 || len(v.LabelKeys()) != 0 {
		t.Errorf("%d ns in %d samples, labels %q", v.Total(), v.Samples(), v.LabelKeys())
	}
}
