package convert

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// crowd is a cluster with a pod for each set of containers, and their objects.
func crowd(pods ...[]kube.Container) *kube.Cluster {
	c := &kube.Cluster{Count: len(pods)}
	for i, containers := range pods {
		p := &kube.Pod{Node: "node-1", Containers: containers}
		p.Phase, p.Namespace, p.Name, p.Kind = "Running", "shop", fmt.Sprintf("web-%d", i), "Pod"
		c.Pods = append(c.Pods, p)
	}
	return c
}

func TestPodsAreListedWorstFirst(t *testing.T) {
	ended := &kube.Termination{Reason: "Error", Exit: 2}
	c := crowd(
		[]kube.Container{{Name: "app"}},
		[]kube.Container{{Name: "app", Restarts: 1, Last: ended}, {Name: "proxy"}},
		[]kube.Container{{Name: "app", Restarts: 9, Waiting: "CrashLoopBackOff", Last: ended}},
		[]kube.Container{{Name: "app", Waiting: "ContainerCreating"}},
	)
	r := &schema.Report{
		Inputs: []schema.Input{{Path: "db.log", Namespace: "shop", Pod: "db-0", Container: "db"}},
		Findings: []rules.Finding{
			{Rule: "TR201", Name: "nil-dereference", Severity: rules.Critical, Title: "main.main crashes", Category: rules.Crash, Pods: []rules.PodCount{{Namespace: "shop", Pod: "web-1", Container: "app"}}},
			{Rule: "TR707", Name: "slow-etcd", Severity: rules.Low, Title: "etcd is slow", Category: rules.Contention, Evidence: []rules.Evidence{{Input: "db.log"}}},
			{Rule: "TR731", Name: "crash-loop", Severity: rules.Low, Title: "Pod web-1 keeps restarting", Category: rules.Crash, Object: &rules.Object{Kind: "Pod", Namespace: "shop", Name: "web-1"}},
		},
	}
	got, total := Pods(r, c)
	row := func(pod, container string, restarts int, state string, down bool) schema.Pod {
		return schema.Pod{Namespace: "shop", Pod: pod, Container: container, Node: "node-1", Workload: pod[:len(pod)-2], Restarts: restarts, State: state, Down: down}
	}
	crashed, slow := row("web-1", "app", 1, "Error", false), row("db-0", "db", -1, "", false)
	crashed.Rule, crashed.Name, crashed.Title, crashed.Severity, crashed.Findings = "TR201", "nil-dereference", "main.main crashes", rules.Critical, 2
	slow.Rule, slow.Name, slow.Title, slow.Severity, slow.Findings, slow.Node = "TR707", "slow-etcd", "etcd is slow", rules.Low, 1, ""
	if diff := cmp.Diff([]schema.Pod{crashed, slow, row("web-2", "app", 9, "CrashLoopBackOff", true)}, got); diff != "" || total != 3 {
		t.Errorf("%d: %s", total, diff)
	}
}

func TestManyPodsAreCountedAndOneIsNoTable(t *testing.T) {
	var many [][]kube.Container
	for i := range 250 {
		many = append(many, []kube.Container{{Name: "app", Restarts: i}})
	}
	got, total := Pods(&schema.Report{}, crowd(many...))
	if len(got) != schema.MaxPodRows || total != 249 || got[0].Restarts != 249 {
		t.Errorf("%d of %d rows, the first with %d restarts", len(got), total, got[0].Restarts)
	}
	if got, total := Pods(&schema.Report{}, crowd(many[9])); got != nil || total != 0 {
		t.Errorf("near: one pod: %d rows", total)
	}
	if got, total := Pods(&schema.Report{Inputs: []schema.Input{{Path: "a.log"}, {Path: "b.log"}}}, nil); got != nil || total != 0 {
		t.Errorf("near: logs without pods: %d rows", total)
	}
}
