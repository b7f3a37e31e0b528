package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gotriage/triage/kube"
	"github.com/gotriage/triage/profile"
)

// Thresholds of containers that end.
const (
	// oftenRestarts is what popeye warns of, and what an installation stays below.
	oftenRestarts = 5
	// stillRestarting is how long ago the last end may be: the kubelet's back-off ends at 5 minutes, and it forgets after 10
	// minutes of running (MaxContainerBackOff, pkg/kubelet/kubelet.go).
	stillRestarting = 15 * time.Minute
	// stale is how long after its last end a container can't still be in back-off.
	stale = time.Hour
	// lately is how long an end is news.
	lately = 24 * time.Hour
)

// A died is a container of a pod that ended.
type died struct {
	pod *kube.Pod
	c   *kube.Container
	t   *kube.Termination // its newest end; nil where the status does not tell one
}

// newest is how a container ended last; nil where it did not, or the status does not tell.
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

func (d died) target() Target {
	return Target{Namespace: d.pod.Namespace, Pod: d.pod.Name, Container: d.c.Name, Node: d.pod.Node}
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
	index := map[key]int{}
	var groups [][]died
	for _, p := range c.Pods {
		if p.Gone {
			continue
		}
		for i := range p.Containers {
			d := died{pod: p, c: &p.Containers[i], t: newestEnd(&p.Containers[i])}
			if !chosen(d) {
				continue
			}
			k := key{c.Top(&p.Meta), d.c.Name}
			g, known := index[k]
			if !known {
				g = len(groups)
				index[k] = g
				groups = append(groups, nil)
			}
			groups[g] = append(groups[g], d)
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b died) int { return b.c.Restarts - a.c.Restarts })
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
func diedEvidence(ds []died) []Evidence {
	var all []Evidence
	for _, d := range ds[:min(len(ds), maxObjectEvidence)] {
		text := fmt.Sprintf("%s container %s: %s", kindName(d.pod.Ref), d.c.Name, counted(d.c.Restarts, "restart"))
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
	return quoted(string(r))
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

// probeKill is the event that tells that the kubelet ended the container because of its liveness or startup probe; nil for none.
func probeKill(c *kube.Cluster, d died) *kube.Event {
	var kill *kube.Event
	for _, e := range c.EventsOf("Pod", d.pod.Namespace, d.pod.Name) {
		if e.Object.UID != "" && d.pod.UID != "" && e.Object.UID != d.pod.UID {
			continue
		}
		if e.Reason == "Killing" && (containsAll(e.Message, d.c.Name, "failed liveness probe") || containsAll(e.Message, d.c.Name, "failed startup probe")) {
			kill = e
		}
	}
	return kill
}

// crashLoop is TR731.
func crashLoop() *Rule {
	return &Rule{
		ID: idCrashLoop, Name: "crash-loop", Category: Crash, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A container ends and is started again and again",
			Why:            "The kubelet reports CrashLoopBackOff, or 5 or more restarts of which the last is minutes ago. How it ended last says what to read: exit code 2 is a Go panic, whose traceback is the end of the previous container's log.",
			Fix:            "Read the end of the previous container's log and mend what ends the process.",
			FalsePositives: "A container that waits for something by ending (a database that is not up yet), during an installation.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy"},
		},
		Run: func(p *Pass) []Finding {
			groups := diedByWorkload(p.Cluster, func(d died) bool {
				return d.restarting(p.Cluster) && !outOfMemoryKill(d.t) && probeKill(p.Cluster, d) == nil
			})
			var found []Finding
			for _, g := range groups {
				found = append(found, crashLoopOf(p, g))
			}
			return found
		},
	}
}

func crashLoopOf(p *Pass, ds []died) Finding {
	d := ds[0]
	top := p.Cluster.Top(&d.pod.Meta)
	n := restarts(ds)
	f := Finding{
		Category: Crash, Severity: High, Confidence: ConfMedium, Object: objectOf(top), Count: n, Evidence: diedEvidence(ds),
		Title: kubeTitle(top, fmt.Sprintf("keeps restarting: container %s, %s", d.c.Name, counted(n, "restart"))),
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	switch {
	case d.c.Waiting != "CrashLoopBackOff":
		f.Severity = Medium
	case d.t != nil && since(p.Cluster, d.t.Finished) > stale:
		// The back-off ends after 5 minutes: this status is not of the time of the others.
		f.Severity, f.Confidence = Low, ConfLow
		f.Notes = append(f.Notes, "Its last end lies long before the time of the other objects, though the kubelet waits for 5 minutes at most: the status is old, or its node does not act any more.")
	}
	how := "Its status does not say how it ended."
	if d.t != nil {
		how = "It ended last with " + exitText(d.t)
		if a := ago(p.Cluster, d.t.Finished); a != "" {
			how += ", " + a
		}
		how += "."
		if run := d.t.Finished.Sub(d.t.Started); !d.t.Started.IsZero() && run >= 0 {
			how += fmt.Sprintf(" That run took %s.", spell(run))
		}
	}
	f.Why = fmt.Sprintf("Container %s of %s restarted %s in %s. %s", d.c.Name, kindName(top), countTimes(n), counted(len(ds), "pod"), how)
	f.Fix = fmt.Sprintf("Read what container %s says before it ends, and mend that.", d.c.Name)
	log := d.target()
	f.Next = []string{log.LogsPrevious(), log.Describe()}
	if d.t != nil && d.t.Exit == 2 {
		f.Fix = fmt.Sprintf("Read the traceback at the end of the previous log of container %s: exit code 2 is a Go process that panicked.", d.c.Name)
		f.Notes = append(f.Notes, tracebackNote(p, d))
	}
	return f
}

// tracebackNote says where the traceback of a container that ended with code 2 is, or how to get it.
func tracebackNote(p *Pass, d died) string {
	for _, in := range p.Dumps {
		t := in.Target
		if t.Pod == d.pod.Name && (t.Namespace == "" || t.Namespace == d.pod.Namespace) && (t.Container == "" || t.Container == d.c.Name) {
			return "Its traceback is in the inputs: " + in.Input + "."
		}
	}
	for _, t := range p.Cluster.Tails {
		if t.Pod == d.pod.Name && t.Namespace == d.pod.Namespace && t.Container == d.c.Name {
			return "The end of its traceback is in the pod's status; the whole is at the end of the previous container's log: ask for it with --previous before the next restart."
		}
	}
	return "No log in the inputs holds its traceback: ask for the previous container's log (--previous) before the next restart replaces it."
}

// oomKilled is TR732.
func oomKilled() *Rule {
	return &Rule{
		ID: idOOMKilled, Name: "oom-killed", Category: Memory, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A container is killed because it is out of memory",
			Why:            "The container's last state says OOMKilled: the kernel ended its process at the container's memory limit (or the node had none left). A Go process leaves no traceback then.",
			Fix:            "Take a heap profile while it grows and bound what holds the memory; set GOMEMLIMIT to about 90 % of the limit, and raise the limit if the live heap needs it.",
			FalsePositives: "A limit that is too small for what the program has to hold.",
			Refs:           []string{"https://go.dev/doc/gc-guide#Memory_limit", "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/"},
		},
		Run: func(p *Pass) []Finding {
			var found []Finding
			for _, g := range diedByWorkload(p.Cluster, func(d died) bool { return outOfMemoryKill(d.t) || outOfMemoryKill(d.c.Last) }) {
				found = append(found, oomKilledOf(p, g))
			}
			return found
		},
	}
}

func oomKilledOf(p *Pass, ds []died) Finding {
	c, d := p.Cluster, ds[0]
	for _, o := range ds { // one that goes on says most
		if o.restarting(c) {
			d = o
			break
		}
	}
	top := c.Top(&d.pod.Meta)
	n := max(restarts(ds), len(ds))
	f := Finding{
		Category: Memory, Severity: Medium, Confidence: ConfHigh, Object: objectOf(top), Count: n, Evidence: diedEvidence(ds),
		Title: kubeTitle(top, fmt.Sprintf("runs out of memory: container %s is OOMKilled", d.c.Name)),
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	end := d.t
	if !outOfMemoryKill(end) {
		end = d.c.Last
	}
	switch {
	case d.restarting(c):
		f.Severity = High
	case c.Time.Sub(end.Finished) > lately, d.c.Restarts < 3:
		f.Severity = Low
	}
	limit, limited := kube.Get(d.c.Limits, "memory")
	request, _ := kube.Get(d.c.Requests, "memory")
	switch {
	case limited:
		f.Why = fmt.Sprintf("The kernel killed container %s of %s at its memory limit of %s (it requests %s).", d.c.Name, kindName(top), limit, cmp.Or(request, "nothing"))
		f.Fix = fmt.Sprintf("Compare heap profiles of container %s while it grows and bound what holds the memory; set GOMEMLIMIT to about 90 %% of %s so that the collector works against it; raise the limit if the live heap needs more.", d.c.Name, limit)
	default:
		f.Why = fmt.Sprintf("The kernel killed container %s of %s, which has no memory limit: the node, or the limit of the pod, had no memory left.", d.c.Name, kindName(top))
		f.Fix = fmt.Sprintf("Compare heap profiles of container %s while it grows and bound what holds the memory; give it a memory limit and GOMEMLIMIT, so that it is the one that notices.", d.c.Name)
	}
	if run := end.Finished.Sub(end.Started); !end.Started.IsZero() && run >= 0 {
		f.Why += fmt.Sprintf(" That run took %s.", spell(run))
	}
	f.Why += " " + fmt.Sprintf("It restarted %s in all.", countTimes(restarts(ds)))
	for _, in := range p.Profiles {
		if t := in.Target; in.Kind == profile.KindHeap && t.Pod == d.pod.Name && (t.Namespace == "" || t.Namespace == d.pod.Namespace) {
			f.Notes = append(f.Notes, "A heap profile of it is in the inputs: "+in.Input+".")
			break
		}
	}
	f.Next = []string{
		d.target().Top(), d.target().PortForward(), "go tool pprof -top http://localhost:6060/debug/pprof/heap", d.target().LogsPrevious(),
	}
	return f
}

// probeKilled is TR733.
func probeKilled() *Rule {
	return &Rule{
		ID: idProbeKilled, Name: "probe-killed", Category: Crash, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "The kubelet kills a container whose liveness probe fails",
			Why:            "Events say that the container failed its liveness (or startup) probe and was restarted, and it did so 5 or more times or is in back-off. A process that can't answer its probe is stuck, starved of CPU, or needs longer to start than the probe allows.",
			Fix:            "Take a goroutine dump while the probe fails (exec kill -ABRT 1 before the kubelet does): it shows what the handler waits for. Loosen the probe only if the process is healthy but slow.",
			FalsePositives: "A probe whose timeout (1 s by default) is shorter than a healthy answer on a loaded node.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			var found []Finding
			for _, g := range diedByWorkload(c, func(d died) bool {
				return d.restarting(c) && !outOfMemoryKill(d.t) && probeKill(c, d) != nil
			}) {
				found = append(found, probeKilledOf(c, g))
			}
			return found
		},
	}
}

func probeKilledOf(c *kube.Cluster, ds []died) Finding {
	d := ds[0]
	top := c.Top(&d.pod.Meta)
	kill := probeKill(c, d)
	f := Finding{
		Category: Crash, Severity: Medium, Confidence: ConfMedium, Object: objectOf(top), Count: restarts(ds),
		Title:    kubeTitle(top, fmt.Sprintf("is killed by its probe: container %s, %s", d.c.Name, counted(restarts(ds), "restart"))),
		Evidence: append([]Evidence{kubeEvidence(kill.At, kill.Last, kill.Count, "Event %s: %s", kill.Reason, kill.Message)}, diedEvidence(ds)...),
		Why:      fmt.Sprintf("The kubelet restarts container %s of %s because its probe fails: %s.", d.c.Name, kindName(top), quoted(kill.Message)),
		Next:     append(d.target().CollectDump(), d.target().Describe()),
		Notes:    []string{"Event counts are lower bounds."},
	}
	if d.c.Waiting == "CrashLoopBackOff" {
		f.Severity = High
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	for _, e := range c.EventsOf("Pod", d.pod.Namespace, d.pod.Name) {
		if e.Reason == "Unhealthy" {
			f.Evidence = append(f.Evidence, kubeEvidence(e.At, e.Last, e.Count, "Event Unhealthy: %s", e.Message))
			break
		}
	}
	return f
}

// restartedEarlier is TR746.
func restartedEarlier() *Rule {
	return &Rule{
		ID: idRestartedEarlier, Name: "restarted-earlier", Category: Crash, Severity: Low, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "Containers ended with an error and were started again",
			Why:            "The containers run now, and their status tells of an earlier end with an error. During an installation that is normal; a container that ended with exit code 2 left a traceback in its previous log.",
			Fix:            "Read the previous logs of those with exit code 2 or 139; leave the others alone unless they go on.",
			FalsePositives: "Containers that end on purpose: at a new configuration, at a lost leader election, for want of what they wait for.",
		},
		Run: func(p *Pass) []Finding { return restartedBefore(p.Cluster) },
	}
}

// restartedBefore is one finding for all of them: each by itself says little.
func restartedBefore(c *kube.Cluster) []Finding {
	groups := diedByWorkload(c, func(d died) bool {
		return !d.restarting(c) && d.t != nil && d.t.Exit != 0 && !outOfMemoryKill(d.t) && d.c.Restarts > 0 && d.pod.Owner.Kind != "Job"
	})
	if len(groups) == 0 {
		return nil
	}
	panics := func(ds []died) int {
		n := 0
		for _, d := range ds {
			if d.t.Exit == 2 || d.t.Exit == 139 || d.t.Exit == 134 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(groups, func(a, b []died) int { return cmp.Or(panics(b)-panics(a), restarts(b)-restarts(a)) })
	var all []died
	for _, g := range groups {
		all = append(all, g...)
	}
	worst := groups[0][0]
	top := c.Top(&worst.pod.Meta)
	f := Finding{
		Category: Crash, Severity: Info, Confidence: ConfLow, Object: objectOf(top), Count: restarts(all),
		Title: kubeTitle(top, fmt.Sprintf("restarted earlier (container %s, exit code %d)", worst.c.Name, worst.t.Exit)),
		Why: fmt.Sprintf("%s of %s ended with an error at some time and run now; %s of them with the exit code of a panic or a fault.",
			counted(len(all), "container"), counted(len(groups), "workload"), thousands(int64(panics(all)))),
		Next: []string{worst.target().LogsPrevious(), worst.target().Describe()},
	}
	if len(groups) > 1 {
		f.Title = kubeTitle(top, fmt.Sprintf("restarted earlier, as did %s", counted(len(groups)-1, "other workload")))
	}
	if panics(all) > 0 {
		f.Severity = Low
	}
	var first []died
	for _, g := range groups {
		first = append(first, g[0])
	}
	f.Evidence = diedEvidence(first)
	f.FirstSeen, f.LastSeen = seenBetween(all)
	return []Finding{f}
}
