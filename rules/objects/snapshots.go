package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of generations that move between two snapshots. An autoscaler decides every 15 s, and a rollout scales its
// ReplicaSets step by step, which is why these don't count. The bounds are chosen.
const (
	manyGenerations = 30
	fastGeneration  = 5 * time.Second
	certainRespec   = 100
)

// respecs is status-churn of objects whose generation moves: no version between two snapshots was seen, and the API
// server counted them.
func respecs(c *kube.Cluster, m *kube.Meta) (rules.Finding, bool) {
	h := m.History
	if h == nil || h.Generations < manyGenerations || m.Kind == "ReplicaSet" ||
		h.Generations < 2*int64(h.Versions) {
		return respecsSince(c, m)
	}
	from, to := h.From, h.To
	if h.First.Input != h.Last.Input {
		if a, b := c.Taken(h.First.Input), c.Taken(h.Last.Input); !a.IsZero() && b.After(a) {
			from, to = a, b
		}
	}
	span := to.Sub(from)
	if from.IsZero() || span <= 0 || span/time.Duration(h.Generations) > fastGeneration {
		return rules.Finding{}, false
	}
	f := historyFinding(m, h, rules.Medium, rules.ConfMedium)
	if h.Generations >= certainRespec {
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	f.Count = int(h.Generations)
	who, took := "its writer", phrase.Spell(span)
	if len(h.Writers) > 0 {
		who = someNames(h.Writers)
	}
	f.Title = title(m.Ref, fmt.Sprintf("was given a new spec %d times in %s", h.Generations, took))
	f.Why = fmt.Sprintf("metadata.generation of %s, which counts changes to the spec, went from %d to %d in %s.",
		kindName(m.Ref), m.Generation-h.Generations, m.Generation, took)
	f.Fix = fmt.Sprintf("Watch the object to find the field that goes back and forth, and let only one of %s and "+
		"the others own it.", who)
	if i := slices.IndexFunc(h.Fields, func(d kube.Field) bool { return strings.HasPrefix(d.Path, "spec.") }); i >= 0 {
		f.Why += fmt.Sprintf(" %s differs between the two.", h.Fields[i].Path)
		f.Fix = fmt.Sprintf("Find out who besides %s writes %s, and let only one of them own it.",
			who, h.Fields[i].Path)
	} else {
		f.Why += " Both have the same spec: each write is undone."
	}
	f.Notes = []string{"The audit log shows the writers between the two snapshots."}
	return f, true
}

// Bounds of a generation that is high for the age of an object. What is healthy is written a few times when it is made,
// and then by people and rollouts: of 5,161 objects in six healthy bundles the fastest had 62 generations in the 31
// minutes of an installation, one in 30 s.
const (
	oftenSpec  = 100
	quickSpec  = 2 * time.Second
	certainAge = 30 * time.Second
)

// respecsSince is respecs of one version: its generation against its age.
func respecsSince(c *kube.Cluster, m *kube.Meta) (rules.Finding, bool) {
	age := since(c, m.Created)
	if m.Generation < oftenSpec || age < certainAge || age/time.Duration(m.Generation) > quickSpec || m.Gone ||
		m.Kind == "ReplicaSet" || ownHeartbeat(m) {
		return rules.Finding{}, false
	}
	f := finding(m.Ref, rules.Medium, rules.ConfMedium, int(m.Generation), m.Created, c.Time)
	f.Title = title(m.Ref, fmt.Sprintf("was given a new spec %d times in %s", m.Generation, phrase.Spell(age)))
	f.Why = fmt.Sprintf("metadata.generation of %s, which counts changes to the spec, is %d, %s after it was created.",
		kindName(m.Ref), m.Generation, phrase.Spell(age))
	f.Evidence = []rules.Evidence{evidence(m.At, m.Written, int(m.Generation), "%s: generation %d, created at %s%s",
		kindName(m.Ref), m.Generation, phrase.Time(m.Created), phrase.InBrackets(someNames(specWriters(m))))}
	f.Fix = "Watch the object to find the field that changes, and make its writer skip writes that change nothing else."
	f.Next = watchWrites(m.Ref)
	f.Actors = specWriters(m)
	return f, true
}

// specWriters are the managers that wrote anything but the status, without the controllers of Kubernetes where there
// are others: they note what they did in annotations.
func specWriters(m *kube.Meta) []string {
	var all, others []string
	for i := range m.Writers {
		w := &m.Writers[i]
		if w.Subresource == "status" || slices.Contains(all, w.Manager) {
			continue
		}
		if all = append(all, w.Manager); w.Manager != "kube-controller-manager" {
			others = append(others, w.Manager)
		}
	}
	if len(others) > 0 {
		return others
	}
	return all
}

// Bounds of times that move in an object that changes otherwise as well, in a watch: from one version to the next
// nothing but a time moved, this often and this fast. What is healthy dates something else then, or comes every ten
// seconds and more.
const (
	manyMoves    = 20
	certainMoves = 100
	quickMove    = 5 * time.Second
	certainMove  = 2 * time.Second
)

// movesOf is status-churn of an object of which other fields moved too, as they do when it is young.
func movesOf(m *kube.Meta) (rules.Finding, bool) {
	h := m.History
	if h == nil || ownHeartbeat(m) || h.Moves < manyMoves || 4*h.Moves < h.Versions {
		return rules.Finding{}, false
	}
	own := *h
	own.Fields = nil
	for _, f := range h.Fields {
		if f.Alone >= manyMoves && 2*f.Alone >= f.Changes && !kube.Happened(f.Path) &&
			!kube.Heartbeat(f.Path) {
			f.Kind = kube.FieldTime
			own.Fields = append(own.Fields, f)
		}
	}
	if len(own.Fields) == 0 {
		return rules.Finding{}, false
	}
	field := own.Fields[0]
	each := eachMove(&field)
	if each > quickMove {
		return rules.Finding{}, false
	}
	f := historyFinding(m, &own, rules.Medium, rules.ConfMedium)
	if field.Alone >= certainMoves && each <= certainMove {
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	f.Count = field.Alone
	f.Title = churnTitle(m, &own)
	f.Why = fmt.Sprintf("%d of %d versions of %s differ from the one before only in %s", field.Alone, h.Versions,
		kindName(m.Ref), field.Path)
	if each > 0 {
		f.Why += fmt.Sprintf(", one every %s", phrase.Duration(each))
	}
	f.Why += "."
	sayWriter(&f, field.Writers, &field)
	return f, true
}

// eachMove is the mean time between versions in which nothing but a time moved. The values are times themselves: that
// of a field which is set to the present shows when it was written.
func eachMove(f *kube.Field) time.Duration {
	return max(f.To.Sub(f.From), f.LastValue.Sub(f.FirstValue)) / time.Duration(max(f.Alone, 1))
}
