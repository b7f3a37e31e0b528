package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of a field that goes back and forth. Two writers that take turns in it are a fight after A B A B. One writer
// changes its mind: an autoscaler, or a person who scales up for a test and down again, does that two or three times in
// a watch, and not faster than the pods start. The bounds are chosen.
const (
	fightFlips   = 2
	aloneFlips   = 4
	certainFlips = 10
	quickFlip    = 10 * time.Second
)

// runFieldFlip is field-flip (TR744).
func runFieldFlip(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	everyMeta(c, func(m *kube.Meta) {
		if f, ok := flipOf(m); ok {
			found = append(found, f)
		}
	})
	return found
}

func flipOf(m *kube.Meta) (rules.Finding, bool) {
	if m.History == nil {
		return rules.Finding{}, false
	}
	h := *m.History
	h.Fields = slices.DeleteFunc(slices.Clone(h.Fields), func(f kube.Field) bool {
		return f.Flips < fightFlips || mirrors(m, &f) || followsDeploys(m, &f)
	})
	if len(h.Fields) == 0 {
		return rules.Finding{}, false
	}
	slices.SortStableFunc(h.Fields, func(a, b kube.Field) int { return b.Flips - a.Flips })
	field := h.Fields[0]
	field.Writers = statusWriters(m, &field)
	f := historyFinding(m, &h, rules.Medium, rules.ConfMedium)
	weighFlip(&f, &h, &field)
	if scales(m, &field) {
		f.Doubt("An autoscaler changes the replicas: it decides every 15 s, and may do so all day.")
	}
	values := ""
	if len(field.Values) == 2 {
		values = fmt.Sprintf(" between %s and %s", field.Values[0], field.Values[1])
	}
	f.Title = title(m.Ref, "goes back and forth: "+field.Path+values, "goes back and forth: "+field.Path)
	f.Why = fmt.Sprintf("%s of %s went back to an earlier value %s in %d versions.", field.Path, kindName(m.Ref),
		phrase.CountTimes(field.Flips), h.Versions)
	writers := field.Writers
	if len(writers) == 0 {
		writers = h.Writers
	}
	switch len(writers) {
	case 0:
		f.Why += " The inputs do not show the writer."
		f.Fix = fmt.Sprintf("Find out who writes %s (--show-managed-fields, the audit log), and let only one "+
			"writer own it.",
			field.Path)
	case 1:
		f.Why += fmt.Sprintf(" The one writer seen is %s.", writers[0])
		f.Fix = fmt.Sprintf("Find out which input of %s makes it compute a different %s each "+
			"time.", writers[0], field.Path)
	default:
		f.Actors = writers
		f.Why += fmt.Sprintf(" The writers are %s: each undoes what the other wrote.", someNames(writers))
		f.Fix = fmt.Sprintf("Let only one of %s own %s.", someNames(writers), field.Path)
	}
	return f, true
}

// mirrors reports a field of the status of one of Kubernetes' own kinds that counts, dates or judges what is there
// (readyReplicas, unavailableReplicas, conditions): it follows pods and nodes, and nobody decides it. Two controllers
// do fight over the address of a load balancer.
func mirrors(m *kube.Meta, f *kube.Field) bool {
	group, _, grouped := strings.Cut(m.API, "/")
	own := !grouped || !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io")
	return own && strings.HasPrefix(f.Path, "status.") && !strings.HasPrefix(f.Path, "status.loadBalancer") ||
		m.Kind == "ReplicaSet" && m.Owner.Kind == "Deployment" // what its Deployment says
}

// between is the mean time between changes of a field, 0 where they have no times.
func between(f *kube.Field) time.Duration {
	if f.Changes < 2 || !f.To.After(f.From) {
		return 0
	}
	return f.To.Sub(f.From) / time.Duration(f.Changes-1)
}

// statusWriters are the writers of a field. Those that wrote in the same step through no status subresource did not
// write a field of the status of an object that has one.
func statusWriters(m *kube.Meta, f *kube.Field) []string {
	if !strings.HasPrefix(f.Path, "status.") {
		return f.Writers
	}
	through := slices.DeleteFunc(slices.Clone(f.Writers), func(name string) bool {
		return !writesThrough(m, name, "status")
	})
	if len(through) == 0 {
		return f.Writers
	}
	return through
}

// writesThrough reports whether a manager writes the object through a subresource.
func writesThrough(m *kube.Meta, manager, subresource string) bool {
	return slices.ContainsFunc(m.Writers, func(w kube.Writer) bool {
		return w.Manager == manager && w.Subresource == subresource
	})
}

// scales reports replicas that an autoscaler may move up and down: it decides every 15 s
// (--horizontal-pod-autoscaler-sync-period), waits for the pods before the next change, and does so all day.
func scales(m *kube.Meta, f *kube.Field) bool {
	each := between(f)
	return f.Path == "spec.replicas" && len(f.Writers) < 2 && (each == 0 || each > quickFlip) &&
		2*f.Changes < m.History.Versions // pods came and went in between
}

// followsDeploys reports a phase that one writer moves when the object is given something new: Updating and Ready, once
// for each new generation, revision or spec. In a loop these would move within a minute as well.
func followsDeploys(m *kube.Meta, f *kube.Field) bool {
	const phases = 4 // that one deploy goes through
	if !strings.HasPrefix(f.Path, "status.") || len(statusWriters(m, f)) > 1 || between(f) <= hotGap {
		return false
	}
	return slices.ContainsFunc(m.History.Fields, func(g kube.Field) bool {
		path := strings.ToLower(g.Path)
		return g.Flips < fightFlips && g.Kind != kube.FieldTime && f.Changes <= phases*(g.Changes+1) &&
			(strings.HasPrefix(path, "spec.") || strings.Contains(path, "revision") ||
				strings.Contains(path, "generation"))
	})
}

// weighFlip decides how much it says that a field goes back and forth.
func weighFlip(f *rules.Finding, h *kube.History, field *kube.Field) {
	gap, timed := meanGap(h)
	each := between(field)
	several := len(field.Writers) > 1
	switch {
	case timed && gap > slowGap:
		f.Doubt("Its versions are " + phrase.Spell(gap) + " apart: a workload that comes and goes looks the same.")
	case several && !(timed && gap > hotGap):
		f.Severity = rules.High
	case several:
	case field.Flips < aloneFlips:
		f.Doubt("One writer changed it back " + phrase.CountTimes(field.Flips) + ": people and autoscalers do " +
			"that too.")
	case timed && gap > hotGap, each > quickFlip, strings.HasPrefix(field.Path, "status."):
	case field.Flips >= certainFlips || each > 0 && each <= quickFlip:
		f.Severity = rules.High
	}
}
