package objects

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// unboundLong is how long a claim may wait for its volume: provisioners take seconds to 2 minutes.
const unboundLong = 5 * time.Minute

func runPendingClaim(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	type key struct {
		top   kube.Ref
		state string
	}
	var groups grouping[key, hungClaim]
	for _, pod := range p.Cluster.Pods {
		if !waitingPod(pod) {
			continue
		}
		for _, name := range pod.Claims {
			if h, ok := hungOn(p.Cluster, pod, name); ok {
				groups.add(key{p.Cluster.Top(&pod.Meta), h.state}, h)
			}
		}
	}
	for _, k := range groups.keys {
		found = append(found, pendingClaimOf(p.Cluster, k.top, groups.values[k]))
	}
	return found
}

// A hungClaim is a claim that a pod waits for.
type hungClaim struct {
	pod   *kube.Pod
	name  string
	claim *kube.Claim     // nil where it is missing
	word  *rules.Evidence // someone who says so
	state string          // missing, terminating, lost, unbound
	// unsure is set where the claim is not in the inputs, and neither is anyone who says that it is not there.
	unsure bool
}

// hungOn looks whether the pod can't start for want of that claim.
func hungOn(c *kube.Cluster, p *kube.Pod, name string) (hungClaim, bool) {
	h := hungClaim{pod: p, name: name, claim: c.Claim(p.Namespace, name), word: claimNotFound(c, p, name)}
	switch {
	case h.claim == nil || h.claim.Gone:
		h.state = "missing"
		// That it is not in the inputs says little unless the namespace's claims are; some collectors leave empty lists
		// out.
		h.unsure = h.word == nil && !c.Lists("PersistentVolumeClaim", p.Namespace)
		return h, !h.unsure || !placed(p) && podAge(c, p) >= pendingLong
	case !h.claim.Deleted.IsZero():
		h.state = "terminating"
		return h, true
	case h.claim.Phase == "Lost":
		h.state = "lost"
		return h, true
	case h.claim.Phase == "Pending" && podAge(c, p) > unboundLong:
		h.state = "unbound"
		return h, !placed(p) || h.claim.Class == "" || !waitsForFirst(c, h.claim)
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
		e := kubeEvidence(p.At, s.Since, 1, "%s: %s", s.Reason, s.Message)
		return &e
	}
	for _, e := range c.EventsOf("Pod", p.Namespace, p.Name) {
		if e.Reason == "FailedScheduling" && is(e.Message) && !e.Last.Before(p.Created) {
			ev := kubeEvidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message)
			return &ev
		}
	}
	return nil
}

// placed reports whether the scheduler has found a node.
func placed(p *kube.Pod) bool { return p.Node != "" }

// waitsForFirst reports a claim that is bound only when a pod that uses it is placed.
func waitsForFirst(c *kube.Cluster, claim *kube.Claim) bool {
	class := c.Class(claim.Class)
	return class != nil && class.WaitForFirst
}

func pendingClaimOf(c *kube.Cluster, top kube.Ref, hs []hungClaim) rules.Finding {
	h := hs[0]
	stateful := top.Kind == "StatefulSet"
	f := rules.Finding{
		Category: rules.Deadlock, Severity: rules.High, Confidence: rules.ConfMedium, Object: objectOf(top), Count: len(hs),
		FirstSeen: kubeTime(h.pod.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, fmt.Sprintf("waits for volume claim %s, which is %s", h.name, stateWord(h.state)),
			fmt.Sprintf("waits for a volume claim that is %s", stateWord(h.state))),
	}
	if stateful && (h.state == "missing" || h.state == "terminating") {
		f.Category = rules.RaceCat
	}
	if h.word != nil {
		f.Confidence = rules.ConfHigh
	}
	if h.state == "unbound" {
		f.Severity = rules.Medium
	}
	if h.unsure {
		f.Severity, f.Confidence = rules.Medium, rules.ConfLow
	}
	for _, o := range hs[:min(len(hs), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, kubeEvidence(o.pod.At, o.pod.Created, 1, "%s is Pending; its volume asks for "+
			"claim %s", kindName(o.pod.Ref), o.name))
		if o.claim != nil {
			f.Evidence = append(f.Evidence, claimEvidence(o.claim))
		}
		if o.word != nil {
			f.Evidence = append(f.Evidence, *o.word)
		}
	}
	h.explain(c, top, &f)
	f.Next = rules.Commands(
		kubectlIn(h.pod.Namespace, "get pvc "+rules.Quote(h.name)+" -o yaml"),
		kubectlIn(h.pod.Namespace, "describe pod "+rules.Quote(h.pod.Name)),
		kubectlIn(h.pod.Namespace, "get events --field-selector involvedObject.name="+rules.Quote(h.name)),
	)
	f.Notes = []string{"Who deleted the claim stands in the API server's audit log only (`triage audit`)."}
	switch {
	case h.unsure:
		f.Notes = []string{"The inputs hold no claims of that namespace: they may not have been collected."}
	case h.state == "unbound" || h.state == "lost":
		f.Notes = nil
	}
	return f
}

// explain is why the pod can't start and what to do.
func (h *hungClaim) explain(c *kube.Cluster, top kube.Ref, f *rules.Finding) {
	pod := kindName(h.pod.Ref)
	waits := ""
	if d := podAge(c, h.pod); d > 0 {
		waits = " It has waited for " + phrase.Spell(d) + "."
	}
	switch h.state {
	case "missing":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s is not there.%s", pod, h.name, waits)
		f.Fix = fmt.Sprintf("Make claim %s, or take it out of the pod template of %s.", h.name, kindName(top))
		if top.Kind == "StatefulSet" {
			f.Why += " A StatefulSet makes the claim before the pod, so it was there when the pod was made: it was " +
				"deleted in between, or was still going (its finalizer held it until the old pod had ended), and as " +
				"long as the pod stands nobody makes it again."
			f.Fix = fmt.Sprintf("Delete pod %s, so that the StatefulSet makes claim and pod anew; then find who "+
				"deletes the claims while the StatefulSet lives, and make it delete the StatefulSet first and wait "+
				"until it is gone.", h.pod.Name)
		}
	case "terminating":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s was deleted%s and waits for its finalizers "+
			"(%s).%s", pod, h.name, atTime(deletedAt(&h.claim.Meta)), someNames(h.claim.Finalizers), waits)
		f.Fix = fmt.Sprintf("Delete pod %s, so that the claim can go and its controller makes both anew; then find "+
			"who deleted the claim while %s still wants it.", h.pod.Name, kindName(top))
	case "lost":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s has lost its volume %s.%s", pod, h.name,
			h.claim.Volume, waits)
		f.Fix = "Bring the PersistentVolume back from its backend, or delete claim and pod so that both are made " +
			"anew, without the data."
	default:
		class := c.Class(h.claim.Class)
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s is not bound to a volume.%s", pod, h.name, waits)
		switch {
		case h.claim.Class != "" && class == nil && c.Lists("StorageClass", ""):
			f.Why += fmt.Sprintf(" Its StorageClass %s is not there.", h.claim.Class)
		case class != nil && strings.HasSuffix(class.Provisioner, "/no-provisioner"):
			f.Why += fmt.Sprintf(" StorageClass %s makes no volumes by itself: somebody has to.", class.Name)
		}
		f.Fix = fmt.Sprintf("See what claim %s waits for (its events), and give it a volume or a StorageClass that "+
			"makes one.", h.name)
	}
}

func stateWord(state string) string {
	switch state {
	case "terminating":
		return "being deleted"
	case "unbound":
		return "not bound"
	}
	return state
}

func claimEvidence(c *kube.Claim) rules.Evidence {
	text := "PersistentVolumeClaim " + c.Name + " is " + cmp.Or(c.Phase, "without a phase")
	when := c.Created
	if !c.Deleted.IsZero() {
		when = deletedAt(&c.Meta)
		text += ", deleted, held by " + someNames(c.Finalizers)
	}
	return kubeEvidence(c.At, when, 1, "%s", text)
}
