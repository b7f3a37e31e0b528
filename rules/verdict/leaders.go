package verdict

import (
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

// leaderLives is how long a leader that lost its lease ran at least: it had to start, take the lease, and fail to renew
// it for a while. The shortest lease in use lasts some 6 s. What ends sooner ends for a reason of its own.
const leaderLives = 10 * time.Second

// flaps reports a finding about a lease that changes hands.
func flaps(f *rules.Finding) bool {
	return f.Object != nil && f.Object.Kind == "Lease" && f.Category == rules.Contention && f.Alarm()
}

// restarts reports a finding about the restarts of a workload's pods.
func restarts(f *rules.Finding) bool {
	return f.Category == rules.Crash && f.Object != nil && f.Culprit.Function == "" && f.Name == "crash-loop"
}

// endsOfLeaders reports whether restarts follow from a lease that changes hands: a leader ends itself when it has lost
// its lease (client-go, tools/leaderelection). They must be of pods that hold it in turns, and end as a process does
// that has lost it: by itself, with an error, and not at its start. Where the pods' logs are there, one must say so.
func (j joiner) endsOfLeaders(lease, restarts *rules.Finding) bool {
	at := slices.IndexFunc(j.cluster.Leases, func(l *kube.Lease) bool {
		return l.Name == lease.Object.Name && l.Namespace == lease.Object.Namespace
	})
	if at < 0 {
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
		held = held || j.cluster.Leases[at].HeldBy(p.Name)
		there, lost := j.logOf(p)
		logged, said = logged || there, said || lost
	}
	return held && (said || !logged)
}

// endsOtherwise reports a container that ended as no process does that lost its lease: client-go's users exit with 1,
// klog.Fatal with 255; a panic, a signal and a program that is not there have other codes.
func endsOtherwise(c kube.Container) bool {
	for _, t := range []*kube.Termination{c.Now, c.Last} {
		if t != nil && (!slices.Contains([]int{0, 1, 255}, t.Exit) ||
			!slices.Contains([]string{"Error", "Completed", ""}, t.Reason) ||
			!t.Started.IsZero() && t.Finished.Sub(t.Started) < leaderLives) {
			return true
		}
	}
	return false
}

// logOf reports whether a pod's log is there, and whether it says that a lease was lost.
func (j joiner) logOf(p *kube.Pod) (there, lost bool) {
	for _, in := range j.logs {
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
