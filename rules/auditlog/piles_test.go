package auditlog

import (
	"fmt"
	"testing"
	"time"
)

// made are objects that a client creates, each gap after the one before.
func made(n int, gap time.Duration, resource, name string) []auditEvent {
	e := auditEvent{user: otherUser, agent: "operator/v1", verb: "create", resource: resource, namespace: "shop",
		code: 201}
	return auditRepeat(n, gap, e, func(i int, e *auditEvent) {
		if name != "" {
			e.name = fmt.Sprintf("%s%04x", name, i*2654435761%65536)
		}
	})
}

func TestObjectsWithoutEnd(t *testing.T) {
	wantAudit(t, auditFindings(t, made(400, 150*time.Millisecond, "secrets", "")), "TR775 medium shop-operator")
	wantAudit(t, auditFindings(t, made(400, 150*time.Millisecond, "configmaps", "plan-")), "TR775 medium plan-")
}

// TestObjectsThatAreWanted holds near misses of TR775 and TR776.
func TestObjectsThatAreWanted(t *testing.T) {
	tenants := append(made(150, 130*time.Millisecond, "configmaps", "tenant-"), made(150, 130*time.Millisecond,
		"secrets", "tenant-")...)
	unlike := made(400, 150*time.Millisecond, "configmaps", "x")
	for i := range unlike {
		unlike[i].name = fmt.Sprintf("app%d-settings", i)
	}
	custom := made(400, 150*time.Millisecond, "policyreports", "report-")
	var followed []auditEvent
	for _, e := range made(400, 150*time.Millisecond, "configmaps", "web-6559597f76-x") {
		pod := e
		pod.user, pod.resource, pod.sub = scheduler, "pods", "binding"
		followed = append(followed, pod, e)
	}
	for name, c := range map[string]struct {
		events []auditEvent
		want   []string
	}{
		"tenants": {tenants, nil},
		"first sync": {made(600, 900*time.Millisecond, "configmaps", "dashboard-"),
			[]string{"TR775 low dashboard-"}},
		"unlike names":     {unlike, []string{"TR775 low shop-operator"}},
		"custom resources": {custom, []string{"TR775 low report-"}},
		"one for each pod": {followed, nil},
	} {
		t.Run(name, func(t *testing.T) {
			wantAudit(t, auditFindings(t, c.events), c.want...)
		})
	}
}

func TestObjectsThatComeAndGoByTheHundred(t *testing.T) {
	probes := made(400, 200*time.Millisecond, "configmaps", "probe-")
	gone := made(400, 200*time.Millisecond, "configmaps", "probe-")
	for i := range gone {
		gone[i].verb, gone[i].code, gone[i].after = "delete", 200, gone[i].after+100*time.Millisecond
	}
	wantAudit(t, auditFindings(t, append(probes, gone...)), "TR776 medium probe-")
}

func TestJobsThatNeverEnd(t *testing.T) {
	for _, bodies := range []bool{false, true} {
		d := newDay(1, bodies)
		for i := range 20 {
			run := fmt.Sprintf("import-%d", 29000000+i)
			d.log(crons, "create", "batch", "jobs", "", "finance", run, d.body("Job", "batch/v1", "finance", run, "",
				"", ""))
			d.log(crons, "update", "batch", "cronjobs", "status", "finance", "import", "")
			d.pod("finance", run, "Job", jobs)
			d.log(jobs, "update", "batch", "jobs", "status", "finance", run, d.body("Job", "batch/v1", "finance", run,
				"", "", `,"status":{"active":1}`))
			d.now += 50 * time.Second
		}
		wantAudit(t, auditFindings(t, d.out), "TR777 medium import")
		// Near miss: Jobs that end.
		healthy := newDay(1, bodies)
		healthy.cron("finance", "import", 20)
		wantAudit(t, auditFindings(t, healthy.out))
	}
}

func TestAScaleThatGoesToAndFro(t *testing.T) {
	for _, bodies := range []bool{false, true} {
		d := newDay(1, bodies)
		d.deploy("shop", "web", 3)
		for i := range 40 {
			d.scale("shop", "web", 3+5*(i%2), scaler)
			d.wait(8*time.Second, 9*time.Second)
		}
		got := brief(auditFindings(t, d.out))
		if len(got) != 1 || got[0] != "TR778 medium web" {
			t.Errorf("bodies %t: %v", bodies, got)
		}
	}
	// Near miss: an autoscaler without stabilization that follows a queue.
	d := newDay(1, true)
	d.deploy("shop", "worker", 3)
	for i := range 40 {
		d.scale("shop", "worker", []int{0, 5, 2, 8, 1, 7, 3, 6}[i%8], scaler)
		d.wait(20*time.Second, 40*time.Second)
	}
	if got := aboveLow(auditFindings(t, d.out)); len(got) > 0 {
		t.Errorf("a queue's workers: %v", got)
	}
	// An autoscaler that answers each time that the replicas are applied.
	e := auditEvent{user: otherUser, agent: "gitops/v1", verb: "patch", group: "apps", resource: "deployments",
		namespace: "shop", name: "web"}
	answer := e
	answer.user, answer.agent, answer.verb, answer.sub, answer.after = scaler, manager, "update", "scale", 9*time.Second
	wantAudit(t, auditFindings(t, inTurns(auditRepeat(12, time.Minute, e, nil), auditRepeat(12, time.Minute, answer,
		nil))), "TR778 medium web")
	// Near miss: who patches labels does so whether the autoscaler scales or not.
	wantAudit(t, auditFindings(t, append(auditRepeat(60, 10*time.Second, e, nil), auditRepeat(8, time.Minute, answer,
		nil)...)))
}

func TestListsOfOneClientCountTogether(t *testing.T) {
	var polled, begun []auditEvent
	for i, resource := range []string{"pods", "configmaps", "secrets"} {
		e := auditEvent{user: otherUser, agent: "exporter/v1", verb: "list", resource: resource,
			after: time.Duration(i) * 100 * time.Millisecond}
		polled = append(polled, auditRepeat(70, time.Second, e, nil)...)
	}
	for i := range 60 {
		begun = append(begun, auditEvent{user: otherUser, verb: "list", resource: fmt.Sprint("r", i),
			after: time.Duration(i) * time.Second})
	}
	wantAudit(t, auditFindings(t, polled), "TR769 medium shop-operator")
	wantAudit(t, auditFindings(t, begun))
	for i := range polled {
		polled[i].query = []string{"labelSelector=a%3Db", "limit=500", "resourceVersion=0"}[i%3]
	}
	wantAudit(t, auditFindings(t, polled))
}
