package report_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// withFleets adds the situations with several replicas.
func withFleets(all map[string]*schema.Report) map[string]*schema.Report {
	maps.Copy(all, map[string]*schema.Report{
		"fleet":       fleetReport(),
		"fleet-alike": alikeReport(),
		"fleet-pair":  pairReport(),
	})
	return all
}

const fleetPod = "orders-5c9d8f7b6-"

func fleetLog(pod string) string { return "/var/log/pods/shop_" + pod + "_6b1f/orders/0.log" }

// fleetReport: one of four replicas leaks by the thousand; another has a little of it; a third leads.
func fleetReport() *schema.Report {
	r := &schema.Report{Tool: tool(), Rules: schema.RuleCounts{Checked: 41, Fired: 1, Clear: 40}}
	send := fn("example.com/shop/orders/internal/feed.(*Feed).publish.func1", "/src/internal/feed/feed.go", 88, "own")
	var fleet schema.Fleet
	for i, n := range []int{1190, 1204, 14001, 2106} {
		pod := fleetPod + []string{"2wq7z", "8fk2p", "m9xwt", "zt7hn"}[i]
		r.Inputs = append(r.Inputs, schema.Input{Path: fleetLog(pod), Kind: "pod-log", Lines: 9000, Framing: "cri", Namespace: "shop", Pod: pod, Container: "orders", Node: "node-" + pod[len(pod)-1:]})
		leaked := []int{0, 4, 12700, 0}[i]
		d := schema.Dump{Input: fleetLog(pod), Line: 3, EndInput: fleetLog(pod), EndLine: 8999, Namespace: "shop", Pod: pod, Container: "orders", Format: "signal", Signal: "SIGABRT", Reason: "SIGABRT: abort", Goroutines: n, Seen: 1, Buckets: []schema.Bucket{
			{State: "select", Wait: "select", Count: n - leaked, Role: "ticker-loop", Frames: []schema.Frame{fn("main.tick", "/src/main.go", 40, "own")}, Goroutines: []uint64{7}}}}
		if leaked > 0 {
			d.Buckets = append(d.Buckets, schema.Bucket{State: "chan send", Wait: "chan send", Count: leaked, Frames: []schema.Frame{send}, Goroutines: []uint64{33, 34, 35}})
		}
		r.Dumps = append(r.Dumps, d)
		fleet.Replicas = append(fleet.Replicas, schema.Replica{Pod: pod, Node: "node-" + pod[len(pod)-1:], Input: fleetLog(pod), Line: 3, Revision: "5c9d8f7b6", Goroutines: n, Findings: min(leaked, 1), Leader: i == 3})
	}
	fleet.Namespace, fleet.Workload, fleet.Container, fleet.ReplicasTotal, fleet.Compared = "shop", "orders", "orders", 4, 3
	fleet.Odd, fleet.OddTotal = []schema.Odd{{Pod: fleetPod + "m9xwt", Input: fleetLog(fleetPod + "m9xwt"), Line: 3,
		Why: "14,001 goroutines, the others 1,190 to 1,204; 12,700 in feed.(*Feed).publish.func1 (feed.go:88) [chan send], the others 0 to 4",
		Buckets: []schema.OddBucket{
			{Function: send.Function, File: send.File, Line: 88, Wait: "chan send", Counts: []int{0, 4, 12700, 0}},
		}}}, 1
	r.Fleet = []schema.Fleet{fleet}
	worst, other := fleetLog(fleetPod+"m9xwt"), fleetLog(fleetPod+"8fk2p")
	r.Findings = []rules.Finding{{
		Rule: "TR251", Name: "blocked-send", Category: rules.Leak, Severity: rules.High, Confidence: rules.ConfMedium,
		Title:   "12,700 goroutines wait to send in feed.(*Feed).publish.func1",
		Culprit: rules.Place{Function: send.Function, Package: "example.com/shop/orders/internal/feed", File: send.File, Line: 88},
		Path:    []rules.PathFrame{{Function: send.Function, File: send.File, Line: 88, Class: "own"}},
		Evidence: []rules.Evidence{
			{Input: worst, Line: 412, Text: "goroutine 33 [chan send, 40 minutes], 12700 goroutines", Goroutines: []uint64{33, 34, 35}, Count: 12700},
			{Input: other, Line: 871, Text: "goroutine 33 [chan send, 2 minutes], 4 goroutines", Goroutines: []uint64{33, 34, 35}, Count: 4},
		},
		Why: "Nobody receives any more.", Fix: "Give the send a way out: a select with the context's Done.",
		Next:    []rules.Step{rules.Command("kubectl -n shop top pod --containers " + fleetPod + "m9xwt")},
		Sources: []string{worst, other}, Creator: "example.com/shop/orders/internal/feed.(*Feed).publish",
		Pods: []rules.PodCount{
			{Namespace: "shop", Pod: fleetPod + "m9xwt", Container: "orders", Node: "node-t", Input: worst, Line: 3, Count: 12700},
			{Namespace: "shop", Pod: fleetPod + "8fk2p", Container: "orders", Node: "node-p", Input: other, Line: 3, Count: 4},
		}, PodsTotal: 2,
	}}
	return r
}

// alikeReport: twelve replicas among which none stands out, one of them with a dump that was cut.
func alikeReport() *schema.Report {
	r := &schema.Report{Tool: tool(), Rules: schema.RuleCounts{Checked: 41, Clear: 41}}
	f := schema.Fleet{Namespace: "shop", Workload: "web", Container: "web", ReplicasTotal: 12, Compared: 11}
	for i := range 12 {
		pod := fmt.Sprintf("web-%d", i)
		r.Inputs = append(r.Inputs, schema.Input{Path: fleetLog(pod), Kind: "pod-log", Lines: 900, Namespace: "shop", Pod: pod, Container: "web"})
		f.Replicas = append(f.Replicas, schema.Replica{Pod: pod, Input: fleetLog(pod), Line: 1, Goroutines: 400 + i, Truncated: i == 11})
		r.Dumps = append(r.Dumps, schema.Dump{Input: fleetLog(pod), Line: 1, Pod: pod, Namespace: "shop", Container: "web", Format: "debug2", Goroutines: 400 + i, Seen: 1})
	}
	r.Fleet = []schema.Fleet{f}
	return r
}

// pairReport: two files that name no pod, one of which has ten times the goroutines; and two pods that nothing can
// compare.
func pairReport() *schema.Report {
	r := &schema.Report{Tool: tool(), Rules: schema.RuleCounts{Checked: 41, Clear: 41}}
	for _, name := range []string{"a/stacks.txt", "b/stacks.txt"} {
		r.Inputs = append(r.Inputs, schema.Input{Path: name, Kind: "goroutine-dump", Lines: 900})
		r.Dumps = append(r.Dumps, schema.Dump{Input: name, Line: 1, Format: "debug2", Goroutines: 120, Seen: 1})
	}
	r.Fleet = []schema.Fleet{
		{Workload: "", Replicas: []schema.Replica{{Pod: "agent-7xk2p", Input: "a/stacks.txt", Line: 1, Goroutines: 120, Leader: true}, {Pod: "agent-vw4tz", Input: "b/stacks.txt", Line: 1, Goroutines: 80}}, ReplicasTotal: 2},
		{Workload: "example.com/shop/stock", Replicas: []schema.Replica{{Input: "a/stacks.txt", Line: 1, Goroutines: 120}, {Input: "b/stacks.txt", Line: 1, Goroutines: 1320}}, ReplicasTotal: 2, Compared: 2,
			Odd: []schema.Odd{{Input: "b/stacks.txt", Line: 1, Why: "1,320 goroutines, the other one 120"}}, OddTotal: 1},
	}
	return r
}

func TestText_SaysInHowManyPodsAFindingIs(t *testing.T) {
	got := collapse(text(t, fleetReport(), report.TextOptions{Width: 200}))
	for _, want := range []string{
		"in 2 pods: " + fleetPod + "m9xwt (12,700), " + fleetPod + "8fk2p (4)",
		"2 of 3 replicas are alike (1,190 to 1,204 goroutines); " + fleetPod + "m9xwt differs",
		"2,106 0 " + fleetPod + "zt7hn leader",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("doesn't say %q:\n%s", want, got)
		}
	}
}

func TestText_NamesAsManyPodsAsThereIsRoomFor(t *testing.T) {
	r := fleetReport()
	f := &r.Findings[0]
	for i := range 98 {
		f.Pods = append(f.Pods, rules.PodCount{Pod: fmt.Sprintf("web-%d", i), Container: "orders", Count: 1})
	}
	f.PodsTotal = 1500
	if got := collapse(text(t, r, report.TextOptions{Width: 200})); !strings.Contains(got, "in 1,500 pods: ") || !strings.Contains(got, "+1,496 more") {
		t.Error(got)
	}
}

func TestText_OneReplicaHasNoSection(t *testing.T) {
	if got := text(t, spinReport(), report.TextOptions{}); strings.Contains(got, "REPLICAS") {
		t.Error(got)
	}
}

func TestText_ReplicasThatAreAlikeTakeNoTable(t *testing.T) {
	got := text(t, alikeReport(), report.TextOptions{})
	if !strings.Contains(got, "none of 11 replicas stands out (400 to 410 goroutines)") || strings.Contains(got, "web-3  ") {
		t.Error(got)
	}
}

func TestText_HostileNamesOfReplicasReachNoTerminal(t *testing.T) {
	r := &schema.Report{Fleet: []schema.Fleet{{Namespace: nasty, Workload: nasty, Container: nasty + "c", Compared: 3, OddTotal: 1,
		Replicas: []schema.Replica{{Pod: nasty, Node: nasty, Input: nasty, Revision: nasty}, {Input: nasty + "2"}},
		Odd:      []schema.Odd{{Pod: nasty, Input: nasty, Why: nasty, Buckets: []schema.OddBucket{{Function: nasty, File: nasty, Wait: nasty, Counts: []int{1, -2}}}}}}}}
	for _, o := range []report.TextOptions{{}, {All: true}, {Width: 1}, {ASCII: true, All: true}} {
		if got := text(t, r, o); strings.ContainsAny(got, "\x1b\x07\x00\x7f\u202e\u009b\u200b") {
			t.Errorf("%+v: %q", o, got)
		}
	}
}
