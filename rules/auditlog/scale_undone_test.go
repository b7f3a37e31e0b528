package auditlog

import (
	"testing"
	"time"
)

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
	if got := alarms(auditFindings(t, d.out)); len(got) > 0 {
		t.Errorf("a queue's workers: %v", got)
	}
	// An autoscaler that answers each time that the replicas are applied.
	e := auditEvent{user: otherUser, agent: "gitops/v1", verb: "patch", group: "apps", resource: "deployments",
		namespace: "shop", name: "web"}
	answer := e
	answer.user, answer.agent, answer.verb, answer.sub, answer.after = scaler, manager, "update", "scale", 9*time.Second
	wantAudit(t, auditFindings(t, inTurns(auditRepeat(12, time.Minute, e, nil), auditRepeat(12, time.Minute, answer,
		nil))), "TR778 medium/medium web")
	// Near miss: who patches labels does so whether the autoscaler scales or not.
	wantAudit(t, auditFindings(t, append(auditRepeat(60, 10*time.Second, e, nil), auditRepeat(8, time.Minute, answer,
		nil)...)))
}
