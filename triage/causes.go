package triage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/stamp"
	"github.com/gotriage/triage/rules"
)

// oneCause makes one finding of those that show one cause from several views: an object that its controller writes forever shows
// in the audit log, in two snapshots of it, in the controller's log, and in its CPU profile. The surest lends its words, the others
// add what they saw.
func oneCause(set []*rules.Rule, found []rules.Finding, pass *rules.Pass) []rules.Finding {
	j := joiner{needsOf(set), targetsOf(pass), onlyProcess(pass), pass.Cluster}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return j.compare(&found[a], &found[b]) })
	gone := make([]bool, len(found))
	for n, i := range order {
		if gone[i] {
			continue
		}
		main := &found[i]
		// What is joined adds names of its own, by which the next may be found: until nothing new is.
		views := 1
		for again := true; again; {
			again = false
			for _, k := range order[n+1:] {
				if gone[k] || !j.joins(main, &found[k]) {
					continue
				}
				j.add(main, &found[k], views)
				gone[k], again = true, true
				views++
			}
		}
	}
	kept := make([]rules.Finding, 0, len(found))
	for i := range found {
		if !gone[i] {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// compare orders findings by who tells a cause best: the worst first, of equal ones that with the best evidence.
func (j joiner) compare(a, b *rules.Finding) int {
	if c := b.Severity.Rank() - a.Severity.Rank(); c != 0 && (a.Severity.Rank() < rules.Medium.Rank() || b.Severity.Rank() < rules.Medium.Rank()) {
		return c
	}
	if c := j.viewOf(b) - j.viewOf(a); c != 0 {
		return c
	}
	return compareWorse(*a, *b)
}

// A joiner decides which findings show one cause.
type joiner struct {
	needs   map[string]rules.Needs  // by rule
	targets map[string]rules.Target // of the process that an input is of
	// only says that all profiles are of one process, so that a finding needs no pod to be about it.
	only    bool
	cluster *kube.Cluster // nil where there is none
}

func needsOf(set []*rules.Rule) map[string]rules.Needs {
	needs := make(map[string]rules.Needs, len(set))
	for _, r := range set {
		needs[r.ID] = r.Needs
	}
	return needs
}

// targetsOf says whose each log, dump and profile is, where that is known.
func targetsOf(pass *rules.Pass) map[string]rules.Target {
	targets := map[string]rules.Target{}
	add := func(input string, t rules.Target) {
		if t.Pod != "" {
			targets[input] = t
		}
	}
	for _, in := range pass.Logs {
		add(in.Input, in.Target)
	}
	for _, d := range pass.Dumps {
		add(d.Input, d.Target)
	}
	for _, p := range pass.Profiles {
		add(p.Input, p.Target)
	}
	return targets
}

func onlyProcess(pass *rules.Pass) bool {
	for _, p := range pass.Profiles {
		if p.Process != pass.Profiles[0].Process {
			return false
		}
	}
	return len(pass.Profiles) > 0
}

// podsOf are the pods that a finding's evidence is of.
func (j joiner) podsOf(f *rules.Finding) []rules.Target {
	var all []rules.Target
	for _, p := range f.Pods {
		if t := (rules.Target{Namespace: p.Namespace, Pod: p.Pod}); p.Pod != "" && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	if len(all) > 0 {
		return all
	}
	for _, e := range f.Evidence {
		if t, ok := j.targets[e.Input]; ok && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// The views of a cause; a later one tells more about it.
const (
	viewOther   = iota
	viewCost    // what it costs: a profile's hot functions
	viewLog     // what a program says that it does
	viewObject  // what the objects look like
	viewAudit   // what was done, by whom
	viewProcess // a line of code that fails: a dump, or a heap
)

// viewOf tells by the evidence that the finding's rule asks for.
func (j joiner) viewOf(f *rules.Finding) int {
	switch needs := j.needs[f.Rule]; {
	case needs&rules.NeedsAudit != 0:
		return viewAudit
	case needs&rules.NeedsObjects != 0:
		return viewObject
	case needs&rules.NeedsLogs != 0:
		return viewLog
	case f.Culprit.Function == "":
		return viewOther
	case f.Category == rules.HotCPU || f.Category == rules.GC:
		return viewCost
	case f.Category == rules.Crash || f.Category == rules.Memory:
		return viewProcess
	}
	return viewOther
}

// joins reports whether other shows main's cause in another view.
func (j joiner) joins(main, other *rules.Finding) bool {
	a, b := j.viewOf(main), j.viewOf(other)
	switch {
	case a == b && a != viewLog && a != viewObject && a != viewAudit, a == viewOther, b == viewOther:
		return false // two lines of code are two causes, or were joined before
	case b == viewCost:
		return main.Category == rules.HotLoop && compares(other) && j.samePod(main, other)
	case a == viewCost:
		return other.Category == rules.HotLoop && compares(main) && j.samePod(other, main)
	case a == viewProcess:
		return sameEnd(main, other) && j.namesPod(other, main)
	case b == viewProcess:
		return sameEnd(main, other) && j.namesPod(main, other)
	case !aboutObjects(main) || !aboutObjects(other):
		return false
	case main.Category == rules.HotLoop && other.Category == rules.HotLoop:
		return sameObject(main.Object, other.Object) || j.loggedBy(main, other) || j.loggedBy(other, main)
	case main.Category == other.Category:
		return speaksOf(main, other.Object) || speaksOf(other, main.Object)
	case main.Category == rules.RaceCat || main.Category == rules.PodStorm:
		return speaksOf(main, other.Object) // what hangs or fails of it
	case other.Category == rules.RaceCat || other.Category == rules.PodStorm:
		return speaksOf(other, main.Object)
	}
	return false
}

// compares reports a profile's finding about comparing values: what a controller does before it writes, or to decide whether to.
func compares(f *rules.Finding) bool {
	return strings.Contains(f.Name, "equal") || strings.Contains(f.Name, "compar")
}

// sameEnd reports whether both are about how a process ended, or about the memory that it ended of.
func sameEnd(a, b *rules.Finding) bool {
	ends := func(f *rules.Finding) bool { return f.Category == rules.Crash || f.Category == rules.Memory }
	return ends(a) && ends(b)
}

// samePod reports whether a profile's finding is of the pod that a loop is of: the one whose log shows it, or whose account
// writes. Where the profile names no pod and there is but one process, it is taken as that.
func (j joiner) samePod(loop, cost *rules.Finding) bool {
	pods := j.podsOf(cost)
	if len(pods) == 0 {
		return j.only
	}
	return slices.ContainsFunc(pods, func(t rules.Target) bool {
		return slices.ContainsFunc(j.podsOf(loop), func(l rules.Target) bool { return l.Namespace == t.Namespace && l.Pod == t.Pod }) ||
			slices.ContainsFunc(loop.Actors, func(a string) bool { return actorOf(a, t.Namespace, t.Pod) })
	})
}

// namesPod reports whether a finding about objects names a pod that process, a finding about code, is of.
func (j joiner) namesPod(object, process *rules.Finding) bool {
	return slices.ContainsFunc(j.podsOf(process), func(t rules.Target) bool {
		return speaksOf(object, &rules.Object{Kind: "Pod", Namespace: t.Namespace, Name: t.Pod}) ||
			speaksOf(object, j.workload(t)) ||
			slices.ContainsFunc(j.podsOf(object), func(o rules.Target) bool { return o.Namespace == t.Namespace && o.Pod == t.Pod })
	})
}

// workload is the object that a pod is of in the end, its Deployment for instance; nil where the objects don't tell.
func (j joiner) workload(t rules.Target) *rules.Object {
	if j.cluster == nil {
		return nil
	}
	p := j.cluster.Pod(t.Namespace, t.Pod)
	if p == nil {
		return nil
	}
	top := j.cluster.Top(&p.Meta)
	return &rules.Object{API: top.API, Kind: top.Kind, Namespace: t.Namespace, Name: top.Name}
}

func aboutObjects(f *rules.Finding) bool { return f.Object != nil && f.Object.Name != "" }

// sameObject compares what two findings are about as far as both tell: logs often know no more than a name.
func sameObject(a, b *rules.Object) bool {
	if a == nil || b == nil || a.Name == "" || a.Name != b.Name {
		return false
	}
	return (a.Namespace == b.Namespace || a.Namespace == "" || b.Namespace == "") &&
		(strings.EqualFold(a.Kind, b.Kind) || looseKind(a.Kind) || looseKind(b.Kind))
}

// looseKind reports a kind that is a log's word for something, no API's: those begin with a capital.
func looseKind(kind string) bool { return kind == "" || kind[0] < 'A' || kind[0] > 'Z' }

// speaksOf reports whether o is among the objects that f names.
func speaksOf(f *rules.Finding, o *rules.Object) bool {
	if sameObject(f.Object, o) {
		return true
	}
	return slices.ContainsFunc(f.Objects, func(other rules.Object) bool { return sameObject(&other, o) })
}

// serviceAccount begins the user name of a pod's identity: system:serviceaccount:NAMESPACE:NAME.
const serviceAccount = "system:serviceaccount:"

// actorOf reports whether a pod may be who an actor is: of the account's namespace, and named after it.
func actorOf(actor, namespace, pod string) bool {
	rest, ok := strings.CutPrefix(actor, serviceAccount)
	if !ok || pod == "" {
		return false
	}
	ns, name, ok := strings.Cut(rest, ":")
	return ok && ns == namespace && (pod == name || strings.HasPrefix(pod, name+"-"))
}

// loggedBy reports whether log's loop is in the log of a pod that writes the other finding's object.
func (j joiner) loggedBy(log, other *rules.Finding) bool {
	if j.viewOf(log) != viewLog {
		return false
	}
	return slices.ContainsFunc(j.podsOf(log), func(t rules.Target) bool {
		return slices.ContainsFunc(other.Actors, func(actor string) bool { return actorOf(actor, t.Namespace, t.Pod) })
	})
}

// maxNext bounds the commands of a finding that was joined, chosen so that they fit on a screen with the rest: the main view's lead on, each of the others adds its first.
const maxNext = 5

// add gives main what other saw; views have told before.
func (j joiner) add(main, other *rules.Finding, views int) {
	if j.viewOf(other) != j.viewOf(main) {
		main.Confidence = rules.ConfHigh
	}
	if main.Severity.Rank() < other.Severity.Rank() {
		main.Severity = other.Severity
	}
	said := []string{fmt.Sprintf("%s (%s %s)", strings.TrimSuffix(other.Title, "."), other.Rule, other.Name)}
	if j.viewOf(other) == viewCost {
		said[0] += ". " + comparison(main)
	}
	if j.viewOf(other) == j.viewOf(main) { // those of a lesser view say what it can't tell, which main does
		said = append(said, other.Notes...)
	}
	main.Notes = append(main.Notes, said...)
	addEvidence(main, other.Evidence, views)
	if len(main.Next) < maxNext {
		main.Next = addCommands(main.Next, other.Next[:min(len(other.Next), 1)])
	}
	// Who did it is told best by who was asked: the API server. Logs and objects know pods and field managers.
	if j.viewOf(main) == j.viewOf(other) || len(main.Actors) == 0 {
		main.Actors = union([][]string{main.Actors, other.Actors})
	}
	main.Sources = union([][]string{main.Sources, other.Sources})
	main.FirstSeen, main.LastSeen = stamp.Earlier(main.FirstSeen, other.FirstSeen), stamp.Later(main.LastSeen, other.LastSeen)
	if len(main.Pods) == 0 {
		main.Pods, main.PodsTotal = other.Pods, other.PodsTotal
	}
	if main.Object == nil {
		main.Object = other.Object
	}
	if main.Culprit.Function == "" && other.Culprit.Function != "" {
		main.Culprit, main.Path = other.Culprit, other.Path
	}
	for _, o := range append(slices.Clone(other.Objects), objectsOf(other)...) {
		if !speaksOf(main, &o) && len(main.Objects) < rules.MaxEvidenceIDs {
			main.Objects = append(main.Objects, o)
		}
	}
}

// addEvidence puts the first piece of another view behind those of the views before, so that the few that are shown are of all views. Where
// main's pieces tell a course of events, only what comes later joins them.
func addEvidence(main *rules.Finding, more []rules.Evidence, views int) {
	if len(more) == 0 {
		return
	}
	if main.Category == rules.RaceCat || main.Category == rules.PodStorm {
		last := ""
		for _, e := range main.Evidence {
			last = stamp.Later(last, e.Time)
		}
		for _, e := range more {
			if e.Time != "" && !stamp.Before(e.Time, last) {
				main.Evidence, last = append(main.Evidence, e), e.Time
			}
		}
		return
	}
	main.Evidence = slices.Insert(main.Evidence, min(views, len(main.Evidence)), more[0])
	main.Evidence = append(main.Evidence, more[1:]...)
}

// addCommands adds the commands that aren't there yet; what is said about them behind a # doesn't make them others.
func addCommands(all, more []string) []string {
	plain := func(c string) string {
		command, _, _ := strings.Cut(c, "  # ")
		return command
	}
	for _, c := range more {
		if !slices.ContainsFunc(all, func(known string) bool { return plain(known) == plain(c) }) {
			all = append(all, c)
		}
	}
	return all
}

// comparison says what a loop that writes and a profile full of comparing mean together: what decides whether to write never
// finds two objects equal. Two causes are known: a field that is compared and that the API server doesn't keep, because its JSON tag
// drops it (encoding/json, "-") or because no schema knows it, so that what comes back lacks it (the founding case, rancher/fleet); and
// one that is made anew each time.
func comparison(loop *rules.Finding) string {
	what := "what is compared"
	if loop.Object != nil && loop.Object.Kind != "" && !looseKind(loop.Object.Kind) {
		what += " of the " + loop.Object.Kind
	}
	return fmt.Sprintf("A comparison that decides whether to write and never finds two equal: %s holds something that the API server does not give back, "+
		"such as a field that its JSON tag drops (`json:\"-\"`), or something that is new each time", what)
}

func objectsOf(f *rules.Finding) []rules.Object {
	if f.Object == nil {
		return nil
	}
	return []rules.Object{*f.Object}
}
