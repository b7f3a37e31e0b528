package auditlog

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// stuck reports whether a deleted object was still there at the log's end.
func stuck(x audit.Doomed) bool { return x.Finalized < 0 && x.Recreated < 0 }

// runTakeovers is delete-create-race (TR762).
// It reports takeovers, and those of which the log holds one half.
func runTakeovers(t *audit.Trail) []rules.Finding {
	found := each(takeovers, deleteCreateRace)(t)
	for i := range t.Adoptions {
		if a := &t.Adoptions[i]; !controlPlane(&t.Actors[a.Actor]) {
			found = append(found, *adoptedAgain(t, a))
		}
	}
	return found
}

// deleteCreateRace judges a takeover.
func deleteCreateRace(t *audit.Trail, x *audit.Takeover) *rules.Finding {
	rawOwner, raw := &t.Objects[x.Owner], &t.Objects[x.Dependant]
	owner, o := objectOf(rawOwner), objectOf(raw)
	d, w := &t.Writes[x.Delete], &t.Writes[x.Write]
	deleter, writer := t.Actors[d.Actor].Name(), t.Actors[w.Actor].Name()
	later := millis(w.Time - d.Time)
	f := finding(o, 1+len(x.Pending), d.Time, w.Time, writer, deleter)
	f.Objects = []rules.Object{owner}
	f.Title = title("%s takes over %s %s %s after its owner was deleted", short(writer), o.Kind, o.Name, later)
	gradeTakeover(t, x, &f)
	f.Why = fmt.Sprintf("%s deleted %s and made it again; meanwhile %s wrote %s, so the garbage collector let that "+
		"live on.", short(deleter), objectText(owner), short(writer), objectText(o))
	if !x.Proven {
		f.Notes = append(f.Notes, "That "+objectText(o)+" belonged to "+objectText(owner)+" follows from its name: no "+
			"events show its owner references.")
	}
	whence(t, &f, w.Actor)
	f.Evidence = takeoverEvidence(t, x)
	f.Why += aftermath(t, x, &f)
	f.Fix = fmt.Sprintf("Delete %s in the foreground, and wait until %s is gone before it is created again.",
		objectText(owner), objectText(o))
	if len(x.Pending) > 0 {
		f.Notes = append(f.Notes, "To free what hangs, delete "+objectText(objectOf(&t.Objects[x.Pending[0].Object]))+
			" with its claim.")
	}
	f.Next = append(nextOf(t, raw), pendingNext(t, x.Pending)...)
	return &f
}

// gradeTakeover: what hangs makes it high; a takeover that names alone show, without harm, may be none.
func gradeTakeover(t *audit.Trail, x *audit.Takeover, f *rules.Finding) {
	shown := func(p audit.Pending) bool { return p.Shown }
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	hangs := slices.ContainsFunc(x.Pending, shown) || slices.ContainsFunc(x.Doomed, stuck)
	if hangs {
		f.Severity = rules.High
	}
	if x.Proven {
		f.Confidence = rules.ConfHigh
	} else if !hangs {
		f.Doubt("Nothing hangs, and only its name says whose it was: pipelines replace what is called alike.")
	}
}

func takeoverEvidence(t *audit.Trail, x *audit.Takeover) []rules.Evidence {
	d := &t.Writes[x.Delete]
	step := func(i int32, more string) rules.Evidence {
		w := &t.Writes[i]
		return wrote(t, i, 1, "+"+millis(w.Time-d.Time)+" "+short(t.Actors[w.Actor].Name()), more)
	}
	out := []rules.Evidence{step(x.Delete, "")}
	if x.Create < x.Write {
		out = append(out, step(x.Create, ""))
	}
	out = append(out, step(x.Write, ": the garbage collector had not come"))
	for i := range x.Doomed {
		g := &x.Doomed[i]
		if len(out) >= maxEvidence-1 {
			break
		}
		switch {
		case g.Recreated >= 0:
			out = append(out, step(g.Recreated, ": the old one, deleted +"+
				millis(t.Writes[g.Delete].Time-d.Time)+", was gone"))
		case g.Finalized >= 0:
			out = append(out, step(g.Finalized, ": its last finalizer, it is gone"))
		default:
			out = append(out, step(g.Delete, ": still there at the log's end"))
		}
	}
	for i := range x.Pending {
		if len(out) == maxEvidence {
			break
		}
		p := &x.Pending[i]
		out = append(out, step(p.Create, ": bound to no node until the log's end, "+phrase.Seconds(p.For.Seconds())))
	}
	// As times, not as text: RFC 3339 drops the fraction of a whole second.
	slices.SortStableFunc(out, func(a, b rules.Evidence) int {
		x, _ := time.Parse(time.RFC3339Nano, a.Time)
		y, _ := time.Parse(time.RFC3339Nano, b.Time)
		return x.Compare(y)
	})
	return out
}

// aftermath says what hung, and names it as the finding's further objects.
func aftermath(t *audit.Trail, x *audit.Takeover, f *rules.Finding) (s string) {
	for i := range x.Doomed {
		o := objectOf(&t.Objects[x.Doomed[i].Object])
		f.Objects = append(f.Objects, o)
		if stuck(x.Doomed[i]) {
			s = fmt.Sprintf(" %s, deleted with it, is still there when the log ends.", objectText(o))
		}
	}
	for i := range x.Pending {
		o := objectOf(&t.Objects[x.Pending[i].Object])
		f.Objects = append(f.Objects, o)
		if i == 0 {
			s = fmt.Sprintf(" %s, made afterwards, was bound to no node in the %s before the log ends.", objectText(o),
				phrase.Seconds(x.Pending[i].For.Seconds()))
			f.LastSeen = timeText(t.Last)
		}
	}
	f.Objects = f.Objects[:min(len(f.Objects), rules.MaxEvidenceIDs)]
	return s
}

func pendingNext(t *audit.Trail, pending []audit.Pending) []rules.Step {
	if len(pending) == 0 {
		return nil
	}
	o := &t.Objects[pending[0].Object]
	return []rules.Step{rules.Target{Namespace: o.Namespace, Pod: o.Name}.Describe()}
}

// millis writes a short time: "29 ms", "3.1 s".
func millis(micros int64) string {
	d := time.Duration(micros) * time.Microsecond
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return phrase.Seconds(d.Seconds())
}
