package auditlog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runDeleteCreateRace(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Takeovers {
		found = append(found, takeoverFinding(t, &t.Takeovers[i]))
	}
	return found
}

// stuckObjects counts the deleted objects that were still there at the log's end.
func stuckObjects(x []audit.Doomed) int {
	n := 0
	for i := range x {
		if x[i].Finalized < 0 && x[i].Recreated < 0 {
			n++
		}
	}
	return n
}

func takeoverFinding(t *audit.Trail, x *audit.Takeover) rules.Finding {
	rawOwner, raw := &t.Objects[x.Owner], &t.Objects[x.Dependant]
	owner, o := auditObject(rawOwner), auditObject(raw)
	d, w := &t.Writes[x.Delete], &t.Writes[x.Write]
	deleter, writer := t.Actors[d.Actor].Name(), t.Actors[w.Actor].Name()
	f := rules.Finding{
		Object: &o, Actors: []string{writer, deleter}, Count: 1 + len(x.Pending), FirstSeen: auditTime(d.Time),
		LastSeen: auditTime(w.Time),
		Objects:  []rules.Object{owner},
		Title: auditTitle("%s takes over %s %s %s after its owner was deleted", shortActor(writer), o.Kind, o.Name,
			millis(w.Time-d.Time)),
	}
	f.Severity, f.Confidence = takeoverGrade(x)
	f.Why = fmt.Sprintf("%s deleted %s, and it was created again %s later under its name. %s after the deletion %s "+
		"wrote %s, which the old one owned, before the garbage collector came: ",
		deleter, objectText(owner), millis(t.Writes[x.Create].Time-d.Time), millis(w.Time-d.Time), writer,
		objectText(o))
	if x.Proven {
		f.Why += "its owner's uid is the new one's now, so it lived on while what else was deleted went."
	} else {
		f.Why += "it was not deleted afterwards, so it lived on while what else was deleted went."
		f.Notes = append(f.Notes, "That "+objectText(o)+" belonged to "+objectText(owner)+" is told by its name: no "+
			"events show its owner references before and after.")
	}
	f.Evidence = takeoverEvidence(t, x)
	f.Why += aftermath(t, x, &f)
	f.Fix = fmt.Sprintf("Delete %s in the foreground and wait until %s is gone before it is created again; let %s "+
		"refuse to write an object whose owner's uid isn't its own. To mend what hangs: delete %s.",
		objectText(owner), objectText(o), shortActor(writer), repairOf(t, x, o))
	f.Next = append(auditNext(t, raw), pendingNext(t, x.Pending)...)
	return f
}

// takeoverGrade: what hangs makes it high; a proven takeover without harm is reported, an inferred one hardly.
func takeoverGrade(x *audit.Takeover) (rules.Severity, rules.Confidence) {
	switch hangs := len(x.Pending) > 0 || stuckObjects(x.Doomed) > 0; {
	case hangs && x.Proven:
		return rules.High, rules.ConfHigh
	case hangs:
		return rules.High, rules.ConfMedium
	case x.Proven:
		return rules.Medium, rules.ConfHigh
	}
	return rules.Low, rules.ConfLow
}

func takeoverEvidence(t *audit.Trail, x *audit.Takeover) []rules.Evidence {
	d := &t.Writes[x.Delete]
	step := func(i int32, format string, args ...any) rules.Evidence {
		w := &t.Writes[i]
		return auditWrite(t, i, 1, "+%s %s: %s", millis(w.Time-d.Time), shortActor(t.Actors[w.Actor].Name()),
			fmt.Sprintf(format, args...))
	}
	out := []rules.Evidence{step(x.Delete, "%s", requestText(t, x.Delete))}
	if x.Create < x.Write {
		out = append(out, step(x.Create, "%s", requestText(t, x.Create)))
	}
	out = append(out, step(x.Write, "%s: the garbage collector had not come", requestText(t, x.Write)))
	for i := range x.Doomed {
		g := &x.Doomed[i]
		if len(out) >= maxAuditEvidence-1 {
			break
		}
		switch {
		case g.Recreated >= 0:
			out = append(out, step(g.Recreated, "%s: the old one, deleted +%s, was gone", requestText(t, g.Recreated),
				millis(t.Writes[g.Delete].Time-d.Time)))
		case g.Finalized >= 0:
			out = append(out, step(g.Finalized, "%s: its last finalizer, it is gone", requestText(t, g.Finalized)))
		default:
			out = append(out, step(g.Delete, "%s: still there at the log's end", requestText(t, g.Delete)))
		}
	}
	for i := range x.Pending {
		if len(out) == maxAuditEvidence {
			break
		}
		p := &x.Pending[i]
		out = append(out, step(p.Create, "%s: bound to no node until the log's end, %s", requestText(t, p.Create),
			phrase.Seconds(p.For.Seconds())))
	}
	// As times, not as text: RFC 3339 drops the fraction of a whole second.
	slices.SortStableFunc(out, func(a, b rules.Evidence) int { return evidenceTime(a).Compare(evidenceTime(b)) })
	return out
}

// aftermath tells what hung, and names it as the finding's further objects.
func aftermath(t *audit.Trail, x *audit.Takeover, f *rules.Finding) string {
	s := ""
	var gone, stuck []string
	for i := range x.Doomed {
		o := auditObject(&t.Objects[x.Doomed[i].Object])
		f.Objects = append(f.Objects, o)
		if x.Doomed[i].Recreated >= 0 || x.Doomed[i].Finalized >= 0 {
			gone = append(gone, o.Name)
		} else {
			stuck = append(stuck, o.Name)
		}
	}
	if len(gone) > 0 {
		s += " Deleted with it and gone: " + someOf(gone) + "."
	}
	if len(stuck) > 0 {
		s += " Deleted with it and still there at the log's end (a finalizer holds them as long as a pod uses them): " +
			someOf(stuck) + "."
	}
	for i := range x.Pending {
		o := auditObject(&t.Objects[x.Pending[i].Object])
		f.Objects = append(f.Objects, o)
		if i == 0 {
			s += fmt.Sprintf(" %s, created afterwards, was bound to no node in the %s until the log's end.",
				objectText(o), phrase.Seconds(x.Pending[i].For.Seconds()))
			f.LastSeen = auditTime(t.Last)
		}
	}
	f.Objects = f.Objects[:min(len(f.Objects), rules.MaxEvidenceIDs)]
	return s
}

// repairOf names what to delete so that the controllers create it anew: the waiting pod and its claim.
func repairOf(t *audit.Trail, x *audit.Takeover, o rules.Object) string {
	if len(x.Pending) == 0 {
		return objectText(o)
	}
	return objectText(auditObject(&t.Objects[x.Pending[0].Object])) + " with its claim, or " + objectText(o)
}

func someOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func pendingNext(t *audit.Trail, pending []audit.Pending) []rules.Step {
	if len(pending) == 0 {
		return nil
	}
	o := &t.Objects[pending[0].Object]
	target := rules.Target{Namespace: o.Namespace, Pod: o.Name}
	return []rules.Step{target.Describe()}
}

// millis writes a short time: "29 ms", "3.1 s".
func millis(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}

// evidenceTime is the time of a piece of evidence, zero where it has none.
func evidenceTime(e rules.Evidence) time.Time {
	t, err := time.Parse(time.RFC3339Nano, e.Time)
	if err != nil {
		return time.Time{}
	}
	return t
}
