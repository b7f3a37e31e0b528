package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runClaimDeletedUnderPod(t *audit.Trail) []rules.Finding {
	var found []rules.Finding
	for i := range t.Vanished {
		x := &t.Vanished[i]
		claim, pod := auditObject(&t.Objects[x.Object]), auditObject(&t.Objects[x.Pod.Object])
		d, c := &t.Writes[x.Delete], &t.Writes[x.Pod.Create]
		deleter, maker := t.Actors[d.Actor].Name(), t.Actors[c.Actor].Name()
		f := rules.Finding{
			Confidence: rules.ConfMedium, Object: &claim, Objects: []rules.Object{pod}, Actors: []string{deleter, maker}, Count: 1,
			Title: auditTitle("%s deletes %s %s under its pod, which never starts", shortActor(deleter), claim.Kind,
				claim.Name),
			FirstSeen: auditTime(d.Time), LastSeen: auditTime(t.Last),
			Why: fmt.Sprintf("%s deleted %s, and %s created %s %s it. Nobody bound the pod in the %s until the "+
				"log's end.", deleter, objectText(claim), maker, objectText(pod),
				beforeAfter(c.Time-d.Time), phrase.Seconds(x.Pod.For.Seconds())),
			Next: append(auditNext(t, &t.Objects[x.Object]), pendingNext(t, []audit.Pending{x.Pod})...),
			Evidence: []rules.Evidence{
				auditWrite(t, x.Delete, 1, "%s: %s", shortActor(deleter), requestText(t, x.Delete)),
				auditWrite(t, x.Pod.Create, 1, "%s: %s, bound to no node until the log's end", shortActor(maker),
					requestText(t, x.Pod.Create)),
			},
		}
		if x.Created >= 0 {
			f.Evidence = append(f.Evidence, auditWrite(t, x.Created, 1, "%s: the claim is created anew",
				requestText(t, x.Created)))
		}
		found = append(found, f)
	}
	return found
}

func beforeAfter(micros int64) string {
	if micros < 0 {
		return millis(-micros) + " before"
	}
	return millis(micros) + " after"
}
