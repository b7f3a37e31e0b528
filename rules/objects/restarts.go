package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/profile"
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
	// backOffReset is how long a container has to run until the kubelet forgets that it restarted: twice its longest
	// back-off. A process that ends itself every hour never waits.
	backOffReset = 10 * time.Minute
	// stale is how long after its last end a container can't still be in back-off: an hour is far more than the 5
	// minutes that the kubelet waits at most.
	stale = time.Hour

	backOff = "CrashLoopBackOff"
)

// A died is a container of a pod that ended.
type died struct {
	pod *kube.Pod
	c   *kube.Container
	t   *kube.Termination // its newest end; nil where the status does not show one
}

func (d died) target() rules.Target {
	return rules.Target{Namespace: d.pod.Namespace, Pod: d.pod.Name, Container: d.c.Name, Node: d.pod.Node}
}

// containerText is "container NAME", or "a container" where the inputs do not name it: tables of kubectl.
func containerText(name string) string {
	if name == "" {
		return "a container"
	}
	return "container " + name
}

// containerOf is "Pod shop/web-0 container app", without the container where the inputs do not name it.
func containerOf(pod kube.Ref, name string) string {
	if name == "" {
		return kindName(pod)
	}
	return kindName(pod) + " container " + name
}

// restarting reports a container that is in back-off, or that ended moments ago and did so often.
func (d died) restarting(c *kube.Cluster) bool {
	if d.c.Waiting == backOff {
		return true
	}
	if d.c.Restarts < oftenRestarts || d.t == nil || d.t.Finished.IsZero() || c.Time.IsZero() {
		return false
	}
	return c.Time.Sub(d.t.Finished) <= stillRestarting
}

// lost reports a container that went with its node or runtime, and is up again: each reboot ends all containers so
// (containerd's exit code 255, reason Unknown; the kubelet's 137, ContainerStatusUnknown).
func (d died) lost() bool {
	return d.c.Waiting != backOff && d.t != nil &&
		(d.t.Reason == "Unknown" && d.t.Exit == 255 || d.t.Reason == "ContainerStatusUnknown")
}

// ranWell reports a container whose last run was so long that the kubelet forgot its back-off (backOffReset).
func (d died) ranWell() bool {
	return d.c.Waiting != backOff && d.t != nil && !d.t.Started.IsZero() && d.t.Finished.Sub(d.t.Started) > backOffReset
}

// diedByWorkload groups the containers that chosen picks by what made their pods and by their name, those that
// restarted most first.
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
			ct := &p.Containers[i]
			if d := (died{p, ct, cmp.Or(ct.Now, ct.Last)}); chosen(d) {
				byName.add(key{c.Top(&p.Meta), ct.Name}, d)
			}
		}
	}
	var groups [][]died
	for _, k := range byName.keys {
		slices.SortStableFunc(byName.values[k], func(a, b died) int { return b.c.Restarts - a.c.Restarts })
		groups = append(groups, byName.values[k])
	}
	return groups
}

// restarts is how often all of them restarted.
func restarts(ds []died) int {
	n := 0
	each(ds, func(d died) { n += d.c.Restarts })
	return n
}

// finding begins a finding about what all the containers are of; d is the one that it speaks of.
func (d died) finding(c *kube.Cluster, ds []died, s rules.Severity, conf rules.Confidence, count int) rules.Finding {
	first, last := seenBetween(ds)
	f := finding(c.Top(&d.pod.Meta), s, conf, count, first, last)
	f.Evidence = diedEvidence(ds)
	return f
}

// shows reports whether an input is of the container, as far as the input names one.
func (d died) shows(t rules.Target) bool {
	return t.Pod == d.pod.Name && (t.Namespace == "" || t.Namespace == d.pod.Namespace)
}

// diedEvidence is a line for each container, with how it ended.
func diedEvidence(ds []died) []rules.Evidence {
	var all []rules.Evidence
	for _, d := range ds[:min(len(ds), maxObjectEvidence)] {
		at := kube.At{Input: d.pod.Input, Line: cmp.Or(d.c.Line, d.pod.Line)}
		text := fmt.Sprintf("%s: %s", containerOf(d.pod.Ref, d.c.Name), phrase.Count(d.c.Restarts, "restart"))
		if d.c.Waiting != "" {
			text += ", now " + d.c.Waiting
		}
		when := time.Time{}
		if t := d.t; t != nil {
			at.Line = cmp.Or(t.Line, at.Line)
			text += ", last end: " + cmp.Or(t.Reason, "no reason")
			if t.Exit >= 0 {
				text += ", exit code " + strconv.Itoa(t.Exit)
			}
			if t.Signal != 0 {
				text += ", signal " + strconv.Itoa(t.Signal)
			}
			if t.Message != "" {
				text += ": " + lastWords(t.Message)
			}
			when = t.Finished
		}
		all = append(all, evidence(at, when, d.c.Restarts, "%s", text))
	}
	return all
}

// lastWords is the beginning of a termination message, or its end where that is the end of a log.
func lastWords(s string) string {
	const most = 120
	r := []rune(phrase.Cut(s, maxObjectText))
	if len(r) > most {
		r = append([]rune("…"), r[len(r)-most:]...)
	}
	return phrase.Quoted(string(r))
}

// seenBetween are the first and the last end of the containers' last runs.
func seenBetween(ds []died) (a, b time.Time) {
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
	return a, b
}

// outOfMemoryKill reports an end by the kernel's out-of-memory killer.
func outOfMemoryKill(t *kube.Termination) bool { return t != nil && t.Reason == "OOMKilled" }

// probeKill is the event that says that the kubelet ended the container because of its liveness or startup probe; nil
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

// runCrashLoop is crash-loop (TR731).
func runCrashLoop(p *rules.Pass) []rules.Finding {
	c := parsed.Cluster(p)
	groups := diedByWorkload(c, func(d died) bool {
		return d.restarting(c) && !outOfMemoryKill(d.t) && !d.lost()
	})
	return findings(groups, func(g []died) rules.Finding { return crashLoopOf(p, g) })
}

func crashLoopOf(p *rules.Pass, ds []died) rules.Finding {
	c, d := parsed.Cluster(p), ds[0]
	top, who := c.Top(&d.pod.Meta), containerText(d.c.Name)
	n := restarts(ds)
	f := d.finding(c, ds, rules.High, rules.ConfMedium, n)
	f.Title = title(top, fmt.Sprintf("keeps restarting: %s, %s", who, phrase.Count(n, "restart")))
	switch {
	case !slices.ContainsFunc(ds, func(d died) bool { return !d.ranWell() }):
		f.Severity = rules.Medium
		f.Title = title(top, fmt.Sprintf("restarts now and then: %s, %s", who, phrase.Count(n, "restart")))
		f.Doubt("Its last run was longer than 10 minutes: the kubelet reset its back-off, so this is no loop.")
	case d.c.Waiting == backOff && d.t != nil && since(c, d.t.Finished) > stale:
		f.Doubt("It last ended " + ago(c, d.t.Finished) + ", though the kubelet waits 5 minutes at most: the status " +
			"may be old.")
	case d.c.Waiting == backOff:
		f.Confidence = rules.ConfHigh
	}
	f.Why = fmt.Sprintf("%s of %s restarted %s in %s.", capital(who), kindName(top), phrase.CountTimes(n),
		phrase.Count(len(ds), "pod"))
	if d.t != nil {
		f.Why += fmt.Sprintf(" Its last run ended with %s", exitText(d.t))
		if run := d.t.Finished.Sub(d.t.Started); !d.t.Started.IsZero() && run >= 0 {
			f.Why += ", after " + phrase.Spell(run)
		}
		f.Why += "."
	}
	f.Fix = fmt.Sprintf("Fix the error that %s logs before it exits.", who)
	f.Next = []rules.Step{d.target().LogsPrevious(), d.target().Describe()}
	if kill := probeKill(c, d); kill != nil {
		d.killedByProbe(c, kill, &f)
	} else if d.t != nil && d.t.Exit == 2 {
		f.Fix = fmt.Sprintf("Read the traceback at the end of the previous log of %s, and fix the panic.", who)
		f.Notes = append(f.Notes, tracebackNote(p, d))
	}
	return f
}

// killedByProbe says that the kubelet ends the container because its liveness or startup probe fails.
func (d died) killedByProbe(c *kube.Cluster, kill *kube.Event, f *rules.Finding) {
	f.Title = title(c.Top(&d.pod.Meta), fmt.Sprintf("is killed by its probe: container %s, %s", d.c.Name,
		phrase.Count(f.Count, "restart")))
	f.Evidence = slices.Insert(f.Evidence, 0, evidence(kill.At, kill.Last, kill.Count, "Event %s: %s", kill.Reason,
		kill.Message))
	f.Why = fmt.Sprintf("The kubelet restarts container %s because its probe fails: %s.", d.c.Name,
		phrase.Quoted(kill.Message))
	f.Fix = "Dump the goroutines while the probe is failing, and find out what the probe's handler waits for."
	f.Next = rules.AddSteps(d.target().CollectDump(), d.target().Describe())
	for _, e := range c.EventsOf("Pod", d.pod.Namespace, d.pod.Name) {
		if e.Reason == "Unhealthy" {
			f.Evidence = append(f.Evidence, evidence(e.At, e.Last, e.Count, "Event Unhealthy: %s", e.Message))
			return
		}
	}
}

// tracebackNote reports where the traceback of a container that ended with code 2 is, or how to get it.
func tracebackNote(p *rules.Pass, d died) string {
	for _, in := range p.Dumps {
		if t := in.Target; d.shows(t) && (t.Container == "" || t.Container == d.c.Name) {
			return "Its traceback is in the inputs: " + in.Input + "."
		}
	}
	for _, t := range parsed.Cluster(p).Tails {
		if t.Pod == d.pod.Name && t.Namespace == d.pod.Namespace && t.Container == d.c.Name {
			return "The end of its traceback is in the pod's status; all of it is at the end of the previous " +
				"log (--previous)."
		}
	}
	return "No log in the inputs contains its traceback: get the previous log (--previous) before the next restart."
}

// runOomKilled is oom-killed (TR732).
func runOomKilled(p *rules.Pass) []rules.Finding {
	groups := diedByWorkload(parsed.Cluster(p), func(d died) bool {
		return outOfMemoryKill(d.t) || outOfMemoryKill(d.c.Last)
	})
	return findings(groups, func(g []died) rules.Finding { return oomKilledOf(p, g) })
}

func oomKilledOf(p *rules.Pass, ds []died) rules.Finding {
	c, d := parsed.Cluster(p), ds[0]
	if i := slices.IndexFunc(ds, func(o died) bool { return o.restarting(c) }); i >= 0 { // one that goes on says most
		d = ds[i]
	}
	top, who := c.Top(&d.pod.Meta), containerText(d.c.Name)
	f := d.finding(c, ds, rules.Medium, rules.ConfHigh, max(restarts(ds), len(ds)))
	f.Title = title(top, "runs out of memory: "+who+" is OOMKilled")
	end := d.t
	if !outOfMemoryKill(end) {
		end = d.c.Last
	}
	switch {
	case d.restarting(c):
		f.Severity = rules.High
	case c.Time.Sub(end.Finished) > lately, d.c.Restarts < 3:
		f.Severity = rules.Low // it has cost a restart or two
	}
	limit, limited := kube.Get(d.c.Limits, "memory")
	killed := fmt.Sprintf("The kernel killed %s of %s", who, kindName(top))
	switch {
	case limited:
		request, _ := kube.Get(d.c.Requests, "memory")
		f.Why = fmt.Sprintf("%s at its memory limit of %s (it requests %s).", killed, limit, cmp.Or(request, "nothing"))
		f.Fix = fmt.Sprintf("Limit the memory that the heap profile of %s shows, and set GOMEMLIMIT to 90%% of %s.",
			who, limit)
	case d.c.Unlisted:
		f.Why = killed + " for its memory use. The inputs do not show its memory limit."
		f.Fix = fmt.Sprintf("Limit the memory that the heap profile of %s shows, and set GOMEMLIMIT to 90%% of "+
			"the limit.", who)
	default:
		f.Why = killed + ", which has no memory limit: the node had no memory left, or the pod's limit was reached."
		f.Fix = fmt.Sprintf("Give %s a memory limit and GOMEMLIMIT, and limit the memory that its heap profile "+
			"shows.", who)
	}
	if !d.c.Unlisted || limited {
		f.Why += " It restarted " + phrase.CountTimes(restarts(ds)) + " in all."
	}
	for _, in := range p.Profiles {
		if in.Kind == profile.KindHeap && d.shows(in.Target) {
			f.Notes = append(f.Notes, "A heap profile of it is in the inputs: "+in.Input+".")
			break
		}
	}
	f.Next = []rules.Step{d.target().Top(), d.target().Heap(), d.target().LogsPrevious()}
	return f
}

// capital begins a sentence with a text.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
