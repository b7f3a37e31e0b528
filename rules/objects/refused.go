package objects

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/refusal"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// refusedLong is how long pods may be refused before it is more than a passing trouble: a rollout's surge waits for the
// old pods' grace period of 30 s, and a webhook's server that is replaced is back within seconds.
const refusedLong = time.Minute

// A refused is a workload whose pods are kept from being made.
type refused struct {
	top     kube.Ref       // what wants the pods
	owner   *kube.Workload // that makes them; nil where the inputs lack it
	cause   refusalCause
	message string
	at      kube.At
	from    time.Time // of the condition, or the first event
	last    time.Time
	count   int
	sure    bool // a condition that holds now, no event that may be over
}

// A refusalCause is why a pod is refused, as the API server words it.
type refusalCause struct {
	kind refusal.Kind
	name string // of the webhook, the quota, the account, the level of PodSecurity
}

// causeOf takes a refusal's message apart. Of policies it knows PodSecurity alone.
func causeOf(message string) refusalCause {
	kind, by := refusal.Of([]byte(message), nil)
	if kind == refusal.DeniedByPolicy && !strings.Contains(message, "violates PodSecurity") {
		return refusalCause{}
	}
	return refusalCause{kind, string(by[bytes.LastIndexByte(by, '/')+1:])}
}

// runPodsRefused is pods-refused (TR747).
func runPodsRefused(c *kube.Cluster) []rules.Finding {
	type key struct {
		refusalCause
		top kube.Ref // where the cause has no name of its own; of a quota its namespace
	}
	var groups grouping[key, refused]
	for _, r := range refusalsOf(c) {
		k := key{refusalCause: r.cause}
		switch r.cause.kind {
		case refusal.ByWebhook, refusal.DeniedByWebhook:
		case refusal.OverQuota:
			k.top.Namespace = r.top.Namespace
		default:
			k.top = r.top
		}
		groups.add(k, r)
	}
	return groups.findings(func(_ key, rs []refused) rules.Finding { return refusedFinding(c, rs) })
}

// refusalsOf finds the workloads that lack pods now because the API server refuses these: one for each workload.
func refusalsOf(c *kube.Cluster) []refused {
	var all []refused
	for _, w := range c.Workloads {
		// A Deployment whose ReplicaSet is refused (pkg/controller/deployment/sync.go).
		if p := kube.Find(w.Conditions, "Progressing"); p != nil && p.Reason == "ReplicaSetCreateError" && !w.Gone &&
			w.Deleted.IsZero() && p.Status == "False" {
			all = append(all, refused{top: w.Ref, owner: w, cause: causeOf(p.Message), message: p.Message, at: w.At,
				from: p.Since, last: c.Time, count: 1, sure: true})
			continue
		}
		cond := kube.Find(w.Conditions, "ReplicaFailure")
		if w.Gone || !w.Deleted.IsZero() || w.Kind == "Deployment" || cond == nil || cond.Status != "True" ||
			cond.Reason != "FailedCreate" || w.Current >= w.Replicas {
			continue
		}
		all = append(all, refused{top: c.Top(&w.Meta), owner: w, cause: causeOf(cond.Message), message: cond.Message,
			at: w.At, from: cond.Since, last: c.Time, count: 1, sure: true})
	}
	for _, r := range failedCreates(c) {
		ref := r.last.Object
		w := c.Workload(ref.Kind, ref.Namespace, ref.Name)
		found := refused{top: ref, owner: w, cause: causeOf(r.last.Message), message: r.last.Message, at: r.last.At,
			from: r.first, last: r.last.Last, count: r.count}
		i := slices.IndexFunc(all, func(o refused) bool { return w != nil && o.owner == w })
		switch {
		case i >= 0:
			all[i].count = max(all[i].count, r.count)
			all[i].message = longer(all[i].message, found.message)
		case w == nil:
			all = append(all, found)
		case !w.Gone && w.Deleted.IsZero() && lacksPods(w):
			found.top = c.Top(&w.Meta)
			all = append(all, found)
		}
	}
	return all
}

// A failedCreate is the FailedCreate events of one workload since it last created a pod.
type failedCreate struct {
	last  *kube.Event
	first time.Time
	count int
}

// failedCreates are those of all workloads, in the order in which they began.
func failedCreates(c *kube.Cluster) []*failedCreate {
	open := map[kube.Ref]*failedCreate{}
	var all []*failedCreate
	for _, e := range c.Events { // ordered by time
		ref := e.Object
		ref.UID, ref.API = "", ""
		switch f := open[ref]; {
		case e.Object.Kind == "Pod":
		case e.Reason == "SuccessfulCreate" && f != nil:
			f.count = 0
			delete(open, ref)
		case e.Reason == "FailedCreate" && f == nil:
			f = &failedCreate{e, e.First, e.Count}
			open[ref], all = f, append(all, f)
		case e.Reason == "FailedCreate":
			f.last, f.count = e, f.count+e.Count
			if e.First.Before(f.first) {
				f.first = e.First
			}
		}
	}
	return slices.DeleteFunc(all, func(f *failedCreate) bool { return f.count == 0 })
}

func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

// lacksPods reports whether a workload has fewer pods than it wants.
func lacksPods(w *kube.Workload) bool {
	switch w.Kind {
	case "Job":
		done := kube.Find(w.Conditions, "Complete")
		return w.Active == 0 && (done == nil || done.Status != "True")
	case "DaemonSet":
		return w.Ready < w.Replicas
	case "CronJob":
		return true // its events say so: they end where it makes a Job
	}
	return w.Current < max(w.Replicas, 1) && w.Replicas != 0
}

func refusedFinding(c *kube.Cluster, rs []refused) rules.Finding {
	turns := make(map[kube.Ref]*kube.Pod, len(rs))
	for i := range rs {
		turns[rs[i].top] = rs[i].turnsOver(c)
	}
	slices.SortStableFunc(rs, func(a, b refused) int {
		return cmp.Or(boolInt(turns[a.top] != nil)-boolInt(turns[b.top] != nil),
			servesNow(c, a.top)-servesNow(c, b.top), a.from.Compare(b.from))
	})
	r, from := rs[0], firstRefusal(rs)
	moves := turns[r.top] // then those of all do
	n := 0
	each(rs, func(o refused) { n += o.count })
	f := finding(r.top, rules.Medium, rules.ConfHigh, n, from, r.last)
	if !r.sure {
		f.Confidence = rules.ConfMedium
	}
	if servesNow(c, r.top) == 0 {
		f.Severity = rules.High
	}
	switch lasted := min(since(c, from), r.last.Sub(from)); {
	case moves != nil:
		f.Severity = rules.Medium
		f.Doubt(fmt.Sprintf("The quota lets pods through in turn: %s was created %s ago, after the first "+
			"refusal.", kindName(moves.Ref),
			phrase.Spell(since(c, moves.Created))))
	case since(c, r.last) > lately:
		f.Doubt("The last refusal was " + ago(c, r.last) + ".")
	case since(c, from) < refusedLong, !r.sure && lasted < refusedLong:
		f.Doubt("It has lasted for " + phrase.Spell(lasted) + " as far as the inputs show, and may pass.")
	}
	for _, o := range rs[1:] {
		if len(f.Objects) < maxNamed && *objectOf(o.top) != *f.Object {
			f.Objects = append(f.Objects, *objectOf(o.top))
		}
	}
	r.explain(c, rs, &f)
	for _, o := range rs[:min(len(rs), maxObjectEvidence)] {
		who := kindName(o.top)
		if o.owner != nil && o.owner.Ref != o.top {
			who += ", " + kindName(o.owner.Ref)
		}
		f.Evidence = append(f.Evidence, evidence(o.at, o.last, o.count, "%s: FailedCreate: %s", who, o.message))
	}
	return f
}

// servesNow is how many pods of a workload are ready.
func servesNow(c *kube.Cluster, top kube.Ref) int {
	if w := c.Workload(top.Kind, top.Namespace, top.Name); w != nil {
		return int(w.Ready)
	}
	return 0
}

// explain writes the title, the reason and the fix of refused pods.
func (r *refused) explain(c *kube.Cluster, rs []refused, f *rules.Finding) {
	has := "gets no pods"
	if w := c.Workload(r.top.Kind, r.top.Namespace, r.top.Name); w != nil && w.Replicas > 0 && w.Kind != "Job" {
		has = fmt.Sprintf("is at %d of %d pods", w.Ready, w.Replicas)
	}
	who, ns, name := kindName(r.top), r.top.Namespace, r.cause.name
	if len(rs) > 1 {
		who += " and " + phrase.Count(len(rs)-1, "other workload")
	}
	f.Next = rules.Commands(objectOf(r.top).Kubectl("describe", ""),
		rules.Kubectl(ns, "get events --field-selector reason=FailedCreate"))
	var by, short string
	switch r.cause.kind {
	case refusal.ByWebhook:
		by, short = "webhook "+name+" does not answer", "a webhook does not answer"
		f.Fix = fmt.Sprintf("Bring back the service behind webhook %s, or set its failurePolicy to Ignore in the "+
			"meantime.", name)
		if strings.Contains(r.message, "x509: ") {
			by, short = "the certificate of webhook "+name+" is refused", "a webhook's certificate is refused"
			f.Fix = fmt.Sprintf("Give webhook %s a certificate that the caBundle in its configuration trusts.", name)
		}
		r.showWebhook(f)
	case refusal.DeniedByWebhook:
		by, short = "webhook "+name+" denies them", "a webhook denies them"
		f.Fix = fmt.Sprintf("Change the pod template of %s as webhook %s demands.", kindName(r.top), name)
	case refusal.OverQuota:
		by, short = "quota "+name+" is used up", "a quota is used up"
		f.Fix = fmt.Sprintf("Raise ResourceQuota %s/%s, or free resources that others in the namespace use.", ns, name)
		f.Objects = append(f.Objects, rules.Object{API: "v1", Kind: "ResourceQuota", Namespace: ns, Name: name})
		f.Next = append(rules.Commands(rules.Kubectl(ns, "describe resourcequota "+rules.Quote(name))), f.Next...)
	case refusal.DeniedByPolicy:
		by, short = "they violate PodSecurity "+name, "they violate PodSecurity"
		f.Fix = fmt.Sprintf("Give the pod template of %s the securityContext that the message asks for.",
			kindName(r.top))
	case refusal.NoServiceAccount:
		by, short = "ServiceAccount "+name+" does not exist", "their ServiceAccount does not exist"
		f.Fix = fmt.Sprintf("Create ServiceAccount %s in namespace %s, or remove it from the pod template.", name, ns)
	default:
		by, short = "the API server refuses them", "the API server refuses them"
		f.Fix = "Fix the problem that the message names."
	}
	f.Title = title(r.top, has+": "+by, has+": "+short)
	f.Why = fmt.Sprintf("The API server refuses pods of %s: %s.", who, by)
	if d := since(c, firstRefusal(rs)); d > 0 {
		f.Why = fmt.Sprintf("The API server has refused pods of %s for %s: %s.", who, phrase.Spell(d), by)
	}
	f.Why += " The message: “" + strings.TrimSuffix(phrase.Cut(r.message, maxRefusal), ".") + "”."
}

// showWebhook adds the Service of a webhook, and where to look.
func (r *refused) showWebhook(f *rules.Finding) {
	if space, svc, ok := strings.Cut(string(refusal.Service([]byte(r.message))), "/"); ok {
		f.Objects = append(f.Objects, rules.Object{API: "v1", Kind: "Service", Namespace: space, Name: svc})
		f.Next = append(rules.Commands(rules.Kubectl(space, "get endpointslices -l kubernetes.io/service-name="+
			rules.Quote(svc)), rules.Kubectl(space, "get service "+rules.Quote(svc)+" -o wide")), f.Next...)
	}
	f.Next = append(f.Next, rules.Command("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"))
}

// maxRefusal is how much of a refusal's message is quoted: the name and the address of a webhook are at its end.
const maxRefusal = 600

// firstRefusal is when the first of the refusals came.
func firstRefusal(rs []refused) time.Time {
	first := rs[0].from
	for _, r := range rs {
		if !r.from.IsZero() && (first.IsZero() || r.from.Before(first)) {
			first = r.from
		}
	}
	return first
}

// A quota turns over where a pod was made at least turnsAfter after the first refusal, for a controller creates what
// fits in the same seconds, and at most turnsWithin ago: Jobs of a queue run for some minutes, and so long a rollout
// waits for one pod to become ready. Chosen.
const (
	turnsAfter  = 10 * time.Second
	turnsWithin = 10 * time.Minute
)

// turnsOver is the newest pod that a quota let through since it first refused what r is about: one of the same
// workload, whose rollout goes on, or of another Job, where a Job waits for its turn. It is nil where nothing moves.
func (r *refused) turnsOver(c *kube.Cluster) *kube.Pod {
	if r.cause.kind != refusal.OverQuota || r.from.IsZero() {
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

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
