package auditlog

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// auditStorm has pods that are created by one actor for one ReplicaSet; what becomes of them is for then to say.
func auditStorm(n int, gap time.Duration, bodies bool, then func(i int, name string,
	at time.Duration) []auditEvent) []auditEvent {
	var out []auditEvent
	for i := range n {
		name := fmt.Sprintf("web-6559597f76-%c%c%c%c%c", 'b'+i%20, 'c'+i/20%20, 'd'+i/400%20, 'x', 'z')
		e := auditEvent{user: replicas, agent: manager, verb: "create", resource: "pods", namespace: "prod",
			after: time.Duration(i) * gap, code: 201}
		if bodies {
			e.respond = `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name +
				`","generateName":"web-6559597f76-","uid":"` + name +
				`","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-6559597f76","uid":"r","controller":true}]},"spec":{"nodeName":"n1"}}`
		}
		out = append(out, e)
		out = append(out, then(i, name, e.after)...)
	}
	return append(out, auditEvent{user: "system:serviceaccount:kube-system:deployment-controller", agent: manager,
		verb: "update", group: "apps", resource: "deployments", sub: "status", namespace: "prod", name: "web"})
}

// fails is a kubelet's report; removed a deletion some seconds later.
func fails(_ int, name string, at time.Duration) []auditEvent {
	return []auditEvent{{after: at + 10*time.Millisecond, user: "system:node:n1", agent: "kubelet/v1", verb: "patch",
		resource: "pods", sub: "status", namespace: "prod", name: name,
		request: `{"status":{"phase":"Failed","reason":"OutOfcpu"}}`}}
}

func removed(_ int, name string, at time.Duration) []auditEvent {
	return []auditEvent{
		{after: at + 10*time.Millisecond, user: "system:node:n1", agent: "kubelet/v1", verb: "patch", resource: "pods",
			sub: "status", namespace: "prod", name: name},
		{after: at + 3*time.Second, user: garbage, agent: manager, verb: "delete", resource: "pods", namespace: "prod",
			name: name},
	}
}

func TestPodsThatFailByTheHundredAreAStorm(t *testing.T) {
	got := auditFindings(t, auditStorm(120, 100*time.Millisecond, true, fails))
	wantAudit(t, got, "TR764 critical/high web")
	f := got[0]
	if f.Object.Kind != "Deployment" || !strings.Contains(f.Title, "OutOfcpu") ||
		!strings.Contains(f.Why, "spec.nodeName") || f.Count != 120 {
		t.Errorf("%+v", f)
	}
}

// TestAStormOfAnUnknownOwner: at level Metadata a pod's name shows its ReplicaSet, else nothing is called Pod without a
// name, and no fix scales a Pod.
func TestAStormOfAnUnknownOwner(t *testing.T) {
	var events []auditEvent
	for _, e := range auditStorm(300, 2*time.Second, false, removed) {
		if e.resource == "pods" {
			e.respond, e.request = "", ""
			events = append(events, e)
		}
	}
	for _, f := range auditFindings(t, events) {
		if text := f.Title + f.Fix + f.Why; strings.Contains(text, "Pod prod/ ") ||
			strings.Contains(text, "Scale Pod") || f.Object.Name == "" {
			t.Errorf("%s\n%s\n%+v", f.Title, f.Fix, f.Object)
		}
	}
}

func TestAStormIsSeenWithoutBodies(t *testing.T) {
	wantAudit(t, auditFindings(t, auditStorm(250, 100*time.Millisecond, false, removed)), "TR764 high/medium web")
	wantAudit(t, auditFindings(t, auditStorm(60, 100*time.Millisecond, false, removed)), "TR764 medium/medium web")
}

// seenAlive is what a kubelet says of a pod at a level without bodies.
func seenAlive(_ int, name string, at time.Duration) []auditEvent {
	return []auditEvent{{after: at + 400*time.Millisecond, user: "system:node:n1", agent: "kubelet/v1", verb: "patch",
		resource: "pods", sub: "status", namespace: "prod", name: name}}
}

func TestPodsThatNoSchedulerSawAreAStorm(t *testing.T) {
	elsewhere := auditEvent{user: "system:kube-scheduler", verb: "create", resource: "pods", sub: "binding",
		namespace: "ops", name: "other-0", code: 201}
	got := auditFindings(t, append(auditStorm(250, 200*time.Millisecond, false, seenAlive), elsewhere))
	wantAudit(t, got, "TR764 high/medium web")
	if !strings.Contains(got[0].Title, "scheduler") {
		t.Error(got[0].Title)
	}
	bound := func(i int, name string, at time.Duration) []auditEvent {
		b := elsewhere
		b.namespace, b.name, b.after = "prod", name, at+100*time.Millisecond
		return append(seenAlive(i, name, at), b)
	}
	wantAudit(t, auditFindings(t, auditStorm(250, 200*time.Millisecond, false, bound)))
}

func TestOneObjectThatIsCreatedOverAndOver(t *testing.T) {
	job := auditEvent{user: agentUser, agent: "release-agent/v1", verb: "create", group: "batch", resource: "jobs",
		namespace: "ops", name: "sync", code: 201}
	gone := job
	gone.verb, gone.code, gone.after = "delete", 200, -100*time.Millisecond
	again := func(n int, gap time.Duration) []auditEvent {
		return inTurns(auditRepeat(n, gap, gone, nil), auditRepeat(n, gap, job, nil))
	}
	wantAudit(t, auditFindings(t, again(100, 1500*time.Millisecond)), "TR790 medium/medium sync")
	wantAudit(t, auditFindings(t, again(100, time.Minute))) // a pipeline's
}

// TestADrainIsNoStorm is a near miss of TR764: one node's pods are evicted, and those of many owners come back
// elsewhere.
func TestADrainIsNoStorm(t *testing.T) {
	drained := func(i int, _ string, at time.Duration) []auditEvent {
		pod := auditEvent{resource: "pods", namespace: "prod", name: fmt.Sprintf("app-%d-6559597f76-xk%03d", i%12, i)}
		evict, report, gone := pod, pod, pod
		evict.user, evict.verb, evict.sub, evict.code, evict.after = "admin", "create", "eviction", 201, at+
			time.Millisecond
		report.user, report.verb, report.sub, report.after = "system:node:n1", "patch", "status", at+time.Second
		gone.user, gone.verb, gone.after = "system:node:n1", "delete", at+3*time.Second
		return []auditEvent{evict, report, gone}
	}
	wantAudit(t, auditFindings(t, auditStorm(60, 2*time.Second, false, drained)))
}

// TestPodsThatAreNoStorm holds near misses of TR764.
func TestPodsThatAreNoStorm(t *testing.T) {
	nothing := func(int, string, time.Duration) []auditEvent { return nil }
	old := func(i int, name string, at time.Duration) []auditEvent { // a rollout deletes the pods of before
		return []auditEvent{{after: at + 10*time.Millisecond, user: replicas, agent: manager, verb: "delete",
			resource: "pods", namespace: "prod", name: "web-5c9f8d7b66-" + name[len(name)-5:]}}
	}
	few := func(i int, name string, at time.Duration) []auditEvent {
		if i < 19 {
			return fails(i, name, at)
		}
		return nil
	}
	for name, events := range map[string][]auditEvent{
		"scaling up":        auditStorm(500, 10*time.Millisecond, false, nothing),
		"a rollout":         auditStorm(200, 10*time.Millisecond, false, old),
		"a few failed pods": auditStorm(40, 10*time.Millisecond, true, few),
		"slow failures":     auditStorm(30, time.Minute, true, fails),
	} {
		t.Run(name, func(t *testing.T) { wantAudit(t, auditFindings(t, events)) })
	}
}

func TestAStormOfPodsWhoseOwnerIsRemadeNamesWhoRemakesIt(t *testing.T) {
	const sets, operator = "system:serviceaccount:kube-system:statefulset-controller", "system:serviceaccount:db:operator"
	var events []auditEvent
	for round := range 25 {
		at := time.Duration(round) * 30 * time.Second
		owner := auditEvent{after: at, user: operator, agent: "operator/v1", verb: "delete", group: "apps",
			resource: "statefulsets", namespace: "db", name: "pg", code: 200}
		made := owner
		made.after, made.verb, made.code = at+time.Second, "create", 201
		events = append(events, owner, made)
		for pod := range 2 {
			e := auditEvent{after: at + 2*time.Second, user: sets, agent: manager, verb: "create", resource: "pods",
				namespace: "db", name: fmt.Sprintf("pg-%d", pod), code: 201}
			gone := e
			gone.after, gone.user, gone.verb, gone.code = at+28*time.Second,
				"system:serviceaccount:kube-system:generic-garbage-collector", "delete", 200
			events = append(events, e, gone)
		}
	}
	got := auditFindings(t, events)
	wantAudit(t, got, "TR790 medium/medium pg")
	if f := got[0]; !strings.Contains(f.Title, "operator deletes and recreates StatefulSet") || len(f.Actors) != 1 ||
		f.Actors[0] != operator {
		t.Errorf("%s: %v", f.Title, f.Actors)
	}
	for _, s := range got[0].Next {
		if s.Changes {
			t.Errorf("%s would end nothing", s.Command)
		}
	}
}
