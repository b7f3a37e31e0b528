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
	// stormRounds is how often what existed at one time must have been created: a rollout, a scale-up, a drain or the
	// loss of a node creates each replica once, an owner that is deleted takes as many as there are. The storm at hand
	// made 440 pods for 1 replica; of the ordinary days in ordinary_days_test.go the loss of nodes comes to 1.4, drains
	// and scalings up and down to 2.5, without any deletion that counts.
	stormRounds = 2
	// stormChurn is how many pods must be created and deleted again where no failure is logged, with a life of no more
	// than stormLife. Deletions by the pods' own controller (scale-downs, rollouts) and evictions don't count.
	stormChurn = 50
	stormSure  = 200
	stormLife  = 5 * time.Minute
	// stormNamed is how often one pod of a StatefulSet must be made anew: its rollouts keep the names, once each.
	stormNamed = 20
	// stormUnbound is how many pods of one owner kubelets must report that no scheduler bound, where others were: above
	// the 110 that a node takes (kubelet's maxPods), so that an owner that names its node on purpose is none.
	stormUnbound = 120
)

// creationStorm is creation-storm (TR764).
func creationStorm(t *audit.Trail, c *audit.Creation) *rules.Finding {
	if c.Resource != "pods" {
		return nil
	}
	return stormFinding(t, c)
}

// judgeStorm is the severity of pods that were created, "" where they are no storm.
func judgeStorm(t *audit.Trail, c *audit.Creation) (rules.Severity, rules.Confidence) {
	rounds := c.Count >= stormRounds*c.Standing
	switch {
	case rounds && c.Failed >= stormFailed && c.Window >= stormFailed && 2*c.Failed >= c.Count:
		if c.Window >= stormCritical {
			return rules.Critical, rules.ConfHigh
		}
		return rules.High, rules.ConfHigh
	case sameNode(t, c), sameName(t, c):
		if c.Window >= stormSure {
			return rules.High, rules.ConfMedium
		}
		return rules.Medium, rules.ConfMedium
	case !replaces(t, c), c.Owner.Kind == "StatefulSet" && c.Remakes < stormNamed:
	case rounds && c.Window >= stormChurn && 2*c.Deleted >= c.Count && c.Lifetime <= stormLife:
		if c.Window >= stormSure {
			return rules.High, rules.ConfMedium
		}
		return rules.Medium, rules.ConfMedium
	case unbound(t, c):
		if c.Window >= stormSure {
			return rules.High, rules.ConfMedium
		}
		return rules.Medium, rules.ConfMedium
	}
	return "", ""
}

// sameNode reports pods of a DaemonSet of which one kubelet reported stormFailed within ten minutes. A DaemonSet has
// one pod for each node, and its rollout and a node's return make one more.
func sameNode(t *audit.Trail, c *audit.Creation) bool {
	return c.OnNode >= stormFailed && c.Window >= stormFailed && madeBy(t, c, "DaemonSet", "daemon-set-controller")
}

// sameName reports one pod of a StatefulSet that its controller made stormNamed times within ten minutes: a rollout and
// a node's loss make each pod once.
func sameName(t *audit.Trail, c *audit.Creation) bool {
	return c.Remakes >= stormNamed && c.Window >= stormNamed && madeBy(t, c, "StatefulSet", "statefulset-controller")
}

// madeBy reports pods of a kind of owner: by their owner, or by their creator where the level lacks that. The
// controllers of one user differ by the end of their user agent (controller.SimpleControllerClientBuilder).
func madeBy(t *audit.Trail, c *audit.Creation, kind, controller string) bool {
	a := &t.Actors[c.Actor]
	return c.Owner.Kind == kind || c.Owner.Kind == "" && (strings.HasSuffix(a.Name(), ":"+controller) ||
		a.Name() == "system:kube-controller-manager" && strings.HasSuffix(a.Agent, "/"+controller))
}

// unbound reports pods that kubelets report and no scheduler bound, while others were bound, in a log that does not
// show what became of them: their node was named, and kubelets that refuse them are why there are so many.
func unbound(t *audit.Trail, c *audit.Creation) bool {
	return t.Bound && c.Bound == 0 && c.Statuses == 0 && c.Window >= stormUnbound && 2*c.Reported >= c.Count
}

// replaces reports whether the pods were created by a controller that replaces what is gone: pods of Jobs and of
// clients that create them one by one come and go by design.
func replaces(t *audit.Trail, c *audit.Creation) bool {
	return madeBy(t, c, "ReplicaSet", "replicaset-controller") || madeBy(t, c, "DaemonSet", "daemon-set-controller") ||
		madeBy(t, c, "StatefulSet", "statefulset-controller") || c.Owner.Kind == "ReplicationController"
}

// stormObject is the owner to fix: the Deployment if it is known.
func stormObject(c *audit.Creation) rules.Object {
	top := c.Top
	if top.Kind == "" {
		top = c.Owner
	}
	switch {
	case top.Kind == "" && c.Prefix == "":
		return rules.Object{API: "v1", Kind: "Namespace", Name: c.Namespace} // the level doesn't show whose they are
	case top.Kind == "":
		return rules.Object{API: "v1", Kind: "Pod", Namespace: c.Namespace, Name: c.Prefix}
	}
	return rules.Object{API: top.API, Kind: top.Kind, Namespace: c.Namespace, Name: top.Name}
}

func stormFinding(t *audit.Trail, c *audit.Creation) *rules.Finding {
	severity, confidence := judgeStorm(t, c)
	if severity == "" || c.Failed == 0 && ownerRemade(t, c) {
		return nil
	}
	o, user, took := stormObject(c), t.Actors[c.Actor].Name(), span(c.First, c.Last)
	who := o.Kind + " " + o.Name
	if ownerless(o) {
		who = short(user)
	}
	f := finding(o, c.Count, c.First, c.Last, user)
	f.Severity, f.Confidence = severity, confidence
	f.Why = fmt.Sprintf("%s created %s for %s in %s, of which at most %d existed at one time.", short(user),
		phrase.Plural(c.Count, "pod"), objectText(o), took, c.Standing)
	if c.Top.Kind != "" && c.Owner.Kind != "" {
		f.Objects = append(f.Objects, rules.Object{API: c.Owner.API, Kind: c.Owner.Kind, Namespace: c.Namespace,
			Name: c.Owner.Name})
	}
	f.Evidence = append(f.Evidence, firstOf(t, c, short(user), c.Count))
	switch reason := cmp.Or(c.Reason, "Failed"); {
	case c.Failed > 0:
		f.Title = title("%s creates %d pods in %s, and they fail with %s", who, c.Count, took, reason)
		f.Why += fmt.Sprintf(" %d of them failed with %s", c.Failed, reason)
		if namesNode(c) {
			f.Why += fmt.Sprintf(", and %d have spec.nodeName from the start", c.NodeNamed)
		}
		f.Why += "."
		f.Evidence = append(f.Evidence, wrote(t, c.FailedWrite, c.Failed,
			short(t.Actors[t.Writes[c.FailedWrite].Actor].Name()), ": phase Failed, reason "+reason))
	case sameNode(t, c):
		f.Title = title("%s creates %d pods in %s, %d of them for one node", who, c.Count, took, c.OnNode)
	case sameName(t, c):
		f.Title = title("%s creates %d pods in %s, %d of them %s", who, c.Count, took, c.Remakes,
			t.Objects[c.Remade].Name)
	case unbound(t, c):
		f.Title = title("%s creates %d pods in %s, none of them bound by a scheduler", who, c.Count, took)
		f.Why += " None of them was bound by a scheduler, though others were."
	default:
		f.Title = title("%s creates %d pods in %s, and they are deleted again", who, c.Count, took)
		f.Why += fmt.Sprintf(" %d were deleted again (median age %s).", c.Deleted, phrase.Seconds(c.Lifetime.Seconds()))
	}
	if c.Failed == 0 && c.Statuses == 0 {
		f.Notes = append(f.Notes, "The log doesn't show why the pods failed: their status isn't in it at this level.")
	}
	f.Fix = stormFix(t, c, o)
	if c.Inferred {
		f.Notes = append(f.Notes, "The level doesn't show the pods' owner: the owner is read off the names of "+
			"pods that were deleted or reported.")
	}
	f.Evidence = append(f.Evidence, wrote(t, c.LastOne, 1, "", fmt.Sprintf(": the last of %d", c.Count)))
	f.Next = stormNext(t, c, o)
	return &f
}

// ownerless reports an object that is no owner of pods: theirs isn't known.
func ownerless(o rules.Object) bool { return o.Kind == "Pod" || o.Kind == "Namespace" }

// namesNode reports pods whose template names their node.
func namesNode(c *audit.Creation) bool { return c.NodeNamed > 0 && 2*c.NodeNamed >= c.Count }

// stormFix is what ends the storm. Advice never speaks of a nodeName that isn't there.
func stormFix(t *audit.Trail, c *audit.Creation, o rules.Object) string {
	switch {
	case namesNode(c):
		return fmt.Sprintf("Remove spec.nodeName from the template of %s, and scale it to 0 until then.", objectText(o))
	case c.Bound == 0 && t.Bound && c.Told < c.Count:
		return fmt.Sprintf("Check whether the template of %s sets spec.nodeName, and remove it.", objectText(o))
	case ownerless(o):
		return fmt.Sprintf("Find the owner of the pods in namespace %s, and scale it to 0 until their failure is "+
			"known.", c.Namespace)
	case o.Kind == "Job" || o.Kind == "CronJob" || o.Kind == "DaemonSet":
		return fmt.Sprintf("Find why a failed pod of %s fails, and suspend it until then.", objectText(o))
	}
	return fmt.Sprintf("Scale %s to 0, and find why the pods fail or are deleted before it runs again.", objectText(o))
}

// firstOf is the evidence of the first of n creations.
func firstOf(t *audit.Trail, c *audit.Creation, who string, n int) rules.Evidence {
	return wrote(t, c.FirstWrite, n, who, fmt.Sprintf(", the first of %d", n))
}

func stormNext(t *audit.Trail, c *audit.Creation, o rules.Object) []rules.Step {
	ns := inNamespace(c.Namespace)
	next := rules.Commands("triage audit "+inputs(t)+" "+ns+"--resource pods --writes",
		"kubectl "+ns+"get pods --field-selector=status.phase=Failed")
	switch o.Kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		name := strings.ToLower(o.Kind) + " " + rules.Quote(o.Name)
		if namesNode(c) || unbound(t, c) {
			next = append(next, rules.Command("kubectl "+ns+"get "+name+
				" "+rules.ShowTemplateNode))
		}
		if o.Kind == "ReplicaSet" { // a Deployment scales its own back
			next = append(next, rules.Command("kubectl "+ns+"get "+name+
				" -o jsonpath='{.metadata.ownerReferences[*].name}'"))
		} else if o.Kind != "DaemonSet" { // which has no scale
			next = append(next, rules.Step{Command: "kubectl " + ns + "scale " + name + " --replicas=0",
				Comment: "ends the storm", Changes: true})
		}
	}
	return next
}
