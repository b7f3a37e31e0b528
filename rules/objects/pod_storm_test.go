package objects

import (
	"testing"

	"github.com/gotriage/triage/internal/kube"
)

func TestLabelsOfAStormSelectItsPodsAlone(t *testing.T) {
	pod := func(phase, owner string, labels ...string) *kube.Pod {
		p := &kube.Pod{Phase: phase}
		p.Namespace, p.Owner = "shop", kube.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: owner}
		for i := 0; i < len(labels); i += 2 {
			p.Labels = append(p.Labels, kube.Pair{Name: labels[i], Value: labels[i+1]})
		}
		return p
	}
	storm := func() *storm {
		return &storm{owner: kube.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: "web-1"}, pods: []*kube.Pod{
			pod("Failed", "web-1", "app", "web", "pod-template-hash", "1", "n", "1"),
			pod("Failed", "web-1", "app", "web", "pod-template-hash", "1", "n", "2"),
		}}
	}
	for _, tt := range []struct {
		claim string
		other *kube.Pod
		want  string
	}{
		{"another's failed pod lacks one of them", pod("Failed", "web-2", "app", "web", "pod-template-hash", "2"), "app=web,pod-template-hash=1"},
		{"another's pod runs", pod("Running", "db", "app", "web", "pod-template-hash", "1"), "app=web,pod-template-hash=1"},
		{"another's failed pod has them all", pod("Failed", "db", "app", "web", "pod-template-hash", "1"), ""},
		{"a pod of the same owner failed otherwise", pod("Failed", "web-1", "app", "web", "pod-template-hash", "1"), "app=web,pod-template-hash=1"},
	} {
		s := storm()
		c := &kube.Cluster{Pods: append([]*kube.Pod{tt.other}, s.pods...)}
		if got := s.labels(c); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.claim, got, tt.want)
		}
	}
}
