package auditlog

import (
	"cmp"
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

// creationStorm is creation-storm (TR764).
func creationStorm(t *audit.Trail, c *audit.Creation) *rules.Finding {
	switch {
	case c.Resource == "pods":
		return stormFinding(t, c)
	case controlPlane(&t.Actors[c.Actor]) || steadyResource(c.Resource):
	case c.Remakes >= remadeMin && time.Duration(c.Last-c.First)*time.Microsecond <= time.Duration(c.Remakes)*remadeGap:
		return remadeFinding(t, c)
	case c.Window >= stormOthers:
		return creationFinding(t, c)
	}
	return nil
}

// judgeStorm is the severity of pods that were created, "" where they are no storm.
func judgeStorm(t *audit.Trail, c *audit.Creation) (rules.Severity, rules.Confidence) {
	switch {
	case c.Failed >= stormFailed && c.Window >= stormFailed && 2*c.Failed >= c.Count:
		if c.Window >= stormCritical {
			return rules.Critical, rules.ConfHigh
		}
		return rules.High, rules.ConfHigh
	case !replaces(t, c), c.Inferred && 2*c.Named < c.Foreign: // of several owners: a drain, a node that is gone
	case c.Window >= stormChurn && 2*c.Deleted >= c.Count && c.Lifetime <= stormLife:
		if c.Window >= stormSure {
			return rules.High, rules.ConfMedium
		}
		return rules.Medium, rules.ConfMedium
	case c.Inferred && c.Window >= stormSure && c.Bound == 0 && 2*c.Named >= c.Count:
		// Kubelets report hundreds of pods of one owner that no scheduler bound.
		if t.Bound {
			return rules.High, rules.ConfMedium
		}
		return rules.Medium, rules.ConfLow
	}
	return "", ""
}

// replaces reports whether the pods were created by a controller that replaces what is gone: pods of Jobs and of
// clients that create them one by one come and go by design.
func replaces(t *audit.Trail, c *audit.Creation) bool {
	switch c.Owner.Kind {
	case "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController":
		return true
	case "":
		user := t.Actors[c.Actor].Name()
		return user == "system:kube-controller-manager" || strings.HasSuffix(user, ":replicaset-controller") ||
			strings.HasSuffix(user, ":statefulset-controller") || strings.HasSuffix(user, ":daemon-set-controller")
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

func stormFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	severity, confidence := judgeStorm(t, c)
	if severity == "" {
		return nil
	}
	o, user, took := stormObject(c), t.Actors[c.Actor].Name(), span(c.First, c.Last)
	f := finding(o, c.Count, c.First, c.Last, user)
	f.Severity, f.Confidence = severity, confidence
	f.Why = fmt.Sprintf("%s created %s for %s in %s, %d of them within a minute.", user, phrase.Plural(c.Count, "pod"),
		objectText(o), took, c.Peak)
	if c.Top.Kind != "" && c.Owner.Kind != "" {
		f.Objects = append(f.Objects, rules.Object{API: c.Owner.API, Kind: c.Owner.Kind, Namespace: c.Namespace,
			Name: c.Owner.Name})
	}
	f.Evidence = append(f.Evidence, firstOf(t, c, short(user), c.Count))
	if c.Failed > 0 {
		reason := cmp.Or(c.Reason, "Failed")
		f.Title = title("%s %s creates %d pods in %s, and they fail with %s", o.Kind, o.Name, c.Count, took, reason)
		f.Why += fmt.Sprintf(" %d became Failed, %d with %s: the kubelet refused them.", c.Failed, c.ReasonCount,
			reason)
		f.Evidence = append(f.Evidence, wrote(t, c.FailedWrite, c.Failed,
			short(t.Actors[t.Writes[c.FailedWrite].Actor].Name()), ": phase Failed, reason "+reason))
	} else {
		act := ", and they are deleted again"
		if 2*c.Deleted < c.Count {
			act = ", none of them bound by a scheduler"
		}
		f.Title = title("%s %s creates %d pods in %s%s", o.Kind, o.Name, c.Count, took, act)
		f.Notes = append(f.Notes, "The log doesn't tell whether and why the pods failed: their status isn't in it at "+
			"this level. kubectl get pods -o wide and events tell.")
	}
	if c.Deleted > 0 {
		took := phrase.Seconds(c.Lifetime.Seconds())
		f.Why += fmt.Sprintf(" %d were deleted again, after %s in the middle.", c.Deleted, took)
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
	f.Evidence = append(f.Evidence, wrote(t, c.LastOne, 1, "", fmt.Sprintf(": the last of %d", c.Count)))
	f.Next = stormNext(t, c, o)
	return &f
}

// firstOf is the evidence of the first of n creations.
func firstOf(t *audit.Trail, c *audit.Creation, who string, n int) rules.Evidence {
	return wrote(t, c.FirstWrite, n, who, fmt.Sprintf(", the first of %d", n))
}

func stormNext(t *audit.Trail, c *audit.Creation, o rules.Object) []rules.Step {
	ns := inNamespace(c.Namespace)
	next := rules.Commands("triage audit " + inputs(t) + " " + ns + "--resource pods --writes")
	switch o.Kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		name := strings.ToLower(o.Kind) + " " + rules.Quote(o.Name)
		next = append(next, rules.Command("kubectl "+ns+"get "+name+" -o jsonpath='{.spec.template.spec.nodeName}'"))
		if o.Kind != "DaemonSet" {
			next = append(next, rules.Step{Command: "kubectl " + ns + "scale " + name + " --replicas=0",
				Comment: "ends the storm", Changes: true})
		}
	}
	return append(next, rules.Step{
		Command: "kubectl " + ns + "delete pods --field-selector=status.phase=Failed",
		Comment: "removes the failed pods, once the cause is gone", Changes: true,
	})
}

// runsOnce reports resources of which each object is one run of something: a pipeline's cluster creates them by the
// hundred.
func runsOnce(resource string) bool {
	return resource == "jobs" || resource == "workflows" || strings.HasSuffix(resource, "runs")
}

// again begins a finding about n objects that are no pods, which their creator creates over and over.
func again(t *audit.Trail, c *audit.Creation, o rules.Object, n int) rules.Finding {
	actor := &t.Actors[c.Actor]
	f := finding(o, n, c.First, c.Last, actor.Name())
	f.Category = rules.HotLoop
	f.Evidence = []rules.Evidence{firstOf(t, c, agentOf(actor), n), wrote(t, c.LastOne, 1, "", ": the last")}
	return f
}

// remadeFinding is about one object that its creator creates over and over.
func remadeFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	user, raw, took := t.Actors[c.Actor].Name(), &t.Objects[c.Remade], span(c.First, c.Last)
	o := objectOf(raw)
	f := again(t, c, o, c.Remakes)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	f.Title = title("%s creates %s %s again and again: %d times in %s", short(user), o.Kind, o.Name, c.Remakes, took)
	f.Why = fmt.Sprintf("%s created %s %d times in %s, %d of them within a minute at the most: each time it had been "+
		"deleted in between.", user, objectText(o), c.Remakes, took, c.Peak)
	f.Fix = fmt.Sprintf("Find out why %s does not keep %s: it compares what it wants with what is there by a field "+
		"that the API server defaults or drops, and replaces instead of updating; or another deletes it.", short(user),
		objectText(o))
	f.Next = nextOf(t, raw)
	return &f
}

// creationFinding is about objects that are no pods.
func creationFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	user, took := t.Actors[c.Actor].Name(), span(c.First, c.Last)
	o := stormObject(c)
	if c.Owner.Kind == "" {
		o = rules.Object{Kind: kindOfResource(c.Resource), Namespace: c.Namespace, Name: c.Prefix}
	}
	f := again(t, c, o, c.Count)
	f.Severity, f.Confidence = rules.Low, rules.ConfLow
	if c.Window >= stormOthersHigh && c.Peak >= stormOthersHigh/10 && 4*c.Deleted < c.Count && !runsOnce(c.Resource) {
		f.Severity = rules.Medium
	}
	f.Fingerprint = rules.FingerprintObject("TR764", rules.Object{Kind: c.Resource, Namespace: c.Namespace,
		Name: user + "/" + o.Name})
	f.Title = title("%s creates %d %s in %s", short(user), c.Count, c.Resource, took)
	f.Why = fmt.Sprintf("%s created %d %s in namespace %s in %s, at most %d within ten minutes and %d within a "+
		"minute; %d of them were deleted again. That many of one resource come from a controller that doesn't find "+
		"what it created before.", user, c.Count, c.Resource, c.Namespace, took, c.Window, c.Peak, c.Deleted)
	f.Fix = fmt.Sprintf("Find out what makes %s create %s again: it looks for the existing ones with a selector or a "+
		"name that doesn't match what it creates, or its cache is stale.", short(user), c.Resource)
	f.Next = rules.Commands(command(t, &audit.Object{Resource: c.Resource, Namespace: c.Namespace}))
	return &f
}
