package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

// leaderLives is how long a leader that lost its lease ran at least: it had to start, take the lease, and fail to renew
// it for a while. The shortest lease in use lasts some 6 s. What ends sooner ends for a reason of its own.
const leaderLives = 10 * time.Second

// leadersEnded joins the restarts of pods that take a flapping lease in turns to the finding about the lease: a leader
// ends itself when it has lost its lease (client-go, tools/leaderelection), so that the lease is the cause and the
// restarts are what comes of it. Where the pods' logs are there, one of them must say so.
func leadersEnded(j joiner, found []rules.Finding, pass *rules.Pass) []rules.Finding {
	if j.cluster == nil || len(j.cluster.Leases) == 0 {
		return found
	}
	gone := map[*rules.Finding]bool{}
	for i := range found {
		lease := &found[i]
		if !flaps(lease) {
			continue
		}
		views := 1
		for k := range found {
			restarts := &found[k]
			if gone[restarts] || !j.endsOfLeaders(lease, restarts, pass) {
				continue
			}
			gone[restarts] = true
			j.add(lease, restarts, views)
			lease.Notes = append(lease.Notes, fmt.Sprintf("A leader ends itself when it has lost its lease: the "+
				"restarts of %s %s follow from that, or its pods die as leaders for another reason, which their "+
				"previous log says.", restarts.Object.Kind, restarts.Object.Name))
			views++
		}
	}
	if len(gone) == 0 {
		return found
	}
	kept := make([]rules.Finding, 0, len(found))
	for i := range found {
		if !gone[&found[i]] {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// flaps reports a finding about a lease that changes hands.
func flaps(f *rules.Finding) bool {
	return f.Object != nil && f.Object.Kind == "Lease" && f.Category == rules.Contention &&
		f.Severity.Rank() >= rules.Medium.Rank()
}

// endsOfLeaders reports whether a finding about restarts is of the pods that hold a lease in turns, and whether they
// end as a process does that has lost it: by itself, with an error, and not at its start.
func (j joiner) endsOfLeaders(lease, restarts *rules.Finding, pass *rules.Pass) bool {
	if restarts.Category != rules.Crash || restarts.Object == nil || restarts.Culprit.Function != "" ||
		restarts.Name != "crash-loop" && restarts.Name != "restarted-earlier" {
		return false
	}
	l := j.leaseOf(lease.Object)
	if l == nil {
		return false
	}
	held, logged, said := false, false, false
	for _, p := range j.cluster.Pods {
		top := j.cluster.Top(&p.Meta)
		if p.Gone || top.Kind != restarts.Object.Kind || top.Name != restarts.Object.Name ||
			top.Namespace != restarts.Object.Namespace {
			continue
		}
		if slices.ContainsFunc(p.Containers, endsOtherwise) {
			return false
		}
		held = held || holds(l, p.Name)
		there, lost := logOf(pass, p)
		logged, said = logged || there, said || lost
	}
	return held && (said || !logged)
}

// leaseOf is the lease that a finding is about, nil where the objects lack it.
func (j joiner) leaseOf(o *rules.Object) *kube.Lease {
	for _, l := range j.cluster.Leases {
		if l.Name == o.Name && l.Namespace == o.Namespace {
			return l
		}
	}
	return nil
}

// holds reports whether a pod is among the holders of a lease: identities begin with the pod's name.
func holds(l *kube.Lease, pod string) bool {
	return slices.ContainsFunc(l.Terms, func(t kube.Term) bool {
		rest, ok := strings.CutPrefix(t.Holder, pod)
		return ok && (rest == "" || rest[0] == '_' || rest[0] == '-')
	})
}

// endsOtherwise reports a container that ended as no process does that lost its lease: client-go's users exit with 1,
// klog.Fatal with 255; a panic, a signal and a program that is not there have other codes.
func endsOtherwise(c kube.Container) bool {
	for _, t := range []*kube.Termination{c.Now, c.Last} {
		if t == nil {
			continue
		}
		if t.Exit != 0 && t.Exit != 1 && t.Exit != 255 ||
			t.Reason != "Error" && t.Reason != "Completed" && t.Reason != "" {
			return true
		}
		if !t.Started.IsZero() && t.Finished.Sub(t.Started) < leaderLives {
			return true
		}
	}
	return false
}

// logOf reports whether a pod's log is there, and whether it says that a lease was lost.
func logOf(pass *rules.Pass, p *kube.Pod) (there, lost bool) {
	for _, in := range pass.Logs {
		if in.Target.Pod != p.Name || in.Target.Namespace != p.Namespace {
			continue
		}
		there = true
		lost = lost || slices.ContainsFunc(parsed.Log(in).Patterns, func(pattern *logpattern.Pattern) bool {
			return pattern.Sign == logpattern.SignLeaderLost
		})
	}
	return there, lost
}
