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

// Thresholds of objects that are written again and again.
const (
	// churnVersions is how many versions of an object say that it is not chance.
	churnVersions = 3
	// hotGap is the longest mean time between versions of a loop: resyncs of informers take 10 minutes and more,
	// kubelets report every 5 minutes, and the founding case wrote once a second.
	hotGap = time.Minute
	// slowGap is when no one is hurt any more: the resync of an informer (10 minutes and more) writes as often.
	slowGap = 10 * time.Minute
	// timerGap is the shortest mean time between versions that a timer writes: operators that date what they did
	// (status.refreshTime, lastValidationTime, lastActiveTime, lastCheckTime) do so every 10 s to 3 min, by their own
	// settings; what its own write wakes starts over within seconds.
	timerGap = 9 * time.Second
	// fresh is how near to the bundle's time a write counts as near: 16 of 1,182 objects in a real bundle of a cluster
	// that did nothing else (measured).
	fresh = 2 * time.Minute
	// settled is how old an object has to be: a younger one is written because it is new (chosen, as long as a pod
	// may take to start).
	settled = 10 * time.Minute
)

// ownHeartbeat reports kinds that live by being written: nodes and what their agents report.
func ownHeartbeat(m *kube.Meta) bool {
	switch m.Kind {
	case "Node", "Lease", "CSINode", "Endpoints", "EndpointSlice", "Event", "PodMetrics", "NodeMetrics",
		"ResourceSlice", "CronJob": // whose status dates each run
		return true
	}
	return m.WrittenBy != nil && m.WrittenBy.Manager == "kubelet"
}

// everyMeta calls f for all objects but Events and Leases.
func everyMeta(c *kube.Cluster, f func(*kube.Meta)) {
	each(c.Budgets, func(o *kube.Budget) { f(&o.Meta) })
	each(c.Scalers, func(o *kube.Scaler) { f(&o.Meta) })
	each(c.Services, func(o *kube.Service) { f(&o.Meta) })
	each(c.Ingresses, func(o *kube.Ingress) { f(&o.Meta) })
	each(c.Slices, func(o *kube.EndpointSlice) { f(&o.Meta) })
	each(c.Others, func(o *kube.Other) { f(&o.Meta) })
	each(c.Workloads, func(o *kube.Workload) { f(&o.Meta) })
	each(c.Pods, func(o *kube.Pod) { f(&o.Meta) })
	each(c.Claims, func(o *kube.Claim) { f(&o.Meta) })
	each(c.Volumes, func(o *kube.Volume) { f(&o.Meta) })
	each(c.Namespaces, func(o *kube.Namespace) { f(&o.Meta) })
	each(c.Nodes, func(o *kube.Node) { f(&o.Meta) })
	each(c.Classes, func(o *kube.StorageClass) { f(&o.Meta) })
}

// meanGap is the time between versions, at most: others may lie between those that were seen. ok is false where the
// versions have no times.
func meanGap(h *kube.History) (gap time.Duration, ok bool) {
	if h.From.IsZero() || h.To.IsZero() || !h.To.After(h.From) {
		return 0, false
	}
	return h.To.Sub(h.From) / time.Duration(h.Versions-1), true
}

// historyFinding begins a finding about what moves between the versions of an object. Its evidence are the oldest and
// the newest version, and the fields between them.
func historyFinding(m *kube.Meta, h *kube.History, s rules.Severity, c rules.Confidence) rules.Finding {
	f := finding(m.Ref, s, c, h.Versions, h.From, h.To)
	f.Actors, f.Next = h.Writers, watchWrites(m.Ref)
	f.Evidence = []rules.Evidence{
		evidence(h.First, h.From, h.Versions, "oldest of %d versions", h.Versions),
		evidence(h.Last, h.To, 1, "newest version, resourceVersion %s", cmp.Or(m.ResourceVersion, "unknown")),
	}
	for _, d := range h.Fields[:min(len(h.Fields), maxObjectEvidence/2)] {
		text := fmt.Sprintf("%s: differs between %d of %d neighbouring versions", d.Path, d.Changes, h.Versions-1)
		if len(d.Values) == 2 {
			text += fmt.Sprintf(", at last %s → %s", d.Values[0], d.Values[1])
		}
		f.Evidence = append(f.Evidence, evidence(h.Last, h.To, d.Changes, "%s", text))
	}
	return f
}

// beatVersions at beatGap or faster make a loop of a field that has a heartbeat's name. Kubelets probe every 10 s by
// default, and the loops that bundles are sent in for write one to three times a second.
const beatVersions, beatGap = 30, 4 * time.Second

// runStatusChurn is status-churn (TR743).
func runStatusChurn(c *kube.Cluster) []rules.Finding {
	var found []churning
	var counted []rules.Finding
	paces := pacesOf(c)
	everyMeta(c, func(m *kube.Meta) {
		if m.Kind == "ReplicaSet" && m.Owner.Kind == "Deployment" {
			return // its Deployment is copied into it, times and all
		}
		if h := m.History; h != nil && h.Generations >= manyGenerations && h.First.Input != h.Last.Input {
			if f, ok := respecs(c, m); ok { // counted, not estimated
				counted = append(counted, f)
				return
			}
		}
		if f, ok := paces.rewritten(m); ok {
			found = append(found, churning{m, f})
		} else if f, ok := churnOf(m, c.Time); ok {
			found = append(found, churning{m, f})
		} else if f, ok := movesOf(m); ok {
			found = append(found, churning{m, f})
		} else if f, ok := watchedFast(c, m); ok {
			found = append(found, churning{m, f})
		} else if f, ok := respecs(c, m); ok {
			counted = append(counted, f)
		}
	})
	return append(foldChurn(found), counted...)
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
		field := ""
		if h := c.m.History; len(h.Fields) > 0 {
			field = h.Fields[0].Path
		}
		groups.add(key{c.m.API, c.m.Kind, field, someNames(c.m.History.Writers)}, c)
	}
	var found []rules.Finding
	for _, k := range groups.keys {
		alike := groups.values[k]
		slices.SortStableFunc(alike, func(a, b churning) int {
			return cmp.Or(b.f.Severity.Rank()-a.f.Severity.Rank(), b.f.Count-a.f.Count)
		})
		together := setAllTogether(alike)
		if last := alike[len(alike)-1].f; !together && last.Severity == rules.Low &&
			alike[0].m.History.Versions < churnVersions {
			alike[0].f.Severity = rules.Low // the same moved in others, and not just now: a resync
		}
		if together && alike[0].f.Severity == rules.Low {
			alike[0].f.Severity = rules.Medium
			alike[0].f.Why += fmt.Sprintf(" All %d of this kind were written within %s before each of "+
				"two lists was made.", len(alike), phrase.Spell(setTogether))
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
			f.Why += fmt.Sprintf(" It does the same to %s of this kind.", phrase.Count(len(alike)-1, "other object"))
			for _, c := range alike[1:min(len(alike), maxObjectEvidence)] {
				f.Evidence = append(f.Evidence, evidence(c.m.History.Last, c.m.History.To, c.f.Count,
					"%s: %d versions, the same field", kindName(c.m.Ref), c.f.Count))
			}
		}
	}
	return found
}

// setAllTogether reports enough objects of one kind whose times were all set just before each of two collections.
func setAllTogether(alike []churning) bool {
	return len(alike) >= setMany && !slices.ContainsFunc(alike, func(c churning) bool {
		h := c.m.History
		return h.Versions >= churnVersions || !valuesNow(h, setTogether, setTogether, true)
	})
}

// churnOf judges what moves between the versions of an object; at is when the newest was collected.
func churnOf(m *kube.Meta, at time.Time) (rules.Finding, bool) {
	h := m.History
	if h == nil || ownHeartbeat(m) {
		return rules.Finding{}, false
	}
	only, beats := onlyMoving(h)
	gap, timed := meanGap(h)
	if !only || timed && gap > slowGap {
		return rules.Finding{}, false
	}
	severity, confidence := churnWeight(m, beats, at)
	f := historyFinding(m, h, severity, confidence)
	f.Title = churnTitle(m, h)
	who := "its controller"
	if len(h.Writers) > 0 {
		who = someNames(h.Writers)
	}
	var fields []string
	for _, d := range h.Fields {
		fields = append(fields, d.Path)
	}
	f.Why = fmt.Sprintf("%d versions of %s differ in %s alone", h.Versions, kindName(m.Ref), someNames(fields))
	if timed {
		f.Why += ", written at least every " + phrase.Spell(gap) + " between " + f.FirstSeen + " and " + f.LastSeen
	}
	switch {
	case h.Versions < churnVersions:
		f.Why += fmt.Sprintf(". The writer is %s. Two versions don't prove that it writes all the time: a controller "+
			"that finds a difference that it makes itself would look so.", who)
	case severity == rules.Low || !timed || byTimer(m, gap):
		f.Why += fmt.Sprintf(". The writer is %s. A timer writes so, too.", who)
	default:
		f.Why += fmt.Sprintf(". The writer is %s: it finds a difference that it makes itself, writes, sees its "+
			"own write by its watch, and starts over.", who)
	}
	field := h.Fields[0]
	f.Fix = fmt.Sprintf("In %s: set %s only when what it dates has changed, and skip the write where nothing else "+
		"differs from what was read back.", who, field.Path)
	if field.Kind == kube.FieldOrder {
		f.Fix = fmt.Sprintf("In %s: sort %s before it is compared and written; ranging over a map gives another "+
			"order each time.", who, field.Path)
	}
	f.Notes = []string{"Versions that lie between those that were seen are not counted: it may be written far " +
		"more often."}
	if len(h.Writers) == 0 {
		f.Notes = append(f.Notes, "The inputs do not hold managedFields: the audit log names the writer, or "+
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
	case h.Versions < churnVersions && setTwice(m):
		return rules.Medium, rules.ConfLow
	case timed && byTimer(m, gap):
		return rules.Low, rules.ConfLow
	case h.Versions < churnVersions:
		if timed && (conditionDated(m, at) || metTwice(m)) {
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

// byTimer reports three versions or more that come as slowly as a timer writes: no timer changes the order of a list.
// Snapshots show no more versions than were taken, of a loop as well; there a condition whose time moves without its
// state, or a write just before each snapshot, is none.
func byTimer(m *kube.Meta, gap time.Duration) bool {
	h := m.History
	if h.Versions < churnVersions || gap < timerGap ||
		slices.ContainsFunc(h.Fields, func(f kube.Field) bool { return f.Kind == kube.FieldOrder }) {
		return false
	}
	return h.First.Input == h.Last.Input || !conditionTimes(h) && !metTwice(m)
}

// conditionTimes reports whether nothing but times of conditions moved, heartbeats aside.
func conditionTimes(h *kube.History) bool {
	return !slices.ContainsFunc(h.Fields, func(f kube.Field) bool {
		return f.Kind != kube.FieldTime || kube.Heartbeat(f.Path) || !strings.HasPrefix(f.Path, "status.conditions[")
	})
}

// onlyMoving reports whether nothing but times (and the order of lists) differs between the versions, and whether these
// are heartbeats by name.
func onlyMoving(h *kube.History) (only, beats bool) {
	if len(h.Fields) == 0 || h.More > 0 {
		return false, false
	}
	beats = true
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime && f.Kind != kube.FieldOrder && !kube.Heartbeat(f.Path) && !countsRounds(h, &f) {
			return false, false
		}
		beats = beats && (kube.Heartbeat(f.Path) || kube.Happened(f.Path))
	}
	return true, beats
}

// roundsMany is how many versions a count of rounds must move in that has no times: resyncs of ten minutes make it in
// a day and a half, and no watch is kept for so long. Chosen.
const roundsMany = 200

// countsRounds reports a value that is new in nearly every version and says nothing of the object: a number that says
// by its name how often it was looked at, or whatever a controller notes in an annotation.
func countsRounds(h *kube.History, f *kube.Field) bool {
	if h.Versions < roundsMany || 10*f.Changes < 9*(h.Versions-1) || f.Flips > 0 {
		return false
	}
	last := strings.ToLower(f.Path[strings.LastIndexByte(f.Path, '.')+1:])
	return strings.HasPrefix(f.Path, "metadata.annotations.") || f.Kind == kube.FieldNumber &&
		strings.HasPrefix(f.Path, "status.") &&
		phrase.ContainsOne(last, "reconcil", "sync", "iteration", "round", "loop", "revision")
}

// racingBeat reports versions that come too fast for what their field is called: no one reads a lastSyncTime or a
// lastProbeTime every few seconds. Locks and leases do come every two (client-go's RetryPeriod), and a heartbeat is
// what its name says.
func racingBeat(h *kube.History, gap time.Duration) bool {
	if h.Versions < beatVersions || gap > beatGap || len(h.Writers) == 0 {
		return false
	}
	return !slices.ContainsFunc(h.Fields, func(f kube.Field) bool { return locks(f.Path) })
}

// locks reports a field that is there to come often.
func locks(path string) bool {
	path = strings.ToLower(path)
	return strings.Contains(path, "heartbeat") || strings.Contains(path, "renewtime") ||
		strings.Contains(path, "/leader")
}

// conditionDated reports two versions of an object that is not new, between which nothing but the times of its
// conditions moved, the newest written within fresh of the time it was collected at. A condition's time belongs to its
// state: moved without it, and just now, it is moved all the time, or two snapshots would not both have met it.
func conditionDated(m *kube.Meta, at time.Time) bool {
	h := m.History
	if len(h.Writers) == 0 || !conditionTimes(h) {
		return false
	}
	off := at.Sub(h.To).Abs()
	return !at.IsZero() && off <= fresh && at.Sub(m.Created) >= settled
}

// churnTitle describes what moves, as far as a title has room.
func churnTitle(m *kube.Meta, h *kube.History) string {
	path := h.Fields[0].Path
	short := path[strings.LastIndexByte(path, '.')+1:]
	if h.Fields[0].Kind == kube.FieldOrder {
		return title(m.Ref, "is rewritten without change: only the order of "+path+" moves",
			"is rewritten: only the order of "+short+" moves")
	}
	if len(h.Fields) > 1 {
		more := fmt.Sprintf(" and %d more", len(h.Fields)-1)
		return title(m.Ref, "is rewritten without change: only "+path+more+" move",
			"is rewritten: only "+short+more+" move", "is rewritten: only times move")
	}
	return title(m.Ref, "is rewritten without change: only "+path+" moves", "is rewritten: only "+path+" moves",
		"is rewritten: only "+short+" moves")
}
