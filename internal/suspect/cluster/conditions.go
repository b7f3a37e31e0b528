package cluster

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// What the names of types say: those with a bad word are False where all is well, good ones True. Reasons in meant are
// of what someone asked for.
var (
	bad = []string{"Blocked", "Conflict", "Corrupt", "Dangling", "Deadlock", "Degraded", "Error", "Expired", "Fail",
		"Insufficient", "Invalid", "Missing", "NotReady", "Offline", "Pressure", "Remaining", "Restart", "Stalled",
		"Timeout", "Unavailable", "Unhealthy", "Unreachable", "Violation"}
	goodEnds  = []string{"Ready", "Available", "Succeeded", "Healthy"}
	goodTypes = []string{"AbleToScale", "Accepted", "Approved", "Attached", "Bound", "Complete", "Connected",
		"Deployed", "Established",
		"Initialized", "Issued", "NamesAccepted", "Online", "PodScheduled", "Programmed", "Progressing",
		"Reconciled", "Released", "ResolvedRefs", "Running", "ScalingActive", "Schedulable", "Synced", "Valid"}
	meant = []string{"CronJobSuspended", "DeploymentPaused", "NotTold", "PodCompleted", "ScaledToZero",
		"ScalingDisabled"}
)

// good is the status of a type of conditions where all is well, "" where its name does not say it.
func good(typ string) string {
	switch {
	case phrase.ContainsOne(typ, bad...):
		return "False"
	case slices.Contains(goodTypes, typ),
		slices.ContainsFunc(goodEnds, func(end string) bool { return strings.HasSuffix(typ, end) }):
		return "True"
	}
	return ""
}

// A typeOf is a type of conditions of a kind of objects, with a status.
type typeOf struct{ kind, typ, status string }

// conditions see those whose status says that something is not as it should be.
func (v *view) conditions() {
	statuses, all := map[typeOf]int{}, map[typeOf]int{}
	v.c.Each(func(m *kube.Meta) {
		for _, c := range m.Conditions {
			statuses[typeOf{m.Kind, c.Type, c.Status}]++
			all[typeOf{m.Kind, c.Type, ""}]++
		}
	})
	v.c.Each(func(m *kube.Meta) {
		if m.Gone || v.done(m) {
			return
		}
		for _, c := range m.Conditions {
			alike := statuses[typeOf{m.Kind, c.Type, c.Status}]
			if !abnormal(m, &c, alike, all[typeOf{m.Kind, c.Type, ""}]-alike) {
				continue
			}
			f := v.see(condition, v.root(keyOf(m.Ref)), c.Type+"="+c.Status, onlyIf(c.Reason != "", ", "+c.Reason),
				form(c.Message)).object(m, c.Since, c.Message)
			if slices.Contains(clusterWide, m.Kind) {
				f.extra = 8
			}
			v.explain(f, m.Namespace)
		}
	})
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
// most objects of the kind have another one: alike is how many have this one.
func abnormal(m *kube.Meta, c *kube.Condition, alike, others int) bool {
	const least = 5
	switch {
	case slices.Contains(meant, c.Reason), c.Type == "Progressing" && m.Kind != "Deployment",
		m.Kind == "Job" && c.Type == "Complete",
		!m.Deleted.IsZero() && good(c.Type) == "True":
		return false
	case good(c.Type) != "":
		return c.Status != good(c.Type)
	}
	return others >= least && alike*4 <= others
}

// form is the beginning of a message without quotations and words with a digit: what messages about several objects
// have in common.
func form(message string) string {
	const most = 160
	var b strings.Builder
	for word := range strings.FieldsSeq(message) {
		if strings.ContainsAny(word, "0123456789\"'`") {
			word = "#"
		}
		if b.WriteString(word + " "); b.Len() > most {
			break
		}
	}
	return b.String()
}

// states see objects that were to be gone already. What waits in a namespace keeps it.
func (v *view) states() {
	v.c.Each(func(m *kube.Meta) {
		if m.Deleted.IsZero() || m.Gone || v.end(m.Input).Sub(m.Deleted) < time.Minute {
			return
		}
		keep := slices.Clone(m.Finalizers)
		if n := v.c.Namespace(m.Name); m.Kind == "Namespace" && n != nil {
			keep = append(keep, n.SpecFinalizers...)
		}
		f := v.see(deleted, v.root(keyOf(m.Ref)), onlyIf(len(keep) > 0, ", finalizer "+phrase.Some(keep, 2)))
		f.object(m, m.Deleted, "")
		if len(keep) > 0 && m.Namespace != "" {
			f.via = addFew(f.via, key{"Namespace", "", m.Namespace})
		}
	})
}
