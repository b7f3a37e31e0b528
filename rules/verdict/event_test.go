package verdict

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// onset is when the events of these tests begin.
var onset = time.Date(2026, 11, 20, 14, 20, 57, 0, time.UTC)

// An ended is a container that ended after its time, with the line that it logged last.
type ended struct {
	pod   string // NAMESPACE/POD
	after time.Duration
	line  string
}

// endedFindings are the findings about the ends, each at a line of its own program, and the pass with their logs.
func endedFindings(all []ended) ([]rules.Finding, *rules.Pass) {
	pass := &rules.Pass{}
	var found []rules.Finding
	for i, e := range all {
		namespace, pod, _ := strings.Cut(e.pod, "/")
		t := rules.Target{Namespace: namespace, Pod: pod, Container: "manager"}
		input := fmt.Sprintf("%s-%d.log", pod, i)
		pass.Logs = append(pass.Logs, &rules.LogInput{Input: input, Target: t})
		at := onset.Add(e.after).Format(time.RFC3339Nano)
		found = append(found, rules.Finding{
			Rule: "TR224", Name: "log-fatal", Category: rules.Crash, Severity: rules.High, Confidence: rules.ConfHigh,
			Title: "main.main ends the process: " + e.line, Why: "why", Fix: "fix", Fingerprint: fmt.Sprint(i),
			Culprit:  rules.Place{Function: fmt.Sprintf("example.com/%s.main", pod), File: "main.go", Line: 38},
			Evidence: []rules.Evidence{{Input: input, Line: 19, Time: at, Text: e.line, Count: 1}}, FirstSeen: at, LastSeen: at, Count: 1,
			Pods: []rules.PodCount{{Namespace: namespace, Pod: pod, Container: "manager", Input: input, Count: 1}}, PodsTotal: 1,
		})
	}
	return found, pass
}

func TestOneEventIsOneFinding(t *testing.T) {
	const lost, refused = "leader election lost", "dial tcp 10.96.0.1:443: connect: connection refused"
	for _, c := range []struct {
		name  string
		in    []ended
		left  int
		title string // of the first, in part
	}{
		{"three leases within seven seconds", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, "Failed to start operator: " + lost}, {"mail/sender-6d4b75cb6d-zzxwv", 6 * time.Second, lost},
			{"db/keeper-7f8c9d6b5-q8fkn", 7 * time.Second, "stopped leading"},
		}, 1, "3 controllers lost their leases within 7 s: look at the API server and etcd at 14:20:57"},
		{"the API server refuses two programs", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, "get: " + refused}, {"mail/sender-6d4b75cb6d-zzxwv", 2 * time.Second, "list: " + refused},
		}, 1, "2 programs exit within 2 s: 10.96.0.1:443 does not answer them"},
		{"near: leases lost hours apart", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, lost}, {"mail/sender-6d4b75cb6d-zzxwv", 3 * time.Hour, lost}, {"db/keeper-7f8c9d6b5-q8fkn", 9 * time.Hour, lost},
		}, 3, "main.main"},
		{"near: an upgrade that restarts controllers in order", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, lost}, {"mail/sender-6d4b75cb6d-zzxwv", 70 * time.Second, lost}, {"db/keeper-7f8c9d6b5-q8fkn", 140 * time.Second, lost},
		}, 3, "main.main"},
		{"near: three pods of one rollout", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, lost}, {"shop/orders-5c9d8f7b6-zzxwv", 4 * time.Second, lost}, {"shop/orders-5c9d8f7b6-q8fkn", 8 * time.Second, lost},
		}, 3, "main.main"},
		{"near: two addresses", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, "get: " + refused}, {"mail/sender-6d4b75cb6d-zzxwv", 2 * time.Second, "dial tcp 10.96.7.9:5432: connect: connection refused"},
		}, 2, "main.main"},
		{"near: two bugs in one second", []ended{
			{"shop/orders-5c9d8f7b6-x2x7k", 0, "no such file: /etc/orders"}, {"mail/sender-6d4b75cb6d-zzxwv", time.Second, lost},
		}, 2, "main.main"},
	} {
		found, pass := endedFindings(c.in)
		got := OneEvent(found, pass)
		if len(got) != c.left || !strings.Contains(got[0].Title, c.title) {
			t.Errorf("%s: %d findings, %q", c.name, len(got), got[0].Title)
			continue
		}
		if c.left > 1 {
			continue
		}
		f := got[0]
		rulestest.CheckFinding(t, &f)
		if len(f.Evidence) != len(c.in) || len(f.Pods) != len(c.in) || f.Culprit.Function != "" || f.Severity != rules.High ||
			!strings.HasPrefix(f.Evidence[0].Text, c.in[0].pod+" (manager): ") {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestWhatFollowsAnEventJoinsIt(t *testing.T) {
	found, pass := endedFindings([]ended{
		{"shop/orders-5c9d8f7b6-x2x7k", 0, "leader election lost"}, {"mail/sender-6d4b75cb6d-zzxwv", 6 * time.Second, "lost lease"},
	})
	follower := rules.Finding{
		Rule: "TR403", Name: "select-forever", Category: rules.Leak, Severity: rules.Medium, Confidence: rules.ConfLow, Title: "main.run waits for ever.",
		FirstSeen: found[0].FirstSeen, Pods: found[0].Pods, PodsTotal: 1, Evidence: found[0].Evidence,
	}
	stranger := follower
	stranger.Pods = []rules.PodCount{{Namespace: "shop", Pod: "web-0", Container: "manager"}}
	later := follower
	later.FirstSeen = onset.Add(time.Hour).Format(time.RFC3339Nano)
	worse := follower
	worse.Confidence = rules.ConfMedium
	got := OneEvent(append(found, follower, stranger, later, worse), pass)
	if len(got) != 4 || strings.Join(got[0].Notes, "\n") != "main.run waits for ever (TR403 select-forever)" {
		t.Errorf("%d findings, notes %q", len(got), got[0].Notes)
	}
}

func TestAnEventOnOneNodeNamesIt(t *testing.T) {
	ends := []ended{{"shop/orders-5c9d8f7b6-x2x7k", 0, "leader election lost"}, {"mail/sender-6d4b75cb6d-zzxwv", 6 * time.Second, "lost lease"}}
	for _, c := range []struct {
		name  string
		nodes []string // of the two pods
		other int      // pods on other nodes
		want  string
	}{
		{"one node of many", []string{"worker-1", "worker-1"}, 40, "look at node worker-1"},
		{"near: two nodes", []string{"worker-1", "worker-2"}, 40, "look at the API server and etcd"},
		{"near: a node that runs a third of all", []string{"worker-1", "worker-1"}, 4, "look at the API server and etcd"},
	} {
		found, pass := endedFindings(ends)
		cluster := &kube.Cluster{Count: 2, Nodes: []*kube.Node{{}, {}}}
		for i := range pass.Logs {
			pass.Logs[i].Target.Node = c.nodes[i]
			cluster.Pods = append(cluster.Pods, &kube.Pod{Node: c.nodes[i]})
		}
		for range c.other {
			cluster.Pods = append(cluster.Pods, &kube.Pod{Node: "worker-9"})
		}
		pass.Cluster = cluster
		if got := OneEvent(found, pass); len(got) != 1 || !strings.Contains(got[0].Title, c.want) {
			t.Errorf("%s: %q", c.name, got[0].Title)
		}
	}
}
