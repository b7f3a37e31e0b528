package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// A place is where goroutines are in a made up dump.
type place struct {
	function string
	count    int
}

// dumpOf is a dump of a pod with goroutines at its places, in select.
func dumpOf(pod string, places ...place) *rules.DumpInput {
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

const (
	work   = "example.com/app/work.(*Pool).run"
	leak   = "example.com/app/feed.(*Feed).publish.func1"
	renews = "k8s.io/client-go/tools/leaderelection.(*LeaderElector).renew.func1"
	waits  = "example.com/app/vendor/k8s.io/client-go/tools/leaderelection.(*LeaderElector).acquire"
)

func fleets(found []rules.Finding, dumps ...*rules.DumpInput) []schema.Fleet {
	pods.IndexDumps(dumps).Attribute(found)
	return Of(&rules.Pass{Dumps: dumps}, found)
}

// oddPods are the pods that differ, over all fleets.
func oddPods(fs []schema.Fleet) []string {
	pods := []string{}
	for _, f := range fs {
		for _, o := range f.Odd {
			pods = append(pods, o.Pod)
		}
	}
	return pods
}

func TestReplicasThatDiffer(t *testing.T) {
	for _, c := range []struct {
		situation string
		dumps     []*rules.DumpInput
		want      []string
	}{
		{"one of three leaks", []*rules.DumpInput{
			dumpOf("web-0", place{work, 1204}), dumpOf("web-1", place{work, 1190}), dumpOf("web-2", place{work, 1301}, place{leak, 12700})}, []string{"web-2"}},
		{"one of three has no workers", []*rules.DumpInput{
			dumpOf("web-0", place{work, 64}), dumpOf("web-1", place{work, 64}), dumpOf("web-2", place{leak, 6})}, []string{"web-2"}},
		{"as many goroutines, in another place", []*rules.DumpInput{
			dumpOf("web-0", place{work, 200}), dumpOf("web-1", place{work, 204}), dumpOf("web-2", place{work, 160}, place{leak, 40})}, []string{"web-2"}},
		{"two of five leak", []*rules.DumpInput{
			dumpOf("web-0", place{work, 50}), dumpOf("web-1", place{work, 51}, place{leak, 900}), dumpOf("web-2", place{work, 50}),
			dumpOf("web-3", place{work, 49}), dumpOf("web-4", place{work, 50}, place{leak, 700})}, []string{"web-1", "web-4"}},
		{"near: the load differs a little", []*rules.DumpInput{
			dumpOf("web-0", place{work, 1204}), dumpOf("web-1", place{work, 1190}), dumpOf("web-2", place{work, 1490})}, nil},
		{"near: a few goroutines more", []*rules.DumpInput{
			dumpOf("web-0", place{work, 5}), dumpOf("web-1", place{work, 5}), dumpOf("web-2", place{work, 14})}, nil},
		{"near: all differ", []*rules.DumpInput{
			dumpOf("web-0", place{work, 100}), dumpOf("web-1", place{work, 1000}), dumpOf("web-2", place{work, 10000})}, nil},
		{"near: each differs in its own way", []*rules.DumpInput{
			dumpOf("web-0", place{"example.com/app.A", 100}), dumpOf("web-1", place{"example.com/app.B", 100}), dumpOf("web-2", place{"example.com/app.C", 100})}, nil},
		{"near: one leads", []*rules.DumpInput{
			dumpOf("web-0", place{work, 9}, place{waits, 1}), dumpOf("web-1", place{work, 900}, place{renews, 1}), dumpOf("web-2", place{work, 9}, place{waits, 1})}, nil},
		{"one that leads no more than the others do is odd", []*rules.DumpInput{
			dumpOf("web-0", place{work, 9}, place{renews, 1}), dumpOf("web-1", place{work, 900}, place{renews, 1}), dumpOf("web-2", place{work, 9}, place{renews, 1})}, []string{"web-1"}},
		{"near: another revision in a rolling update", []*rules.DumpInput{
			dumpOf("api-5c9d8f7b6-2wq7z", place{work, 40}), dumpOf("api-5c9d8f7b6-8fk2p", place{work, 41}), dumpOf("api-6d4b75cb6d-x2x7k", place{leak, 4000})}, nil},
		{"near: pods of other workloads", []*rules.DumpInput{
			dumpOf("web-0", place{work, 40}), dumpOf("web-1", place{work, 41}), dumpOf("db-0", place{work, 9000}), dumpOf("cache-0", place{work, 1})}, nil},
		{"of two one has ten times as many", []*rules.DumpInput{
			dumpOf("web-0", place{work, 120}), dumpOf("web-1", place{work, 130}, place{leak, 1100})}, []string{"web-1"}},
		{"near: of two one has twice as many", []*rules.DumpInput{
			dumpOf("web-0", place{work, 400}), dumpOf("web-1", place{work, 800})}, nil},
		{"near: of two one has fifty more", []*rules.DumpInput{
			dumpOf("web-0", place{work, 4}), dumpOf("web-1", place{work, 54})}, nil},
	} {
		if got := oddPods(fleets(nil, c.dumps...)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q differ, want %q", c.situation, got, c.want)
		}
	}
}

func TestIdleGoroutinesMayDifferMore(t *testing.T) {
	dumps := []*rules.DumpInput{
		dumpOf("web-0", place{work, 40}, place{leak, 200}), dumpOf("web-1", place{work, 40}, place{leak, 200}), dumpOf("web-2", place{work, 120}, place{leak, 200}),
	}
	if got := oddPods(fleets(nil, dumps...)); !slices.Equal(got, []string{"web-2"}) {
		t.Fatalf("%q differ, want web-2", got)
	}
	for _, d := range dumps {
		d.Roles[0] = &rules.Role{Name: "keep-alive", Idle: true}
	}
	if got := oddPods(fleets(nil, dumps...)); len(got) > 0 {
		t.Errorf("%q differ in idle goroutines", got)
	}
}

func TestAFindingThatOneReplicaHasAloneMakesItDiffer(t *testing.T) {
	spin := func(pod string, s rules.Severity) rules.Finding {
		f := finding("TR101", "spin", s, rules.ConfMedium, 1, pod+".log")
		f.Name = "busy-wait"
		return f
	}
	dumps := func(n int) (all []*rules.DumpInput) {
		for i := range n {
			all = append(all, dumpOf(fmt.Sprintf("web-%d", i), place{work, 40}))
		}
		return all
	}
	for _, c := range []struct {
		situation string
		replicas  int
		holders   []string
		severity  rules.Severity
		want      []string
	}{
		{"one of three", 3, []string{"web-1"}, rules.High, []string{"web-1"}},
		{"one of two", 2, []string{"web-1"}, rules.High, []string{"web-1"}},
		{"all but one", 4, []string{"web-0", "web-1", "web-3"}, rules.High, []string{"web-2"}},
		{"near: half of them", 4, []string{"web-0", "web-1"}, rules.High, nil},
		{"near: both", 2, []string{"web-0", "web-1"}, rules.High, nil},
		{"near: a minor one", 3, []string{"web-1"}, rules.Low, nil},
	} {
		var found []rules.Finding
		for _, pod := range c.holders {
			found = append(found, spin(pod, c.severity))
		}
		fs := fleets(found, dumps(c.replicas)...)
		if got := oddPods(fs); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q differ, want %q", c.situation, got, c.want)
			continue
		}
		if len(c.want) == 1 && !strings.Contains(fs[0].Odd[0].Why, "busy-wait (TR101)") {
			t.Errorf("%s: why %q", c.situation, fs[0].Odd[0].Why)
		}
	}
}

func TestTheDifferenceIsInNumbers(t *testing.T) {
	f := fleets(nil, dumpOf("web-10", place{work, 1204}), dumpOf("web-2", place{work, 1190}, place{leak, 3}), dumpOf("web-1", place{work, 1301}, place{leak, 12700}))[0]
	want := "14,001 goroutines, the others 1,193 to 1,204; 12,700 in feed.(*Feed).publish.func1 (app.go:11) [select], the others 0 to 3"
	if len(f.Odd) != 1 || f.Odd[0].Why != want {
		t.Fatalf("odd: %+v\nwant %s", f.Odd, want)
	}
	bucket := schema.OddBucket{Function: leak, File: "/src/app/app.go", Line: 11, Wait: "select", Counts: []int{12700, 3, 0}}
	if diff := cmp.Diff([]schema.OddBucket{bucket}, f.Odd[0].Buckets); diff != "" {
		t.Error(diff)
	}
	if f.Namespace != "ns" || f.Workload != "web" || f.Container != "app" || f.Compared != 3 || f.ReplicasTotal != 3 {
		t.Errorf("%+v", f)
	}
}

func TestTheLastDumpOfAPodSpeaksForIt(t *testing.T) {
	early, late := dumpOf("web-0", place{work, 9000}), dumpOf("web-0", place{work, 40})
	early.Stamp, late.Stamp = "2026-11-21T05:00:00Z", "2026-11-21T06:00:00Z"
	others := []*rules.DumpInput{dumpOf("web-1", place{work, 41}), dumpOf("web-2", place{work, 42})}
	for _, order := range [][]*rules.DumpInput{{early, late}, {late, early}} {
		f := fleets(nil, append(order, others...)...)[0]
		if f.ReplicasTotal != 3 || f.Replicas[0].Goroutines != 40 || len(f.Odd) > 0 {
			t.Errorf("%+v", f)
		}
	}
	early.Stamp, late.Stamp = "", ""
	early.Target.LogPath, late.Target.LogPath = identity.PodLogs+"ns_web-0_u/app/9.log", identity.PodLogs+"ns_web-0_u/app/10.log"
	if f := fleets(nil, append(others, early, late)...)[0]; f.Replicas[0].Goroutines != 40 {
		t.Errorf("%d goroutines: the log before the last restart speaks", f.Replicas[0].Goroutines)
	}
}

func TestACutDumpIsShownAndNotCompared(t *testing.T) {
	cut := dumpOf("web-2", place{work, 7})
	cut.Truncated.Tail = true
	f := fleets(nil, dumpOf("web-0", place{work, 400}), dumpOf("web-1", place{work, 400}), cut)[0]
	if len(f.Odd) > 0 || f.Compared != 2 || !f.Replicas[2].Truncated {
		t.Errorf("%+v", f)
	}
}

func TestAPanicsSingleGoroutineIsNoReplica(t *testing.T) {
	if fs := fleets(nil, dumpOf("web-0", place{work, 400}), dumpOf("web-1", place{work, 1})); len(fs) > 0 {
		t.Errorf("%+v", fs)
	}
}

func TestContainersOfOnePodAreNotHeldAgainstEachOther(t *testing.T) {
	app, sidecar := dumpOf("web-0", place{work, 400}), dumpOf("web-0", place{work, 4})
	sidecar.Target.Container = "proxy"
	if fs := fleets(nil, app, sidecar); len(fs) > 0 {
		t.Errorf("%+v", fs)
	}
}

func TestFilesOfOneProgramAreReplicasWhereNothingNamesPods(t *testing.T) {
	nameless := func(input string, places ...place) *rules.DumpInput {
		d := dumpOf(input, places...)
		d.Target, d.Process = rules.Target{}, ""
		return d
	}
	a, b, c := nameless("a", place{work, 30}), nameless("b", place{work, 31}), nameless("c", place{work, 30}, place{leak, 400})
	fs := fleets(nil, a, b, c)
	if len(fs) != 1 || len(fs[0].Odd) != 1 || fs[0].Odd[0].Input != "c.log" {
		t.Errorf("%+v", fs)
	}
	if fs := fleets(nil, a, nameless("d", place{"example.com/other.Run", 400})); len(fs) > 0 {
		t.Errorf("another program is a replica: %+v", fs)
	}
	newer := nameless("e", place{work, 30})
	a.Go, newer.Go = "1.26", "1.27"
	if fs := fleets(nil, a, newer); len(fs) > 0 {
		t.Errorf("another build is a replica: %+v", fs)
	}
	a.Process, b.Process = "process 1", "process 1"
	if fs := fleets(nil, a, b); len(fs) > 0 {
		t.Errorf("two dumps of one process are replicas: %+v", fs)
	}
}

func finding(rule, print string, s rules.Severity, c rules.Confidence, count int, input string) rules.Finding {
	return rules.Finding{
		Rule: rule, Fingerprint: print, Severity: s, Confidence: c, Count: count,
		Evidence: []rules.Evidence{{Input: input, Line: 1, Count: count, Time: "2026-11-20T18:05:32Z"}},
	}
}
