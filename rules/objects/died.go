package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of containers that end.
const (
	// oftenRestarts is what popeye warns of, and what an installation stays below.
	oftenRestarts = 5
	// stillRestarting is how long ago the last end may be: the kubelet's back-off ends at 5 minutes, and it forgets
	// after 10 minutes of running (MaxContainerBackOff, pkg/kubelet/kubelet.go).
	stillRestarting = 15 * time.Minute
	// stale is how long after its last end a container can't still be in back-off: an hour is far more than the 5
	// minutes that the kubelet waits at most.
	stale = time.Hour
)

// A died is a container of a pod that ended.
type died struct {
	pod *kube.Pod
	c   *kube.Container
	t   *kube.Termination // its newest end; nil where the status does not show one
}

// newestEnd is how a container ended last; nil where it did not, or the status does not show.
func newestEnd(c *kube.Container) *kube.Termination {
	if c.Now != nil {
		return c.Now
	}
	return c.Last
}

// at is where the container's state stands.
func (d died) at() kube.At {
	line := d.c.Line
	if d.t != nil && d.t.Line > 0 {
		line = d.t.Line
	}
	return kube.At{Input: d.pod.Input, Line: cmp.Or(line, d.pod.Line)}
}

func (d died) target() rules.Target {
	return rules.Target{Namespace: d.pod.Namespace, Pod: d.pod.Name, Container: d.c.Name, Node: d.pod.Node}
}

// restarting reports a container that is in back-off, or that ended moments ago and did so often.
func (d died) restarting(c *kube.Cluster) bool {
	if d.c.Waiting == "CrashLoopBackOff" {
		return true
	}
	if d.c.Restarts < oftenRestarts || d.t == nil || d.t.Finished.IsZero() || c.Time.IsZero() {
		return false
	}
	return c.Time.Sub(d.t.Finished) <= stillRestarting
}

// diedByWorkload groups the containers that chosen picks by what made their pods and by their name.
func diedByWorkload(c *kube.Cluster, chosen func(died) bool) [][]died {
	type key struct {
		top       kube.Ref
		container string
	}
	var byName grouping[key, died]
	for _, p := range c.Pods {
		if p.Gone {
			continue
		}
		for i := range p.Containers {
			d := died{pod: p, c: &p.Containers[i], t: newestEnd(&p.Containers[i])}
			if !chosen(d) {
				continue
			}
			byName.add(key{c.Top(&p.Meta), d.c.Name}, d)
		}
	}
	var groups [][]died
	for _, k := range byName.keys {
		g := byName.values[k]
		slices.SortStableFunc(g, func(a, b died) int { return b.c.Restarts - a.c.Restarts })
		groups = append(groups, g)
	}
	return groups
}

// restarts is how often all of them restarted.
func restarts(ds []died) int {
	n := 0
	for _, d := range ds {
		n += d.c.Restarts
	}
	return n
}

// diedEvidence is a line for each container, with how it ended.
func diedEvidence(ds []died) []rules.Evidence {
	var all []rules.Evidence
	for _, d := range ds[:min(len(ds), maxObjectEvidence)] {
		text := fmt.Sprintf("%s container %s: %s", kindName(d.pod.Ref), d.c.Name, phrase.Counted(d.c.Restarts, "restart"))
		if d.c.Waiting != "" {
			text += ", now " + d.c.Waiting
		}
		when := time.Time{}
		if d.t != nil {
			text += fmt.Sprintf(", last end: %s, exit code %d", cmp.Or(d.t.Reason, "no reason"), d.t.Exit)
			if d.t.Signal != 0 {
				text += ", signal " + strconv.Itoa(d.t.Signal)
			}
			if d.t.Message != "" {
				text += ": " + lastWords(d.t.Message)
			}
			when = d.t.Finished
		}
		all = append(all, kubeEvidence(d.at(), when, d.c.Restarts, "%s", text))
	}
	return all
}

// lastWords is the beginning of a termination message, or its end where that is the end of a log.
func lastWords(s string) string {
	const most = 120
	r := []rune(oneLine(s))
	if len(r) > most {
		r = append([]rune("…"), r[len(r)-most:]...)
	}
	return phrase.Quoted(string(r))
}

// seenBetween are the earliest start and the latest end of the containers' last runs.
func seenBetween(ds []died) (first, last string) {
	var a, b time.Time
	for _, d := range ds {
		if d.t == nil || d.t.Finished.IsZero() {
			continue
		}
		if a.IsZero() || d.t.Finished.Before(a) {
			a = d.t.Finished
		}
		if d.t.Finished.After(b) {
			b = d.t.Finished
		}
	}
	return kubeTime(a), kubeTime(b)
}

// outOfMemoryKill reports an end by the kernel's out-of-memory killer.
func outOfMemoryKill(t *kube.Termination) bool { return t != nil && t.Reason == "OOMKilled" }

// probeKill is the event that tells that the kubelet ended the container because of its liveness or startup probe; nil
// for none.
func probeKill(c *kube.Cluster, d died) *kube.Event {
	var kill *kube.Event
	for _, e := range c.EventsOf("Pod", d.pod.Namespace, d.pod.Name) {
		if e.Object.UID != "" && d.pod.UID != "" && e.Object.UID != d.pod.UID {
			continue
		}
		if e.Reason == "Killing" && (containsAll(e.Message, d.c.Name, "failed liveness probe") ||
			containsAll(e.Message, d.c.Name, "failed startup probe")) {
			kill = e
		}
	}
	return kill
}
