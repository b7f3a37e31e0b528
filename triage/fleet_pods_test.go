package triage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/verdict"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func finding(rule, print string, s rules.Severity, c rules.Confidence, count int, input string) rules.Finding {
	return rules.Finding{
		Rule: rule, Fingerprint: print, Severity: s, Confidence: c, Count: count,
		Evidence: []rules.Evidence{{Input: input, Line: 1, Count: count, Time: "2026-11-20T18:05:32Z"}},
	}
}

// podsNamed are the findings' pods as "web-0 12".
func podsNamed(f rules.Finding) []string {
	var names []string
	for _, p := range f.Pods {
		names = append(names, fmt.Sprint(p.Pod, p.Process, " ", p.Count))
	}
	return names
}

func TestAFindingSaysWhichPodsShowItWorstFirst(t *testing.T) {
	dumps := []*rules.DumpInput{podDump("web-0", podPlace{poolRun, 5}), podDump("web-1", podPlace{poolRun, 5}), podDump("web-2", podPlace{poolRun, 5})}
	found := []rules.Finding{
		finding("TR1", "same", rules.High, rules.ConfMedium, 3, "web-2.log"),
		finding("TR1", "same", rules.High, rules.ConfMedium, 12, "web-1.log"),
		finding("TR1", "same", rules.High, rules.ConfMedium, 3, "web-0.log"),
	}
	for i := range found {
		found[i].Title = "in " + found[i].Evidence[0].Input
		found[i].Evidence = append(found[i].Evidence, found[i].Evidence[0])
		found[i].Evidence[1].Text = "again"
	}
	pods.IndexDumps(dumps).Attribute(found)
	f := verdict.Merge(found)[0]
	if want := []string{"web-1 12", "web-0 3", "web-2 3"}; !slices.Equal(podsNamed(f), want) || f.PodsTotal != 3 {
		t.Errorf("pods %q of %d, want %q", podsNamed(f), f.PodsTotal, want)
	}
	if f.Title != "in web-1.log" {
		t.Errorf("title %q: not the worst pod's", f.Title)
	}
	var inputs []string
	for _, e := range f.Evidence {
		inputs = append(inputs, e.Input+e.Text)
	}
	if want := []string{"web-1.log", "web-0.log", "web-2.log", "web-1.logagain", "web-0.logagain", "web-2.logagain"}; !slices.Equal(inputs, want) {
		t.Errorf("evidence %q, want one of each pod first", inputs)
	}
}

func TestSeveralDumpsOfOnePodAreOnePod(t *testing.T) {
	a, b := podDump("web-0", podPlace{poolRun, 5}), podDump("web-0", podPlace{poolRun, 5})
	b.Line, b.EndLine = 200, 300
	found := []rules.Finding{finding("TR1", "x", rules.High, rules.ConfMedium, 4, "web-0.log"), finding("TR1", "x", rules.High, rules.ConfMedium, 7, "web-0.log")}
	found[1].Evidence[0].Line = 250
	pods.IndexDumps([]*rules.DumpInput{a, b}).Attribute(found)
	f := verdict.Merge(found)[0]
	if want := []string{"web-0 7"}; !slices.Equal(podsNamed(f), want) {
		t.Errorf("pods %q, want %q", podsNamed(f), want)
	}
}

func TestInterleavedDumpsOfOneLogDifferByTheirGoroutines(t *testing.T) {
	a, b := podDump("web-0", podPlace{poolRun, 5}), podDump("web-1", podPlace{poolRun, 5})
	a.Input, b.Input = "stern.log", "stern.log"
	a.Line, a.EndLine, b.Line, b.EndLine = 1, 100, 2, 99
	a.Buckets[0].Goroutines = []stackparse.Goroutine{{ID: 1, Line: 51}}
	b.Buckets[0].Goroutines = []stackparse.Goroutine{{ID: 1, Line: 52}}
	found := []rules.Finding{finding("TR1", "x", rules.High, rules.ConfMedium, 1, "stern.log")}
	found[0].Evidence[0].Line = 51
	pods.IndexDumps([]*rules.DumpInput{a, b}).Attribute(found)
	if got := podsNamed(found[0]); !slices.Equal(got, []string{"web-0 1"}) {
		t.Errorf("pods %q, want web-0", got)
	}
}

func TestOneProcessWithoutAPodIsNotToldOf(t *testing.T) {
	d := podDump("x", podPlace{poolRun, 5})
	d.Target, d.Process = rules.Target{}, ""
	found := []rules.Finding{finding("TR1", "x", rules.High, rules.ConfMedium, 1, "x.log")}
	pods.IndexDumps([]*rules.DumpInput{d}).Attribute(found)
	if f := verdict.Merge(found)[0]; len(f.Pods) > 0 || f.PodsTotal != 0 {
		t.Errorf("pods %+v", f.Pods)
	}
}

func TestAThousandPodsAreCountedAndAHundredNamed(t *testing.T) {
	var dumps []*rules.DumpInput
	var found []rules.Finding
	for i := range 1000 {
		pod := fmt.Sprintf("web-%d", i)
		dumps = append(dumps, podDump(pod, podPlace{poolRun, 5}))
		found = append(found, finding("TR1", "x", rules.High, rules.ConfMedium, 1+i%7, pod+".log"))
	}
	pods.IndexDumps(dumps).Attribute(found)
	f := verdict.Merge(found)[0]
	if f.PodsTotal != 1000 || len(f.Pods) != rules.MaxPods || f.Pods[0].Count != 7 {
		t.Errorf("%d pods named of %d, the worst with %d", len(f.Pods), f.PodsTotal, f.Pods[0].Count)
	}
}

const poolRun = "example.com/app/work.(*Pool).run"

// A podPlace is where a number of goroutines are.
type podPlace struct {
	function string
	count    int
}

// podDump is a dump of a pod with goroutines at its places, in select.
func podDump(pod string, places ...podPlace) *rules.DumpInput {
	d := &stackparse.Dump{Line: 1, EndLine: 100, Format: stackparse.FormatDebug2}
	for i, s := range places {
		f := stackparse.Frame{Frame: frame.Frame{Func: s.function, File: "/src/app/app.go", Line: 10 + i}}
		d.Buckets = append(d.Buckets, &stackparse.Bucket{
			Count: s.count, Class: stackparse.ClassSelect, Frames: []stackparse.Frame{f}, Shown: []int{0},
			CreatedBy: &stackparse.Frame{Frame: frame.Frame{Func: s.function + "Start", File: "/src/app/app.go", Line: 9}},
		})
		d.Goroutines += s.count
	}
	return &rules.DumpInput{
		Dump: d, Input: pod + ".log", Process: pod, Roles: make([]*rules.Role, len(places)),
		Target: rules.Target{Namespace: "ns", Pod: pod, Container: "app"},
	}
}
