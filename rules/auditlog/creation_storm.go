package auditlog

import (
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of creation-storm.
const (
	// stormFailed is how many pods of one owner must fail within ten minutes; stormCritical makes the storm a danger
	// for the API server (the founding one made 440 in 45 s; garbage collection begins at 12,500 terminated pods).
	stormFailed   = 20
	stormCritical = 100
	// stormChurn is how many pods must be created and deleted again where no failure is logged, with a life of no more
	// than stormLife: rollouts and scalings create as many pods as there are replicas and leave them.
	stormChurn = 50
	stormSure  = 200
	stormLife  = 5 * time.Minute
	// stormOthers is the same for other resources, kept or not: a Helm release has some tens of one resource.
	stormOthers     = 200
	stormOthersHigh = 500
	// remadeMin is how often one object must be created anew, remadeGap how fast at least: what is replaced on purpose
	// is so by a pipeline every few minutes, or by a controller once.
	remadeMin = 60
	remadeGap = 10 * time.Second
)

func runCreationStorm(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Creations {
		c := &t.Creations[i]
		if c.Resource == "pods" {
			if severity, confidence, ok := judgeStorm(t, c); ok {
				found = append(found, stormFinding(t, c, severity, confidence))
			}
			continue
		}
		if c.Remakes >= remadeMin &&
			time.Duration(c.Last-c.First)*time.Microsecond <= time.Duration(c.Remakes)*remadeGap &&
			!controlPlane(&t.Actors[c.Actor]) && !steadyResource(c.Resource) {
			found = append(found, remadeFinding(t, c))
			continue
		}
		if c.Window >= stormOthers && !controlPlane(&t.Actors[c.Actor]) && !steadyResource(c.Resource) {
			found = append(found, creationFinding(t, c))
		}
	}
	return found
}

func judgeStorm(t *audit.Trail, c *audit.Creation) (rules.Severity, rules.Confidence, bool) {
	switch {
	case c.Failed >= stormFailed && c.Window >= stormFailed && 2*c.Failed >= c.Count:
		if c.Window >= stormCritical {
			return rules.Critical, rules.ConfHigh, true
		}
		return rules.High, rules.ConfHigh, true
	case !replaces(t, c), c.Inferred && 2*c.Named < c.Foreign: // of several owners: a drain, a node that is gone
		return "", "", false
	case c.Window >= stormChurn && 2*c.Deleted >= c.Count && c.Lifetime <= stormLife:
		if c.Window >= stormSure {
			return rules.High, rules.ConfMedium, true
		}
		return rules.Medium, rules.ConfMedium, true
	case c.Inferred && c.Window >= stormSure && c.Bound == 0 && 2*c.Named >= c.Count:
		// Kubelets report hundreds of pods of one owner that no scheduler bound.
		if t.Bound {
			return rules.High, rules.ConfMedium, true
		}
		return rules.Medium, rules.ConfLow, true
	}
	return "", "", false
}

// replaces reports whether the pods were created by a controller that replaces what is gone: pods of Jobs and of
// clients that create them one by one come and go by design.
func replaces(t *audit.Trail, c *audit.Creation) bool {
	switch c.Owner.Kind {
	case "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController":
		return true
	case "":
		user := t.Actors[c.Actor].Name()
		return strings.HasSuffix(user, ":replicaset-controller") ||
			strings.HasSuffix(user, ":statefulset-controller") ||
			strings.HasSuffix(user, ":daemon-set-controller") || user == "system:kube-controller-manager"
	}
	return false
}

// stormObject is the owner to fix: the Deployment if it is known.
func stormObject(c *audit.Creation) rules.Object {
	top := c.Top
	if top.Kind == "" {
		top = c.Owner
	}
	if top.Kind == "" {
		return rules.Object{API: "v1", Kind: "Pod", Namespace: c.Namespace, Name: c.Prefix}
	}
	return rules.Object{API: top.API, Kind: top.Kind, Namespace: c.Namespace, Name: top.Name}
}

func stormFinding(t *audit.Trail, c *audit.Creation, severity rules.Severity, confidence rules.Confidence) rules.Finding {
	o := stormObject(c)
	actor := &t.Actors[c.Actor]
	f := rules.Finding{
		Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()}, Count: c.Count,
		FirstSeen: auditTime(c.First), LastSeen: auditTime(c.Last),
		Why: fmt.Sprintf("%s created %s for %s in %s, %d of them within a minute.", actor.Name(),
			phrase.Plural(c.Count, "pod"), objectText(o), auditSpan(c.First, c.Last), c.Peak),
	}
	if c.Top.Kind != "" && c.Owner.Kind != "" {
		f.Objects = append(f.Objects, rules.Object{API: c.Owner.API, Kind: c.Owner.Kind, Namespace: c.Namespace,
			Name: c.Owner.Name})
	}
	f.Evidence = append(f.Evidence, auditWrite(t, c.FirstWrite, c.Count, "%s: %s, the first of %d",
		shortActor(actor.Name()), requestText(t, c.FirstWrite), c.Count))
	if c.Failed > 0 {
		reason := c.Reason
		if reason == "" {
			reason = "Failed"
		}
		f.Title = auditTitle("%s %s creates %d pods in %s, and they fail with %s", o.Kind, o.Name, c.Count,
			auditSpan(c.First, c.Last), reason)
		f.Why += fmt.Sprintf(" %d became Failed, %d with %s: the kubelet refused them.", c.Failed, c.ReasonCount,
			reason)
		f.Evidence = append(f.Evidence, auditWrite(t, c.FailedWrite, c.Failed, "%s: %s: phase Failed, reason %s",
			shortActor(t.Actors[t.Writes[c.FailedWrite].Actor].Name()), requestText(t, c.FailedWrite), reason))
	} else {
		act := ", and they are deleted again"
		if 2*c.Deleted < c.Count {
			act = ", none of them bound by a scheduler"
		}
		f.Title = auditTitle("%s %s creates %d pods in %s%s", o.Kind, o.Name, c.Count, auditSpan(c.First, c.Last), act)
		f.Notes = append(f.Notes, "The log doesn't tell whether and why the pods failed: their status isn't in it at "+
			"this level. kubectl get pods -o wide and events tell.")
	}
	if c.Deleted > 0 {
		f.Why += fmt.Sprintf(" %d were deleted again, after %s in the middle.", c.Deleted,
			phrase.Seconds(c.Lifetime.Seconds()))
	}
	switch {
	case c.NodeNamed > 0 && 2*c.NodeNamed >= c.Count:
		f.Why += fmt.Sprintf(" %d were created with spec.nodeName set: the template names the node, so the scheduler "+
			"never saw them, and a node without room rejects each one.", c.NodeNamed)
	case c.Bound == 0 && t.Bound:
		f.Why += " None of them was bound by a scheduler, though others were: something names their node."
	case c.Told == c.Count:
		f.Fix = fmt.Sprintf("Scale %s to 0 to end the storm, find out from one failed pod why the kubelet refuses it "+
			"or why it is deleted, and only then scale it up again.", objectText(o))
	}
	if c.Inferred {
		f.Notes = append(f.Notes, "The level doesn't tell whose the pods are: the owner is read off the names of "+
			"pods that were deleted or reported.")
	}
	f.Evidence = append(f.Evidence, auditWrite(t, c.LastOne, 1, "%s: the last of %d", requestText(t, c.LastOne),
		c.Count))
	f.Next = stormNext(t, c, o)
	return f
}

func stormNext(t *audit.Trail, c *audit.Creation, o rules.Object) []rules.Step {
	ns := ""
	if c.Namespace != "" {
		ns = "-n " + rules.Quote(c.Namespace) + " "
	}
	next := rules.Commands("triage audit " + auditInputs(t) + " " + ns + "--resource pods --writes")
	switch o.Kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		next = append(next, rules.Command("kubectl "+ns+"get "+kubectlKind(o.Kind)+" "+rules.Quote(o.Name)+
			" -o jsonpath='{.spec.template.spec.nodeName}'"))
		if o.Kind != "DaemonSet" {
			next = append(next, rules.Step{
				Command: "kubectl " + ns + "scale " + kubectlKind(o.Kind) + " " + rules.Quote(o.Name) + " --replicas=0",
				Comment: "ends the storm", Changes: true,
			})
		}
	}
	return append(next, rules.Step{
		Command: "kubectl " + ns + "delete pods --field-selector=status.phase=Failed",
		Comment: "removes the failed pods, once the cause is gone", Changes: true,
	})
}

func kubectlKind(kind string) string {
	switch kind {
	case "Deployment":
		return "deployment"
	case "ReplicaSet":
		return "replicaset"
	case "StatefulSet":
		return "statefulset"
	}
	return "daemonset"
}

// runsOnce reports resources of which each object is one run of something: a pipeline's cluster creates them by the
// hundred.
func runsOnce(resource string) bool {
	return resource == "jobs" || resource == "workflows" || strings.HasSuffix(resource, "runs")
}

// remadeFinding is about one object that its creator creates over and over.
func remadeFinding(t *audit.Trail, c *audit.Creation) rules.Finding {
	actor, raw := &t.Actors[c.Actor], &t.Objects[c.Remade]
	o := auditObject(raw)
	who := shortActor(actor.Name())
	return rules.Finding{
		Category: rules.HotLoop, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: &o, Actors: []string{actor.Name()},
		Count: c.Remakes,
		Title: auditTitle("%s creates %s %s again and again: %d times in %s", who, o.Kind, o.Name, c.Remakes,
			auditSpan(c.First, c.Last)),
		FirstSeen: auditTime(c.First), LastSeen: auditTime(c.Last),
		Why: fmt.Sprintf("%s created %s %d times in %s, %d of them within a minute at the most: each time it had "+
			"been deleted in between.",
			actor.Name(), objectText(o), c.Remakes, auditSpan(c.First, c.Last), c.Peak),
		Fix: fmt.Sprintf("Find out why %s does not keep %s: it compares what it wants with what is there by a field "+
			"that the API server defaults or drops, and replaces in place of updating; or another deletes it.", who,
			objectText(o)),
		Evidence: []rules.Evidence{
			auditWrite(t, c.FirstWrite, c.Remakes, "%s: %s, the first of %d", agentOf(actor),
				requestText(t, c.FirstWrite), c.Remakes),
			auditWrite(t, c.LastOne, 1, "%s: the last", requestText(t, c.LastOne)),
		},
		Next: auditNext(t, raw),
	}
}

// creationFinding is about objects that are no pods.
func creationFinding(t *audit.Trail, c *audit.Creation) rules.Finding {
	actor := &t.Actors[c.Actor]
	o := stormObject(c)
	if c.Owner.Kind == "" {
		o = rules.Object{Kind: kindOfResource(c.Resource), Namespace: c.Namespace, Name: c.Prefix}
	}
	severity, confidence := rules.Low, rules.ConfLow
	if c.Window >= stormOthersHigh && c.Peak >= stormOthersHigh/10 && 4*c.Deleted < c.Count && !runsOnce(c.Resource) {
		severity = rules.Medium
	}
	return rules.Finding{
		Category: rules.HotLoop, Severity: severity, Confidence: confidence, Object: &o, Actors: []string{actor.Name()},
		Count: c.Count,
		Fingerprint: rules.FingerprintObject("TR764", rules.Object{Kind: c.Resource, Namespace: c.Namespace,
			Name: actor.Name() + "/" + o.Name}),
		Title: auditTitle("%s creates %d %s in %s", shortActor(actor.Name()), c.Count, c.Resource,
			auditSpan(c.First, c.Last)),
		FirstSeen: auditTime(c.First), LastSeen: auditTime(c.Last),
		Why: fmt.Sprintf("%s created %d %s in namespace %s in %s, at most %d within ten minutes and %d within a "+
			"minute; %d of them were deleted again. That many of one resource come from a controller that doesn't "+
			"find what it created before.",
			actor.Name(), c.Count, c.Resource, c.Namespace, auditSpan(c.First, c.Last), c.Window, c.Peak, c.Deleted),
		Fix: fmt.Sprintf("Find out what makes %s create %s again: it looks for the existing ones with a selector or "+
			"a name that doesn't match what it creates, or its cache is stale.", shortActor(actor.Name()), c.Resource),
		Evidence: []rules.Evidence{
			auditWrite(t, c.FirstWrite, c.Count, "%s: %s, the first of %d", agentOf(actor),
				requestText(t, c.FirstWrite), c.Count),
			auditWrite(t, c.LastOne, 1, "%s: the last", requestText(t, c.LastOne)),
		},
		Next: rules.Commands(auditCommand(t, &audit.Object{Resource: c.Resource, Namespace: c.Namespace})),
	}
}
