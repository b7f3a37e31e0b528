package auditlog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of controllers-fight.
const (
	// fightPause ends an exchange of writes: controllers answer within seconds, at the latest with their next resync.
	fightPause = 5 * time.Minute
	// fightSide is how often each of the two must have written.
	fightSide = 5
	// fightSwitches is how often the writer must change where a field with two fixed values is known: people and
	// rollouts set a value two or three times.
	fightSwitches = 8
	// fightBlind is the same where the level shows no fields: controllers that share an object by design (conditions of
	// a custom resource, a rollout) take turns some tens of times and end.
	fightBlind = 40
	// fightQuick is up to which median gap alternation is an answer; fightBlindGap where nothing but alternation
	// speaks.
	fightQuick    = time.Minute
	fightBlindGap = 10 * time.Second
	// fightBlindTurn is how long a turn of both may take there: two that write within one second, and then not for
	// twenty, have the same clock.
	fightBlindTurn = 15 * time.Second
	// fightTask is how long two owners take to make one object ready (a machine, a node group, a database: minutes),
	// each patching what it has done; fightWent for how long the log must go on without them for it to be over. Chosen.
	fightTask = 10 * time.Minute
	fightWent = 2 * time.Minute
	// fightSure is how much alternation alone makes a medium confidence.
	fightSure = 100
)

// A fight is two clients that write one object, or its status, in turns.
type fight struct {
	object   int32
	sides    [2]side // the first wrote first
	writes   []int32 // indexes, of both
	switches int     // how often the writer changed, pauses left out
	gap      time.Duration
	fields   []contest // that both set, those with fixed values first
	compared bool      // bodies show which fields the first sets
}

// A side is one of two clients that write an object.
type side struct {
	actor                    int32
	writes, deletes, creates int
}

// A contest is a field that two clients set, with the value that each sets most.
type contest struct {
	path    string
	values  [2]string
	counts  [2]int64
	undoing bool // both values are fixed, and differ
}

// fights are the objects that two clients write in turns: of each the two that write it most.
func fights(t *audit.Trail) []*fight {
	sets := map[int32][]*audit.Set{}
	for i := range t.Sets {
		sets[t.Sets[i].Object] = append(sets[t.Sets[i].Object], &t.Sets[i])
	}
	var all []*fight
	for object, writes := range t.ByObject {
		if len(writes) < 2*fightSide || t.Mixed(writes) {
			continue
		}
		main, status := map[int32][]int32{}, map[int32][]int32{}
		for _, i := range writes {
			switch w := &t.Writes[i]; {
			case !w.OK():
			case t.Texts[w.Sub] == "status":
				status[w.Actor] = append(status[w.Actor], i)
			case w.Sub == 0, t.Texts[w.Sub] == "scale":
				main[w.Actor] = append(main[w.Actor], i)
			}
		}
		for _, by := range []map[int32][]int32{main, status} {
			if f := fightOf(t, by); f != nil {
				f.object = int32(object)
				f.contests(sets[f.object])
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *fight) int {
		return cmp.Or(boolInt(b.undoing())-boolInt(a.undoing()), b.switches-a.switches)
	})
	return all
}

// fightOf is the exchange of the two clients with most writes, nil for none.
func fightOf(t *audit.Trail, by map[int32][]int32) *fight {
	counts := map[int32]int{}
	for actor, writes := range by {
		counts[actor] = len(writes)
	}
	a, _ := most(counts)
	delete(counts, a)
	b, n := most(counts)
	if n < fightSide {
		return nil
	}
	f := &fight{writes: slices.Sorted(slices.Values(slices.Concat(by[a], by[b])))}
	if f.sides = [2]side{{actor: a}, {actor: b}}; t.Writes[f.writes[0]].Actor == b {
		f.sides = [2]side{{actor: b}, {actor: a}}
	}
	var gaps []int64
	for n, i := range f.writes {
		w := &t.Writes[i]
		s := &f.sides[f.sideOf(w)]
		s.writes++
		switch w.Verb {
		case audit.VerbDelete:
			s.deletes++
		case audit.VerbCreate:
			s.creates++
		}
		if n == 0 {
			continue
		}
		before := &t.Writes[f.writes[n-1]]
		if gap := w.Time - before.Time; gap <= fightPause.Microseconds() {
			if gaps = append(gaps, gap); before.Actor != w.Actor {
				f.switches++
			}
		}
	}
	f.gap = audit.Median(gaps)
	if f.switches < fightSwitches {
		return nil
	}
	return f
}

// sideOf is which of the two wrote.
func (f *fight) sideOf(w *audit.Write) int { return boolInt(w.Actor == f.sides[1].actor) }

// contests finds the fields that both set.
func (f *fight) contests(sets []*audit.Set) {
	first := map[string]*audit.Set{}
	for _, s := range sets {
		if s.Actor == f.sides[0].actor {
			first[s.Path] = s
			f.compared = true
		}
	}
	for _, b := range sets {
		a := first[b.Path]
		if b.Actor != f.sides[1].actor || a == nil || a.Time || b.Time || min(a.Count, b.Count) < 3 || counter(b.Path) {
			continue
		}
		va, vb := a.Top(), b.Top()
		if va.Text == vb.Text {
			continue // they agree, or both give it many values
		}
		f.fields = append(f.fields, contest{
			path: b.Path, values: [2]string{va.Text, vb.Text}, counts: [2]int64{a.Count, b.Count},
			// A value is fixed where its setter gives it in two of three writes.
			undoing: 3*va.N >= 2*a.Count && 3*vb.N >= 2*b.Count,
		})
	}
	slices.SortStableFunc(f.fields, func(x, y contest) int {
		return cmp.Or(boolInt(y.undoing)-boolInt(x.undoing), cmp.Compare(min(y.counts[0], y.counts[1]),
			min(x.counts[0], x.counts[1])), cmp.Compare(x.path, y.path))
	})
}

// counter reports a field that counts what happens to the object.
func counter(path string) bool {
	return strings.HasSuffix(path, "observedGeneration") || path == "metadata.deletionTimestamp" ||
		path == "metadata.deletionGracePeriodSeconds"
}

// undoing reports whether a field is known that each of the two sets to its own value again and again.
func (f *fight) undoing() bool { return len(f.fields) > 0 && f.fields[0].undoing }

// remakes reports that one deletes what the other creates.
func (f *fight) remakes() bool {
	a, b := f.sides[0], f.sides[1]
	return a.deletes >= 3 && b.creates >= 3 || b.deletes >= 3 && a.creates >= 3
}

// judge is what an alternation amounts to, severity "" for nothing; against is what speaks for another reason.
func (f *fight) judge(t *audit.Trail) (severity rules.Severity, confidence rules.Confidence, against string) {
	resource := t.Objects[f.object].Resource
	a, b := &t.Actors[f.sides[0].actor], &t.Actors[f.sides[1].actor]
	planes := boolInt(controlPlane(a)) + boolInt(controlPlane(b))
	// A Service's addresses are written by the control plane whenever a pod comes or goes, but to other values each
	// time; a second controller that mirrors or replaces them makes it put its own back.
	addresses := resource == "endpoints" || resource == "endpointslices"
	undone := addresses && f.undoing() && f.switches >= 2*fightSwitches && f.gap <= fightQuick
	// A Node is written all the time by its kubelet, and by no two other clients.
	steady := steadyResource(resource) && (planes > 0 || !addresses && resource != "nodes")
	// The control plane's answers to a client's writes are its work, except the autoscaler's.
	answers := controlPlane(a) && !autoscaler(a) || controlPlane(b) && !autoscaler(b)
	lasts := time.Duration(t.Writes[f.writes[len(f.writes)-1]].Time-t.Writes[f.writes[0]].Time) * time.Microsecond
	switch last := t.Writes[f.writes[len(f.writes)-1]].Time; {
	case planes == 2, (steady || answers) && !undone:
	case f.undoing() && f.gap > fightQuick:
		return rules.Medium, rules.ConfHigh, ""
	case f.undoing():
		return rules.High, rules.ConfHigh, ""
	case f.remakes():
		return rules.High, rules.ConfMedium, ""
	case f.compared, f.switches < fightBlind, f.gap > fightBlindGap,
		2*lasts > time.Duration(f.switches)*fightBlindTurn:
	case lasts < fightTask && t.Last-last > fightWent.Microseconds():
		return rules.Medium, rules.ConfLow, "They alternated for " + phrase.Seconds(lasts.Seconds()) +
			" and stopped: two controllers that set up one object do that."
	case f.switches >= fightSure && f.gap <= loopQuick:
		return rules.High, rules.ConfMedium, ""
	default:
		return rules.Medium, rules.ConfMedium, ""
	}
	return "", "", ""
}

// foughtOver are the objects, with a client, that another one writes in turns with it: that is a finding of its own.
func foughtOver(t *audit.Trail) map[[2]int32]bool {
	turns := map[[2]int32]bool{}
	for _, f := range fights(t) {
		if severity, _, _ := f.judge(t); severity != "" {
			turns[[2]int32{f.object, f.sides[0].actor}], turns[[2]int32{f.object, f.sides[1].actor}] = true, true
		}
	}
	return turns
}

// controllersFight is controllers-undo-each-other (TR761).
func controllersFight(t *audit.Trail) (found []rules.Finding) {
	for _, f := range fights(t) {
		if severity, confidence, against := f.judge(t); severity != "" {
			out := f.finding(t)
			out.Severity, out.Confidence = severity, confidence
			if against != "" {
				out.Doubt(against)
			}
			found = append(found, out)
		}
	}
	return found
}

func (f *fight) finding(t *audit.Trail) rules.Finding {
	raw, a, b := &t.Objects[f.object], &t.Actors[f.sides[0].actor], &t.Actors[f.sides[1].actor]
	o, n := objectOf(raw), len(f.writes)
	first, last := t.Writes[f.writes[0]].Time, t.Writes[f.writes[n-1]].Time
	sa, sb := short(a.Name()), short(b.Name())
	if sa == sb {
		sa, sb = sa+" ("+phrase.Cut(a.Agent, 20)+")", phrase.Cut(b.Agent, 20)
	}
	out := finding(o, n, first, last, slices.Compact([]string{a.Name(), b.Name()})...)
	out.Next = nextOf(t, raw)
	out.Why = fmt.Sprintf("%s (%d writes) and %s (%d) alternated on %s, %d times in %s.", sa, f.sides[0].writes, sb,
		f.sides[1].writes, o.Text(), f.switches, span(first, last))
	out.Fix = fmt.Sprintf("Let only one of %s and %s own %s.", sa, sb, o.Text())
	var sets [2]string
	switch {
	case f.undoing():
		c := f.fields[0]
		va, vb := fieldValue(c.values[0]), fieldValue(c.values[1])
		sets = [2]string{", sets " + c.path + " to " + va, ", sets " + c.path + " to " + vb}
		out.Title = title("%s and %s fight over %s %s: %s %s / %s", sa, sb, o.Kind, o.Name, c.path, va, vb)
		out.Why += fmt.Sprintf(" %s set %s to %s in %d writes, %s to %s in %d.", sa, c.path, va, c.counts[0], sb, vb,
			c.counts[1])
		out.Fix = fmt.Sprintf("Let only one of %s and %s own %s of %s.", sa, sb, c.path, o.Text())
	case f.remakes():
		deleter, maker, d, m := sa, sb, f.sides[0], f.sides[1]
		if m.deletes > d.deletes {
			deleter, maker, d, m = sb, sa, m, d
		}
		out.Title = title("%s deletes %s %s, and %s recreates it, over and over", deleter, o.Kind, o.Name, maker)
		out.Why += fmt.Sprintf(" %s deleted it %d times, %s created it %d times.", deleter, d.deletes, maker, m.creates)
		out.Fix = fmt.Sprintf("Let only one of %s and %s decide whether %s exists.", deleter, maker, o.Text())
	default:
		out.Title = title("%s and %s alternate on %s %s, %s", sa, sb, o.Kind, o.Name, rate(n, first, last))
		if raw.Kind == "" && raw.Resource != "secrets" { // bodies have the kind; those of Secrets belong in no log
			out.Notes = append(out.Notes, "The log has no bodies, so it doesn't show the field: log "+raw.Resource+
				" at level Request.")
		}
	}
	for _, c := range f.fields[min(1, len(f.fields)):min(4, len(f.fields))] {
		if c.undoing {
			out.Notes = append(out.Notes, fmt.Sprintf("They also overwrite each other's %s: %s against %s.", c.path,
				fieldValue(c.values[0]), fieldValue(c.values[1])))
		}
	}
	whence(t, &out, f.sides[0].actor, f.sides[1].actor)
	out.Evidence = f.evidence(t, sets)
	return out
}

// evidence shows how much each wrote and the first exchange of blows.
func (f *fight) evidence(t *audit.Trail, sets [2]string) (out []rules.Evidence) {
	const shown = 6
	seen := [2]bool{}
	for _, i := range f.writes {
		w := &t.Writes[i]
		n := f.sideOf(w)
		switch s := &f.sides[n]; {
		case len(out) == shown:
		case !seen[n]:
			seen[n] = true
			e := wrote(t, i, s.writes, agentOf(&t.Actors[w.Actor]), sets[n])
			e.Share = partOf(s.writes, t.Objects[f.object].Writes)
			out = append(out, e)
		case seen[1]:
			out = append(out, wrote(t, i, 1, short(t.Actors[w.Actor].Name()), sets[n]))
		}
	}
	return out
}

// most is the most frequent of the keys, the smallest of several.
func most[K cmp.Ordered](n map[K]int) (key K, count int) {
	for k, c := range n {
		if c > count || c == count && k < key {
			key, count = k, c
		}
	}
	return key, count
}
