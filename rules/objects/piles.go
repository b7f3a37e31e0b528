package objects

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/objectname"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of a CronJob whose Jobs pile up. Its default keeps three finished Jobs; one whose runs overlap has two or
// three at work. The bounds are chosen.
const (
	fewActive  = 5
	pileActive = 8
	manyActive = 50
)

// runCronPile is cronjob-pile-up (TR749).
func runCronPile(c *kube.Cluster) []rules.Finding {
	jobs := map[[2]string][]*kube.Workload{}
	for _, w := range c.Workloads {
		if w.Kind == "Job" && !w.Gone && w.Owner.Kind == "CronJob" {
			jobs[[2]string{w.Namespace, w.Owner.Name}] = append(jobs[[2]string{w.Namespace, w.Owner.Name}], w)
		}
	}
	var found []rules.Finding
	for _, w := range c.Workloads {
		if w.Kind != "CronJob" || w.Gone || !w.Deleted.IsZero() {
			continue
		}
		if f, ok := cronPile(c, w, jobs[[2]string{w.Namespace, w.Name}]); ok {
			found = append(found, f)
		}
	}
	return found
}

// finishedAt is when a Job ended; zero where it has not.
func finishedAt(w *kube.Workload) (at time.Time, ok bool) {
	for _, typ := range []string{"Complete", "Failed"} {
		if d := kube.Find(w.Conditions, typ); d != nil && d.Status == "True" {
			return d.Since, true
		}
	}
	return time.Time{}, false
}

// unfinished are the Jobs that have not ended, and when the last of the others did.
func unfinished(jobs []*kube.Workload) (active []*kube.Workload, lastEnd time.Time) {
	for _, j := range jobs {
		at, ok := finishedAt(j)
		if !ok {
			active = append(active, j)
		} else if at.After(lastEnd) {
			lastEnd = at
		}
	}
	return active, lastEnd
}

func cronPile(c *kube.Cluster, w *kube.Workload, jobs []*kube.Workload) (rules.Finding, bool) {
	active, lastEnd := unfinished(jobs)
	n := max(int(w.Active), len(active))
	if n < fewActive {
		return rules.Finding{}, false
	}
	slices.SortStableFunc(active, func(a, b *kube.Workload) int { return a.Created.Compare(b.Created) })
	oldest := w.Created
	if len(active) > 0 {
		oldest = active[0].Created
	}
	// A CronJob that keeps no finished Jobs shows by its status alone that they end.
	if w.LastSuccess.After(lastEnd) && (len(active) > 0 || since(c, w.LastSuccess) < time.Hour) {
		lastEnd = w.LastSuccess
	}
	f := finding(w.Ref, rules.Medium, rules.ConfMedium, n, oldest, c.Time)
	switch {
	case n < pileActive && lastEnd.IsZero() && often(w): // not one has ended since it was made
	case n < pileActive, lastEnd.After(oldest): // some end: its runs are longer than their interval, on purpose perhaps
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
	case n >= manyActive:
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	f.Title = title(w.Ref, fmt.Sprintf("has %d unfinished Jobs at once", n))
	if !lastEnd.After(oldest) {
		f.Title = title(w.Ref, fmt.Sprintf("has %d unfinished Jobs at once: none of them ends", n),
			fmt.Sprintf("has %d unfinished Jobs at once", n))
	}
	f.Why = fmt.Sprintf("CronJob %s/%s (%s) has %d Jobs that have not ended", w.Namespace, w.Name, w.Schedule, n)
	if len(active) > 0 {
		f.Why += ", the oldest for " + phrase.Spell(since(c, oldest))
	}
	if w.Concurrency == "Allow" {
		f.Why += "; its concurrencyPolicy is Allow, so each run adds one"
	}
	f.Why += "."
	if pods, waiting := podsOf(c, active); pods > 0 {
		f.Why += fmt.Sprintf(" %s of them in the inputs, %d Pending.", phrase.Count(pods, "pod"), waiting)
	}
	f.Fix = "Find why its runs don't end (log of the oldest pod), give the Jobs an activeDeadlineSeconds, and set " +
		"concurrencyPolicy to Forbid."
	if w.Concurrency == "Forbid" {
		f.Fix = "Find what creates its Jobs besides the CronJob, whose concurrencyPolicy is Forbid, and why they " +
			"don't end."
	}
	f.Evidence = []rules.Evidence{evidence(w.At, w.Written, n, "CronJob: schedule %s, concurrencyPolicy %s, %d active",
		w.Schedule, w.Concurrency, w.Active)}
	for _, j := range active[:min(len(active), maxObjectEvidence-1)] {
		f.Evidence = append(f.Evidence, evidence(j.At, j.Created, 1, "%s: not ended, %d active", kindName(j.Ref),
			j.Active))
	}
	f.Next = rules.Commands(kubectlIn(w.Namespace, "get jobs --sort-by=.metadata.creationTimestamp"),
		kubectlOn(w.Ref, "describe", ""))
	f.Next = append(f.Next, rules.Step{Command: kubectlOn(w.Ref, "patch", "-p '{\"spec\":{\"suspend\":true}}'"),
		Comment: "stops new runs", Changes: true})
	return f, true
}

// oftenRun is the longest period of a CronJob whose runs are short by intent.
const oftenRun = 10 * time.Minute

func often(w *kube.Workload) bool {
	period := cronPeriod(w.Schedule)
	return period > 0 && period <= oftenRun
}

// podsOf counts the pods of Jobs that the inputs hold, and those of them that have not started.
func podsOf(c *kube.Cluster, jobs []*kube.Workload) (pods, waiting int) {
	names := map[[2]string]bool{}
	for _, j := range jobs {
		names[[2]string{j.Namespace, j.Name}] = true
	}
	for _, p := range c.Pods {
		if p.Owner.Kind == "Job" && !p.Gone && names[[2]string{p.Namespace, p.Owner.Name}] {
			pods++
			if p.Phase == "Pending" {
				waiting++
			}
		}
	}
	return pods, waiting
}

// Bounds of a pile of alike objects. A program that sets up tenants makes some 150 of a kind once, with names that say
// for whom they are; what piles up has names that were made up, and goes on until it is looked at.
const (
	pileObjects = 200
	// pileMinute is how many were made within a minute at the worst: a build system that keeps its runs makes a few.
	pileMinute = 60
	hugePile   = 1000
	// pileSteady is for how long a pile has grown evenly at least that has no such minute, made by a client that makes
	// a few each time: 200 in the last twice that time. Chosen.
	pileSteady = 10 * time.Minute
	// pileFresh is how long ago the last one may have been made (chosen).
	pileFresh = 10 * time.Minute
)

// runOwnerlessPile is ownerless-pile (TR750).
func runOwnerlessPile(c *kube.Cluster) []rules.Finding {
	type key struct{ api, kind, namespace, stem string }
	var groups grouping[key, *kube.Meta]
	everyMeta(c, func(m *kube.Meta) {
		if m.Gone || m.Owned || m.Owner.Kind != "" || m.Created.IsZero() || byDesign(m) {
			return
		}
		if stem, ok := generatedStem(m); ok {
			groups.add(key{m.API, m.Kind, m.Namespace, stem}, m)
		}
	})
	var found []rules.Finding
	for _, k := range groups.keys {
		if ms := groups.values[k]; len(ms) >= pileObjects {
			if f, ok := pileOf(c, k.stem, ms); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

// byDesign reports objects that are many and have no owner by design: the work of a test matrix or a workflow, the
// requests of nodes that join, and what a tool applies from a declared set.
func byDesign(m *kube.Meta) bool {
	return m.Managed || slices.Contains([]string{"Job", "Pod", "CertificateSigningRequest"}, m.Kind)
}

// generatedStem is the part of a name that an object's maker gave, where the rest was made up: by the API server
// (generateName), or a hash or a random word at the end. ok is false for a name that says something to its end.
func generatedStem(m *kube.Meta) (stem string, ok bool) {
	if m.GenerateName != "" {
		return m.GenerateName, true
	}
	return objectname.Stem(m.Name)
}

func pileOf(c *kube.Cluster, stem string, ms []*kube.Meta) (rules.Finding, bool) {
	slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Created.Compare(b.Created) })
	first, last := ms[0], ms[len(ms)-1]
	minute := densest(ms, time.Minute)
	if minute < pileMinute && !growsSteadily(c, ms) {
		return rules.Finding{}, false
	}
	n := len(ms)
	f := finding(last.Ref, rules.Medium, rules.ConfMedium, n, first.Created, last.Created)
	switch {
	case since(c, last.Created) > pileFresh:
		f.Severity, f.Confidence = rules.Low, rules.ConfLow // it was made once, some time ago
	case n >= hugePile:
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	span := phrase.Spell(last.Created.Sub(first.Created))
	short := fmt.Sprintf("%d objects like %s %s have no owner", n, last.Kind, last.Name)
	f.Title = rules.FirstTitle(phrase.Fit(short, phrase.MaxTitle),
		fmt.Sprintf("%s %s: %d alike without an owner, made in %s", last.Kind, last.Name, n, span))
	f.Why = fmt.Sprintf("%s were made in %s, up to %d in a minute, and none of them has an owner: when what they are "+
		"for is gone, nobody deletes them.", alike(n, last.Ref, stem), span, minute)
	for _, m := range []*kube.Meta{first, ms[len(ms)/2], last} {
		f.Evidence = append(f.Evidence, evidence(m.At, m.Created, 1, "%s, no ownerReferences%s", kindName(m.Ref),
			madeBy(m)))
	}
	f.Evidence[0].Count = n
	if last.WrittenBy != nil {
		f.Actors = []string{last.WrittenBy.Manager}
		f.Why += " The writer is " + last.WrittenBy.Manager + "."
	}
	f.Fix = "Find what creates them (managedFields, the audit log) and why it does not find what it made before: " +
		"give each object a name that follows from what it is for, and an owner."
	f.Next = rules.Commands(kubectlIn(last.Namespace,
		"get "+rules.Quote(kubeResource(last.Ref))+" --sort-by=.metadata.creationTimestamp | tail"),
		kubectlOn(last.Ref, "get", "-o yaml --show-managed-fields"))
	return f, true
}

// growsSteadily reports a pile of which each third of the last minutes, twice pileSteady at most, has a quarter of what
// they made, and that grew until the objects were read.
func growsSteadily(c *kube.Cluster, ms []*kube.Meta) bool {
	last := ms[len(ms)-1].Created
	from, _ := slices.BinarySearchFunc(ms, last.Add(-2*pileSteady), func(m *kube.Meta, at time.Time) int {
		return m.Created.Compare(at)
	})
	ms = ms[from:]
	span := last.Sub(ms[0].Created)
	if len(ms) < pileObjects || span < pileSteady || since(c, last) > time.Minute {
		return false
	}
	var thirds [3]int
	for _, m := range ms {
		thirds[min(int(3*m.Created.Sub(ms[0].Created)/span), 2)]++
	}
	return 4*min(thirds[0], thirds[1], thirds[2]) >= len(ms)
}

func where(namespace string) string {
	if namespace == "" {
		return ""
	}
	return namespace + "/"
}

// alike names objects whose names begin alike: "240 ConfigMaps (checks/probe-…)".
func alike(n int, r kube.Ref, stem string) string {
	return phrase.Count(n, r.Kind) + " (" + where(r.Namespace) + stem + "…)"
}

// madeBy names the writer of an object.
func madeBy(m *kube.Meta) string {
	if m.WrittenBy == nil {
		return ""
	}
	return ", written by " + m.WrittenBy.Manager
}

// densest is the most objects that were created within a window.
func densest(ms []*kube.Meta, window time.Duration) int {
	most, from := 0, 0
	for i, m := range ms {
		for m.Created.Sub(ms[from].Created) > window {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}
