package objects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runFieldFlip(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	everyMeta(p.Cluster, func(m *kube.Meta) {
		if f, ok := flipOf(m); ok {
			found = append(found, f)
		}
	})
	return found
}

func flipOf(m *kube.Meta) (rules.Finding, bool) {
	const flips = 2 // A B A B: four versions at least
	if m.History == nil {
		return rules.Finding{}, false
	}
	h := *m.History
	h.Fields = slices.DeleteFunc(slices.Clone(h.Fields), func(f kube.Field) bool { return f.Flips < flips })
	if len(h.Fields) == 0 {
		return rules.Finding{}, false
	}
	slices.SortStableFunc(h.Fields, func(a, b kube.Field) int { return b.Flips - a.Flips })
	field := h.Fields[0]
	status := strings.HasPrefix(field.Path, "status.")
	f := rules.Finding{
		Category: rules.HotLoop, Severity: rules.High, Confidence: rules.ConfMedium, Object: objectOf(m.Ref), Actors: h.Writers,
		Count:     h.Versions,
		FirstSeen: kubeTime(h.From), LastSeen: kubeTime(h.To),
		Evidence: historyEvidence(&kube.Meta{History: &h, ResourceVersion: m.ResourceVersion}),
	}
	gap, timed := meanGap(&h)
	switch {
	case timed && gap > slowGap:
		f.Severity = rules.Low
	case timed && gap > hotGap, status && len(h.Writers) < 2:
		f.Severity = rules.Medium
	}
	between := ""
	if len(field.Values) == 2 {
		between = fmt.Sprintf(" between %s and %s", field.Values[0], field.Values[1])
	}
	f.Title = kubeTitle(m.Ref, "goes back and forth: "+field.Path+between, "goes back and forth: "+field.Path)
	f.Why = fmt.Sprintf("In %d versions of %s, %s went back to its former value %s%s.", h.Versions, kindName(m.Ref),
		field.Path, phrase.CountTimes(field.Flips), between)
	switch len(h.Writers) {
	case 0:
		f.Why += " The inputs do not tell who writes."
		f.Fix = fmt.Sprintf("Find who writes %s (kubectl get --show-managed-fields, the audit log), and let one of "+
			"them own it.", field.Path)
	case 1:
		f.Why += fmt.Sprintf(" The one writer seen is %s.", h.Writers[0])
		f.Fix = fmt.Sprintf("See from what %s computes %s: its inputs change each time, or another writes under the "+
			"same name.", h.Writers[0], field.Path)
	default:
		f.Why += fmt.Sprintf(" The writers are %s: each undoes what the other wrote.", someNames(h.Writers))
		f.Fix = fmt.Sprintf("Let one of %s own %s, and take it out of what the others write.", someNames(h.Writers),
			field.Path)
	}
	f.Next = rules.Commands(
		kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events"),
		kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields"),
	)
	return f, true
}
