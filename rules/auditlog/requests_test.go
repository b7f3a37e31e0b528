package auditlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestOtherObjectsByTheHundred(t *testing.T) {
	e := auditEvent{user: otherUser, agent: "operator/v1", verb: "create", resource: "configmaps", namespace: "shop",
		code: 201}
	wantAudit(t, auditFindings(t, auditRepeat(600, 200*time.Millisecond, e, nil)), "TR775 medium shop-operator")
	wantAudit(t, auditFindings(t, auditRepeat(100, 200*time.Millisecond, e, nil)))
}

func TestConflicts(t *testing.T) {
	tries := func(n, every int) []auditEvent {
		return auditRepeat(n, 500*time.Millisecond, auditEvent{user: otherUser, verb: "update", resource: "configmaps",
			namespace: "shop", name: "c"}, func(i int, e *auditEvent) {
			if e.name = fmt.Sprint("c", i); i%every == 0 {
				e.name, e.code, e.message = "c", 409, "the object has been modified"
			}
		})
	}
	wantAudit(t, auditFindings(t, tries(150, 2)), "TR765 medium c")
	wantAudit(t, auditFindings(t, tries(150, 10)), "TR765 low c")
	wantAudit(t, auditFindings(t, tries(40, 10)))
}

func TestRequestsThatAreRefusedAgainAndAgain(t *testing.T) {
	e := auditEvent{user: otherUser, verb: "list", resource: "secrets", code: 403, message: "secrets is forbidden",
		query: "limit=500"}
	got := auditFindings(t, auditRepeat(150, time.Second, e, nil))
	wantAudit(t, got, "TR766 medium shop-operator")
	if got[0].Object.Kind != "ServiceAccount" || !strings.Contains(got[0].Evidence[0].Text, "forbidden") {
		t.Errorf("%+v", got[0])
	}
	wantAudit(t, auditFindings(t, auditRepeat(20, time.Second, e, nil)))
	wantAudit(t, auditFindings(t, auditRepeat(230, 2600*time.Millisecond, e, nil)),
		"TR766 low shop-operator") // some reflectors without a role
	invalid := auditEvent{user: otherUser, verb: "create", resource: "services", namespace: "shop", name: "s",
		code: 422, message: "invalid"}
	wantAudit(t, auditFindings(t, auditRepeat(12, 10*time.Second, invalid, nil)), "TR766 low s")
}

func TestServerErrors(t *testing.T) {
	fail := auditEvent{user: otherUser, verb: "create", resource: "pods", namespace: "shop", name: "p", code: 500,
		message: "webhook failed"}
	wantAudit(t, auditFindings(t, auditRepeat(150, 2*time.Second, fail, nil)), "TR767 medium")
	// a leader change of etcd
	wantAudit(t, auditFindings(t, auditRepeat(150, 40*time.Millisecond, fail, nil)), "TR767 low")
	wantAudit(t, auditFindings(t, auditRepeat(5, time.Second, fail, nil)))
	shed := auditEvent{user: otherUser, verb: "list", resource: "pods", code: 429, query: "limit=1"}
	got := auditFindings(t, auditRepeat(300, time.Second, shed, nil))
	wantAudit(t, got, "TR767 medium")
	if !strings.Contains(got[0].Title, "429") {
		t.Error(got[0].Title)
	}
	wantAudit(t, auditFindings(t, auditRepeat(19, time.Second, shed, nil)))
	slow := fail
	slow.took = 20 * time.Second
	wantAudit(t, auditFindings(t, auditRepeat(4, time.Minute, slow, nil)),
		"TR767 low") // few, but clients lost 80 s to them
	wantAudit(t, auditFindings(t, auditRepeat(2, time.Minute, slow, nil)))
	evicted := auditEvent{user: otherUser, verb: "create", resource: "pods", sub: "eviction", name: "p", code: 429}
	wantAudit(t, auditFindings(t, auditRepeat(300, time.Second, evicted, nil)))
}

func TestSlowRequests(t *testing.T) {
	slow := auditEvent{user: otherUser, verb: "update", resource: "services", took: 7 * time.Second}
	vary := func(i int, e *auditEvent) { e.name = fmt.Sprint("s", i) }
	wantAudit(t, auditFindings(t, auditRepeat(30, time.Minute, slow, vary)), "TR768 medium")
	watch := auditEvent{user: otherUser, verb: "watch", resource: "services", took: 7 * time.Minute}
	wantAudit(t, auditFindings(t, auditRepeat(30, time.Minute, watch, nil)))
	quick := slow
	quick.took = 900 * time.Millisecond
	wantAudit(t, auditFindings(t, auditRepeat(30, time.Minute, quick, vary)))
}

func TestAClientThatListsInsteadOfWatching(t *testing.T) {
	list := auditEvent{user: otherUser, agent: "poller/v1", verb: "list", resource: "pods"}
	got := auditFindings(t, auditRepeat(300, 400*time.Millisecond, list, nil))
	wantAudit(t, got, "TR769 medium shop-operator")
	wantAudit(t, auditFindings(t, auditRepeat(100, time.Second, list, nil)), "TR769 low shop-operator")
	if got[0].Object.Kind != "ServiceAccount" || got[0].Actors[0] != otherUser {
		t.Errorf("%+v", got[0])
	}
	wantAudit(t, auditFindings(t, auditRepeat(40, 30*time.Second, list, nil)), "TR769 low shop-operator")
	for _, query := range []string{"resourceVersion=0", "limit=500", "fieldSelector=spec.nodeName%3Dn1"} {
		cached := list
		cached.query = query
		wantAudit(t, auditFindings(t, auditRepeat(100, time.Second, cached, nil)))
	}
	wantAudit(t, auditFindings(t, auditRepeat(40, 5*time.Minute, list, nil)))
}

func TestWatchesThatEndWithinSeconds(t *testing.T) {
	watch := auditEvent{user: otherUser, verb: "watch", resource: "pods", took: 2 * time.Second}
	wantAudit(t, auditFindings(t, auditRepeat(250, 3*time.Second, watch, nil)), "TR770 medium shop-operator")
	wantAudit(t, auditFindings(t, auditRepeat(40, 3*time.Second, watch, nil)), "TR770 low shop-operator")
	wantAudit(t, auditFindings(t, auditRepeat(29, 3*time.Second, watch, nil)))
	watch.took = 8 * time.Minute
	wantAudit(t, auditFindings(t, auditRepeat(250, 3*time.Second, watch, nil)))
}

func TestTheBusiestClient(t *testing.T) {
	get := auditEvent{user: otherUser, agent: "operator/v1", verb: "get", resource: "pods", name: "p"}
	wantAudit(t, auditFindings(t, auditRepeat(2000, 50*time.Millisecond, get, nil)), "TR771 info shop-operator")
	wantAudit(t, auditFindings(t, auditRepeat(2000, time.Second, get, nil)))
	get.user = "system:apiserver"
	wantAudit(t, auditFindings(t, auditRepeat(2000, 50*time.Millisecond, get, nil)))
}

// TestNamesInAuditLogsStayNames has an object whose name is a shell command.
func TestNamesInAuditLogsStayNames(t *testing.T) {
	e := statusUpdate
	e.name, e.namespace = "x'; rm -rf /; '", "$(reboot)"
	got := auditFindings(t, auditRepeat(40, 900*time.Millisecond, e, chained))
	if len(got) == 0 {
		t.Fatal("nothing is found")
	}
	for _, f := range got {
		for _, n := range f.Next {
			if strings.Contains(n.Command, " rm -rf /; ") && !strings.Contains(n.Command, `'\''; rm -rf /; '\''`) ||
				strings.Contains(n.Command, " $(reboot)") {
				t.Errorf("a command to paste: %s", n.Command)
			}
		}
	}
}
