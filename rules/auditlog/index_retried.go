package auditlog

import (
	"fmt"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of job-index-retried. Nodes that are taken away have each index of a large Job retried once; pods that
// fail one after the other for one index wait for a back-off that doubles from 10 s, so that an index has three pods
// within a minute and five within five. Chosen.
const (
	retriedMin     = 30
	retriedIndexes = 5
)

// jobIndexRetried is job-index-retried (TR780).
func jobIndexRetried(t *audit.Trail, r *audit.Retries) *rules.Finding {
	if r.Again < retriedMin || r.Indexes < retriedIndexes || toldOtherwise(t, r) {
		return nil
	}
	o := rules.Object{API: "batch/v1", Kind: "Job", Namespace: r.Namespace, Name: r.Job}
	f := finding(o, r.Pods, r.First, r.Last)
	f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	f.Title = title("Job %s has pods made again for %d of its indexes, %d times in %s", r.Job, r.Indexes,
		r.Pods-r.Indexes, span(r.First, r.Last))
	f.Why = fmt.Sprintf("%s were made for %d indexes of %s, three or more for each. A pod is made again for its index "+
		"when the one before has failed.", phrase.Plural(r.Pods, "pod"), r.Indexes, objectText(o))
	if by := t.Actors[r.Taker].Name(); 2*r.Taken >= r.Pods-r.Indexes {
		f.Severity = rules.Low
		f.Actors = []string{by}
		f.Why = fmt.Sprintf("%s were made for %d indexes of %s, three or more for each. %d of them did not fail: they "+
			"were evicted or deleted, most by %s.", phrase.Plural(r.Pods, "pod"), r.Indexes, objectText(o), r.Taken, by)
		f.Fix = fmt.Sprintf("Nothing is wrong with the Job. If its pods lose too much work, find out why %s takes "+
			"them, or let them run where it doesn't.", short(by))
	} else {
		f.Notes = []string{"The log doesn't show why the pods failed: their status isn't in it at this " +
			"level. kubectl logs and get pods -o yaml do."}
	}
	f.Evidence = []rules.Evidence{wrote(t, r.FirstWrite, r.Pods, "", fmt.Sprintf(", the first of %d", r.Pods)),
		wrote(t, r.LastWrite, 1, "", ": the last")}
	f.Next = append(rules.Commands("triage audit "+inputs(t)+" "+inNamespace(r.Namespace)+"--resource pods --writes"),
		rules.Command("kubectl "+inNamespace(r.Namespace)+"get pods -l "+
			rules.Quote("batch.kubernetes.io/job-name="+r.Job)))
	return &f
}

// toldOtherwise reports a Job whose pods' ends are in the log: creation-storm judges these.
func toldOtherwise(t *audit.Trail, r *audit.Retries) bool {
	for i := range t.Creations {
		c := &t.Creations[i]
		if c.Resource == "pods" && c.Namespace == r.Namespace && c.Owner.Kind == "Job" && c.Owner.Name == r.Job &&
			c.Statuses > 0 {
			return true
		}
	}
	return false
}
