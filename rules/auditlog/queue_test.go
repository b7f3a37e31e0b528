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

func TestAQueueOfJobsBehindAQuotaIsLow(t *testing.T) {
	got := auditFindings(t, queuedJobs(9))
	wantAudit(t, got, "TR773 low etl-10")
	if f := got[0]; f.Object.Kind != "Job" || f.Title != "Job batch/etl-10 and 2 more: waiting for quota batch, refused "+
		"60 times in all" || !strings.Contains(f.Why, "9 of 12 succeeded later") {
		t.Errorf("%s: %s", f.Title, f.Why)
	}
	// A quota that lets nothing through is no queue.
	got = auditFindings(t, queuedJobs(0))
	wantAudit(t, got, "TR773 medium etl-0")
	if f := got[0]; !strings.Contains(f.Title, "Job batch/etl-0 and 11 more get no more pods") {
		t.Error(f.Title)
	}
}

// indexedPods are four pods for each of 12 indexes of a Job; end is what ends one of them.
func indexedPods(end auditEvent) []auditEvent {
	events := []auditEvent{{user: "argo", verb: "create", group: "batch", resource: "jobs", namespace: "ml",
		name: "sweep", code: 201}}
	for round := range 4 {
		for index := range 12 {
			at := time.Second + time.Duration(round)*50*time.Second + time.Duration(index)*time.Millisecond
			e := auditEvent{after: at, user: jobController, agent: manager, verb: "create", resource: "pods",
				namespace: "ml", name: fmt.Sprintf("sweep-%d-x7k%dp", index, 2+2*round), code: 201}
			events = append(events, e)
			e.after += 40 * time.Second
			e.user, e.agent, e.verb, e.sub, e.code = end.user, end.agent, end.verb, end.sub, end.code
			events = append(events, e)
		}
	}
	return events
}

func TestPodsOfAnIndexedJobThatAreEvictedHaveNotFailed(t *testing.T) {
	spot := auditEvent{user: "system:serviceaccount:kube-system:karpenter", agent: "karpenter/v1", verb: "create",
		sub: "eviction", code: 201}
	got := auditFindings(t, indexedPods(spot))
	wantAudit(t, got, "TR780 low sweep")
	if f := got[0]; !strings.Contains(f.Why, "did not fail") || !strings.Contains(f.Why, "karpenter") ||
		len(f.Notes) > 0 {
		t.Errorf("%s %v", f.Why, f.Notes)
	}
	// Their node reports their end, and their controller cleans up.
	wantAudit(t, auditFindings(t, indexedPods(auditEvent{user: "system:node:n1", verb: "patch", sub: "status",
		code: 200})), "TR780 medium sweep")
	wantAudit(t, auditFindings(t, indexedPods(auditEvent{user: jobController, agent: manager, verb: "delete",
		code: 200})), "TR780 medium sweep")
}
