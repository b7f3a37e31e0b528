package cluster

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// pods files containers that wait, that were restarted, and pods that failed, each by workload and reason.
func (v *view) pods() {
	var waits, failed groups[tally]
	var again groups[restarted]
	for _, p := range v.c.Pods {
		if p.Gone {
			continue
		}
		root := v.root(keyOf(p.Ref))
		if p.Phase == "Failed" {
			failed.of(group{about: root, a: failureOf(p)}).add(1, p.Created, p.Created, p.Message, at(p.At, p.Created))
		}
		for i := range p.Containers {
			ct := &p.Containers[i]
			if ct.Waiting != "" && !v.done(&p.Meta) {
				w := waits.of(group{about: root, a: ct.Waiting})
				w.addObject(&p.Meta, v.age(&p.Meta), ct.WaitingMessage, p.Created)
			}
			if ct.Restarts >= 2 {
				again.of(group{about: root, a: ct.Name}).add(v, p, ct)
			}
		}
	}
	waits.each(v.waitingFact)
	failed.each(v.failedFact)
	again.each(v.restartsFact)
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

func (v *view) waitingFact(g group, t *tally) {
	start := g.a == "ContainerCreating" || g.a == "PodInitializing" // any pod's container waits for these at first
	if start && t.age < time.Minute {
		return
	}
	f := fact{about: g.about, kind: "waiting", count: t.count, message: t.message, at: t.at, of: rules.Deadlock,
		points: 36 - plus(start, 20) + grows(float64(t.count), 2, 8) + agePoints(t.age),
		text:   phrase.Count(t.count, "container") + " in " + g.a + " for up to " + phrase.Spell(t.age)}
	if g.a == "CrashLoopBackOff" {
		f.of = rules.Crash
	}
	v.fileNaming(f)
}

// stormPods is how many failed pods of one workload are called a storm.
const stormPods = 20

func (v *view) failedFact(g group, t *tally) {
	f := fact{about: g.about, kind: "failed pods", count: t.count, at: t.at, message: t.message,
		points: 16 + grows(float64(t.count), 5, 34) + plus(t.count > 2 && hard(g.a+" "+t.message), 8),
		text:   phrase.Count(t.count, "failed pod") + ": " + g.a}
	if t.count > 2 {
		f.text += ", made" + in(t.count, t.long())
	}
	if t.count >= stormPods {
		f.of = rules.PodStorm
	}
	v.file(f)
}

// A restarted is the restarts of one container of a workload's pods.
type restarted struct {
	restarts, pods, most int
	age, quiet           time.Duration // of the pod with most, and since its last end
	last                 *kube.Termination
	ready                bool
	at                   rules.Evidence
}

func (r *restarted) add(v *view, p *kube.Pod, ct *kube.Container) {
	r.restarts += ct.Restarts
	r.pods++
	r.ready = (r.ready || r.pods == 1) && ct.Ready
	if ct.Restarts <= r.most {
		return
	}
	r.most, r.age, r.last, r.quiet = ct.Restarts, v.age(&p.Meta), ct.Last, 0
	r.at = at(kube.At{Input: p.Input, Line: cmp.Or(ct.Line, p.Line)}, p.Created)
	if ct.Last != nil {
		r.quiet = v.since(&p.Meta, ct.Last.Finished)
	}
}

func (v *view) restartsFact(g group, r *restarted) {
	f := fact{about: g.about, kind: "restarts", count: r.restarts, at: r.at, of: rules.Crash,
		points: 18 + grows(float64(r.restarts), 4, 20) + plus(float64(r.restarts) > max(r.age.Seconds(), 60)/600, 4),
		text: phrase.Count(r.restarts, "restart") + onlyIf(g.a != "", " of container "+g.a) +
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
