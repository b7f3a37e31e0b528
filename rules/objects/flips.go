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
// a watch, and not faster than the pods start.
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
		return f.Flips < fightFlips || mirrors(m, &f)
	})
	if len(h.Fields) == 0 {
		return rules.Finding{}, false
	}
	slices.SortStableFunc(h.Fields, func(a, b kube.Field) int { return b.Flips - a.Flips })
	field := h.Fields[0]
	severity, confidence := flipWeight(&h, &field)
	f := historyFinding(m, &h, severity, confidence)
	between := ""
	if len(field.Values) == 2 {
		between = fmt.Sprintf(" between %s and %s", field.Values[0], field.Values[1])
	}
	f.Title = title(m.Ref, "goes back and forth: "+field.Path+between, "goes back and forth: "+field.Path)
	f.Why = fmt.Sprintf("In %d versions of %s, %s went back to its former value %s%s.", h.Versions, kindName(m.Ref),
		field.Path, phrase.CountTimes(field.Flips), between)
	writers := field.Writers
	if len(writers) == 0 {
		writers = h.Writers
	}
	switch len(writers) {
	case 0:
		f.Why += " The inputs do not tell who writes."
		f.Fix = fmt.Sprintf("Find who writes %s (kubectl get --show-managed-fields, the audit log), and let one of "+
			"them own it.", field.Path)
	case 1:
		f.Why += fmt.Sprintf(" The one writer seen is %s.", writers[0])
		f.Fix = fmt.Sprintf("See from what %s computes %s: its inputs change each time, or another writes under the "+
			"same name.", writers[0], field.Path)
	default:
		f.Actors = writers
		f.Why += fmt.Sprintf(" The writers are %s: each undoes what the other wrote.", someNames(writers))
		f.Fix = fmt.Sprintf("Let one of %s own %s, and take it out of what the others write.", someNames(writers),
			field.Path)
	}
	return f, true
}

// mirrors reports a field of the status of one of Kubernetes' own kinds that counts, dates or judges what is there
// (readyReplicas, unavailableReplicas, conditions): it follows pods and nodes, and nobody decides it. Two controllers do
// fight over the address of a load balancer.
func mirrors(m *kube.Meta, f *kube.Field) bool {
	group, _, grouped := strings.Cut(m.API, "/")
	own := !grouped || !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io")
	return own && strings.HasPrefix(f.Path, "status.") && !strings.HasPrefix(f.Path, "status.loadBalancer") ||
		m.Kind == "ReplicaSet" && m.Owner.Kind == "Deployment" // what its Deployment says
}

// flipWeight is how much it says that a field goes back and forth.
func flipWeight(h *kube.History, f *kube.Field) (rules.Severity, rules.Confidence) {
	gap, timed := meanGap(h)
	each := time.Duration(0) // between changes of the field
	if f.Changes > 1 && f.To.After(f.From) {
		each = f.To.Sub(f.From) / time.Duration(f.Changes-1)
	}
	status := strings.HasPrefix(f.Path, "status.")
	switch {
	case timed && gap > slowGap:
		return rules.Low, rules.ConfMedium
	case len(f.Writers) > 1 && !(timed && gap > hotGap):
		return rules.High, rules.ConfMedium
	case len(f.Writers) > 1:
		return rules.Medium, rules.ConfMedium
	case f.Flips < aloneFlips:
		return rules.Low, rules.ConfLow
	case timed && gap > hotGap, each > quickFlip, status:
		return rules.Medium, rules.ConfMedium
	case f.Flips >= certainFlips || each > 0 && each <= quickFlip:
		return rules.High, rules.ConfMedium
	}
	return rules.Medium, rules.ConfLow
}
