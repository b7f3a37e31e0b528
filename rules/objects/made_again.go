package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/objectname"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of an object that is made again under its name. A pipeline that deploys by deleting first does it once a run;
// pods of a StatefulSet are made again under their names, and have an owner. The bounds are chosen.
const (
	madeAgain    = 8
	oftenAgain   = 30
	againPeriod  = 30 * time.Second
	quickAgain   = 5 * time.Second
	maxMadeAgain = 5 // findings
)

// madeByKubernetes are owners whose own controllers make things under one name again.
var madeByKubernetes = []string{"StatefulSet", "Node", "Job", "CronJob", "Service", "DaemonSet", "ReplicaSet"}

// runMadeAgain is made-again (TR756).
func runMadeAgain(c *kube.Cluster) []rules.Finding {
	type key struct{ api, kind, namespace, name, owner string }
	var lives grouping[key, *kube.Meta]
	everyMeta(c, func(m *kube.Meta) {
		// What has an owner goes with it: only that of one owner all the time is made again for its own sake.
		if m.UID != "" && (!m.Owned || m.Owner.UID != "") && !slices.Contains(madeByKubernetes, m.Owner.Kind) &&
			m.Kind != "Endpoints" && !m.Created.IsZero() {
			lives.add(key{m.API, m.Kind, m.Namespace, m.Name, m.Owner.UID}, m)
		}
	})
	var found []rules.Finding
	for _, k := range lives.keys {
		if ms := lives.values[k]; len(ms) >= madeAgain && len(found) < maxMadeAgain {
			if f, ok := madeAgainOf(ms); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

func madeAgainOf(ms []*kube.Meta) (rules.Finding, bool) {
	slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Created.Compare(b.Created) })
	first, last, n := ms[0], ms[len(ms)-1], len(ms)
	if slices.ContainsFunc(ms[:n-1], func(m *kube.Meta) bool { return !m.Gone || m.Replaced }) {
		return rules.Finding{}, false // objects of several clusters in one folder have one name too
	}
	span := last.Created.Sub(first.Created)
	var gaps []time.Duration
	for i, m := range ms[1:] {
		gaps = append(gaps, m.Created.Sub(ms[i].Created))
	}
	slices.Sort(gaps)
	period := gaps[len(gaps)/2] // the first may have been there for long
	if period > againPeriod {
		return rules.Finding{}, false
	}
	f := finding(last.Ref, rules.Medium, rules.ConfHigh, n, first.Created, last.Created)
	if n >= oftenAgain && period <= quickAgain {
		f.Severity = rules.High
	}
	f.Title = title(last.Ref, fmt.Sprintf("was made %d times in %s, and deleted each time", n, phrase.Spell(span)),
		fmt.Sprintf("was made %d times in %s", n, phrase.Spell(span)))
	f.Why = fmt.Sprintf("%d objects, each with a UID of its own, have had the name %s one after the other, one every "+
		"%s: one client deletes what another one creates again at once.", n, kindName(last.Ref),
		phrase.Duration(period))
	for _, m := range []*kube.Meta{first, ms[n/2], last} {
		f.Evidence = append(f.Evidence, evidence(m.At, m.Created, 1, "%s with UID %s%s", kindName(m.Ref), m.UID,
			madeBy(m)))
	}
	f.Evidence[0].Count = n
	f.Fix = "Find what deletes it and what creates it (the audit log shows both), and let one of them decide whether " +
		"it exists."
	f.Next = rules.Commands(kubectlOn(last.Ref, "get", "-w -o json --show-managed-fields --output-watch-events"))
	f.Notes = []string{"Objects do not show what deletes them: the API server's audit log does (`triage audit`)."}
	return f, true
}

// Bounds of objects that one client makes and deletes. A namespace's own objects come and go with it, by the dozen; the
// pods and Jobs of controllers have owners.
const (
	shortLived  = 100
	shortMinute = 60
	// knownShortLived is more than the Secrets of a large pipeline (150, one a job); the fault that was measured made
	// 307.
	knownShortLived = 200
	hugeShortLived  = 1000
)

// runShortLived is short-lived-objects (TR757).
func runShortLived(c *kube.Cluster) []rules.Finding {
	type key struct{ api, kind, namespace, stem string }
	var groups grouping[key, *kube.Meta]
	everyMeta(c, func(m *kube.Meta) {
		stem, ok := objectname.Stem(m.Name)
		if i := strings.LastIndexByte(m.Name, '-') + 1; !ok {
			stem, ok = m.Name[:i], i > 1
		}
		if m.Gone && !m.Owned && !m.Created.IsZero() && ok && !byDesign(m) {
			groups.add(key{m.API, m.Kind, m.Namespace, stem}, m)
		}
	})
	var found []rules.Finding
	for _, k := range groups.keys {
		ms := groups.values[k]
		if len(ms) < shortLived {
			continue
		}
		slices.SortStableFunc(ms, func(a, b *kube.Meta) int { return a.Created.Compare(b.Created) })
		if minute := densest(ms, time.Minute); minute >= shortMinute {
			found = append(found, shortLivedOf(ms, k.stem, minute))
		}
	}
	return found
}

func shortLivedOf(ms []*kube.Meta, stem string, minute int) rules.Finding {
	first, last, n := ms[0], ms[len(ms)-1], len(ms)
	span := phrase.Spell(last.Created.Sub(first.Created))
	f := finding(last.Ref, rules.Medium, rules.ConfMedium, n, first.Created, last.Created)
	switch {
	case n >= hugeShortLived:
		f.Severity = rules.High
	case n < knownShortLived:
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
	}
	f.Title = title(last.Ref, fmt.Sprintf("and %d more like it were made and deleted in %s", n-1, span))
	f.Why = fmt.Sprintf("%s were made within %s, up to %d in a minute, and are gone again; none of them has an owner. "+
		"Each costs two writes in etcd and two events for every watcher of the kind.", alike(n, last.Ref, stem), span,
		minute)
	for _, m := range []*kube.Meta{first, ms[n/2], last} {
		f.Evidence = append(f.Evidence, evidence(m.At, m.Created, 1, "%s, gone%s", kindName(m.Ref), madeBy(m)))
	}
	f.Evidence[0].Count = n
	f.Fix = "Find what creates them (the audit log, managedFields), and let it keep one object, or none, for what it " +
		"tries."
	f.Next = rules.Commands(kubectlIn(last.Namespace, "get "+rules.Quote(kubeResource(last.Ref))+
		" -w -o json --show-managed-fields --output-watch-events"))
	return f
}
