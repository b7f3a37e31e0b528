package cluster

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// What the names of types say: good ones are True where all is well, bad ones False. Neutral ones say what goes on or
// what is not allowed.
var (
	goodEnds  = []string{"Ready", "Available", "Succeeded", "Healthy"}
	goodTypes = []string{
		"AbleToScale", "Accepted", "Approved", "Attached", "Bound", "Complete", "Connected", "Deployed", "Established",
		"Initialized", "Issued", "NamesAccepted", "Online", "PodScheduled", "Programmed", "Progressing", "Reconciled",
		"Released", "ResolvedRefs", "Running", "ScalingActive", "Schedulable", "Synced", "Valid",
	}
	badEnds = []string{
		"Blocked", "Conflict", "Conflicts", "Corrupt", "Corrupted", "Dangling", "Deadlock", "Degraded", "Error",
		"Errors", "Expired", "Fail", "Failed", "Failing", "Failure",
		"Insufficient", "Invalid", "Missing", "NotReady", "Offline",
		"Pressure", "Remaining", "Restart", "Restarting", "Schema", "Stalled", "Timeout", "Unavailable", "Unhealthy",
		"Unreachable", "Violation", "Violations",
	}
	neutral = []string{
		"", "ContainersReady", "DisruptionAllowed", "DisruptionTarget", "FailureTarget", "FileSystemResizePending",
		"KubernetesAPIApprovalPolicyConformant", "NonStructuralSchema", "PodReadyToStartContainers", "RecentBackup",
		"Resizing", "ScalingLimited", "SuccessCriteriaMet", "Suspended", "Terminating", "Upgradeable",
	}
	// meant are reasons of what someone asked for, whileDeleted types that say nothing of what is being deleted, and
	// waitsForParts reasons that only say that pods or containers are not ready yet.
	meant = []string{
		"CronJobSuspended", "DeploymentPaused", "NotTold", "PodCompleted", "ScaledToZero", "ScalingDisabled",
	}
	whileDeleted  = []string{"Available", "Initialized", "Progressing", "Ready"}
	waitsForParts = []string{"ContainersNotInitialized", "ContainersNotReady", "MinimumReplicasUnavailable"}
)

// good is the status of a type of conditions where all is well, "" where its name does not say it.
func good(typ string) string {
	ends := func(end string) bool { return strings.HasSuffix(typ, end) }
	switch {
	case slices.ContainsFunc(badEnds, ends):
		return "False"
	case slices.Contains(goodTypes, typ), slices.ContainsFunc(goodEnds, ends):
		return "True"
	}
	return ""
}

// A typeOf is a type of conditions of a kind of objects.
type typeOf struct{ kind, typ string }

// conditions files those whose status says that something is not as it should be.
func (v *view) conditions() {
	statuses := map[typeOf]map[string]int{}
	v.c.Each(func(m *kube.Meta) {
		for i := range m.Conditions {
			k := typeOf{m.Kind, m.Conditions[i].Type}
			if statuses[k] == nil {
				statuses[k] = map[string]int{}
			}
			statuses[k][m.Conditions[i].Status]++
		}
	})
	var all groups[tally]
	v.c.Each(func(m *kube.Meta) {
		if m.Gone || len(m.Conditions) == 0 || v.done(m) {
			return
		}
		root := v.root(keyOf(m.Ref))
		for i := range m.Conditions {
			if c := &m.Conditions[i]; abnormal(m, c, statuses[typeOf{m.Kind, c.Type}]) {
				all.of(group{root, c.Type, c.Status, c.Reason, form(c.Message)}).
					addObject(m, v.since(m, c.Since), c.Message, c.Since)
			}
		}
	})
	all.each(v.conditionFact)
}

// done reports a pod that has ended, or that only holds room for others.
func (v *view) done(m *kube.Meta) bool {
	if m.Kind != "Pod" {
		return false
	}
	p := v.c.Pod(m.Namespace, m.Name)
	return p != nil && (p.Phase == "Succeeded" || p.Phase == "Failed" || p.Priority < 0)
}

// abnormal reports a condition whose status is the bad one, by its type's name or, where that does not say it, because
// most objects of the kind have the other one.
func abnormal(m *kube.Meta, c *kube.Condition, statuses map[string]int) bool {
	switch {
	case slices.Contains(neutral, c.Type), slices.Contains(meant, c.Reason),
		c.Type == "Progressing" && m.Kind != "Deployment", m.Kind == "Job" && c.Type == "Complete",
		!m.Deleted.IsZero() && slices.Contains(whileDeleted, c.Type):
		return false
	case good(c.Type) != "":
		return c.Status != good(c.Type)
	}
	const least = 5
	usual := 0
	for s, n := range statuses {
		if s != c.Status {
			usual = max(usual, n)
		}
	}
	return usual >= least && statuses[c.Status]*4 <= usual ||
		c.Status != "True" && hard(c.Reason+" "+c.Message) && !strings.HasPrefix(c.Type, "No")
}

func (v *view) conditionFact(g group, t *tally) {
	m, typ, status, reason := t.one, g.a, g.b, g.c
	f := fact{about: g.about, kind: "condition", message: t.message, count: t.count, at: t.at,
		points: 18 + plus(hard(reason+" "+t.message), 14) + grows(float64(t.count), 2, 10) + agePoints(t.age) +
			plus(slices.Contains(clusterWide, m.Kind), 8) + plus(status == "Unknown", 6) +
			plus(typ == "ReplicaFailure" || reason == "ProgressDeadlineExceeded", 8),
		text: typ + "=" + status + onlyIf(t.age > 0, " for "+phrase.Spell(t.age)) + onlyIf(reason != "", ", "+reason)}
	if slices.Contains(waitsForParts, reason) {
		f.points -= 8 + plus(t.age < time.Minute, 10)
	}
	if k := keyOf(m.Ref); k != g.about && t.count > 1 {
		f.text = phrase.Count(t.count, m.Kind) + ": " + f.text
	} else if k != g.about {
		f.text = m.Kind + " " + m.Name + ": " + f.text
	}
	v.fileNaming(f)
}

// terminating files what was to be gone already, by kind, namespace and finalizers; pods by workload.
func (v *view) terminating() {
	var all groups[tally]
	inside := map[string][]key{} // what waits in each namespace
	v.c.Each(func(m *kube.Meta) {
		if m.Deleted.IsZero() || m.Gone {
			return
		}
		g := group{a: m.Kind, b: m.Namespace, c: strings.Join(v.finalizers(m), ", ")}
		if m.Kind == "Pod" {
			g.about = v.root(keyOf(m.Ref))
		}
		if g.c != "" && m.Namespace != "" {
			inside[m.Namespace] = addFew(inside[m.Namespace], keyOf(m.Ref))
		}
		all.of(g).addObject(m, v.since(m, m.Deleted), "", m.Deleted)
	})
	all.each(func(g group, t *tally) {
		foreign := slices.ContainsFunc(v.finalizers(t.one), func(f string) bool {
			return !strings.HasPrefix(f, "kubernetes") && f != "foregroundDeletion" && f != "orphan"
		})
		if t.age < 10*time.Second || t.age < time.Minute && !foreign {
			return
		}
		if g.a == "Pod" && t.count == 1 && v.objects[g.about] == nil { // its workload is only named
			g.about = keyOf(t.one.Ref)
		}
		f := fact{about: g.about, kind: "terminating", count: t.count, of: rules.Deadlock, at: t.at,
			points: 22 + 1.5*agePoints(t.age) + plus(foreign, 8) + plus(g.a == "Namespace", 6),
			text:   "has been terminating for " + phrase.Spell(t.age),
			more:   onlyIf(g.c != "", ", finalizer "+g.c)}
		if f.about.name == "" {
			f.about = keyOf(t.one.Ref)
		}
		if t.count > 1 || f.about.kind != g.a {
			f.text = phrase.Count(t.count, g.a) + " terminating for up to " + phrase.Spell(t.age)
		}
		if g.a == "Namespace" {
			f.via = inside[t.one.Name]
		}
		v.file(f)
	})
}

// finalizers are those that keep an object, the first few.
func (v *view) finalizers(m *kube.Meta) []string {
	all := m.Finalizers
	if n := v.c.Namespace(m.Name); m.Kind == "Namespace" && len(all) == 0 && n != nil {
		all = n.SpecFinalizers
	}
	return all[:min(len(all), few)]
}
