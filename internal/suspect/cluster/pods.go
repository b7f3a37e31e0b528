package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A podGroup is pods of one workload that show the same: containers that wait for one reason, or failures for one reason.
type podGroup struct {
	root   key
	reason string
}

// A waitingPods is how many containers wait, for how long at most, and the longest message.
type waitingPods struct {
	count   int
	age     time.Duration
	message string
	at      rules.Evidence
}

// A restartedPods is the restarts of one container of a workload's pods.
type restartedPods struct {
	restarts, pods, most int
	age                  time.Duration // of the pod with most
	last                 *kube.Termination
	quiet                time.Duration // since that ended
	ready                bool
	at                   rules.Evidence
}

// A failedGroup is the pods that failed, when they were made, and a message.
type failedGroup struct {
	times   []time.Time
	message string
	at      rules.Evidence
}

// pods files containers that wait, that were restarted, and pods that failed.
func (v *view) pods() {
	waits, again, failed := newGroups[podGroup, waitingPods](), newGroups[podGroup, restartedPods](),
		newGroups[podGroup, failedGroup]()
	for _, p := range v.c.Pods {
		if p.Gone {
			continue
		}
		root := v.root(keyOf(p.Ref))
		if p.Phase == "Failed" {
			failed.of(podGroup{root, failureOf(p)}).add(p)
		}
		for i := range p.Containers {
			ct := &p.Containers[i]
			if ct.Waiting != "" && p.Phase != "Succeeded" && p.Phase != "Failed" {
				waits.of(podGroup{root, ct.Waiting}).add(v, p, ct)
			}
			if ct.Restarts >= 2 {
				again.of(podGroup{root, ct.Name}).add(v, p, ct)
			}
		}
	}
	waits.each(v.waitingFact)
	again.each(v.restartsFact)
	failed.each(v.failedFact)
}

// failureOf is why a pod failed.
func failureOf(p *kube.Pod) string {
	for i := range p.Containers {
		if t := p.Containers[i].Now; t != nil && t.Exit != 0 && p.Reason == "" {
			return cmp.Or(t.Reason, "Error") + fmt.Sprintf(" (exit code %d)", t.Exit)
		}
	}
	return cmp.Or(p.Reason, "Failed")
}

func (w *waitingPods) add(v *view, p *kube.Pod, ct *kube.Container) {
	w.count++
	if age := v.age(&p.Meta); w.count == 1 || age > w.age {
		w.age, w.at = age, at(p.At, p.Created)
	}
	if len(ct.WaitingMessage) > len(w.message) {
		w.message = ct.WaitingMessage
	}
}

// starts are reasons of containers that wait for a moment in any pod's life.
var starts = []string{"ContainerCreating", "PodInitializing"}

func (v *view) waitingFact(g podGroup, w *waitingPods) {
	start := slices.Contains(starts, g.reason)
	if start && w.age < time.Minute {
		return
	}
	f := fact{about: g.root, kind: waiting, count: w.count, message: w.message, at: w.at, of: rules.Deadlock,
		points: 36 - plus(start, 20) + grows(float64(w.count), 2, 8) + agePoints(w.age),
		text:   phrase.Count(w.count, "container") + onlyIf(w.count == 1, " waits") + onlyIf(w.count > 1, " wait")}
	f.text += ": " + g.reason + ", for up to " + phrase.Spell(w.age)
	if g.reason == "CrashLoopBackOff" {
		f.of = rules.Crash
	}
	f.via = v.refs(g.root.namespace, w.message)
	f.named = len(f.via) > 0
	v.file(f)
}

func (r *restartedPods) add(v *view, p *kube.Pod, ct *kube.Container) {
	r.restarts += ct.Restarts
	r.pods++
	r.ready = (r.pods == 1 || r.ready) && ct.Ready
	if ct.Restarts <= r.most {
		return
	}
	r.most, r.age, r.last, r.quiet = ct.Restarts, v.age(&p.Meta), ct.Last, 0
	r.at = at(kube.At{Input: p.Input, Line: cmp.Or(ct.Line, p.Line)}, p.Created)
	if ct.Last != nil {
		r.quiet = v.since(&p.Meta, ct.Last.Finished)
	}
}

func (v *view) restartsFact(g podGroup, r *restartedPods) {
	f := fact{about: g.root, kind: restarts, count: r.restarts, at: r.at, of: rules.Crash,
		points: 18 + grows(float64(r.restarts), 4, 20) +
			plus(float64(r.restarts)/max(r.age.Seconds(), 60) > 1.0/600, 4),
		text: phrase.Count(r.restarts, "restart") + onlyIf(g.reason != "", " of container "+g.reason) +
			onlyIf(r.pods > 1, " in "+phrase.Count(r.pods, "pod"))}
	if t := r.last; t != nil {
		f.points += plus(t.Exit != 0, 8)
		f.text += ", last " + cmp.Or(t.Reason, "ended") + onlyIf(t.Exit > 0, fmt.Sprintf(" (exit code %d)", t.Exit))
		f.more, f.message = onlyIf(r.quiet > 0, ", "+phrase.Spell(r.quiet)+" ago"), lastWords(t.Message)
		if t.Reason == "OOMKilled" {
			f.of = rules.Memory
		}
	}
	if r.quiet > 30*time.Minute && r.quiet > r.age/10 {
		f.points *= 0.6
		f.against = "the last restart was " + phrase.Spell(r.quiet) + " before the objects were read"
	} else if r.ready {
		f.points -= plus(r.restarts < 5, 8)
		f.against = "its containers are ready now"
	}
	v.file(f)
}

func (g *failedGroup) add(p *kube.Pod) {
	if len(g.times) == 0 {
		g.at = at(p.At, p.Created)
	}
	g.times = append(g.times, p.Created)
	g.message = cmp.Or(p.Message, g.message)
}

// stormPods is how many failed pods of one workload are called a storm.
const stormPods = 20

func (v *view) failedFact(g podGroup, fs *failedGroup) {
	slices.SortFunc(fs.times, time.Time.Compare)
	n := len(fs.times)
	span := fs.times[n-1].Sub(fs.times[0])
	f := fact{about: g.root, kind: failedPods, count: n, at: fs.at, message: fs.message,
		points: 16 + grows(float64(n), 5, 34) + plus(n > 2 && hard(g.reason+" "+fs.message), 8),
		text:   phrase.Count(n, "failed pod") + ": " + g.reason, via: v.refs(g.root.namespace, fs.message)}
	if n > 2 {
		f.text += ", made" + in(n, span)
	}
	if n >= stormPods {
		f.of = rules.PodStorm
	}
	v.file(f)
}
