package auditlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	webhookDown = `Internal error occurred: failed calling webhook \"guard.pods.example.org\": failed to call webhook: Post \"https://pod-guard.gatekeeper.svc:443/validate?timeout=10s\": no endpoints available for service \"pod-guard\"`
	quotaFull   = `pods \"web-6559597f76-x7k2p\" is forbidden: exceeded quota: team-pods, requested: pods=1, used: pods=3, limited: pods=3`
	terminating = `pods \"web-6559597f76-x7k2p\" is forbidden: unable to create new content in namespace prod because it is being terminated`
)

// refusedPods are the creations of a ReplicaSet's pods that are refused.
func refusedPods(n int, code int, message string) []auditEvent {
	message = strings.ReplaceAll(message, `\"`, `"`)
	at := time.Duration(0)
	return auditRepeat(n, 0, auditEvent{user: replicas, agent: manager, verb: "create", resource: "pods",
		namespace: "prod", code: code, message: message}, func(i int, e *auditEvent) {
		e.after = at // client-go's backoff doubles
		at += min(5*time.Millisecond<<min(i, 12), 16*time.Minute)
	})
}

// theDeployment makes the workload of these pods known, thePod has one of them made after all.
func theDeployment() []auditEvent {
	e := auditEvent{user: deployer, agent: manager, verb: "update", group: "apps", resource: "deployments",
		sub: "status", namespace: "prod", name: "web", after: -time.Second}
	rs := e
	rs.resource, rs.name = "replicasets", "web-6559597f76"
	return []auditEvent{e, rs}
}

func thePod(after time.Duration) auditEvent {
	return auditEvent{user: scheduler, verb: "create", resource: "pods", sub: "binding", namespace: "prod",
		name: "web-6559597f76-zzzzz", after: after, code: 201}
}

func TestAWebhookThatFailsClosed(t *testing.T) {
	got := auditFindings(t, append(theDeployment(), refusedPods(13, 500, webhookDown)...))
	wantAudit(t, got, "TR772 medium/high pod-guard")
	if f := got[0]; !strings.Contains(f.Title, "guard.pods.example.org") || !strings.Contains(f.Title,
		"gatekeeper/pod-guard") {
		t.Errorf("%+v", f)
	}
	// Near miss: a webhook that is replaced.
	wantAudit(t, auditFindings(t, append(refusedPods(10, 500, webhookDown), thePod(4*time.Second))),
		"TR772 medium/low pod-guard")
	// Each try has a name of its own, and later ones are done.
	tries := auditRepeat(40, 2*time.Second, auditEvent{user: "ci", agent: "ci/v1", verb: "create",
		resource: "configmaps", namespace: "prod", code: 201}, func(i int, e *auditEvent) {
		if e.name = fmt.Sprintf("run-%c%c%c", 'a'+i%26, 'k'+i%7, 'a'+i/26); i < 12 {
			e.code, e.message = 500, strings.ReplaceAll(webhookDown, `\"`, `"`)
		}
	})
	wantAudit(t, auditFindings(t, tries[:12]), "TR772 medium/high pod-guard")
	wantAudit(t, auditFindings(t, tries), "TR772 medium/low pod-guard")
}

func TestAQuotaThatIsUsedUp(t *testing.T) {
	got := auditFindings(t, append(theDeployment(), refusedPods(13, 403, quotaFull)...))
	wantAudit(t, got, "TR773 medium/high web")
	if f := got[0]; !strings.Contains(f.Title, "team-pods") || f.Object.Kind != "Deployment" ||
		f.Objects[0].Name != "team-pods" {
		t.Errorf("%+v", f)
	}
	// A controller whose backoff has grown past the log's end, and a surge that may still wait for room.
	burst := append(theDeployment(), refusedPods(8, 403, quotaFull)...)
	end := auditEvent{user: "admin", verb: "get", resource: "nodes", name: "n1", after: 55 * time.Second}
	wantAudit(t, auditFindings(t, append(burst, end)), "TR773 medium/high web")
	end.after = 20 * time.Second
	wantAudit(t, auditFindings(t, append(burst, end)), "TR773 medium/low web")
	// A controller that asks no more: its Deployment was scaled back.
	end.after = 5 * time.Minute
	wantAudit(t, auditFindings(t, append(append(theDeployment(), refusedPods(14, 403, quotaFull)...), end)),
		"TR773 medium/low web")
	// Near misses: a surge that waits for room, and a namespace that goes.
	wantAudit(t, auditFindings(t, append(refusedPods(11, 403, quotaFull), thePod(12*time.Second))),
		"TR773 medium/low web-6559597f76")
	wantAudit(t, auditFindings(t, refusedPods(13, 403, terminating)))
}

func evictions(n int, gap time.Duration) []auditEvent {
	e := auditEvent{user: "drainer", agent: "kubectl/v1", verb: "create", resource: "pods", sub: "eviction",
		namespace: "core", code: 429, message: "Cannot evict pod as it would violate the pod's disruption budget.",
		cause: "The disruption budget auth needs 3 healthy pods and has 3 currently"}
	return auditRepeat(n, gap, e, func(i int, e *auditEvent) { e.name = fmt.Sprintf("auth-6559597f76-aaaa%d", i%3) })
}

func TestADrainThatABudgetBlocks(t *testing.T) {
	wantAudit(t, auditFindings(t, evictions(18, 5*time.Second)), "TR779 medium/low auth") // the log may end before its wait
	got := auditFindings(t, evictions(20, 5*time.Second))
	wantAudit(t, got, "TR779 medium/high auth")
	if got[0].Object.Kind != "PodDisruptionBudget" {
		t.Errorf("%+v", got[0].Object)
	}
	end := auditEvent{user: "admin", verb: "get", resource: "nodes", name: "n1", after: 55 * time.Second}
	wantAudit(t, auditFindings(t, append(evictions(20, 2*time.Second), end)), "TR779 medium/high auth") // it gave up
	// Near miss: a budget that lets one pod go after the other.
	gone := auditEvent{user: "drainer", verb: "create", resource: "pods", sub: "eviction", namespace: "core",
		name: "auth-6559597f76-aaaa1", code: 201, after: 45 * time.Second}
	wantAudit(t, auditFindings(t, append(evictions(20, 2*time.Second), gone)))
}

// renewals are those of a lease of one holder, every two seconds.
func renewals(name, ip, holder string, from, to time.Duration) (out []auditEvent) {
	for at := from; at < to; at += 2 * time.Second {
		e := auditEvent{user: otherUser, agent: "operator/v1", verb: "update", group: "coordination.k8s.io",
			resource: "leases", namespace: "shop", name: name, after: at, ip: ip}
		if holder != "" {
			e.respond = fmt.Sprintf(`{"kind":"Lease","metadata":{"name":%q},"spec":{"holderIdentity":%q,"leaseDurationSeconds":15}}`, name, holder)
		}
		out = append(out, e)
	}
	return out
}

// turns has a lease lost after some renewals, again and again, each time for longer than it lasts.
func turns(n int, named, addressed bool) (out []auditEvent) {
	at := time.Duration(0)
	for i := range n {
		holder, ip := "", "10.0.0.1"
		if named {
			holder = fmt.Sprintf("operator-%d", i%2)
		}
		if addressed {
			ip = fmt.Sprintf("10.0.1.%d", i%2)
		}
		out = append(out, renewals("operator", ip, holder, at, at+20*time.Second)...)
		at += 26 * time.Second
	}
	return append(out, renewals("scheduler", "10.0.0.2", "", 0, at)...)
}

func TestALeaseThatGoesToAndFro(t *testing.T) {
	wantAudit(t, auditFindings(t, turns(8, true, false)), "TR774 medium/high operator")
	wantAudit(t, auditFindings(t, turns(8, false, true)), "TR774 medium/high operator")
	got := auditFindings(t, turns(8, false, false))
	wantAudit(t, got, "TR774 medium/medium operator")
	if !strings.Contains(got[0].Title, "renewals stop 7 times") {
		t.Error(got[0].Title)
	}
	// Near misses: a leader that is replaced twice, another connection of the same client, a silent log.
	wantAudit(t, auditFindings(t, turns(3, true, false)))
	moved := renewals("operator", "10.0.0.1", "", 0, 4*time.Minute)
	for i := range moved {
		moved[i].ip = fmt.Sprintf("10.0.2.%d", i/10%2)
	}
	wantAudit(t, auditFindings(t, moved))
	silent := turns(8, false, false)
	wantAudit(t, auditFindings(t, silent[:len(silent)-len(silent)/2]))
}
