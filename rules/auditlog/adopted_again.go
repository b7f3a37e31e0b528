package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// adoptedAgain is delete-create-race (TR762) where the owner's deletions are in another API server's log: each write of
// the dependant brings an owner of the same name with another UID, so that the owner was deleted and made anew in
// between, and the dependant lived on.
func adoptedAgain(t *audit.Trail, a *audit.Adoption) *rules.Finding {
	raw, owner := &t.Objects[a.Object], &t.Owners[a.Owner]
	o := objectOf(raw)
	first, last := &t.Writes[a.Writes[0]], &t.Writes[a.Writes[len(a.Writes)-1]]
	writer, n := t.Actors[a.Actor].Name(), len(a.Writes)
	f := finding(o, n, first.Time, last.Time, writer)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	above := rules.Object{API: owner.API, Kind: owner.Kind, Namespace: raw.Namespace, Name: owner.Name}
	f.Objects = []rules.Object{above}
	f.Title = title("%s gives %s %s a new %s %s %s in %s", short(writer), o.Kind, o.Name, owner.Kind, owner.Name,
		phrase.CountTimes(n), span(first.Time, last.Time))
	f.Why = fmt.Sprintf("%s wrote %s %s, each time with an owner %s of another UID. The garbage collector let it live "+
		"on.", short(writer), objectText(o), phrase.CountTimes(n), owner.Name)
	f.Fix = fmt.Sprintf("Delete %s in the foreground, and wait until %s is gone before it is created again.",
		objectText(above), objectText(o))
	f.Notes = []string{"Who deletes " + objectText(above) + " is in the log of another API server, which is missing."}
	whence(t, &f, a.Actor)
	for _, i := range a.Writes[:min(n, maxEvidence)] {
		f.Evidence = append(f.Evidence, wrote(t, i, 1, short(writer), ": owner UID "+t.Owners[t.Writes[i].Owner].UID))
	}
	f.Next = nextOf(t, raw)
	return &f
}
