package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of cronjob-runs-pile-up: a CronJob that keeps its history has at most four Jobs that are done
// (successfulJobsHistoryLimit 3, failedJobsHistoryLimit 1). Chosen at twice that.
const (
	runsMin = 8
	// runsOpen is the share of Jobs that must not be done, where bodies show that.
	runsOpen = 0.75
	// runsUpdates is how often a CronJob's status is written for each Job: twice where Jobs end.
	runsUpdates = 1.5
)

// cronJobPileUp is cronjob-runs-pile-up (TR777).
func cronJobPileUp(t *audit.Trail, r *audit.Runs) *rules.Finding {
	open := r.Created - max(r.Finished, r.Deleted)
	if r.Created < runsMin || open < runsMin || partOf(open, r.Created) < runsOpen {
		return nil
	}
	confidence := rules.ConfHigh
	if r.Statuses == 0 {
		if r.Updates == 0 || float64(r.Updates) > runsUpdates*float64(r.Created) {
			return nil
		}
		confidence = rules.ConfMedium
	}
	o := rules.Object{API: "batch/v1", Kind: "CronJob", Namespace: r.Namespace, Name: r.Name}
	f := finding(o, r.Created, r.First, r.Last, t.Actors[t.Writes[r.FirstWrite].Actor].Name())
	f.Severity, f.Confidence = rules.Medium, confidence
	f.Title = title("CronJob %s has %d Jobs made in %s, and none of them ends", r.Name, r.Created,
		span(r.First, r.Last))
	if done := r.Created - open; done > 0 {
		f.Title = title("CronJob %s has %d Jobs made in %s, and %d do not end", r.Name, r.Created,
			span(r.First, r.Last), open)
	}
	f.Why = fmt.Sprintf("%d Jobs were made for %s in %s; the log shows %s that ended and %s that was deleted.",
		r.Created, objectText(o), span(r.First, r.Last), phrase.NoneOr(r.Finished), phrase.NoneOr(r.Deleted))
	if r.Statuses == 0 {
		f.Why += fmt.Sprintf(" The CronJob's status was written %d times: once for each Job that "+
			"began, and hardly ever for one that ended.", r.Updates)
	}
	f.Evidence = []rules.Evidence{wrote(t, r.FirstWrite, r.Created, "", fmt.Sprintf(", the first of %d", r.Created)),
		wrote(t, r.LastWrite, 1, "", ": the last")}
	f.Next = append(rules.Commands("triage audit "+inputs(t)+" "+inNamespace(r.Namespace)+"--resource jobs --writes"),
		rules.Command("kubectl "+inNamespace(r.Namespace)+"get jobs"),
		rules.Command("kubectl "+inNamespace(r.Namespace)+
			"get cronjob "+rules.Quote(r.Name)+" -o jsonpath='{.spec.concurrencyPolicy}'"))
	return &f
}
