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
	c.Each(func(m *kube.Meta) {
		if m.Kind != "Lease" {
			f(m)
		}
	})
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
		} else if f, ok := churnOf(m); ok {
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
			return cmp.Or(b.f.Severity.Rank()-a.f.Severity.Rank(), b.f.Confidence.Rank()-a.f.Confidence.Rank(),
				b.f.Count-a.f.Count)
		})
		if len(alike) <= maxAlike {
			each(alike, func(c churning) { found = append(found, c.f) })
			continue
		}
		f := alike[0].f
		f.Notes = append(f.Notes,
			"The same happens to "+phrase.Count(len(alike)-1, "other object")+" of the same kind.")
		for _, c := range alike[1:min(len(alike), maxObjectEvidence)] {
			f.Evidence = append(f.Evidence, evidence(c.m.History.Last, c.m.History.To, c.f.Count,
				"%s: %d versions, the same field", kindName(c.m.Ref), c.f.Count))
		}
		found = append(found, f)
	}
	return found
}

// churnOf judges what moves between the versions of an object.
func churnOf(m *kube.Meta) (rules.Finding, bool) {
	h := m.History
	if h == nil || ownHeartbeat(m) {
		return rules.Finding{}, false
	}
	only, beats := onlyMoving(h)
	gap, timed := meanGap(h)
	if !only || timed && gap > slowGap {
		return rules.Finding{}, false
	}
	f := historyFinding(m, h, rules.Medium, rules.ConfMedium)
	weighChurn(&f, h, beats)
	f.Title = churnTitle(m, h)
	f.Why = fmt.Sprintf("%d versions of %s differ only in %s", h.Versions, kindName(m.Ref), someFields(h))
	if timed {
		f.Why += ", written at least every " + phrase.Spell(gap)
	}
	f.Why += "."
	sayWriter(&f, h.Writers, &h.Fields[0])
	f.Notes = append(f.Notes, "Versions that were not captured are not counted: it may be written far more often.")
	return f, true
}

// sayWriter adds who moves a field, and what to do.
func sayWriter(f *rules.Finding, writers []string, field *kube.Field) {
	who := "its controller"
	if len(writers) > 0 {
		who = someNames(writers)
	}
	if f.Alarm() {
		f.Why += fmt.Sprintf(" The writer, %s, sees its own write in its watch and writes again.", who)
	} else {
		f.Why += fmt.Sprintf(" The writer is %s.", who)
	}
	f.Fix = fmt.Sprintf("In %s, skip the write if only %s differs from the version that was read.", who, field.Path)
	if field.Kind == kube.FieldOrder {
		f.Fix = fmt.Sprintf("In %s, sort %s before comparing and writing it.", who, field.Path)
	}
}

// someFields names the fields that moved.
func someFields(h *kube.History) string {
	var fields []string
	for _, d := range h.Fields {
		fields = append(fields, d.Path)
	}
	return phrase.Some(fields, 2)
}

// weighChurn decides how much it says that only times move; beats says that they are heartbeats by name.
func weighChurn(f *rules.Finding, h *kube.History, beats bool) {
	gap, timed := meanGap(h)
	switch {
	case beats:
		f.Doubt("Judging by its name, the field is a heartbeat.")
	case timed && byTimer(h, gap):
		f.Doubt("It is written every " + phrase.Spell(gap) + ": a timer looks the same.")
	case h.Versions < churnVersions:
		f.Doubt("Two versions don't prove that the object is written constantly.")
	case !timed, gap > hotGap, len(h.Writers) == 0:
	case h.Versions >= 2*churnVersions-1:
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	default:
		f.Severity = rules.High
	}
}

// byTimer reports three versions or more that come as slowly as a timer writes: no timer changes the order of a list.
// Snapshots show no more versions than were taken, of a loop as well; there a condition whose time moves without its
// state is none.
func byTimer(h *kube.History, gap time.Duration) bool {
	if h.Versions < churnVersions || gap < timerGap ||
		slices.ContainsFunc(h.Fields, func(f kube.Field) bool { return f.Kind == kube.FieldOrder }) {
		return false
	}
	return h.First.Input == h.Last.Input || slices.ContainsFunc(h.Fields, func(f kube.Field) bool {
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

// churnTitle describes what moves, as far as a title has room.
func churnTitle(m *kube.Meta, h *kube.History) string {
	path := h.Fields[0].Path
	short := path[strings.LastIndexByte(path, '.')+1:]
	if h.Fields[0].Kind == kube.FieldOrder {
		return title(m.Ref, "is rewritten without change: only the order of "+path+" differs",
			"is rewritten: only the order of "+short+" differs")
	}
	if len(h.Fields) > 1 {
		more := fmt.Sprintf(" and %d more", len(h.Fields)-1)
		return title(m.Ref, "is rewritten without change: only "+path+more+" differ",
			"is rewritten: only "+short+more+" differ", "is rewritten: only timestamps differ")
	}
	return title(m.Ref, "is rewritten without change: only "+path+" differs", "is rewritten: only "+path+" differs",
		"is rewritten: only "+short+" differs")
}
