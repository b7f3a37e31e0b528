package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// crowdShare is the share of objects beyond which a cluster is being installed: then fresh writes say nothing.
const crowdShare = 0.05

func runFreshlyWritten(p *rules.Pass) []rules.Finding {
	return freshlyWrittenIn(p.Cluster)
}

// Candidates are the objects that one snapshot shows as written within fresh of the bundle's time without a reason:
// those whose condition moved without a change of its state first. Empty where the bundle does not say when it was
// made, or where so many were written that it says nothing.
func Candidates(c *kube.Cluster) []*kube.Meta {
	at := c.Bundle.Created
	if at.IsZero() {
		return nil
	}
	var all []*kube.Meta
	objects := 0
	everyMeta(c, func(m *kube.Meta) {
		objects++
		near := m.Written.After(at.Add(-fresh)) // kits note the time before they collect
		quiet := m.Generation <= 1 || m.Observed == 0 || m.Observed == m.Generation
		if m.Kind == "Pod" || ownHeartbeat(m) || !near || !quiet || m.Created.IsZero() || at.Sub(m.Created) < settled {
			return
		}
		all = append(all, m)
	})
	if len(all) > max(3, int(crowdShare*float64(objects))) {
		return nil
	}
	slices.SortStableFunc(all, func(a, b *kube.Meta) int {
		return cmp.Or(weight(b)-weight(a),
			b.Written.Compare(a.Written))
	})
	return all
}

// weight orders candidates: a status time of its own that is not a transition says most, a heartbeat least.
func weight(m *kube.Meta) int {
	switch {
	case m.StatusField == "" || m.StatusTime.Before(m.Written.Add(-fresh)):
		return 1
	case kube.Heartbeat(m.StatusField):
		return 0
	case strings.HasSuffix(m.StatusField, "lastTransitionTime"):
		return 2
	}
	return 3
}

func freshlyWrittenIn(c *kube.Cluster) []rules.Finding {
	all := Candidates(c)
	all = slices.DeleteFunc(all, func(m *kube.Meta) bool {
		return m.History != nil &&
			m.History.Versions >= churnVersions
	})
	if len(all) == 0 {
		return nil
	}
	m := all[0]
	f := rules.Finding{
		Category: rules.HotLoop, Severity: rules.Info, Confidence: rules.ConfLow, Object: objectOf(m.Ref), Count: len(all),
		FirstSeen: kubeTime(all[len(all)-1].Written), LastSeen: kubeTime(m.Written),
		Title: kubeTitle(m.Ref, "was written as the bundle was made"),
		Why: fmt.Sprintf("%s of %d were written within %s of the bundle's time (%s), though nobody asked anything "+
			"new of them. One of them may be in a loop; one snapshot can't tell.",
			phrase.Counted(len(all), "object"), c.Count, phrase.Spell(fresh), kubeTime(c.Bundle.Created)),
		Next: rules.Commands(kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events")),
	}
	for _, o := range all[:min(len(all), maxObjectEvidence)] {
		if o.WrittenBy != nil && !slices.Contains(f.Actors, o.WrittenBy.Manager) {
			f.Actors = append(f.Actors, o.WrittenBy.Manager)
		}
		text := kindName(o.Ref)
		if o.StatusField != "" && !o.StatusTime.Before(o.Written) {
			text += ": " + o.StatusField
		}
		if o.WrittenBy != nil {
			text += ", written by " + o.WrittenBy.Manager
		}
		f.Evidence = append(f.Evidence, kubeEvidence(o.At, o.Written, 1, "%s", text))
	}
	return []rules.Finding{f}
}
