package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// unboundLong is how long a claim may wait for its volume: provisioners take seconds to 2 minutes.
const unboundLong = 5 * time.Minute

// runPendingClaim is pending-claim (TR734).
func runPendingClaim(c *kube.Cluster) []rules.Finding {
	type key struct {
		top   kube.Ref
		state string
	}
	var groups grouping[key, hungClaim]
	for _, pod := range c.Pods {
		if !waitingPod(pod) {
			continue
		}
		for _, name := range pod.Claims {
			if h, ok := hungOn(c, pod, name); ok {
				groups.add(key{c.Top(&pod.Meta), h.state}, h)
			}
		}
	}
	return groups.findings(func(k key, hs []hungClaim) rules.Finding { return pendingClaimOf(c, k.top, hs) })
}

// A hungClaim is a claim that a pod waits for.
type hungClaim struct {
	pod   *kube.Pod
	name  string
	claim *kube.Claim     // nil where it is missing
	word  *rules.Evidence // someone who says so
	state string          // a word for sentences
	// unsure is set where the claim is not in the inputs, and neither is anyone who says that it is not there.
	unsure bool
}

// The states of a claim that a pod can't start with.
const (
	missing     = "missing"
	terminating = "being deleted"
	lost        = "lost"
	unbound     = "not bound"
)

// hungOn looks whether the pod can't start for want of that claim.
func hungOn(c *kube.Cluster, p *kube.Pod, name string) (hungClaim, bool) {
	h := hungClaim{pod: p, name: name, claim: c.Claim(p.Namespace, name), word: claimNotFound(c, p, name)}
	switch {
	case h.claim == nil || h.claim.Gone:
		h.state = missing
		// That it is not in the inputs says little unless the namespace's claims are; some collectors leave empty lists
		// out.
		h.unsure = h.word == nil && !c.Lists("PersistentVolumeClaim", p.Namespace)
		return h, !h.unsure || p.Node == "" && podAge(c, p) >= pendingLong
	case !h.claim.Deleted.IsZero():
		h.state = terminating
		return h, true
	case h.claim.Phase == "Lost":
		h.state = lost
		return h, true
	case h.claim.Phase == "Pending" && podAge(c, p) > unboundLong:
		h.state = unbound
		class := c.Class(h.claim.Class) // one that waits for its first pod is bound only when that is placed
		return h, p.Node == "" || h.claim.Class == "" || class == nil || !class.WaitForFirst
	}
	return h, false
}

// claimNotFound is the scheduler's or the pod's own word that a claim is not there; nil for none.
func claimNotFound(c *kube.Cluster, p *kube.Pod, claim string) *rules.Evidence {
	is := func(s string) bool {
		return containsAll(s, "persistentvolumeclaim", `"`+claim+`"`) && (strings.Contains(s, "not found") ||
			strings.Contains(s, "is being deleted"))
	}
	if s := kube.Find(p.Conditions, "PodScheduled"); s != nil && s.Status == "False" && is(s.Message) {
		e := evidence(p.At, s.Since, 1, "%s: %s", s.Reason, s.Message)
		return &e
	}
	for _, e := range c.EventsOf("Pod", p.Namespace, p.Name) {
		if e.Reason == "FailedScheduling" && is(e.Message) && !e.Last.Before(p.Created) {
			ev := evidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message)
			return &ev
		}
	}
	return nil
}

func pendingClaimOf(c *kube.Cluster, top kube.Ref, hs []hungClaim) rules.Finding {
	h := hs[0]
	f := finding(top, rules.High, rules.ConfMedium, len(hs), h.pod.Created, c.Time)
	f.Category = rules.Deadlock
	f.Title = title(top, "waits for volume claim "+h.name+", which is "+h.state,
		"waits for a volume claim that is "+h.state)
	if top.Kind == "StatefulSet" && (h.state == missing || h.state == terminating) {
		f.Category = rules.RaceCat
	}
	for _, o := range hs[:min(len(hs), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, evidence(o.pod.At, o.pod.Created, 1, "%s is Pending; its volume asks for "+
			"claim %s", kindName(o.pod.Ref), o.name))
		if o.claim != nil {
			f.Evidence = append(f.Evidence, claimEvidence(o.claim))
		}
		if o.word != nil {
			f.Evidence = append(f.Evidence, *o.word)
			f.Confidence = rules.ConfHigh
		}
	}
	f.Why = fmt.Sprintf("%s can't start: its PersistentVolumeClaim %s is %s.", kindName(h.pod.Ref), h.name, h.state)
	h.explain(c, top, &f)
	ns, name := h.pod.Namespace, rules.Quote(h.name)
	f.Next = []rules.Step{
		rules.Command(rules.Kubectl(ns, "get pvc "+name+" -o yaml")), describe(h.pod),
		rules.Command(rules.Kubectl(ns, "get events --field-selector involvedObject.name="+name)),
	}
	switch {
	case h.unsure:
		f.Doubt("The inputs contain no claims of that namespace: they may not have been collected.")
	case h.state != unbound && h.state != lost:
		f.Notes = []string{"Only the API server's audit log shows what deleted the claim (`triage audit`)."}
	}
	return f
}

// explain says why the claim keeps the pod from starting, and what to do.
func (h *hungClaim) explain(c *kube.Cluster, top kube.Ref, f *rules.Finding) {
	set := top.Kind == "StatefulSet"
	switch {
	case h.state == missing && set:
		f.Why += " A StatefulSet creates the claim before the pod, so something deleted it in between."
		f.Fix = fmt.Sprintf("Delete pod %s, so that the StatefulSet recreates the claim and the pod.", h.pod.Name)
	case h.state == missing:
		f.Fix = fmt.Sprintf("Create claim %s, or remove it from the pod template of %s.", h.name, kindName(top))
	case h.state == terminating:
		f.Why += fmt.Sprintf(" It was deleted%s and waits for its finalizers (%s).", atTime(deletedAt(&h.claim.Meta)),
			someNames(h.claim.Finalizers))
		f.Fix = fmt.Sprintf("Delete pod %s, so that the claim can go and the StatefulSet recreates both.", h.pod.Name)
	case h.state == lost:
		f.Why += fmt.Sprintf(" Its volume %s is gone.", h.claim.Volume)
		f.Fix = "Restore the PersistentVolume from its backend, or, if you can give up the data, delete the claim " +
			"and the pod."
	default:
		f.Severity = rules.Medium
		f.Objects = append(f.Objects, *objectOf(h.claim.Ref))
		f.Fix = fmt.Sprintf("Give claim %s a volume, or a StorageClass that provisions one.", h.name)
		h.unbound(c, f)
	}
}

// unbound adds what the claim waits for, as its controller or its StorageClass says.
func (h *hungClaim) unbound(c *kube.Cluster, f *rules.Finding) {
	for _, e := range slices.Backward(c.EventsOf("PersistentVolumeClaim", h.claim.Namespace, h.claim.Name)) {
		switch e.Reason {
		case "ProvisioningFailed", "ExternalProvisioning", "FailedBinding":
			f.Evidence = append(f.Evidence, evidence(e.At, e.Last, e.Count, "Event %s of claim %s: %s", e.Reason,
				h.name, e.Message))
			f.Why += fmt.Sprintf(" Its controller says: %s.", phrase.Quoted(e.Message))
			return
		}
	}
	class := c.Class(h.claim.Class)
	switch {
	case h.claim.Class != "" && class == nil && c.Lists("StorageClass", ""):
		f.Why += fmt.Sprintf(" Its StorageClass %s does not exist.", h.claim.Class)
	case class != nil && strings.HasSuffix(class.Provisioner, "/no-provisioner"):
		f.Why += fmt.Sprintf(" StorageClass %s does not provision volumes: create the volume by hand.", class.Name)
	}
}

func claimEvidence(c *kube.Claim) rules.Evidence {
	text := "PersistentVolumeClaim " + c.Name + " is " + cmp.Or(c.Phase, "without a phase")
	when := c.Created
	if !c.Deleted.IsZero() {
		when = deletedAt(&c.Meta)
		text += ", deleted, held by " + someNames(c.Finalizers)
	}
	return evidence(c.At, when, 1, "%s", text)
}
