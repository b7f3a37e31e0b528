package verdict

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// The views of a cause, in order of how much they show about it.
const (
	viewOther   = iota
	viewCost    // what it costs: a profile's hot functions
	viewLog     // what a program logs about it
	viewObject  // what the objects look like
	viewAudit   // what was done, by whom
	viewProcess // a line of code that fails: a dump, or a heap
)

// viewOf returns the view that a finding is of: the evidence of its rule, for code by its category.
func (j joiner) viewOf(f *rules.Finding) int {
	if !strings.HasPrefix(f.Rule, "TR") {
		return viewOther // what a rule of the user finds stays a finding of its own
	}
	switch view := j.views[f.Rule]; {
	case view == rules.ViewAudit:
		return viewAudit
	case view == rules.ViewObjects:
		return viewObject
	case view == rules.ViewLogs:
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

// podsOf are the pods that a finding's evidence is of.
func (j joiner) podsOf(f *rules.Finding) []rules.Target {
	var all []rules.Target
	add := func(namespace, pod string) {
		if t := (rules.Target{Namespace: namespace, Pod: pod}); pod != "" && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	for _, p := range f.Pods {
		add(p.Namespace, p.Pod)
	}
	if len(all) == 0 {
		for _, e := range f.Evidence {
			add(j.inputs[e.Input].Namespace, j.inputs[e.Input].Pod)
		}
	}
	return all
}

// joins reports whether other shows main's cause in another view.
func (j joiner) joins(main, other *rules.Finding) bool {
	a, b := j.viewOf(main), j.viewOf(other)
	switch {
	case flaps(main) && restarts(other):
		return j.endsOfLeaders(main, other)
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
	}
	return aboutObjects(main) && aboutObjects(other) && j.sameThing(main, other)
}

// sameThing is joins for two findings about objects.
func (j joiner) sameThing(main, other *rules.Finding) bool {
	switch {
	case main.Category == rules.HotLoop && other.Category == rules.HotLoop:
		return sameObject(main.Object, other.Object) || j.sameNamed(main, other) || j.sameNamed(other, main) ||
			j.loggedBy(main, other) || j.loggedBy(other, main)
	case main.Category == other.Category:
		return speaksOf(main, other.Object) || speaksOf(other, main.Object)
	case main.Category == rules.RaceCat || main.Category == rules.PodStorm:
		return speaksOf(main, other.Object) // what hangs or fails of it
	case other.Category == rules.RaceCat || other.Category == rules.PodStorm:
		return speaksOf(other, main.Object)
	}
	return false
}

// compares reports a profile's finding about comparing values: what a controller does before it writes, or to decide
// whether to.
func compares(f *rules.Finding) bool {
	return strings.Contains(f.Name, "equal") || strings.Contains(f.Name, "compar")
}

// sameEnd reports whether both are about how a process ended, or about the memory that it ended of.
func sameEnd(a, b *rules.Finding) bool {
	ends := func(f *rules.Finding) bool { return f.Category == rules.Crash || f.Category == rules.Memory }
	return ends(a) && ends(b)
}

// samePod reports whether a profile's finding is of the pod that a loop is of: the one whose log shows it, or whose
// account writes. Where the profile names no pod and there is but one process, it is taken as that.
func (j joiner) samePod(loop, cost *rules.Finding) bool {
	pods := j.podsOf(cost)
	if len(pods) == 0 {
		return j.only
	}
	return slices.ContainsFunc(pods, func(t rules.Target) bool {
		return slices.Contains(j.podsOf(loop), t) || writes(loop, t)
	})
}

// namesPod reports whether a finding about objects names a pod that process, a finding about code, is of.
func (j joiner) namesPod(object, process *rules.Finding) bool {
	return slices.ContainsFunc(j.podsOf(process), func(t rules.Target) bool {
		return speaksOf(object, &rules.Object{Kind: "Pod", Namespace: t.Namespace, Name: t.Pod}) ||
			speaksOf(object, j.workload(t)) || slices.Contains(j.podsOf(object), t)
	})
}

// workload is the object that a pod is of in the end, its Deployment for instance; nil where the objects don't show it.
func (j joiner) workload(t rules.Target) *rules.Object {
	p := j.cluster.Pod(t.Namespace, t.Pod)
	if p == nil {
		return nil
	}
	top := j.cluster.Top(&p.Meta)
	return &rules.Object{API: top.API, Kind: top.Kind, Namespace: t.Namespace, Name: top.Name}
}

func aboutObjects(f *rules.Finding) bool { return f.Object != nil && f.Object.Name != "" }

// sameObject compares what two findings are about as far as both name it: logs often know no more than a name.
func sameObject(a, b *rules.Object) bool {
	if a == nil || b == nil || a.Name == "" || a.Name != b.Name {
		return false
	}
	return (a.Namespace == b.Namespace || a.Namespace == "" || b.Namespace == "") &&
		(strings.EqualFold(a.Kind, b.Kind) || looseKind(a.Kind) || looseKind(b.Kind))
}

// sameNamed reports whether a log's loop is about an object of the other finding's namespace and name, under a kind of
// the program's own: "App shop/web" for the Application. A well-known kind is another object of that name.
func (j joiner) sameNamed(log, other *rules.Finding) bool {
	a, b := log.Object, other.Object
	_, known := kube.KindOf(a.Kind)
	return j.viewOf(log) == viewLog && j.viewOf(other) != viewLog && a.Namespace != "" && a.Namespace == b.Namespace &&
		a.Name == b.Name && !known
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

// writes reports whether a pod may be one of a finding's actors: of the account's namespace, and named after it.
func writes(f *rules.Finding, t rules.Target) bool {
	return t.Pod != "" && slices.ContainsFunc(f.Actors, func(actor string) bool {
		account, ok := strings.CutPrefix(actor, serviceAccount+t.Namespace+":")
		return ok && strings.HasPrefix(t.Pod+"-", account+"-")
	})
}

// loggedBy reports whether log's loop is in the log of a pod that writes the other finding's object.
func (j joiner) loggedBy(log, other *rules.Finding) bool {
	return j.viewOf(log) == viewLog &&
		slices.ContainsFunc(j.podsOf(log), func(t rules.Target) bool { return writes(other, t) })
}
