package auditlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/rules"
)

func TestAControllerThatWakesItselfIsALoop(t *testing.T) {
	got := auditFindings(t, auditRepeat(40, 900*time.Millisecond, statusUpdate, returning(ticking)))
	wantAudit(t, got, "TR760 high/high web")
	f := got[0]
	const did = "Of the 37 writes whose bodies were compared, all changed only timestamps (status.conditions[Monitored].at)."
	if !slices.Contains(f.Notes, did) {
		t.Errorf("notes %q", f.Notes)
	}
	if f.Confidence != rules.ConfHigh || f.Object.Kind != "Release" || f.Actors[0] != agentUser ||
		!strings.Contains(f.Title, "conditions[Monitored].at") {
		t.Errorf("%+v", f)
	}
}

func TestALoopIsProvenByVersionsAlone(t *testing.T) {
	got := auditFindings(t, auditRepeat(200, 900*time.Millisecond, statusUpdate, chained))
	wantAudit(t, got, "TR760 high/medium web")
	if got[0].Confidence != rules.ConfMedium || len(got[0].Notes) == 0 {
		t.Errorf("%+v", got[0])
	}
}

func TestRefusalsBeforeTheFirstAndAfterTheLastWriteAreCounted(t *testing.T) {
	got := auditFindings(t, auditRepeat(200, 900*time.Millisecond, statusUpdate, func(i int, e *auditEvent) {
		chained(i, e)
		if i == 0 || i == 100 || i == 199 {
			e.code = 409
		}
	}))
	wantAudit(t, got, "TR760 high/medium web")
	if notes := strings.Join(got[0].Notes, " "); !strings.Contains(notes, "3 of its writes were refused") {
		t.Error(notes)
	}
}

func TestWritesThatLeaveTheVersionAreALoop(t *testing.T) {
	got := auditFindings(t, auditRepeat(40, time.Second, statusUpdate,
		func(i int, e *auditEvent) { e.version = fmt.Sprint(100 + i/3) }))
	wantAudit(t, got, "TR760 high/medium web")
}

// TestVersionsShowMoreWritesWithoutAChangeThanBodies has a first write that leaves the version as it is. Bodies of the
// first three writes of an object are not compared.
func TestVersionsShowMoreWritesWithoutAChangeThanBodies(t *testing.T) {
	const compared, all = "Of the 37 writes whose bodies were compared", "Of all 40 writes, 1 left the version unchanged."
	returns := returning(ticking)
	kept := func(i int, e *auditEvent) {
		returns(max(i-1, 0), e)
		if i == 0 {
			e.respond = strings.Replace(e.respond, `"101"`, `"100"`, 1)
		}
	}
	for _, tt := range []struct {
		write func(int, *auditEvent)
		said  bool
	}{{kept, true}, {returns, false}} {
		got := auditFindings(t, auditRepeat(40, 900*time.Millisecond, statusUpdate, tt.write))
		wantAudit(t, got, "TR760 high/high web")
		if notes := strings.Join(got[0].Notes, " "); !strings.Contains(notes, compared) ||
			strings.Contains(notes, all) != tt.said {
			t.Errorf("%v: %s", tt.said, notes)
		}
	}
}

// TestALoopOverSeveralObjectsIsOneFinding has one agent that rewrites two objects.
func TestALoopOverSeveralObjectsIsOneFinding(t *testing.T) {
	other := statusUpdate
	other.name, other.after = "db", 300*time.Millisecond
	got := auditFindings(t, append(auditRepeat(40, time.Second, statusUpdate, returning(ticking)),
		auditRepeat(30, time.Second, other, returning(ticking))...))
	wantAudit(t, got, "TR760 high/high web")
	if len(got[0].Objects) != 1 || got[0].Objects[0].Name != "db" {
		t.Errorf("the others are %v", got[0].Objects)
	}
}

// TestWritersThatAreNoLoop holds near misses of TR760.
func TestWritersThatAreNoLoop(t *testing.T) {
	lease := statusUpdate
	lease.resource, lease.group, lease.sub = "leases", "coordination.k8s.io", ""
	lock := statusUpdate
	lock.resource, lock.group, lock.sub = "configmaps", "", ""
	node := statusUpdate
	node.user, node.agent, node.resource, node.group, node.name = "system:node:n1", "kubelet/v1.34.1", "nodes", "", "n1"
	rollout := statusUpdate
	rollout.user, rollout.agent, rollout.resource,
		rollout.group = "system:serviceaccount:kube-system:deployment-controller", manager, "deployments", "apps"
	progress := func(i int) string { return fmt.Sprintf(`{"step":"s%d","k%d":"done"}`, i, i) }
	for name, events := range map[string][]auditEvent{
		"leases":       auditRepeat(300, 2*time.Second, lease, chained),
		"a lock":       auditRepeat(300, 2*time.Second, lock, chained),
		"a kubelet":    auditRepeat(300, time.Second, node, chained),
		"a rollout":    auditRepeat(300, time.Second, rollout, chained),
		"a few writes": auditRepeat(9, time.Second, statusUpdate, returning(ticking)),
		"progress":     auditRepeat(100, 2*time.Second, statusUpdate, returning(progress)),
		"a resync":     auditRepeat(60, 45*time.Second, statusUpdate, returning(ticking)),
		"others write between": inTurns(auditRepeat(60, 2*time.Second, statusUpdate, nil),
			auditRepeat(60, 2*time.Second, auditEvent{after: time.Second, user: "a", verb: "patch",
				group: "example.com", resource: "releases", namespace: "releases", name: "web",
				request: `{"metadata":{"labels":{"x":"y"}}}`}, nil)),
	} {
		t.Run(name, func(t *testing.T) { wantAudit(t, auditFindings(t, events)) })
	}
}

func TestAHeartbeatIsDoubted(t *testing.T) {
	wantAudit(t, auditFindings(t, auditRepeat(60, 10*time.Second, statusUpdate, returning(func(i int) string {
		return fmt.Sprintf(`{"conditions":[{"type":"Alive","at":"2026-03-04T04:%02d:%02dZ"}]}`, 40+i/6, i%6*10)
	}))), "TR760 medium/low web")
}

func inTurns(a, b []auditEvent) []auditEvent {
	var out []auditEvent
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

// TestATimerIsNoLoop holds near misses of TR760: a heartbeat every 5 s, give or take, is doubted whether or not bodies show
// its name; so is a lock's renewal every two seconds.
func TestATimerIsNoLoop(t *testing.T) {
	uneven := func(each func(int, *auditEvent)) func(int, *auditEvent) {
		return func(i int, e *auditEvent) {
			e.after -= time.Duration(i%3) * 20 * time.Millisecond
			each(i, e)
		}
	}
	beat := func(i int) string {
		return fmt.Sprintf(`{"ready":true,"lastHeartbeatTime":"2026-03-04T04:%02d:%02dZ"}`, 40+i*5/60, i*5%60)
	}
	wantAudit(t, auditFindings(t, auditRepeat(120, 5*time.Second, statusUpdate, uneven(chained))), "TR760 medium/low web")
	wantAudit(t, auditFindings(t, auditRepeat(120, 5*time.Second, statusUpdate, uneven(returning(beat)))),
		"TR760 medium/low web")
	scan := func(i int, e *auditEvent) { // a status after each scan, which takes as long as it takes
		e.after += time.Duration(i*i%7) * 1500 * time.Millisecond
		returning(ticking)(i, e)
	}
	wantAudit(t, auditFindings(t, auditRepeat(120, 14*time.Second, statusUpdate, scan)), "TR760 medium/low web")
	wantAudit(t, auditFindings(t, auditRepeat(120, 3*time.Second, statusUpdate, uneven(returning(beat)))),
		"TR760 high/low web")
}

// TestProgressIsNoLoop holds near misses of TR760: a status with something new in each write, a share that is done,
// what is ready, a load. A count of the rounds themselves is no progress.
func TestProgressIsNoLoop(t *testing.T) {
	for _, form := range []string{`{"succeeded":%d}`, `{"progress":"%d%%"}`,
		`{"guest":{"load":0.3%[1]d,"free":%[1]d7},"at":"2026-03-04T04:40:00Z"}`} {
		wantAudit(t, auditFindings(t, auditRepeat(150, time.Second, statusUpdate,
			returning(func(i int) string { return fmt.Sprintf(form, i) }))))
	}
	wantAudit(t, auditFindings(t, auditRepeat(150, time.Second, statusUpdate,
		returning(func(i int) string { return fmt.Sprintf(`{"reconcileCount":%d}`, i) }))), "TR760 high/medium web")
}

// TestPatchesThatReportProgressAreNoLoop is a near miss of TR760 where neither versions nor answers are logged.
func TestPatchesThatReportProgressAreNoLoop(t *testing.T) {
	patch := statusUpdate
	patch.verb = "patch"
	wantAudit(t, auditFindings(t, auditRepeat(300, time.Second, patch,
		func(i int, e *auditEvent) { e.request = fmt.Sprintf(`{"status":{"bytes":%d}}`, i*4096) })))
}

// A controller that writes an object itself is led by its own writes although the object's controller reports its
// status in between.
func TestALoopGoesOnThroughTheStatusOfOthers(t *testing.T) {
	own := auditEvent{user: agentUser, agent: "release-agent/v1", verb: "update", group: "apps", resource: "daemonsets",
		namespace: "mesh", name: "node-agent"}
	answer := auditEvent{user: "system:serviceaccount:kube-system:daemon-set-controller", agent: manager,
		verb: "update", group: "apps", resource: "daemonsets", sub: "status", namespace: "mesh", name: "node-agent",
		after: 300 * time.Millisecond}
	loop := inTurns(auditRepeat(150, 1300*time.Millisecond, own,
		func(i int, e *auditEvent) { e.version = fmt.Sprint(100 + 2*i) }),
		auditRepeat(150, 1300*time.Millisecond, answer,
			func(i int, e *auditEvent) { e.version = fmt.Sprint(101 + 2*i) }))
	wantAudit(t, auditFindings(t, loop), "TR760 medium/medium node-agent")
	wantAudit(t, auditFindings(t, loop[:80])) // a rollout's forty steps end
}

// TestALoopThatIsFastIsSeenWithoutBodies has the deployment controller report the status in between, as often as it
// can.
func TestALoopThatIsFastIsSeenWithoutBodies(t *testing.T) {
	patch := auditEvent{user: agentUser, agent: "stamper/v1", verb: "patch", group: "apps", resource: "deployments",
		namespace: "billing", name: "tax"}
	status := patch
	status.user, status.agent, status.verb, status.sub, status.after = deployer, manager, "update", "status",
		20*time.Millisecond
	loop := func(n int, gap time.Duration) []auditEvent {
		return append(auditRepeat(n, gap, patch, nil), auditRepeat(n/5, 5*gap, status, nil)...)
	}
	wantAudit(t, auditFindings(t, loop(600, 45*time.Millisecond)), "TR760 medium/medium tax")
	wantAudit(t, auditFindings(t, loop(100, 900*time.Millisecond))) // reports its progress
	wantAudit(t, auditFindings(t, loop(150, 45*time.Millisecond)))  // ends
}
