package verdict

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

func TestRestartsOfOneTimeOrOneNodeAreNoted(t *testing.T) {
	type restart struct {
		workload string
		after    time.Duration
		node     int
	}
	for _, c := range []struct {
		name     string
		restarts []restart
		want     []string // parts of the notes, in order
	}{
		{"one time", []restart{{"a", 0, 1}, {"b", 4 * time.Second, 2}, {"c", 12 * time.Second, 3}, {"d", 9 * time.Hour, 1}},
			[]string{"3 containers of 3 workloads ended within 12 s, from 2026-11-20 14:20:57 on (on 3 nodes)"}},
		{"one node, at several times", []restart{{"a", 0, 1}, {"b", time.Hour, 1}, {"c", 2 * time.Hour, 1}, {"d", 5 * time.Hour, 1}, {"e", 7 * time.Hour, 1}},
			[]string{"All 5 workloads restarted on node node-1"}},
		{"one node at one time", []restart{{"a", 0, 1}, {"b", time.Second, 1}, {"c", 2 * time.Second, 1}, {"d", 3 * time.Second, 1}, {"e", 9 * time.Hour, 1}},
			[]string{"(all on node node-1): one event", "All 5 workloads restarted on node node-1"}},
		{"near: hours apart", []restart{{"a", 0, 1}, {"b", 3 * time.Hour, 2}, {"c", 9 * time.Hour, 3}, {"d", 30 * time.Hour, 1}}, nil},
		{"near: three pods of a rollout in order", []restart{{"a", 0, 1}, {"a", 9 * time.Second, 2}, {"a", 18 * time.Second, 3}}, nil},
		{"near: two at once", []restart{{"a", 0, 1}, {"b", time.Second, 2}, {"c", time.Hour, 2}}, nil},
	} {
		cluster := &kube.Cluster{Count: 1}
		add := func(workload string, node int, last *kube.Termination) {
			p := &kube.Pod{Node: fmt.Sprintf("node-%d", node), Containers: []kube.Container{{Name: "app", Last: last}}}
			p.Kind, p.Namespace, p.Name = "Pod", "shop", fmt.Sprintf("%s-%d", workload, len(cluster.Pods))
			p.Owner = kube.Ref{API: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: workload}
			cluster.Pods = append(cluster.Pods, p)
		}
		for i := range 18 { // three quiet pods on each of six nodes
			add(fmt.Sprintf("quiet-%d", i), 1+i%6, nil)
		}
		for _, r := range c.restarts {
			add(r.workload, r.node, &kube.Termination{Exit: 1, Finished: onset.Add(r.after)})
		}
		found := []rules.Finding{{Rule: "TR746", Severity: rules.Low}}
		RestartsTogether(found, &rules.Pass{Cluster: cluster})
		if len(found[0].Notes) != len(c.want) || found[0].Severity != rules.Low {
			t.Errorf("%s: %q", c.name, found[0].Notes)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(found[0].Notes[i], want) {
				t.Errorf("%s: %q, want %q", c.name, found[0].Notes[i], want)
			}
		}
	}
}
