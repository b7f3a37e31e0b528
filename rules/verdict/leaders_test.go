package verdict

import (
	"slices"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

func TestRestartsOfPodsThatLoseTheirLeaseFollowFromTheLease(t *testing.T) {
	const taken = "walker-1_0b7c"
	for _, c := range []struct {
		name   string
		holder string
		end    kube.Termination
		ran    time.Duration
		lease  rules.Severity
		joined bool
	}{
		{"lost", taken, kube.Termination{Exit: 1, Reason: "Error"}, time.Minute, rules.Medium, true},
		{"near: the lease is another's", "other-1_0b7c", kube.Termination{Exit: 1, Reason: "Error"}, time.Minute, rules.Medium,
			false},
		{"near: a panic", taken, kube.Termination{Exit: 2, Reason: "Error"}, time.Minute, rules.Medium, false},
		{"near: out of memory", taken, kube.Termination{Exit: 137, Reason: "OOMKilled"}, time.Minute, rules.Medium, false},
		{"near: it ends at its start", taken, kube.Termination{Exit: 1, Reason: "Error"}, 2 * time.Second, rules.Medium, false},
		{"near: the lease does not flap", taken, kube.Termination{Exit: 1, Reason: "Error"}, time.Minute, rules.Low, false},
	} {
		c.end.Started, c.end.Finished = onset, onset.Add(c.ran)
		p := &kube.Pod{Containers: []kube.Container{{Name: "app", Last: &c.end}}}
		p.Kind, p.Namespace, p.Name = "Pod", "shop", "walker-1"
		p.Owner = kube.Ref{API: "apps/v1", Kind: "StatefulSet", Namespace: "shop", Name: "walker"}
		l := &kube.Lease{Terms: []kube.Term{{Holder: c.holder}}}
		l.Kind, l.Namespace, l.Name = "Lease", "shop", "walker"
		pass := &rules.Pass{Cluster: &kube.Cluster{Count: 2, Pods: []*kube.Pod{p}, Leases: []*kube.Lease{l}}}
		found := OneCause(nil, []rules.Finding{
			{Rule: "TR731", Name: "crash-loop", Category: rules.Crash, Severity: rules.High, Confidence: rules.ConfMedium,
				Object: &rules.Object{Kind: "StatefulSet", Namespace: "shop", Name: "walker"}},
			{Rule: "TR748", Name: "lease-flapping", Category: rules.Contention, Severity: c.lease, Confidence: rules.ConfMedium,
				Object: &rules.Object{Kind: "Lease", Namespace: "shop", Name: "walker"}},
		}, pass)
		if joined := len(found) == 1; joined != c.joined {
			t.Errorf("%s: %+v", c.name, found)
		} else if joined && (found[0].Rule != "TR748" || found[0].Severity != rules.High ||
			!slices.ContainsFunc(found[0].Objects, func(o rules.Object) bool { return o.Kind == "StatefulSet" })) {
			t.Errorf("%s: %+v", c.name, found[0])
		}
	}
}
