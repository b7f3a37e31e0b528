package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// beatVersions at beatGap or faster make a loop of a field that has a heartbeat's name. Kubelets probe every 10 s by
// default, and the loops that bundles are sent in for write one to three times a second.
const beatVersions, beatGap = 30, 4 * time.Second

func runStatusChurn(p *rules.Pass) []rules.Finding {
	var found []churning
	everyMeta(p.Cluster, func(m *kube.Meta) {
		if f, ok := churnOf(m, p.Cluster.Time); ok {
			found = append(found, churning{m, f})
		}
	})
	return foldChurn(found)
}

// A churning is an object with the finding about it.
type churning struct {
	m *kube.Meta
	f rules.Finding
}

// maxAlike is how many objects of one kind, with one field that one writer moves, are a finding each. More are one
// cause.
const maxAlike = 3

// foldChurn makes one finding of many alike: of that which has most versions, with the others as evidence.
func foldChurn(all []churning) []rules.Finding {
	type key struct{ api, kind, field, writer string }
	var groups grouping[key, churning]
	for _, c := range all {
		groups.add(key{c.m.API, c.m.Kind, c.m.History.Fields[0].Path, someNames(c.m.History.Writers)}, c)
	}
	var found []rules.Finding
	for _, k := range groups.keys {
		alike := groups.values[k]
		slices.SortStableFunc(alike, func(a, b churning) int {
			return cmp.Or(b.f.Severity.Rank()-a.f.Severity.Rank(), b.f.Count-a.f.Count)
		})
		if last := alike[len(alike)-1].f; last.Severity == rules.Low && alike[0].m.History.Versions < churnVersions {
			alike[0].f.Severity = rules.Low // the same moved in others, and not just now: a resync
		}
		for i, c := range alike {
			if i > 0 && alike[0].f.Severity == rules.Low && c.m.History.Versions < churnVersions {
				c.f.Severity = rules.Low
			}
			if i > 0 && len(alike) > maxAlike {
				break
			}
			found = append(found, c.f)
		}
		if len(alike) > maxAlike {
			f := &found[len(found)-1]
			f.Why += fmt.Sprintf(" It does the same to %s of this kind.", phrase.Counted(len(alike)-1, "other object"))
			for _, c := range alike[1:min(len(alike), maxObjectEvidence)] {
				f.Evidence = append(f.Evidence, kubeEvidence(c.m.History.Last, c.m.History.To, c.f.Count,
					"%s: %d versions, the same field", kindName(c.m.Ref), c.f.Count))
			}
		}
	}
	return found
}

// churnOf judges what moves between the versions of an object; at is when the newest was collected.
func churnOf(m *kube.Meta, at time.Time) (rules.Finding, bool) {
	h := m.History
	if h == nil || ownHeartbeat(m) {
		return rules.Finding{}, false
	}
	only, beats := onlyMoving(h)
	if !only {
		return rules.Finding{}, false
	}
	gap, timed := meanGap(h)
	if timed && gap > slowGap {
		return rules.Finding{}, false
	}
	f := rules.Finding{
		Category: rules.HotLoop, Object: objectOf(m.Ref), Actors: h.Writers, Count: h.Versions,
		FirstSeen: kubeTime(h.From), LastSeen: kubeTime(h.To), Evidence: historyEvidence(m),
	}
	f.Severity, f.Confidence = churnWeight(m, beats, at)
	f.Title = churnTitle(m, h)
	who := "its controller"
	if len(h.Writers) > 0 {
		who = someNames(h.Writers)
	}
	f.Why = fmt.Sprintf("%d versions of %s differ in %s alone", h.Versions, kindName(m.Ref), fieldNames(h))
	if timed {
		f.Why += fmt.Sprintf(", written at least every %s between %s and %s", phrase.Spell(gap), kubeTime(h.From),
			kubeTime(h.To))
	}
	if h.Versions < churnVersions {
		f.Why += fmt.Sprintf(". The writer is %s. Two versions don't prove that it writes all the time: a controller "+
			"that finds a difference that it makes itself would look so.", who)
	} else {
		f.Why += fmt.Sprintf(". The writer is %s: it finds a difference that it makes itself, writes, is told of its "+
			"own write by its watch, and starts over.", who)
	}
	field := h.Fields[0]
	f.Fix = fmt.Sprintf("In %s: set %s only when what it dates has changed, and skip the write where nothing else "+
		"differs from what was read back.", who, field.Path)
	if field.Kind == kube.FieldOrder {
		f.Fix = fmt.Sprintf("In %s: sort %s before it is compared and written; ranging over a map gives another "+
			"order each time.", who, field.Path)
	}
	f.Next = rules.Commands(
		kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events"),
		kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields"),
	)
	f.Notes = []string{"Versions that lie between those that were seen are not counted: it may be written far " +
		"more often."}
	if len(h.Writers) == 0 {
		f.Notes = append(f.Notes, "The inputs do not hold managedFields: who writes is told by the audit log, or by "+
			"kubectl get --show-managed-fields.")
	}
	return f, true
}

// churnWeight is how much it says that only times move; beats says that they are heartbeats by name.
func churnWeight(m *kube.Meta, beats bool, at time.Time) (rules.Severity, rules.Confidence) {
	h := m.History
	gap, timed := meanGap(h)
	switch {
	case beats && timed && racingBeat(h, gap):
		return rules.Medium, rules.ConfMedium
	case beats:
		return rules.Low, rules.ConfLow
	case h.Versions < churnVersions:
		if timed && conditionDated(m, at) {
			return rules.Medium, rules.ConfLow
		}
		return rules.Low, rules.ConfLow
	case !timed:
		return rules.Medium, rules.ConfLow
	case gap > hotGap || len(h.Writers) == 0:
		return rules.Medium, rules.ConfMedium
	case h.Versions >= 2*churnVersions-1:
		return rules.High, rules.ConfHigh
	}
	return rules.High, rules.ConfMedium
}

// onlyMoving reports whether nothing but times (and the order of lists) differs between the versions, and whether these
// are heartbeats by name.
func onlyMoving(h *kube.History) (only, beats bool) {
	if len(h.Fields) == 0 || h.More > 0 {
		return false, false
	}
	beats = true
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime && f.Kind != kube.FieldOrder && !kube.Heartbeat(f.Path) {
			return false, false
		}
		beats = beats && kube.Heartbeat(f.Path)
	}
	return true, beats
}

// racingBeat reports versions that come too fast for what their field is called: no one reads a lastSyncTime or a
// lastProbeTime every few seconds. Locks and leases do come every two (client-go's RetryPeriod), and a heartbeat is
// what its name says.
func racingBeat(h *kube.History, gap time.Duration) bool {
	if h.Versions < beatVersions || gap > beatGap || len(h.Writers) == 0 {
		return false
	}
	for _, f := range h.Fields {
		p := strings.ToLower(f.Path)
		if strings.Contains(p, "heartbeat") || strings.Contains(p, "renewtime") || strings.Contains(p, "/leader") {
			return false
		}
	}
	return true
}

// conditionDated reports two versions of an object that is not new, between which nothing but the times of its
// conditions moved, the newest written within fresh of the time it was collected at. A condition's time belongs to its
// state: moved without it, and just now, it is moved all the time, or two snapshots would not both have met it.
func conditionDated(m *kube.Meta, at time.Time) bool {
	h := m.History
	if len(h.Writers) == 0 {
		return false
	}
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime || kube.Heartbeat(f.Path) || !strings.HasPrefix(f.Path, "status.conditions[") {
			return false
		}
	}
	off := at.Sub(h.To).Abs()
	return !at.IsZero() && off <= fresh && at.Sub(m.Created) >= settled
}

// churnTitle describes what moves, as far as a title has room.
func churnTitle(m *kube.Meta, h *kube.History) string {
	path := h.Fields[0].Path
	short := path[strings.LastIndexByte(path, '.')+1:]
	if h.Fields[0].Kind == kube.FieldOrder {
		return kubeTitle(m.Ref, "is rewritten without change: only the order of "+path+" moves",
			"is rewritten: only the order of "+short+" moves")
	}
	if len(h.Fields) > 1 {
		more := fmt.Sprintf(" and %d more", len(h.Fields)-1)
		return kubeTitle(m.Ref, "is rewritten without change: only "+path+more+" move",
			"is rewritten: only "+short+more+" move", "is rewritten: only times move")
	}
	return kubeTitle(m.Ref, "is rewritten without change: only "+path+" moves", "is rewritten: only "+path+" moves",
		"is rewritten: only "+short+" moves")
}

// fieldNames are the first fields that differ.
func fieldNames(h *kube.History) string {
	var names []string
	for _, f := range h.Fields {
		names = append(names, f.Path)
	}
	return someNames(names)
}
