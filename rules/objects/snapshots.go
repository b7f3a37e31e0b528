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

// metNow is how long before it was collected a version that is written all the time was written: what a resync writes
// every 10 minutes is met twice within it in one of 900 objects.
const metNow = 20 * time.Second

// metTwice reports two versions of an object that is not new, each of which was written just before it was collected,
// though nothing but times moved between them and the two were not collected at once.
func metTwice(m *kube.Meta) bool {
	h := m.History
	if len(h.Writers) == 0 || h.FromTaken.IsZero() || h.ToTaken.Sub(h.FromTaken) < metNow ||
		h.From.Sub(m.Created) < settled {
		return false
	}
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime || kube.Heartbeat(f.Path) || kube.Happened(f.Path) {
			return false
		}
	}
	return h.FromTaken.Sub(h.From).Abs() <= metNow && h.ToTaken.Sub(h.To).Abs() <= metNow
}

// setNow is how old the value of a time may be where it is set to the present all the time, and setApart how far apart
// the two lists must be: a timer of 10 s is met twice so in one of 11 objects. setTogether is how old it may be where
// all of at least setMany objects of a kind are met so, whatever the field is called: the loops that were measured
// write one to twenty times a second, and a timer that writes every few seconds is met once in ten times. Chosen.
const (
	setNow      = 3 * time.Second
	setApart    = 20 * time.Second
	setTogether = time.Second
	setMany     = 5
)

// valuesNow reports two versions in which all times that moved were at most old when the versions were collected, apart
// or more: it needs no managed fields. Other kinds of objects date the collections.
func valuesNow(h *kube.History, old, apart time.Duration, beats bool) bool {
	if h.FromTaken.IsZero() || h.ToTaken.Sub(h.FromTaken) < apart || len(h.Fields) == 0 {
		return false
	}
	now := func(taken, value time.Time) bool {
		age := taken.Sub(value)
		return !value.IsZero() && age <= old && age >= -setNow
	}
	for _, f := range h.Fields {
		if f.Kind != kube.FieldTime || locks(f.Path) || !beats && (kube.Heartbeat(f.Path) || kube.Happened(f.Path)) ||
			!now(h.FromTaken, f.FirstValue) || !now(h.ToTaken, f.LastValue) {
			return false
		}
	}
	return true
}

// setTwice reports an object that is not new, whose times were set to the present just before each of two collections.
func setTwice(m *kube.Meta) bool {
	return m.History.FromTaken.Sub(m.Created) >= settled && valuesNow(m.History, setNow, setApart, false)
}

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
	if !h.FromTaken.IsZero() && h.ToTaken.After(h.FromTaken) {
		from, to = h.FromTaken, h.ToTaken
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
	who := "its writer"
	if len(h.Writers) > 0 {
		who = someNames(h.Writers)
	}
	f.Title = title(m.Ref, fmt.Sprintf("was given a new spec %d times in %s", h.Generations, phrase.Spell(span)))
	f.Why = fmt.Sprintf("metadata.generation of %s moved from %d to %d between two versions that are %s apart: the "+
		"API server counts each change of the spec.", kindName(m.Ref), m.Generation-h.Generations, m.Generation,
		phrase.Spell(span))
	var fields []string
	for _, d := range h.Fields {
		if strings.HasPrefix(d.Path, "spec.") {
			fields = append(fields, d.Path)
		}
	}
	if len(fields) > 0 {
		f.Why += fmt.Sprintf(" Between the two %s differ.", someNames(fields))
		f.Fix = fmt.Sprintf("Find what %s computes %s from, and who else writes it: let one of them own it.", who,
			fields[0])
	} else {
		f.Why += " Both have the same spec: what is written is taken back each time."
		f.Fix = fmt.Sprintf("Watch the object (below) for the field that goes back and forth, and let one of %s and "+
			"the others own it.", who)
	}
	f.Notes = []string{"The audit log shows the writers between the two snapshots; managedFields name the last " +
		"writer of each field only."}
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
	f.Title = title(m.Ref, fmt.Sprintf("was given a new spec %d times in the %s since it was made", m.Generation,
		phrase.Spell(age)), fmt.Sprintf("was given a new spec %d times in %s", m.Generation, phrase.Spell(age)))
	f.Why = fmt.Sprintf("metadata.generation of %s is %d, and it was made %s before: the API server counts each "+
		"change of the spec.", kindName(m.Ref), m.Generation, phrase.Spell(age))
	f.Evidence = []rules.Evidence{evidence(m.At, m.Written, int(m.Generation), "%s: generation %d, made at %s%s",
		kindName(m.Ref), m.Generation, kubeTime(m.Created), phrase.InBrackets(someNames(specWriters(m))))}
	f.Fix = "Watch the object (below) for the field that moves, and let its writer skip the write where " +
		"nothing has changed."
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
			(!kube.Heartbeat(f.Path) || racingMoves(&f)) {
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
	if field.Alone >= certainMoves && each <= certainMove && !kube.Heartbeat(field.Path) {
		f.Severity, f.Confidence = rules.High, rules.ConfHigh
	}
	f.Count = field.Alone
	f.Title = churnTitle(m, &own)
	who := "its controller"
	if len(field.Writers) > 0 {
		who = someNames(field.Writers)
	}
	f.Why = fmt.Sprintf("Of %d versions of %s %d differ from the one before in nothing but %s", h.Versions,
		kindName(m.Ref), field.Alone, field.Path)
	if each > 0 {
		f.Why += fmt.Sprintf(", one in %s", phrase.Duration(each))
	}
	f.Why += fmt.Sprintf(". The writer is %s: it writes a new time, sees its own write in its watch, and starts over.",
		who)
	f.Fix = fmt.Sprintf("In %s: set %s only when what it dates has changed, and skip the write where nothing else "+
		"differs from what was read back.", who, field.Path)
	if len(field.Writers) == 0 {
		f.Notes = append(f.Notes, "The inputs do not hold managedFields: the audit log shows the writer, or kubectl "+
			"get --show-managed-fields.")
	}
	return f, true
}

// eachMove is the mean time between versions in which nothing but a time moved. The values are times themselves: that
// of a field which is set to the present shows when it was written.
func eachMove(f *kube.Field) time.Duration {
	return max(f.To.Sub(f.From), f.LastValue.Sub(f.FirstValue)) / time.Duration(max(f.Alone, 1))
}

// racingMoves reports a field with a heartbeat's name (lastChecked, lastSyncTime) that moves beatVersions times and
// more than once a second. What polls does so every few seconds at the fastest: none of 22 healthy days moves one so,
// and loops write 10 to 20 times a second.
func racingMoves(f *kube.Field) bool {
	each := eachMove(f)
	return f.Alone >= beatVersions && each > 0 && each <= time.Second && !locks(f.Path)
}
