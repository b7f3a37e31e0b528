package auditlog

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of controllers-fight.
const (
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

// judgeFight is what an alternation amounts to, severity "" for nothing; in a remake one deletes what another creates.
// against is what speaks for another reason, "" for nothing.
func judgeFight(
	t *audit.Trail, f *audit.Fight,
) (severity rules.Severity, confidence rules.Confidence, against string, remake bool) {
	o, a, b := &t.Objects[f.Object], &t.Actors[f.A], &t.Actors[f.B]
	if controlPlane(a) && controlPlane(b) || steadyWrites(t, f) && !addressesUndone(o, f) {
		return "", "", "", false
	}
	// The control plane's answers to a client's writes are its work, except the autoscaler's.
	answers := (controlPlane(a) && !autoscaler(a) || controlPlane(b) && !autoscaler(b)) && !addressesUndone(o, f)
	remakes := f.Deletes[0] >= 3 && f.Creates[1] >= 3 || f.Deletes[1] >= 3 && f.Creates[0] >= 3
	switch {
	case f.Undoing() && f.Switches >= fightSwitches && !answers:
		if f.Gap > fightQuick {
			return rules.Medium, rules.ConfHigh, "", false
		}
		return rules.High, rules.ConfHigh, "", false
	case remakes && f.Switches >= fightSwitches && !answers:
		return rules.High, rules.ConfMedium, "", true
	case answers:
		return "", "", "", false
	case f.Compared, f.Switches < fightBlind, f.Gap > fightBlindGap,
		2*time.Duration(f.Last-f.First)*time.Microsecond > time.Duration(f.Switches)*fightBlindTurn:
		return "", "", "", false
	case f.Last-f.First < fightTask.Microseconds() && t.Last-f.Last > fightWent.Microseconds():
		done := "They took turns for " + span(f.First, f.Last) + " and are done: two that make one object ready do so."
		return rules.Medium, rules.ConfLow, done, false
	case f.Switches >= fightSure && f.Gap <= loopQuick:
		return rules.High, rules.ConfMedium, "", false
	}
	return rules.Medium, rules.ConfMedium, "", false
}

// steadyWrites reports an object that is written all the time by design: a Node is by its kubelet, a Service's
// addresses are by their controller, and neither is by two other clients.
func steadyWrites(t *audit.Trail, f *audit.Fight) bool {
	resource := t.Objects[f.Object].Resource
	ofControlPlane := resource == "nodes" || resource == "endpointslices" || resource == "endpoints"
	return steadyResource(resource) && (!ofControlPlane || controlPlane(&t.Actors[f.A]) || controlPlane(&t.Actors[f.B]))
}

// addressesUndone reports a Service's addresses that go to and fro between the same two values. The control plane
// writes them whenever a pod comes or goes, but to other values each time; a second controller that mirrors or replaces
// them makes it put its own back.
func addressesUndone(o *audit.Object, f *audit.Fight) bool {
	return (o.Resource == "endpoints" || o.Resource == "endpointslices") && f.Undoing() &&
		f.Switches >= 2*fightSwitches && f.Gap <= fightQuick
}

// controllersFight is controllers-undo-each-other (TR761).
func controllersFight(t *audit.Trail, f *audit.Fight) *rules.Finding {
	severity, confidence, against, remakes := judgeFight(t, f)
	if severity == "" {
		return nil
	}
	raw, a, b := &t.Objects[f.Object], &t.Actors[f.A], &t.Actors[f.B]
	o := objectOf(raw)
	n := f.Writes[0] + f.Writes[1]
	sa, sb := short(a.Name()), short(b.Name())
	if sa == sb {
		sa, sb = sa+" ("+phrase.Cut(a.Agent, 20)+")", phrase.Cut(b.Agent, 20)
	}
	out := finding(o, n, f.First, f.Last, slices.Compact([]string{a.Name(), b.Name()})...)
	out.Severity, out.Confidence, out.Next = severity, confidence, nextOf(t, raw)
	if against != "" {
		out.Doubt(against)
	}
	out.Why = fmt.Sprintf("%s (%d writes) and %s (%d) wrote %s in turns, %d times in %s.", sa, f.Writes[0], sb,
		f.Writes[1], objectText(o), f.Switches, span(f.First, f.Last))
	out.Fix = fmt.Sprintf("Let one of %s and %s own %s.", sa, sb, objectText(o))
	switch {
	case f.Undoing():
		c := f.Contested[0]
		out.Title = title("%s and %s fight over %s %s: %s %s / %s", sa, sb, o.Kind, o.Name, c.Path, fieldValue(c.A),
			fieldValue(c.B))
		out.Why += fmt.Sprintf(" %s set %s to %s in %d writes, %s to %s in %d.", sa, c.Path, fieldValue(c.A), c.NA, sb,
			fieldValue(c.B), c.NB)
		out.Fix = fmt.Sprintf("Let one of %s and %s own %s of %s.", sa, sb, c.Path, objectText(o))
	case remakes:
		deleter, maker := sa, sb
		if f.Deletes[1] > f.Deletes[0] {
			deleter, maker = sb, sa
		}
		out.Title = title("%s deletes %s %s, and %s creates it again, over and over", deleter, o.Kind, o.Name, maker)
		out.Why += fmt.Sprintf(" %s deleted it %d times, %s created it %d times.", deleter,
			max(f.Deletes[0], f.Deletes[1]), maker, max(f.Creates[0], f.Creates[1]))
		out.Fix = fmt.Sprintf("Let one of %s and %s decide whether %s exists.", deleter, maker, objectText(o))
	case len(f.Contested) > 0:
		c := f.Contested[0]
		out.Title = title("%s and %s both keep setting %s of %s %s", sa, sb, c.Path, o.Kind, o.Name)
		out.Why += fmt.Sprintf(" Both set %s (%d and %d times), to values that change.", c.Path, c.NA, c.NB)
		out.Fix = fmt.Sprintf("Let one of %s and %s own %s of %s.", sa, sb, c.Path, objectText(o))
	default:
		out.Title = title("%s and %s write %s %s in turns, %s", sa, sb, o.Kind, o.Name, rate(n, f.First, f.Last))
		if raw.Kind == "" && raw.Resource != "secrets" { // bodies have the kind; those of Secrets belong in no log
			out.Notes = append(out.Notes, "The log holds no bodies, and so not which field: log "+raw.Resource+
				" at level Request.")
		}
	}
	for _, c := range f.Contested[min(1, len(f.Contested)):] {
		if c.Undoing {
			out.Notes = append(out.Notes, fmt.Sprintf("They also overwrite each other's %s: %s against %s.", c.Path,
				fieldValue(c.A), fieldValue(c.B)))
		}
	}
	whence(t, &out, f.A, f.B)
	out.Evidence = fightEvidence(t, f)
	return &out
}

// fightEvidence shows how much each wrote and one exchange of blows.
func fightEvidence(t *audit.Trail, f *audit.Fight) []rules.Evidence {
	var out []rules.Evidence
	var seen [2]bool
	sets, shown := [2]string{}, 0
	if f.Undoing() {
		c := f.Contested[0]
		sets = [2]string{", sets " + c.Path + " to " + fieldValue(c.A), ", sets " + c.Path + " to " + fieldValue(c.B)}
	}
	for _, i := range t.ByObject[f.Object] {
		w := &t.Writes[i]
		if i < f.From || i > f.To || !w.OK() || w.Actor != f.A && w.Actor != f.B || len(out) >= maxEvidence-1 {
			continue
		}
		side := 0
		if w.Actor == f.B {
			side = 1
		}
		switch {
		case !seen[side]:
			seen[side] = true
			e := wrote(t, i, f.Writes[side], agentOf(&t.Actors[w.Actor]), sets[side])
			e.Share = partOf(f.Writes[side], t.Objects[f.Object].Writes)
			out = append(out, e)
		case seen[0] && seen[1] && shown < 4:
			shown++
			out = append(out, wrote(t, i, 1, short(t.Actors[w.Actor].Name()), sets[side]))
		}
	}
	return out
}
