package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/kube"
)

// Thresholds of pods that do not start. An autoscaled node takes up to 10 minutes, and so does a large image.
const (
	pendingLong = 10 * time.Minute
	// unboundLong is how long a claim may wait for its volume: provisioners take seconds to 2 minutes.
	unboundLong = 5 * time.Minute
	// justDeleted is how long a deleted claim in use may be the trace of what is wrong now. A real cluster had two that had run on for 14 days.
	justDeleted = time.Hour
	// undated is how old a pod may be for its age to be believed where the inputs do not say when they were taken: pieces of
	// several clusters lie in one folder.
	undated = 7 * 24 * time.Hour
)

// waitingPod reports a pod that has not started.
func waitingPod(p *kube.Pod) bool {
	return p.Phase == "Pending" && !p.Gone && p.Deleted.IsZero()
}

// podAge is how long the pod has been there.
func podAge(c *kube.Cluster, p *kube.Pod) time.Duration {
	from := p.Created
	if s := kube.Find(p.Conditions, "PodScheduled"); from.IsZero() && s != nil {
		from = s.Since
	}
	if from.IsZero() {
		from = p.Started
	}
	return since(c, from)
}

// containsAll reports whether s holds every part.
func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// claimNotFound is the scheduler's or the pod's own word that a claim is not there; nil for none.
func claimNotFound(c *kube.Cluster, p *kube.Pod, claim string) *Evidence {
	is := func(s string) bool {
		return containsAll(s, "persistentvolumeclaim", `"`+claim+`"`) && (strings.Contains(s, "not found") || strings.Contains(s, "is being deleted"))
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

// A hungClaim is a claim that a pod waits for.
type hungClaim struct {
	pod   *kube.Pod
	name  string
	claim *kube.Claim // nil where it is missing
	word  *Evidence   // somebody who says so
	state string      // missing, terminating, lost, unbound
	// unsure is set where the claim is not in the inputs, and neither is anybody who says that it is not there.
	unsure bool
}

// pendingClaim is TR734.
func pendingClaim() *Rule {
	return &Rule{
		ID: idPendingClaim, Name: "pending-claim", Category: RaceCat, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title: "A pod waits for a volume claim that is gone, going or never bound",
			Why: "A pod that has not started names a PersistentVolumeClaim which is not there, is being deleted, has lost its volume or found none. A StatefulSet makes the claim before the pod: " +
				"if it is gone or going, somebody deleted it while the controller still saw the old one (a delete/create race), and nobody makes it again as long as the pod stands.",
			Fix:            "Delete the pod, so that its StatefulSet makes claim and pod anew, once whoever deleted the claim is done; make the claim where the pod names one that nobody makes.",
			FalsePositives: "A claim that was deleted with its owner a moment ago, with the pod about to follow.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection"},
		},
		Run: func(p *Pass) []Finding {
			var found []Finding
			type key struct {
				top   kube.Ref
				state string
			}
			index := map[key][]hungClaim{}
			var keys []key
			for _, pod := range p.Cluster.Pods {
				if !waitingPod(pod) {
					continue
				}
				for _, name := range pod.Claims {
					if h, ok := hungOn(p.Cluster, pod, name); ok {
						k := key{p.Cluster.Top(&pod.Meta), h.state}
						if index[k] == nil {
							keys = append(keys, k)
						}
						index[k] = append(index[k], h)
					}
				}
			}
			for _, k := range keys {
				found = append(found, pendingClaimOf(p.Cluster, k.top, index[k]))
			}
			return found
		},
	}
}

// hungOn looks whether the pod can't start for want of that claim.
func hungOn(c *kube.Cluster, p *kube.Pod, name string) (hungClaim, bool) {
	h := hungClaim{pod: p, name: name, claim: c.Claim(p.Namespace, name), word: claimNotFound(c, p, name)}
	switch {
	case h.claim == nil || h.claim.Gone:
		h.state = "missing"
		// That it is not in the inputs says little unless the namespace's claims are; some collectors leave empty lists out.
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

// placed reports whether the scheduler has found a node.
func placed(p *kube.Pod) bool { return p.Node != "" }

// waitsForFirst reports a claim that is bound only when a pod that uses it is placed.
func waitsForFirst(c *kube.Cluster, claim *kube.Claim) bool {
	class := c.Class(claim.Class)
	return class != nil && class.WaitForFirst
}

func pendingClaimOf(c *kube.Cluster, top kube.Ref, hs []hungClaim) Finding {
	h := hs[0]
	stateful := top.Kind == "StatefulSet"
	f := Finding{
		Category: Deadlock, Severity: High, Confidence: ConfMedium, Object: objectOf(top), Count: len(hs),
		FirstSeen: kubeTime(h.pod.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, fmt.Sprintf("waits for volume claim %s, which is %s", h.name, stateWord(h.state)), fmt.Sprintf("waits for a volume claim that is %s", stateWord(h.state))),
	}
	if stateful && (h.state == "missing" || h.state == "terminating") {
		f.Category = RaceCat
	}
	if h.word != nil {
		f.Confidence = ConfHigh
	}
	if h.state == "unbound" {
		f.Severity = Medium
	}
	if h.unsure {
		f.Severity, f.Confidence = Medium, ConfLow
	}
	for _, o := range hs[:min(len(hs), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, kubeEvidence(o.pod.At, o.pod.Created, 1, "%s is Pending; its volume asks for claim %s", kindName(o.pod.Ref), o.name))
		if o.claim != nil {
			f.Evidence = append(f.Evidence, claimEvidence(o.claim))
		}
		if o.word != nil {
			f.Evidence = append(f.Evidence, *o.word)
		}
	}
	h.explain(c, top, &f)
	f.Next = []string{
		kubectlIn(h.pod.Namespace, "get pvc "+Quote(h.name)+" -o yaml"),
		kubectlIn(h.pod.Namespace, "describe pod "+Quote(h.pod.Name)),
		kubectlIn(h.pod.Namespace, "get events --field-selector involvedObject.name="+Quote(h.name)),
	}
	f.Notes = []string{"Who deleted the claim stands in the API server's audit log only (`triage audit`)."}
	switch {
	case h.unsure:
		f.Notes = []string{"The inputs hold no claims of that namespace: they may not have been collected."}
	case h.state == "unbound" || h.state == "lost":
		f.Notes = nil
	}
	return f
}

// explain says why the pod can't start and what to do.
func (h *hungClaim) explain(c *kube.Cluster, top kube.Ref, f *Finding) {
	pod := kindName(h.pod.Ref)
	waits := ""
	if d := podAge(c, h.pod); d > 0 {
		waits = " It has waited for " + spell(d) + "."
	}
	switch h.state {
	case "missing":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s is not there.%s", pod, h.name, waits)
		f.Fix = fmt.Sprintf("Make claim %s, or take it out of the pod template of %s.", h.name, kindName(top))
		if top.Kind == "StatefulSet" {
			f.Why += " A StatefulSet makes the claim before the pod, so it was there when the pod was made: it was deleted in between, or was still going (its finalizer held it until the old pod had ended), and as long as the pod stands nobody makes it again."
			f.Fix = fmt.Sprintf("Delete pod %s, so that the StatefulSet makes claim and pod anew; then find who deletes the claims while the StatefulSet lives, and make it delete the StatefulSet first and wait until it is gone.", h.pod.Name)
		}
	case "terminating":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s was deleted%s and waits for its finalizers (%s).%s", pod, h.name, atTime(deletedAt(&h.claim.Meta)), someNames(h.claim.Finalizers), waits)
		f.Fix = fmt.Sprintf("Delete pod %s, so that the claim can go and its controller makes both anew; then find who deleted the claim while %s still wants it.", h.pod.Name, kindName(top))
	case "lost":
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s has lost its volume %s.%s", pod, h.name, h.claim.Volume, waits)
		f.Fix = "Bring the PersistentVolume back from its backend, or delete claim and pod so that both are made anew, without the data."
	default:
		class := c.Class(h.claim.Class)
		f.Why = fmt.Sprintf("%s can't start: PersistentVolumeClaim %s is not bound to a volume.%s", pod, h.name, waits)
		switch {
		case h.claim.Class != "" && class == nil && c.Lists("StorageClass", ""):
			f.Why += fmt.Sprintf(" Its StorageClass %s is not there.", h.claim.Class)
		case class != nil && strings.HasSuffix(class.Provisioner, "/no-provisioner"):
			f.Why += fmt.Sprintf(" StorageClass %s makes no volumes by itself: somebody has to.", class.Name)
		}
		f.Fix = fmt.Sprintf("See what claim %s waits for (its events), and give it a volume or a StorageClass that makes one.", h.name)
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

func atTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " at " + kubeTime(t)
}

// deletedAt is when the DELETE came.
func deletedAt(m *kube.Meta) time.Time {
	if m.Deleted.IsZero() {
		return m.Deleted
	}
	return m.Deleted.Add(-time.Duration(m.Grace) * time.Second)
}

func claimEvidence(c *kube.Claim) Evidence {
	text := "PersistentVolumeClaim " + c.Name + " is " + cmp.Or(c.Phase, "without a phase")
	when := c.Created
	if !c.Deleted.IsZero() {
		when = deletedAt(&c.Meta)
		text += ", deleted, held by " + someNames(c.Finalizers)
	}
	return kubeEvidence(c.At, when, 1, "%s", text)
}

// doomedClaim is TR735.
func doomedClaim() *Rule {
	return &Rule{
		ID: idDoomedClaim, Name: "doomed-claim", Category: RaceCat, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A volume claim is being deleted while a pod that stays uses it",
			Why:            "The claim has a deletion timestamp and is held only by the protection of claims in use (kubernetes.io/pvc-protection), while a pod that nobody deletes uses it and its StatefulSet wants to go on. At the pod's next restart on another node, or its next deletion, the claim goes with its data, and the pod that follows may wait for it for ever.",
			Fix:            "Stop what replaces the pods, save the data, and find who deletes claims while their StatefulSet lives: it has to delete the StatefulSet first, and wait until it is gone.",
			FalsePositives: "Somebody who takes the application down step by step and began with the claims.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			pending := map[kube.Ref]*kube.Pod{} // the first of each workload
			for _, pod := range slices.Backward(c.Pods) {
				if waitingPod(pod) {
					pending[c.Top(&pod.Meta)] = pod
				}
			}
			var found []Finding
			for _, pod := range c.Pods {
				if pod.Gone || !pod.Deleted.IsZero() || pod.Phase != "Running" {
					continue
				}
				top := c.Top(&pod.Meta)
				w := c.Workload(top.Kind, top.Namespace, top.Name)
				if w != nil && (!w.Deleted.IsZero() || w.Replicas == 0) {
					continue // it is being taken down
				}
				for _, name := range pod.Claims {
					if claim := c.Claim(pod.Namespace, name); claim != nil && !claim.Deleted.IsZero() && !claim.Gone {
						found = append(found, doomedClaimOf(c, pod, claim, top, pending[top]))
					}
				}
			}
			return found
		},
	}
}

// doomedClaimOf accuses a claim under a running pod; other is a pod of the same workload that hangs already, nil for none.
func doomedClaimOf(c *kube.Cluster, pod *kube.Pod, claim *kube.Claim, top kube.Ref, other *kube.Pod) Finding {
	f := Finding{
		Category: RaceCat, Severity: Low, Confidence: ConfMedium, Object: objectOf(claim.Ref), Count: 1,
		FirstSeen: kubeTime(deletedAt(&claim.Meta)), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(claim.Ref, "is being deleted under running pod "+pod.Name, "is being deleted in use"),
		Why: fmt.Sprintf("PersistentVolumeClaim %s was deleted%s. Only %s holds it, as long as pod %s runs, which nobody deletes and %s wants. When that pod goes, claim and data go, and the pod that follows it can wait for a claim that is gone.",
			claim.Name, atTime(deletedAt(&claim.Meta)), someNames(claim.Finalizers), pod.Name, kindName(top)),
		Evidence: []Evidence{
			claimEvidence(claim),
			kubeEvidence(pod.At, pod.Started, 1, "%s is Running and uses claim %s", kindName(pod.Ref), claim.Name),
		},
		Next: []string{
			kubectlIn(claim.Namespace, "get pvc "+Quote(claim.Name)+" -o yaml"),
			kubectlOn(top, "get", "-o yaml", "--show-managed-fields"),
		},
		Notes: []string{"Who deleted the claim stands in the API server's audit log only (`triage audit`)."},
	}
	if since(c, deletedAt(&claim.Meta)) < justDeleted {
		f.Severity = Medium
	}
	if other != nil {
		f.Severity = High
		f.Why += fmt.Sprintf(" Pod %s of it is Pending already.", other.Name)
		f.Evidence = append(f.Evidence, kubeEvidence(other.At, other.Created, 1, "%s is Pending", kindName(other.Ref)))
	}
	if w := c.Workload(top.Kind, top.Namespace, top.Name); w != nil {
		f.Evidence = append(f.Evidence, kubeEvidence(w.At, w.Written, 1, "%s wants %d replicas, %d ready, generation %d", kindName(w.Ref), w.Replicas, w.Ready, w.Generation))
	}
	return f
}

// unschedulable is TR736.
func unschedulable() *Rule {
	return &Rule{
		ID: idUnschedulable, Name: "unschedulable", Category: Contention, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A pod has waited long for a node that can take it",
			Why:            "The pod's PodScheduled condition is false with reason Unschedulable for over 10 minutes, longer than an autoscaled node takes; the scheduler's message says what each node lacks.",
			Fix:            "Give the cluster what the message asks for (room, labels, a toleration), or ask for less.",
			FalsePositives: "Pods that wait by design: batch work behind a full cluster, replicas kept apart by anti-affinity on a small one.",
			Refs:           []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/#my-pod-stays-pending"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			index := map[kube.Ref][]*kube.Pod{}
			var tops []kube.Ref
			for _, pod := range c.Pods {
				cond := kube.Find(pod.Conditions, "PodScheduled")
				if !waitingPod(pod) || cond == nil || cond.Status != "False" || podAge(c, pod) < pendingLong || claimsHang(c, pod) {
					continue
				}
				top := c.Top(&pod.Meta)
				if index[top] == nil {
					tops = append(tops, top)
				}
				index[top] = append(index[top], pod)
			}
			var found []Finding
			for _, top := range tops {
				found = append(found, unschedulableOf(c, top, index[top]))
			}
			return found
		},
	}
}

// claimsHang reports a pod that TR734 speaks of.
func claimsHang(c *kube.Cluster, p *kube.Pod) bool {
	return slices.ContainsFunc(p.Claims, func(name string) bool { _, ok := hungOn(c, p, name); return ok })
}

func unschedulableOf(c *kube.Cluster, top kube.Ref, pods []*kube.Pod) Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
	first := pods[0]
	cond := kube.Find(first.Conditions, "PodScheduled")
	f := Finding{
		Category: Contention, Severity: Medium, Confidence: ConfMedium, Object: objectOf(top), Count: len(pods),
		FirstSeen: kubeTime(first.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, "has "+counted(len(pods), "pod")+" that no node takes"),
		Why:   fmt.Sprintf("%s of %s can't be scheduled, the oldest for %s. The scheduler says: %s.", counted(len(pods), "pod"), kindName(top), spell(podAge(c, first)), quoted(cond.Message)),
		Fix:   fmt.Sprintf("Give the cluster what the scheduler's message asks for, or change what %s asks for.", kindName(top)),
		Next:  []string{kubectlIn(first.Namespace, "describe pod "+Quote(first.Name)), "kubectl describe nodes"},
	}
	if c.Bundle.Created.IsZero() && podAge(c, first) > undated {
		f.Severity, f.Confidence = Low, ConfLow
		f.Notes = []string{"The inputs do not say when they were taken: how long it has waited is not sure."}
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, kubeEvidence(p.At, p.Created, 1, "%s: %s: %s", kindName(p.Ref), kube.Find(p.Conditions, "PodScheduled").Reason, kube.Find(p.Conditions, "PodScheduled").Message))
	}
	return f
}

// cannotStart is TR737.
func cannotStart() *Rule {
	return &Rule{
		ID: idCannotStart, Name: "container-cannot-start", Category: Deadlock, Severity: Medium, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A container can't be started: image, configuration, volume or sandbox",
			Why:            "The container waits with a reason that names what is missing (ImagePullBackOff, CreateContainerConfigError …), or has been at ContainerCreating for over 10 minutes with warnings about its volumes or its sandbox.",
			Fix:            "Put right what the message names: the image's name or pull secret, the missing ConfigMap or Secret, the volume, the node's network.",
			FalsePositives: "A registry or a volume that came back a moment later.",
			Refs:           []string{"https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff"},
		},
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			type key struct {
				top    kube.Ref
				reason string
			}
			index := map[key][]stopped{}
			var keys []key
			for _, pod := range c.Pods {
				if pod.Gone || !pod.Deleted.IsZero() || pod.Phase == "Failed" || pod.Phase == "Succeeded" {
					continue
				}
				if s, ok := startStopped(c, pod); ok {
					k := key{c.Top(&pod.Meta), s.reason}
					if index[k] == nil {
						keys = append(keys, k)
					}
					index[k] = append(index[k], s)
				}
			}
			var found []Finding
			for _, k := range keys {
				found = append(found, cannotStartOf(c, k.top, index[k]))
			}
			return found
		},
	}
}

// A stopped is a container that can't be started.
type stopped struct {
	pod             *kube.Pod
	container       string
	reason, message string
	line            int64
	event           *kube.Event
}

// startStopped looks for the first container of a pod that can't be started.
func startStopped(c *kube.Cluster, p *kube.Pod) (stopped, bool) {
	for i := range p.Containers {
		ct := &p.Containers[i]
		switch ct.Waiting {
		case "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable", "ImageInspectError",
			"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreCreateHookError", "PreStartHookError", "PostStartHookError":
			reason := ct.Waiting
			if reason == "ErrImagePull" { // the moment between two back-offs
				reason = "ImagePullBackOff"
			}
			return stopped{pod: p, container: ct.Name, reason: reason, message: cmp.Or(ct.WaitingMessage, ct.Image), line: ct.Line}, true
		case "ContainerCreating", "PodInitializing":
			if podAge(c, p) < pendingLong {
				continue
			}
			for _, e := range slices.Backward(c.EventsOf("Pod", p.Namespace, p.Name)) {
				switch e.Reason {
				case "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedMapVolume":
					if c.Time.Sub(e.Last) < pendingLong {
						return stopped{pod: p, container: ct.Name, reason: e.Reason, message: e.Message, line: ct.Line, event: e}, true
					}
				}
			}
		}
	}
	return stopped{}, false
}

func cannotStartOf(c *kube.Cluster, top kube.Ref, ss []stopped) Finding {
	s := ss[0]
	f := Finding{
		Category: Deadlock, Severity: Medium, Confidence: ConfMedium, Object: objectOf(top), Count: len(ss),
		FirstSeen: kubeTime(s.pod.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, fmt.Sprintf("can't start container %s: %s", s.container, s.reason)),
		Why:   fmt.Sprintf("%s of %s can't start container %s (%s).", counted(len(ss), "pod"), kindName(top), s.container, s.reason),
		Next:  []string{kubectlIn(s.pod.Namespace, "describe pod "+Quote(s.pod.Name))},
	}
	if s.message != "" {
		f.Why += " The kubelet says: " + quoted(s.message) + "."
	}
	if d := podAge(c, s.pod); d > 0 && s.pod.Phase == "Pending" && d < pendingLong {
		f.Severity = Low // it may yet come
	}
	for _, o := range ss[:min(len(ss), maxObjectEvidence)] {
		at, when, n := kube.At{Input: o.pod.Input, Line: cmp.Or(o.line, o.pod.Line)}, o.pod.Created, 1
		if o.event != nil {
			at, when, n = o.event.At, o.event.Last, o.event.Count
		}
		f.Evidence = append(f.Evidence, kubeEvidence(at, when, n, "%s container %s: %s: %s", kindName(o.pod.Ref), o.container, o.reason, o.message))
	}
	return f
}
