package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/kube"
)

// Thresholds of objects that are written again and again.
const (
	// churnVersions is how many versions of an object say that it is not chance.
	churnVersions = 3
	// beatVersions at beatGap or faster make a loop of a field that has a heartbeat's name. Kubelets probe every 10 s by default, and
	// the loops that bundles are sent in for write one to three times a second.
	beatVersions, beatGap = 30, 4 * time.Second
	// hotGap is the longest mean time between versions of a loop: resyncs of informers take 10 minutes and more, kubelets
	// report every 5 minutes, and the founding case wrote once a second.
	hotGap = time.Minute
	// slowGap is when nobody is hurt any more.
	slowGap = 10 * time.Minute
	// fresh is how near to the bundle's time a write counts as near: 16 of 1,182 objects in a real bundle of a cluster that did nothing
	// else (measured).
	fresh = 2 * time.Minute
	// settled is how old an object has to be: a younger one is written because it is new.
	settled = 10 * time.Minute
	// crowdShare is the share of objects beyond which a cluster is being installed: then fresh writes say nothing.
	crowdShare = 0.05
)

// heartbeat reports fields that are there to be renewed: by their name, or as the lock of an old leader election.
func heartbeat(path string) bool {
	p := strings.ToLower(path)
	for _, w := range []string{"heartbeat", "lastprobe", "renewtime", "lastpoll", "lastseen", "lastcheck", "lastsync", "lastscrape", "control-plane.alpha.kubernetes.io/leader"} {
		if strings.Contains(p, w) {
			return true
		}
	}
	return false
}

// racingBeat reports versions that come too fast for what their field is called: nobody reads a lastSyncTime or a lastProbeTime every
// few seconds. Locks and leases do come every two (client-go's RetryPeriod), and a heartbeat is what its name says.
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

// ownHeartbeat reports kinds that live by being written: nodes and what their agents report.
func ownHeartbeat(m *kube.Meta) bool {
	switch m.Kind {
	case "Node", "Lease", "CSINode", "Endpoints", "EndpointSlice", "Event", "PodMetrics", "NodeMetrics", "ResourceSlice":
		return true
	}
	return m.WrittenBy != nil && m.WrittenBy.Manager == "kubelet"
}

// everyMeta calls f for all objects but Events and Leases.
func everyMeta(c *kube.Cluster, f func(*kube.Meta)) {
	for _, o := range c.Others {
		f(&o.Meta)
	}
	for _, o := range c.Workloads {
		f(&o.Meta)
	}
	for _, o := range c.Pods {
		f(&o.Meta)
	}
	for _, o := range c.Claims {
		f(&o.Meta)
	}
	for _, o := range c.Volumes {
		f(&o.Meta)
	}
	for _, o := range c.Namespaces {
		f(&o.Meta)
	}
	for _, o := range c.Nodes {
		f(&o.Meta)
	}
	for _, o := range c.Classes {
		f(&o.Meta)
	}
}

// meanGap is the time between versions, at most: others may lie between those that were seen. ok is false where the versions have no times.
func meanGap(h *kube.History) (gap time.Duration, ok bool) {
	if h.From.IsZero() || h.To.IsZero() || !h.To.After(h.From) {
		return 0, false
	}
	return h.To.Sub(h.From) / time.Duration(h.Versions-1), true
}

// onlyMoving reports whether nothing but times (and the order of lists) differs between the versions, and whether these are heartbeats by name.
func onlyMoving(h *kube.History) (only, beats bool) {
	if len(h.Fields) == 0 || h.More > 0 {
		return false, false
	}
	beats = true
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime && f.Kind != kube.FieldOrder && !heartbeat(f.Path) {
			return false, false
		}
		beats = beats && heartbeat(f.Path)
	}
	return true, beats
}

// statusChurn is TR743.
func statusChurn() *Rule {
	return &Rule{
		ID: idStatusChurn, Name: "status-churn", Category: HotLoop, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title: "A controller writes an object again and again, and only a timestamp moves",
			Why: "Three or more versions of the object (snapshots, a watch) differ in nothing but fields that hold times, or in the order of a list. The writer compares what it wants with what it reads, finds a difference that it makes itself (a time taken anew, a list in random order, a field that the API drops), and writes; its own watch " +
				"then hands it the new version, and it starts over.",
			Fix:            "Move the time only when what it dates has changed, sort lists before comparing, and skip the write where nothing else differs (compare without those fields, equality.Semantic.DeepEqual on what was read back).",
			FalsePositives: "A field that is a heartbeat by contract: those with such a name give no more than low, unless 30 or more versions follow each other within four seconds. Two versions are low as well, but for conditions' times that moved alone, in an object that was written moments before it was collected.",
			Refs:           []string{"https://github.com/kubernetes-sigs/controller-runtime/issues/1613", "https://github.com/kubernetes/kubernetes/issues/100473"},
		},
		Run: func(p *Pass) []Finding {
			var found []churning
			everyMeta(p.Cluster, func(m *kube.Meta) {
				if f, ok := churnOf(m, p.Cluster.Time); ok {
					found = append(found, churning{m, f})
				}
			})
			return foldChurn(found)
		},
	}
}

// A churning is an object with the finding about it.
type churning struct {
	m *kube.Meta
	f Finding
}

// maxAlike is how many objects of one kind, with one field that one writer moves, are a finding each. More are one cause.
const maxAlike = 3

// foldChurn makes one finding of many alike: of that which has most versions, with the others as evidence.
func foldChurn(all []churning) []Finding {
	type key struct{ api, kind, field, writer string }
	index := map[key][]churning{}
	var keys []key
	for _, c := range all {
		k := key{c.m.API, c.m.Kind, c.m.History.Fields[0].Path, someNames(c.m.History.Writers)}
		if index[k] == nil {
			keys = append(keys, k)
		}
		index[k] = append(index[k], c)
	}
	var found []Finding
	for _, k := range keys {
		alike := index[k]
		slices.SortStableFunc(alike, func(a, b churning) int {
			return cmp.Or(b.f.Severity.Rank()-a.f.Severity.Rank(), b.f.Count-a.f.Count)
		})
		if last := alike[len(alike)-1].f; last.Severity == Low && alike[0].m.History.Versions < churnVersions {
			alike[0].f.Severity = Low // the same moved in others, and not just now: a resync
		}
		for i, c := range alike {
			if i > 0 && alike[0].f.Severity == Low && c.m.History.Versions < churnVersions {
				c.f.Severity = Low
			}
			if i > 0 && len(alike) > maxAlike {
				break
			}
			found = append(found, c.f)
		}
		if len(alike) > maxAlike {
			f := &found[len(found)-1]
			f.Why += fmt.Sprintf(" It does the same to %s of this kind.", counted(len(alike)-1, "other object"))
			for _, c := range alike[1:min(len(alike), maxObjectEvidence)] {
				f.Evidence = append(f.Evidence, kubeEvidence(c.m.History.Last, c.m.History.To, c.f.Count, "%s: %d versions, the same field", kindName(c.m.Ref), c.f.Count))
			}
		}
	}
	return found
}

// churnOf judges what moves between the versions of an object; at is when the newest was collected.
func churnOf(m *kube.Meta, at time.Time) (Finding, bool) {
	h := m.History
	if h == nil || ownHeartbeat(m) {
		return Finding{}, false
	}
	only, beats := onlyMoving(h)
	if !only {
		return Finding{}, false
	}
	gap, timed := meanGap(h)
	racing := beats && timed && racingBeat(h, gap)
	if timed && gap > slowGap {
		return Finding{}, false
	}
	field := h.Fields[0]
	f := Finding{
		Category: HotLoop, Severity: Low, Confidence: ConfLow, Object: objectOf(m.Ref), Actors: h.Writers, Count: h.Versions,
		FirstSeen: kubeTime(h.From), LastSeen: kubeTime(h.To),
		Evidence: historyEvidence(m),
	}
	switch {
	case racing:
		f.Severity, f.Confidence = Medium, ConfMedium
	case beats:
	case h.Versions < churnVersions:
		if timed && conditionDated(m, at) {
			f.Severity = Medium
		}
	case timed && gap <= hotGap && len(h.Writers) > 0:
		f.Severity, f.Confidence = High, ConfMedium
		if h.Versions >= 2*churnVersions-1 {
			f.Confidence = ConfHigh
		}
	case timed:
		f.Severity, f.Confidence = Medium, ConfMedium
	default:
		f.Severity = Medium
	}
	f.Title = churnTitle(m, h)
	who := "its controller"
	if len(h.Writers) > 0 {
		who = someNames(h.Writers)
	}
	f.Why = fmt.Sprintf("%d versions of %s differ in %s alone", h.Versions, kindName(m.Ref), fieldNames(h))
	if timed {
		f.Why += fmt.Sprintf(", written at least every %s between %s and %s", spell(gap), kubeTime(h.From), kubeTime(h.To))
	}
	if h.Versions < churnVersions {
		f.Why += fmt.Sprintf(". The writer is %s. Two versions don't prove that it writes all the time: a controller that finds a difference that it makes itself would look so.", who)
	} else {
		f.Why += fmt.Sprintf(". The writer is %s: it finds a difference that it makes itself, writes, is told of its own write by its watch, and starts over.", who)
	}
	f.Fix = fmt.Sprintf("In %s: set %s only when what it dates has changed, and skip the write where nothing else differs from what was read back.", who, field.Path)
	if field.Kind == kube.FieldOrder {
		f.Fix = fmt.Sprintf("In %s: sort %s before it is compared and written; ranging over a map gives another order each time.", who, field.Path)
	}
	f.Next = []string{
		kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events"),
		kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields"),
	}
	f.Notes = []string{"Versions that lie between those that were seen are not counted: it may be written far more often."}
	if len(h.Writers) == 0 {
		f.Notes = append(f.Notes, "The inputs do not hold managedFields: who writes is told by the audit log, or by kubectl get --show-managed-fields.")
	}
	return f, true
}

// conditionDated reports two versions of an object that is not new, between which nothing but the times of its conditions moved,
// the newest written within fresh of the time it was collected at. A condition's time belongs to its state: moved without it, and just now,
// it is moved all the time, or two snapshots would not both have met it.
func conditionDated(m *kube.Meta, at time.Time) bool {
	h := m.History
	if len(h.Writers) == 0 {
		return false
	}
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime || heartbeat(f.Path) || !strings.HasPrefix(f.Path, "status.conditions[") {
			return false
		}
	}
	off := at.Sub(h.To).Abs()
	return !at.IsZero() && off <= fresh && at.Sub(m.Created) >= settled
}

// churnTitle says what moves, as far as a title has room.
func churnTitle(m *kube.Meta, h *kube.History) string {
	path := h.Fields[0].Path
	short := path[strings.LastIndexByte(path, '.')+1:]
	if h.Fields[0].Kind == kube.FieldOrder {
		return kubeTitle(m.Ref, "is rewritten without change: only the order of "+path+" moves", "is rewritten: only the order of "+short+" moves")
	}
	if len(h.Fields) > 1 {
		more := fmt.Sprintf(" and %d more", len(h.Fields)-1)
		return kubeTitle(m.Ref, "is rewritten without change: only "+path+more+" move", "is rewritten: only "+short+more+" move", "is rewritten: only times move")
	}
	return kubeTitle(m.Ref, "is rewritten without change: only "+path+" moves", "is rewritten: only "+path+" moves", "is rewritten: only "+short+" moves")
}

// fieldNames are the first fields that differ.
func fieldNames(h *kube.History) string {
	var names []string
	for _, f := range h.Fields {
		names = append(names, f.Path)
	}
	return someNames(names)
}

// historyEvidence are the oldest and the newest version, and the fields between them.
func historyEvidence(m *kube.Meta) []Evidence {
	h := m.History
	all := []Evidence{
		kubeEvidence(h.First, h.From, h.Versions, "oldest of %d versions", h.Versions),
		kubeEvidence(h.Last, h.To, 1, "newest version, resourceVersion %s", cmp.Or(m.ResourceVersion, "unknown")),
	}
	for _, f := range h.Fields[:min(len(h.Fields), maxObjectEvidence/2)] {
		text := fmt.Sprintf("%s: differs between %d of %d neighbouring versions", f.Path, f.Changes, h.Versions-1)
		if len(f.Values) == 2 {
			text += fmt.Sprintf(", at last %s → %s", f.Values[0], f.Values[1])
		}
		all = append(all, kubeEvidence(h.Last, h.To, f.Changes, "%s", text))
	}
	return all
}

// fieldFlip is TR744.
func fieldFlip() *Rule {
	return &Rule{
		ID: idFieldFlip, Name: "field-flip", Category: HotLoop, Severity: High, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "A field goes back and forth between two values",
			Why:            "In consecutive versions of the object a field takes one value, another, and the first again, twice or more. Two writers undo each other (two controllers, a controller and GitOps, a webhook and its client), or one can't make up its mind.",
			Fix:            "Let one of them own the field: take it out of the other's manifest, or let server-side apply tell them of the conflict.",
			FalsePositives: "A field that mirrors something that flaps for a reason of its own (a probe that fails every other time).",
			Refs:           []string{"https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"},
		},
		Run: func(p *Pass) []Finding {
			var found []Finding
			everyMeta(p.Cluster, func(m *kube.Meta) {
				if f, ok := flipOf(m); ok {
					found = append(found, f)
				}
			})
			return found
		},
	}
}

func flipOf(m *kube.Meta) (Finding, bool) {
	const flips = 2 // A B A B: four versions at least
	if m.History == nil {
		return Finding{}, false
	}
	h := *m.History
	h.Fields = slices.DeleteFunc(slices.Clone(h.Fields), func(f kube.Field) bool { return f.Flips < flips })
	if len(h.Fields) == 0 {
		return Finding{}, false
	}
	slices.SortStableFunc(h.Fields, func(a, b kube.Field) int { return b.Flips - a.Flips })
	field := h.Fields[0]
	status := strings.HasPrefix(field.Path, "status.")
	f := Finding{
		Category: HotLoop, Severity: High, Confidence: ConfMedium, Object: objectOf(m.Ref), Actors: h.Writers, Count: h.Versions,
		FirstSeen: kubeTime(h.From), LastSeen: kubeTime(h.To), Evidence: historyEvidence(&kube.Meta{History: &h, ResourceVersion: m.ResourceVersion}),
	}
	gap, timed := meanGap(&h)
	switch {
	case timed && gap > slowGap:
		f.Severity = Low
	case timed && gap > hotGap, status && len(h.Writers) < 2:
		f.Severity = Medium
	}
	between := ""
	if len(field.Values) == 2 {
		between = fmt.Sprintf(" between %s and %s", field.Values[0], field.Values[1])
	}
	f.Title = kubeTitle(m.Ref, "goes back and forth: "+field.Path+between, "goes back and forth: "+field.Path)
	f.Why = fmt.Sprintf("In %d versions of %s, %s went back to its former value %s%s.", h.Versions, kindName(m.Ref), field.Path, countTimes(field.Flips), between)
	switch len(h.Writers) {
	case 0:
		f.Why += " The inputs do not tell who writes."
		f.Fix = fmt.Sprintf("Find who writes %s (kubectl get --show-managed-fields, the audit log), and let one of them own it.", field.Path)
	case 1:
		f.Why += fmt.Sprintf(" The one writer seen is %s.", h.Writers[0])
		f.Fix = fmt.Sprintf("See from what %s computes %s: its inputs change each time, or another writes under the same name.", h.Writers[0], field.Path)
	default:
		f.Why += fmt.Sprintf(" The writers are %s: each undoes what the other wrote.", someNames(h.Writers))
		f.Fix = fmt.Sprintf("Let one of %s own %s, and take it out of what the others write.", someNames(h.Writers), field.Path)
	}
	f.Next = []string{
		kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events"),
		kubectlOn(m.Ref, "get", "-o yaml", "--show-managed-fields"),
	}
	return f, true
}

// freshlyWritten is TR745.
func freshlyWritten() *Rule {
	return &Rule{
		ID: idFreshlyWritten, Name: "freshly-written", Category: HotLoop, Severity: Low, Needs: NeedsObjects,
		Doc: Doc{
			Title:          "Objects were written moments before the bundle was made, without anything to do",
			Why:            "In one snapshot a hot loop shows as objects whose newest write (managedFields, a condition's time) is within 2 minutes of the bundle's time though nobody changed what they are to be (the generation is observed) and they are not new. That is a list of candidates: the snapshot can't tell a loop from chance.",
			Fix:            "Take a second snapshot a minute later, or watch the first object: kubectl get -w. Written again with only times moved, it is a loop.",
			FalsePositives: "Anything that happened to change in those 2 minutes.",
		},
		Run: func(p *Pass) []Finding { return freshlyWrittenIn(p.Cluster) },
	}
}

// Candidates are the objects that one snapshot shows as written within fresh of the bundle's time without a reason: those whose condition
// moved without a change of its state first. Empty where the bundle does not say when it was made, or where so many were written that it says nothing.
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
	slices.SortStableFunc(all, func(a, b *kube.Meta) int { return cmp.Or(weight(b)-weight(a), b.Written.Compare(a.Written)) })
	return all
}

// weight orders candidates: a status time of its own that is not a transition says most, a heartbeat least.
func weight(m *kube.Meta) int {
	switch {
	case m.StatusField == "" || m.StatusTime.Before(m.Written.Add(-fresh)):
		return 1
	case heartbeat(m.StatusField):
		return 0
	case strings.HasSuffix(m.StatusField, "lastTransitionTime"):
		return 2
	}
	return 3
}

func freshlyWrittenIn(c *kube.Cluster) []Finding {
	all := Candidates(c)
	all = slices.DeleteFunc(all, func(m *kube.Meta) bool { return m.History != nil && m.History.Versions >= churnVersions })
	if len(all) == 0 {
		return nil
	}
	m := all[0]
	f := Finding{
		Category: HotLoop, Severity: Info, Confidence: ConfLow, Object: objectOf(m.Ref), Count: len(all),
		FirstSeen: kubeTime(all[len(all)-1].Written), LastSeen: kubeTime(m.Written),
		Title: kubeTitle(m.Ref, "was written as the bundle was made"),
		Why: fmt.Sprintf("%s of %d were written within %s of the bundle's time (%s), though nobody asked anything new of them. One of them may be in a loop; one snapshot can't tell.",
			counted(len(all), "object"), c.Count, spell(fresh), kubeTime(c.Bundle.Created)),
		Next: []string{kubectlOn(m.Ref, "get", "-w", "-o json", "--show-managed-fields", "--output-watch-events")},
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
	return []Finding{f}
}
