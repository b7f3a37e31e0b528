package auditlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const jobController = "system:serviceaccount:kube-system:job-controller"

// queuedJobs are 12 Jobs that ask for a pod every 30 s for 10 minutes under a quota that lets let of them through, one
// a minute.
func queuedJobs(let int) (events []auditEvent) {
	for tick := range 20 {
		for job := range 12 {
			e := auditEvent{after: time.Duration(tick)*30*time.Second + time.Duration(job)*time.Millisecond,
				user: jobController, agent: manager, verb: "create", resource: "pods", namespace: "batch"}
			pod := fmt.Sprintf("etl-%d-x7k2p", job)
			switch made := 2 * (job + 1); {
			case job >= let || tick < made:
				e.code, e.message = 403, `pods "`+pod+`" is forbidden: exceeded quota: batch, requested: pods=1, `+
					`used: pods=3, limited: pods=3`
			case tick == made:
				e.code, e.name = 201, pod
			default:
				continue
			}
			events = append(events, e)
		}
	}
	return events
}

func TestAQueueOfJobsBehindAQuotaIsDoubted(t *testing.T) {
	got := auditFindings(t, queuedJobs(9))
	wantAudit(t, got, "TR773 medium/low etl-10")
	if f := got[0]; f.Object.Kind != "Job" || f.Title != "Job batch/etl-10 and 2 more: waiting for quota batch, refused "+
		"60 times in all" || !strings.Contains(f.Why, "9 of 12 succeeded later") {
		t.Errorf("%s: %s", f.Title, f.Why)
	}
	// A quota that lets nothing through is no queue.
	got = auditFindings(t, queuedJobs(0))
	wantAudit(t, got, "TR773 medium/high etl-0")
	if f := got[0]; !strings.Contains(f.Title, "Job batch/etl-0 and 11 more get no more pods") {
		t.Error(f.Title)
	}
}
