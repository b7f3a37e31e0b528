package cluster

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A polarity is which status of a condition says that all is well.
type polarity string

const (
	goodTrue  polarity = "True"
	goodFalse polarity = "False"
	unclear   polarity = "" // the type's name does not say it
)

// goodEnds are the ends of types that are True where all is well, badEnds of those that are False, goodTypes whole types.
var (
	goodEnds  = []string{"Ready", "Available", "Succeeded", "Healthy"}
	goodTypes = []string{
		"AbleToScale", "Accepted", "Approved", "Attached", "Bound", "Complete", "Connected", "Deployed", "Established",
		"Initialized", "Issued", "NamesAccepted", "Online", "PodScheduled", "Programmed", "Progressing", "Reconciled",
		"Released", "ResolvedRefs", "Running", "ScalingActive", "Schedulable", "Synced", "Valid",
	}
	badEnds = []string{
		"Blocked", "Conflict", "Conflicts", "Corrupt", "Corrupted", "Dangling", "Deadlock", "Degraded", "Error", "Errors",
		"Expired", "Fail", "Failed", "Failing", "Failure", "Insufficient", "Invalid", "Missing", "NotReady", "Offline",
		"Pressure", "Remaining", "Restart", "Restarting", "Schema", "Stalled", "Timeout", "Unavailable", "Unhealthy",
		"Unreachable", "Violation", "Violations",
	}
	// neutral types say what goes on, or what is not allowed.
	neutral = []string{
		"ContainersReady", "DisruptionAllowed", "DisruptionTarget", "FailureTarget", "FileSystemResizePending",
		"KubernetesAPIApprovalPolicyConformant", "NonStructuralSchema", "PodReadyToStartContainers", "RecentBackup",
		"Resizing", "ScalingLimited", "SuccessCriteriaMet", "Suspended", "Terminating", "Upgradeable",
	}
	// asMeant are reasons of what someone asked for.
	asMeant = []string{"CronJobSuspended", "DeploymentPaused", "PodCompleted", "ScaledToZero", "ScalingDisabled"}
	// whileDeleted are types that say nothing of what is being deleted.
	whileDeleted = []string{"Available", "Initialized", "Progressing", "Ready"}
)

func polarityOf(typ string) polarity {
	ends := func(end string) bool { return strings.HasSuffix(typ, end) }
	switch {
	case slices.ContainsFunc(badEnds, ends):
		return goodFalse
	case slices.Contains(goodTypes, typ), slices.ContainsFunc(goodEnds, ends):
		return goodTrue
	}
	return unclear
}

// A typeOf is a type of condition of a kind of object.
type typeOf struct{ kind, typ string }

// A conditionGroup is what conditions with one message have in common, and the objects that they are of.
type conditionGroup struct {
	root                           key
	kind, typ, status, reason, msg string
}

// A told is the objects of a group: how many, since when, and one with the longest message.
type told struct {
	count int
	since time.Time
	one   *kube.Meta
	cond  *kube.Condition
}

// conditions files those whose status says that something is not as it should be, by workload, type, reason and message.
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
	groups := newGroups[conditionGroup, told]()
	v.c.Each(func(m *kube.Meta) {
		if m.Gone || len(m.Conditions) == 0 || v.ended(m) {
			return
		}
		root := v.root(keyOf(m.Ref))
		for i := range m.Conditions {
			c := &m.Conditions[i]
			if !abnormal(m, c, statuses[typeOf{m.Kind, c.Type}]) {
				continue
			}
			g := groups.of(conditionGroup{root, m.Kind, c.Type, c.Status, c.Reason, form(c.Message)})
			g.count++
			if g.one == nil || len(c.Message) > len(g.cond.Message) {
				g.one, g.cond = m, c
			}
			if g.since.IsZero() || !c.Since.IsZero() && c.Since.Before(g.since) {
				g.since = c.Since
			}
		}
	})
	groups.each(v.conditionFact)
}

// ended reports a pod that is done, or that only holds room for others.
func (v *view) ended(m *kube.Meta) bool {
	if m.Kind != "Pod" {
		return false
	}
	p := v.c.Pod(m.Namespace, m.Name)
	return p != nil && (p.Phase == "Succeeded" || p.Phase == "Failed" || p.Priority < 0)
}

// abnormal reports a condition whose status is the bad one, by its type's name or, where that does not say it, because
// most objects of the kind have the other one.
func abnormal(m *kube.Meta, c *kube.Condition, statuses map[string]int) bool {
	deleted := !m.Deleted.IsZero()
	switch good := polarityOf(c.Type); {
	case c.Type == "", slices.Contains(neutral, c.Type), slices.Contains(asMeant, c.Reason),
		c.Type == "Progressing" && m.Kind != "Deployment", m.Kind == "Job" && c.Type == "Complete",
		deleted && slices.Contains(whileDeleted, c.Type), c.Reason == "NotTold":
		return false
	case good == unclear:
		return rare(c.Status, statuses) || c.Status != "True" && hard(c.Reason+" "+c.Message) && !deniesFault(c.Type)
	default:
		return c.Status != string(good)
	}
}

// rare reports a status that few objects have where most have another.
func rare(status string, statuses map[string]int) bool {
	const least = 5
	most := 0
	for s, n := range statuses {
		if s != status {
			most = max(most, n)
		}
	}
	return most >= least && statuses[status]*4 <= most
}

// deniesFault reports a type whose name says what is not there.
func deniesFault(typ string) bool { return strings.HasPrefix(typ, "No") }

// waitsForParts are reasons of conditions that only say that pods or containers are not ready yet.
var waitsForParts = []string{"ContainersNotInitialized", "ContainersNotReady", "MinimumReplicasUnavailable"}

func (v *view) conditionFact(g conditionGroup, t *told) {
	m, c := t.one, t.cond
	age := v.since(m, t.since)
	points := 18 + plus(hard(g.reason+" "+c.Message), 14) + grows(float64(t.count), 2, 10) + agePoints(age) +
		plus(slices.Contains(clusterWide, g.kind), 8) + plus(g.status == "Unknown", 6) +
		plus(g.typ == "ReplicaFailure" || g.reason == "ProgressDeadlineExceeded", 8)
	if slices.Contains(waitsForParts, g.reason) {
		points -= 8 + plus(age < time.Minute, 10)
	}
	who := ""
	if k := keyOf(m.Ref); t.count > 1 && k != g.root {
		who = phrase.Count(t.count, g.kind) + ": "
	} else if k != g.root {
		who = g.kind + " " + m.Name + ": "
	}
	text := fmt.Sprintf("%s%s=%s", who, g.typ, g.status)
	if !t.since.IsZero() {
		text += " for " + phrase.Spell(age)
	}
	if g.reason != "" {
		text += ", " + g.reason
	}
	refs := v.refs(m.Namespace, c.Message)
	v.file(fact{about: g.root, kind: condition, points: points, text: text, message: c.Message, via: refs,
		named: len(refs) > 0, count: t.count, at: at(m.At, t.since)})
}

// A termination is the objects of one kind and namespace that are being deleted and wait for the same finalizers.
type termination struct {
	root                        key // of pods
	kind, namespace, finalizers string
}

// lateOnes are those that have waited: the one that has waited longest.
type lateOnes struct {
	count int
	long  time.Duration
	one   *kube.Meta
}

// maxFinalizers is how many finalizers are named.
const maxFinalizers = 3

// terminating files what was to be gone already.
func (v *view) terminating() {
	groups := newGroups[termination, lateOnes]()
	inside := map[string][]key{} // what waits in each namespace
	v.c.Each(func(m *kube.Meta) {
		if m.Deleted.IsZero() || m.Gone {
			return
		}
		g := termination{kind: m.Kind, namespace: m.Namespace, finalizers: strings.Join(finalizers(v, m), ", ")}
		if m.Kind == "Pod" {
			g.root = v.root(keyOf(m.Ref))
		}
		if g.finalizers != "" && m.Namespace != "" && len(inside[m.Namespace]) < maxRefs {
			inside[m.Namespace] = append(inside[m.Namespace], keyOf(m.Ref))
		}
		t := groups.of(g)
		t.count++
		if d := v.since(m, m.Deleted); t.one == nil || d > t.long {
			t.one, t.long = m, d
		}
	})
	groups.each(func(g termination, t *lateOnes) {
		foreign := slices.ContainsFunc(finalizers(v, t.one), func(f string) bool {
			return f != "kubernetes" && !strings.HasPrefix(f, "kubernetes.io/") && f != "foregroundDeletion" && f != "orphan"
		})
		if t.long < 10*time.Second || t.long < time.Minute && !foreign {
			return
		}
		about := keyOf(t.one.Ref)
		if g.root.name != "" {
			about = g.root
		}
		f := fact{about: about, kind: terminating, count: t.count, of: rules.Deadlock, at: at(t.one.At, t.one.Deleted),
			points: 22 + 1.5*agePoints(t.long) + plus(foreign, 8) + plus(g.kind == "Namespace", 6),
			text:   "has been terminating for " + phrase.Spell(t.long)}
		if t.count > 1 || about.kind != g.kind {
			f.text = phrase.Count(t.count, g.kind) + " terminating for up to " + phrase.Spell(t.long)
		}
		if g.finalizers != "" {
			f.more = ", finalizer " + g.finalizers
		}
		if g.kind == "Namespace" {
			f.via = inside[t.one.Name]
		}
		v.file(f)
	})
}

// finalizers are those that keep an object, the first few.
func finalizers(v *view, m *kube.Meta) []string {
	all := m.Finalizers
	if n := v.c.Namespace(m.Name); m.Kind == "Namespace" && len(all) == 0 && n != nil {
		all = n.SpecFinalizers
	}
	return all[:min(len(all), maxFinalizers)]
}
