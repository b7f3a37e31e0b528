package profile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const shopMain = " < main.main@/src/shop/cmd/shop/main.go:3"

func compared(t *testing.T, before, after fixture) *Diff {
	t.Helper()
	d, err := Compare(before.view(t), after.view(t))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func find(all []Delta, suffix string) *Delta {
	for i := range all {
		if strings.HasSuffix(all[i].Func, suffix) {
			return &all[i]
		}
	}
	return nil
}

func TestCompareNormalisesByTime(t *testing.T) {
	const body = `
		%d | regexp.Compile@regexp/r.go:1 < example.com/shop/web.Match@/src/shop/web/w.go:%d < example.com/shop/web.Serve@/src/shop/web/w.go:9` + shopMain + `
		%d | encoding/json.Marshal@encoding/json/e.go:1 < example.com/shop/web.Send@/src/shop/web/s.go:5 < example.com/shop/web.Serve@/src/shop/web/w.go:11` + shopMain
	before, after := cpu(fmt.Sprintf(body, 50, 20, 400)), cpu(fmt.Sprintf(body, 1500, 22, 1200))
	after.seconds = 30
	d := compared(t, before, after)
	if d.Rate != RateCores || d.Old != 0.45 || fmt.Sprintf("%.3f", d.New) != "0.900" {
		t.Fatalf("%v %s became %v", d.Old, d.Rate, d.New)
	}
	hot := d.Payers[0]
	if !strings.HasSuffix(hot.Func, "web.Match") || hot.Noise || fmt.Sprintf("%.2f %.2f", hot.Old, hot.New) != "0.05 0.50" || hot.Line != 22 {
		t.Errorf("what got hotter: %+v", hot)
	}
	if len(hot.Callers) != 1 || !strings.HasSuffix(hot.Callers[0].Function, "web.Serve") || fmt.Sprintf("%.2f", hot.Callers[0].Change) != "0.45" {
		t.Errorf("who calls it: %+v", hot.Callers)
	}
	if f := find(d.Functions, "regexp.Compile"); f == nil || f.Noise || f.Class.String() != "stdlib" {
		t.Errorf("functions: %+v", d.Functions)
	}
	if f := find(d.Payers, "web.Send"); f != nil {
		t.Errorf("as much time as before isn't a change: %+v", f)
	}
}

func TestCompareCallsAChangeOfChanceNoise(t *testing.T) {
	const body = "%d | example.com/shop/a.F@/src/shop/a/a.go:7" + shopMain + "\n1000 | example.com/shop/a.G@/src/shop/a/a.go:9" + shopMain
	d := compared(t, cpu(fmt.Sprintf(body, 100)), cpu(fmt.Sprintf(body, 130)))
	if f := find(d.Payers, "a.F"); f == nil || !f.Noise || f.Z < 1 || f.Z > 3 {
		t.Errorf("100 samples and 130: %+v", f)
	}
	d = compared(t, cpu(fmt.Sprintf(body, 100)), cpu(fmt.Sprintf(body, 200)))
	if f := find(d.Payers, "a.F"); f == nil || f.Noise {
		t.Errorf("100 samples and 200: %+v", f)
	}
}

func TestCompareWithoutTimeIsByShare(t *testing.T) {
	const body = "%d | example.com/shop/a.F@/src/shop/a/a.go:7" + shopMain + "\n%d | example.com/shop/a.G@/src/shop/a/a.go:9" + shopMain
	before, after := cpu(fmt.Sprintf(body, 100, 900)), cpu(fmt.Sprintf(body, 1000, 1000))
	before.seconds, after.seconds = 0, 0
	d := compared(t, before, after)
	f := find(d.Payers, "a.F")
	if d.Rate != RateShare || f == nil || fmt.Sprintf("%.2f", f.Change) != "0.40" || f.Noise {
		t.Errorf("%s: %+v", d.Rate, f)
	}
}

func TestCompareHeapsAsTheyAre(t *testing.T) {
	const body = "1000 %[1]d 1000 %[1]d | example.com/shop/a.(*Cache).Put@/src/shop/a/a.go:7" + shopMain
	d := compared(t, heap(fmt.Sprintf(body, 64<<20)), heap(fmt.Sprintf(body, 640<<20)))
	if d.Rate != RateAmount || d.Payers[0].Change != 576<<20 || d.Payers[0].Noise {
		t.Errorf("%s: %+v", d.Rate, d.Payers)
	}
}

func TestCompareOfDeltaWaitsIsWaitingOnAverage(t *testing.T) {
	const body = "10 %d | sync.(*Mutex).Unlock@sync/m.go:1 < example.com/shop/a.(*Cache).Put@/src/shop/a/a.go:7" + shopMain
	before, after := waits(fmt.Sprintf(body, 1_000_000_000)), waits(fmt.Sprintf(body, 50_000_000_000))
	before.seconds, after.seconds = 10, 10
	if d := compared(t, before, after); d.Rate != RateCores || d.New != 5 {
		t.Errorf("%v %s", d.New, d.Rate)
	}
	before.seconds = 0
	if d := compared(t, before, after); d.Rate != RateTotal {
		t.Errorf("one of them counts since the process began: %s", d.Rate)
	}
}

func TestCompareMatchesFunctionsAcrossBuilds(t *testing.T) {
	before := cpu("500 | example.com/shop/vendor/github.com/x/dep.F[go.shape.int]@/src/shop/vendor/d.go:7" + shopMain)
	after := cpu("500 | github.com/x/dep/v2.F[...]@/go/pkg/mod/github.com/x/dep/v2@v2.1.0/d.go:9" + shopMain)
	before.build, after.build = "one", "two"
	d := compared(t, before, after)
	if len(d.Functions) != 0 || len(d.Payers) != 0 || !d.OtherBuild {
		t.Errorf("functions %+v, payers %+v, other build %v", d.Functions, d.Payers, d.OtherBuild)
	}
}

func TestCompareRefusesUnlikeProfiles(t *testing.T) {
	if _, err := Compare(cpu("1 | a.F@a.go:1").view(t), heap("1 1 1 1 | a.F@a.go:1").view(t)); err == nil {
		t.Error("a CPU profile was compared with a heap")
	}
}

func TestMergeAddsUp(t *testing.T) {
	a, b := cpu("10 | a.F@a.go:1 < main.main@m.go:1\n5 | a.G@a.go:2 | q=1"), cpu("30 | a.F@a.go:1 < main.main@m.go:1\n2 | a.G@a.go:2 | q=2")
	a.at, b.at, a.build, b.build = 1_700_000_060, 1_700_000_000, "one", "two"
	p, err := Merge(a.read(t), b.read(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Stacks) != 3 || p.Samples() != 47 || p.Duration != 20*time.Second || p.Merged != 2 || p.BuildID != "" || p.Binary != "/srv/shop" {
		t.Errorf("merged %+v", p)
	}
	if !p.Time.Equal(mustTime(t, "2023-11-14T22:13:20Z")) || p.Kind != KindCPU || len(p.Labels) != 3 {
		t.Errorf("%s at %v, labels %v", p.Kind, p.Time, p.Labels)
	}
	if _, err := Merge(a.read(t), heap("1 1 1 1 | a.F@a.go:1").read(t)); err == nil || !strings.Contains(err.Error(), "profile 2") {
		t.Errorf("unlike profiles were merged: %v", err)
	}
}

func doubts(all []Doubt) string {
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
	}
	return strings.Join(names, " ")
}

func TestDoubts(t *testing.T) {
	long := func(f fixture, seconds float64) fixture {
		f.seconds = seconds
		return f
	}
	for _, tt := range []struct {
		claim string
		f     fixture
		want  string
	}{
		{"a good CPU profile", cpu("900 | a.F@a.go:1"), ""},
		{"few samples", cpu("60 | a.F@a.go:1"), "few-samples"},
		{"a short one", long(cpu("200 | a.F@a.go:1"), 2), "short"},
		{"an idle process", long(cpu("120 | a.F@a.go:1"), 30), "idle"},
		{"nothing at all", cpu("0 | a.F@a.go:1"), "empty"},
		{"waits since the process began", waits("900 300000 | sync.(*Mutex).Unlock@s.go:1 < main.main@m.go:1"), "cumulative"},
		{"waits of ten seconds", long(waits("900 300000 | sync.(*Mutex).Unlock@s.go:1 < main.main@m.go:1"), 10), ""},
		{"no names", cpu("900 | ? < ?"), "unsymbolized"},
		{"a difference", cpu("900 | a.F@a.go:1\n-100 | a.F@a.go:1 | pprof::base=true"), "difference"},
		{"what is left of a subtraction", cpu("900 | a.F@a.go:1\n-100 | a.G@a.go:2"), "net"},
		{"a heap's delta", heap("4 4 4 4 | a.F@a.go:1\n1 1 -1 -1 | a.G@a.go:2"), ""},
		{"cut stacks", cpu("900 | a.F@a.go:1" + strings.Repeat(" < a.F@a.go:1", 63)), "truncated"},
		{"another runtime", cpu("900 | f@a.py:1"), "other-runtime"},
		{"a heap in use", heap("1 1 1 1 | a.F@a.go:1"), ""},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			if got := doubts(tt.f.read(t).Doubts("cpu.pb.gz")); got != tt.want {
				t.Errorf("doubts %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSymbolizingCommandHoldsNoHostileName(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"/srv/shop", "go tool pprof -symbolize=local -proto -output named.pb.gz shop cpu.pb.gz"},
		{"/srv/$(reboot)", "go tool pprof -symbolize=local -proto -output named.pb.gz BINARY cpu.pb.gz"},
		{"/srv/-http=:80", "go tool pprof -symbolize=local -proto -output named.pb.gz BINARY cpu.pb.gz"},
	} {
		p := cpu("900 | ? < ?").read(t)
		p.Binary = tt.file
		q := p.Doubts("cpu.pb.gz")
		if len(q) != 1 || q[0].Hint != tt.want {
			t.Errorf("%s: %+v", tt.file, q)
		}
	}
}
