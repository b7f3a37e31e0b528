package objects

import (
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A quota turns over where a pod was made at least turnsAfter after the first refusal, for a controller creates what
// fits in the same seconds, and at most turnsWithin ago: Jobs of a queue run for some minutes, and so long a rollout
// waits for one pod to become ready. Chosen.
const (
	turnsAfter  = 10 * time.Second
	turnsWithin = 10 * time.Minute
)

// turnsOver is the newest pod that a quota let through since it first refused what r is about: one of the same
// workload, whose rollout goes on, or of another Job, where a Job waits for its turn. It is nil where nothing moves.
func (r *refusal) turnsOver(c *kube.Cluster) *kube.Pod {
	if r.cause.kind != "quota" || r.from.IsZero() {
		return nil
	}
	job := r.top.Kind == "Job" || r.owner != nil && r.owner.Kind == "Job"
	var newest *kube.Pod
	for _, p := range c.Pods {
		if p.Namespace != r.top.Namespace || p.Created.Sub(r.from) < turnsAfter || since(c, p.Created) > turnsWithin ||
			newest != nil && !p.Created.After(newest.Created) {
			continue
		}
		top := c.Top(&p.Meta)
		if top.Kind == r.top.Kind && top.Name == r.top.Name || job && p.Owner.Kind == "Job" {
			newest = p
		}
	}
	return newest
}

// explainQueue says that a quota lets one pod after the other through.
func (r *refusal) explainQueue(c *kube.Cluster, rs []refusal, newest *kube.Pod, f *rules.Finding) {
	name, ns := r.cause.name, r.top.Namespace
	f.Title = title(r.top, "waits for its turn: quota "+name+" is used up", "waits for its turn: a quota is used up")
	got := fmt.Sprintf("%s was made %s ago", kindName(newest.Ref), phrase.Spell(since(c, newest.Created)))
	f.Why = fmt.Sprintf("ResourceQuota %s/%s is used up and refuses pods of %s, but it turns over: %s, after the "+
		"first refusal.", ns, name, kindName(r.top), got)
	if len(rs) > 1 {
		f.Why += fmt.Sprintf(" The same goes for %s.", phrase.Count(len(rs)-1, "other workload"))
	}
	f.Why += " The message: “" + strings.TrimSuffix(phrase.Cut(r.message, maxRefusal), ".") + "”."
	f.Fix = fmt.Sprintf("Wait. If that takes too long, raise ResourceQuota %s, or free what others of namespace %s "+
		"use.", name, ns)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
