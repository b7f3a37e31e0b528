package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/audit"
)

// An auditEvent is an event to be written as an API server writes it.
type auditEvent struct {
	after                            time.Duration // since the log's beginning
	took                             time.Duration
	user, agent, verb                string
	resource, sub, namespace, name   string
	group, version, request, respond string
	query                            string
	code                             int
	message                          string
}

func (e auditEvent) write(id int) string {
	level := "Metadata"
	bodies := ""
	if e.request != "" {
		level, bodies = "Request", `,"requestObject":`+e.request
	}
	if e.respond != "" {
		level, bodies = "RequestResponse", bodies+`,"responseObject":`+e.respond
	}
	at := time.Date(2026, 3, 4, 4, 40, 0, 0, time.UTC).Add(e.after)
	const form = "2006-01-02T15:04:05.000000Z"
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":%q,"auditID":"id-%d","stage":"ResponseComplete","requestURI":"/apis/x?%s","verb":%q,"user":{"username":%q},"userAgent":%q,`+
		`"objectRef":{"resource":%q,"namespace":%q,"name":%q,"apiGroup":%q,"apiVersion":"v1","resourceVersion":%q,"subresource":%q},"responseStatus":{"metadata":{},"message":%q,"code":%d}%s,`+
		`"requestReceivedTimestamp":%q,"stageTimestamp":%q}`,
		level, id, e.query, e.verb, e.user, e.agent, e.resource, e.namespace, e.name, e.group, e.version, e.sub,
		e.message, max(e.code, 200), bodies,
		at.Format(form), at.Add(max(e.took, time.Millisecond)).Format(form))
}

// auditFindings runs the audit rules over events and returns the findings, worst first as the rules give them.
func auditFindings(t *testing.T, events []auditEvent) []Finding {
	t.Helper()
	var b strings.Builder
	for i, e := range events {
		b.WriteString(e.write(i) + "\n")
	}
	r := audit.NewReader(audit.Options{})
	if err := r.Read("audit.log", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	p := &Pass{Audit: audit.Merge([]*audit.Log{r.Close()})}
	var all []Finding
	for _, rule := range auditRules() {
		for _, f := range rule.Apply(p) {
			all = append(all, f)
			if n := utf8.RuneCountInString(f.Title); n == 0 || n > MaxTitle || f.Why == "" || f.Fix == "" ||
				len(f.Evidence) == 0 || len(f.Next) == 0 {
				t.Errorf("%s is incomplete: %+v", f.Rule, f)
			}
			for _, e := range f.Evidence {
				if e.Input != "audit.log" || e.Line == 0 || e.Text == "" {
					t.Errorf("%s has evidence without a place: %+v", f.Rule, e)
				}
			}
		}
	}
	return all
}

// auditRepeat makes n events of one, each gap behind the one before; each, where not nil, varies them.
func auditRepeat(n int, gap time.Duration, e auditEvent, each func(i int, e *auditEvent)) []auditEvent {
	var out []auditEvent
	for i := range n {
		e := e
		e.after += time.Duration(i) * gap
		if each != nil {
			each(i, &e)
		}
		out = append(out, e)
	}
	return out
}

// chained gives the update i of an object the version that the one before returned.
func chained(i int, e *auditEvent) { e.version = fmt.Sprint(100 + i) }

// returning also returns the object, at its next version, with a status.
func returning(status func(i int) string) func(int, *auditEvent) {
	return func(i int, e *auditEvent) {
		chained(i, e)
		e.respond = fmt.Sprintf(`{"kind":"Release","apiVersion":"example.com/v1","metadata":{"name":%q,"resourceVersion":"%d"},"status":%s}`, e.name, 101+i, status(i))
	}
}

const (
	agentUser = "system:serviceaccount:releases:release-agent"
	otherUser = "system:serviceaccount:shop:shop-operator"
	garbage   = "system:serviceaccount:kube-system:generic-garbage-collector"
	sets      = "system:serviceaccount:kube-system:statefulset-controller"
	replicas  = "system:serviceaccount:kube-system:replicaset-controller"
	manager   = "kube-controller-manager/v1.34.1"
)

var statusUpdate = auditEvent{user: agentUser, agent: "release-agent/v1", verb: "update", group: "example.com",
	resource: "releases", sub: "status", namespace: "releases", name: "web"}

func ticking(i int) string {
	return fmt.Sprintf(`{"ready":true,"conditions":[{"type":"Monitored","at":"2026-03-04T04:%02d:%02dZ"}]}`, 40+i/60,
		i%60)
}

// wantAudit is one line a finding: rule, severity, object.
func wantAudit(t *testing.T, got []Finding, lines ...string) {
	t.Helper()
	var have []string
	for _, f := range got {
		name := ""
		if f.Object != nil {
			name = f.Object.Name
		}
		have = append(have, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Rule, f.Severity, name)))
	}
	if strings.Join(have, "\n") != strings.Join(lines, "\n") {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(lines, "\n"))
		for _, f := range got {
			t.Logf("%s: %s", f.Title, f.Why)
		}
	}
}

func TestAControllerThatWakesItselfIsALoop(t *testing.T) {
	got := auditFindings(t, auditRepeat(40, 900*time.Millisecond, statusUpdate, returning(ticking)))
	wantAudit(t, got, "TR760 high web")
	f := got[0]
	if f.Confidence != ConfHigh || f.Object.Kind != "Release" || f.Actors[0] != agentUser ||
		!strings.Contains(f.Title, "conditions[Monitored].at") {
		t.Errorf("%+v", f)
	}
}

func TestALoopIsProvenByVersionsAlone(t *testing.T) {
	got := auditFindings(t, auditRepeat(200, 900*time.Millisecond, statusUpdate, chained))
	wantAudit(t, got, "TR760 high web")
	if got[0].Confidence != ConfMedium || len(got[0].Notes) == 0 {
		t.Errorf("%+v", got[0])
	}
}

func TestWritesThatLeaveTheVersionAreALoop(t *testing.T) {
	got := auditFindings(t, auditRepeat(40, time.Second, statusUpdate,
		func(i int, e *auditEvent) { e.version = fmt.Sprint(100 + i/3) }))
	wantAudit(t, got, "TR760 high web")
}

// TestALoopOverSeveralObjectsIsOneFinding has one agent that rewrites two objects.
func TestALoopOverSeveralObjectsIsOneFinding(t *testing.T) {
	other := statusUpdate
	other.name, other.after = "db", 300*time.Millisecond
	got := auditFindings(t, append(auditRepeat(40, time.Second, statusUpdate, returning(ticking)),
		auditRepeat(30, time.Second, other, returning(ticking))...))
	wantAudit(t, got, "TR760 high web")
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
	rollout.user, rollout.agent, rollout.resource, rollout.group = "system:serviceaccount:kube-system:deployment-controller", manager, "deployments", "apps"
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

func TestAHeartbeatIsLow(t *testing.T) {
	wantAudit(t, auditFindings(t, auditRepeat(60, 10*time.Second, statusUpdate, returning(func(i int) string {
		return fmt.Sprintf(`{"conditions":[{"type":"Alive","at":"2026-03-04T04:%02d:%02dZ"}]}`, 40+i/6, i%6*10)
	}))), "TR760 low web")
}

func inTurns(a, b []auditEvent) []auditEvent {
	var out []auditEvent
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

// TestATimerIsNoLoop holds near misses of TR760: a heartbeat every 5 s, give or take, is low whether or not bodies tell
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
	wantAudit(t, auditFindings(t, auditRepeat(120, 5*time.Second, statusUpdate, uneven(chained))), "TR760 low web")
	wantAudit(t, auditFindings(t, auditRepeat(120, 5*time.Second, statusUpdate, uneven(returning(beat)))),
		"TR760 low web")
	wantAudit(t, auditFindings(t, auditRepeat(120, 3*time.Second, statusUpdate, uneven(returning(beat)))),
		"TR760 low web")
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
		returning(func(i int) string { return fmt.Sprintf(`{"reconcileCount":%d}`, i) }))), "TR760 high web")
}

// TestPatchesThatReportProgressAreNoLoop is a near miss of TR760 where neither versions nor answers are logged.
func TestPatchesThatReportProgressAreNoLoop(t *testing.T) {
	patch := statusUpdate
	patch.verb = "patch"
	wantAudit(t, auditFindings(t, auditRepeat(300, time.Second, patch,
		func(i int, e *auditEvent) { e.request = fmt.Sprintf(`{"status":{"bytes":%d}}`, i*4096) })))
}

// TestTheControlPlaneIsKnownByItsAccounts is a near miss of TR760 and TR764 in a log that has lost the user agents.
func TestTheControlPlaneIsKnownByItsAccounts(t *testing.T) {
	job := statusUpdate
	job.user, job.agent, job.group, job.resource = "system:serviceaccount:kube-system:job-controller", "job-controller/v1", "batch", "jobs"
	wantAudit(t, auditFindings(t, auditRepeat(200, time.Second, job, chained)))
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
	wantAudit(t, auditFindings(t, loop), "TR760 medium node-agent")
	wantAudit(t, auditFindings(t, loop[:80])) // a rollout's forty steps end
}

// fighters are the turns of two actors on one Deployment.
func fighters(n int, gap time.Duration, a, b string) []auditEvent {
	e := auditEvent{verb: "patch", group: "apps", resource: "deployments", namespace: "prod", name: "web"}
	first, second := e, e
	first.user, first.agent, first.request = agentUser, "release-agent/v1", a
	second.user, second.agent, second.request, second.after = otherUser, "shop-operator/v2", b, gap/2
	return inTurns(auditRepeat(n, gap, first, nil), auditRepeat(n, gap, second, nil))
}

func TestTwoControllersThatUndoEachOther(t *testing.T) {
	got := auditFindings(t, fighters(30, time.Second, `{"spec":{"replicas":8}}`, `{"spec":{"replicas":3}}`))
	wantAudit(t, got, "TR761 high web")
	f := got[0]
	if f.Confidence != ConfHigh || f.Object.Kind != "Deployment" || len(f.Actors) != 2 ||
		!strings.Contains(f.Title, "spec.replicas 8 / 3") {
		t.Errorf("%+v", f)
	}
}

func TestAnAutoscalerFightsThroughTheScaleSubresource(t *testing.T) {
	events := fighters(30, time.Second, `{"spec":{"replicas":3}}`,
		`{"kind":"Scale","metadata":{"name":"web"},"spec":{"replicas":8}}`)
	for i := range events {
		if i%2 == 1 {
			events[i].verb, events[i].sub = "update", "scale"
			events[i].user, events[i].agent = "system:serviceaccount:kube-system:horizontal-pod-autoscaler", manager+
				" (linux/amd64) kubernetes/abc/system:serviceaccount:kube-system:horizontal-pod-autoscaler"
		}
	}
	wantAudit(t, auditFindings(t, events), "TR761 high web")
}

// mirrored is a fight of the control plane with another controller over the addresses of a Service.
func mirrored(n int, ours, theirs string) []auditEvent {
	events := fighters(n, time.Second, ours, theirs)
	for i := range events {
		events[i].resource, events[i].group, events[i].name = "endpointslices", "discovery.k8s.io", "web-x1"
		if i%2 == 1 {
			events[i].user, events[i].agent = "system:serviceaccount:kube-system:endpointslice-controller", manager
		}
	}
	return events
}

func TestAddressesThatGoToAndFroAreAFight(t *testing.T) {
	wantAudit(t, auditFindings(t, mirrored(30, `{"endpoints":[{"addresses":["10.1.1.1"]}]}`,
		`{"endpoints":[{"addresses":["10.9.9.9"]}]}`)), "TR761 high web-x1")
}

// TestAddressesThatFollowTheirPods holds near misses of TR761: the control plane writes a Service's addresses again and
// again by nature.
func TestAddressesThatFollowTheirPods(t *testing.T) {
	moving := mirrored(30, `{"metadata":{"annotations":{"mirrored":"yes"}}}`, "")
	for i := range moving {
		if i%2 == 1 {
			moving[i].request = fmt.Sprintf(`{"endpoints":[{"addresses":["10.1.1.%d"]}]}`, i)
		}
	}
	for name, events := range map[string][]auditEvent{
		"addresses that change":  moving,
		"one value":              mirrored(30, `{"endpoints":[]}`, `{"endpoints":[]}`),
		"a few turns":            mirrored(6, `{"endpoints":[]}`, `{"endpoints":[{"addresses":["10.9.9.9"]}]}`),
		"alternation without it": mirrored(60, "", ""),
	} {
		t.Run(name, func(t *testing.T) { wantAudit(t, auditFindings(t, events)) })
	}
}

func TestAlternationAloneIsLessSure(t *testing.T) {
	got := auditFindings(t, fighters(40, time.Second, "", ""))
	wantAudit(t, got, "TR761 medium web")
	if got[0].Confidence != ConfLow || len(got[0].Notes) == 0 {
		t.Errorf("%+v", got[0])
	}
}

func TestOneDeletesWhatTheOtherCreates(t *testing.T) {
	events := fighters(8, 2*time.Second, "", "")
	for i := range events {
		events[i].resource, events[i].group = "configmaps", ""
		if events[i].verb = "create"; i%2 == 1 {
			events[i].verb = "delete"
		}
	}
	got := auditFindings(t, events)
	wantAudit(t, got, "TR761 high web")
	if !strings.Contains(got[0].Title, "deletes") {
		t.Error(got[0].Title)
	}
}

// TestWritersThatShareAnObject holds near misses of TR761.
func TestWritersThatShareAnObject(t *testing.T) {
	answers := fighters(60, time.Second, "", "")
	for i := range answers {
		if i%2 == 1 {
			answers[i].user, answers[i].agent = "system:serviceaccount:kube-system:deployment-controller", manager
		}
	}
	for name, events := range map[string][]auditEvent{
		"different fields": fighters(60, time.Second, `{"metadata":{"annotations":{"a":"1"}}}`,
			`{"metadata":{"annotations":{"b":"1"}}}`),
		"the same value":               fighters(60, time.Second, `{"spec":{"replicas":3}}`, `{"spec":{"replicas":3}}`),
		"a few turns":                  fighters(3, time.Second, `{"spec":{"replicas":8}}`, `{"spec":{"replicas":3}}`),
		"the control plane's answers":  answers,
		"alternation without a reason": fighters(15, time.Second, "", ""),
		"one clock":                    fighters(60, 20*time.Second, "", ""),
	} {
		t.Run(name, func(t *testing.T) { wantAudit(t, auditFindings(t, events)) })
	}
}

// ownerRace is the founding race: an owner is deleted and created anew, its controller patches the dependant before the
// garbage collector comes, a claim that was deleted too goes when its pod does, and the pod's successor waits.
func ownerRace(bodies, wins bool) []auditEvent {
	ns := "shop"
	owned := func(uid string) string {
		if !bodies {
			return ""
		}
		return `{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"db-node","uid":"s","resourceVersion":"1","ownerReferences":[{"apiVersion":"x/v1","kind":"Database","name":"db","uid":"` + uid + `","controller":true}]}}`
	}
	owner := func(uid string) string {
		if !bodies {
			return ""
		}
		return `{"kind":"Database","apiVersion":"x/v1","metadata":{"name":"db","uid":"` + uid +
			`","resourceVersion":"1"}}`
	}
	set := auditEvent{user: otherUser, agent: "operator/v1", group: "apps", resource: "statefulsets", namespace: ns,
		name: "db-node"}
	db := auditEvent{user: "admin", agent: "kubectl/v1", group: "x", resource: "databases", namespace: ns, name: "db"}
	claim := auditEvent{user: "admin", agent: "kubectl/v1", resource: "persistentvolumeclaims", namespace: ns,
		name: "data-db-node-1"}
	pod := auditEvent{user: sets, agent: manager, resource: "pods", namespace: ns, name: "db-node-1"}
	with := func(e auditEvent, after time.Duration, verb, sub, respond string, code int) auditEvent {
		e.after, e.verb, e.sub, e.respond, e.code = after, verb, sub, respond, code
		return e
	}
	by := func(e auditEvent, user string) auditEvent {
		e.user = user
		return e
	}
	events := []auditEvent{
		with(db, 0, "create", "", owner("old"), 201),
		with(set, 10*time.Millisecond, "create", "", owned("old"), 201),
		with(by(claim, sets), 20*time.Millisecond, "create", "", "", 201),
		with(pod, 30*time.Millisecond, "create", "", "", 201),
		with(by(pod, "system:kube-scheduler"), 40*time.Millisecond, "create", "binding", "", 201),
		with(by(pod, "system:node:n1"), time.Second, "patch", "status", "", 200),
		with(db, 5*time.Second, "delete", "", "", 200),
		with(claim, 5*time.Second+8*time.Millisecond, "delete", "", "", 200),
	}
	again := 5*time.Second + 24*time.Millisecond
	if !wins {
		events = append(events, with(db, again, "create", "", owner("new"), 201), with(set, again+6*time.Millisecond,
			"patch", "", owned("new"), 200))
	} else {
		events = append(events, with(by(set, garbage), again-4*time.Millisecond, "delete", "", "", 200),
			with(db, again, "create", "", owner("new"), 201),
			with(set, again+6*time.Millisecond, "patch", "", "", 404), with(set, again+50*time.Millisecond, "create",
				"", owned("new"), 201))
	}
	events = append(events,
		with(pod, again+20*time.Millisecond, "delete", "", "", 200),
		with(by(pod, "system:node:n1"), 8*time.Second, "delete", "", "", 200),
		with(by(claim, "system:serviceaccount:kube-system:pvc-protection-controller"),
			8*time.Second+10*time.Millisecond, "update", "", "", 200),
		with(by(claim, sets), 8*time.Second+20*time.Millisecond, "create", "", "", 201),
		with(pod, 8*time.Second+30*time.Millisecond, "create", "", "", 201),
	)
	if wins {
		events = append(events, with(by(pod, "system:kube-scheduler"), 9*time.Second, "create", "binding", "", 201),
			with(by(pod, "system:node:n1"), 10*time.Second, "patch", "status", "", 200))
	}
	return append(events, with(auditEvent{user: "admin", resource: "pods"}, time.Minute, "list", "", "", 200))
}

func TestADependantThatOutlivesItsOwner(t *testing.T) {
	for _, bodies := range []bool{true, false} {
		got := auditFindings(t, ownerRace(bodies, false))
		wantAudit(t, got, "TR762 high db-node")
		f := got[0]
		confidence := ConfMedium
		if bodies {
			confidence = ConfHigh
		}
		if f.Confidence != confidence || f.Actors[0] != otherUser || f.Actors[1] != "admin" ||
			!strings.Contains(f.Title, "30 ms") || !strings.Contains(f.Why, "db-node-1") {
			t.Errorf("bodies %v: %+v", bodies, f)
		}
		var names []string
		for _, o := range f.Objects {
			names = append(names, o.Name)
		}
		if got := strings.Join(names, " "); got != "db data-db-node-1 db-node-1" {
			t.Errorf("the objects are %s", got)
		}
	}
}

// TestTheGarbageCollectorWins is the near miss of TR762 and TR763: the same commands, but the dependant goes first.
func TestTheGarbageCollectorWins(t *testing.T) {
	for _, bodies := range []bool{true, false} {
		wantAudit(t, auditFindings(t, ownerRace(bodies, true)))
	}
}

func TestAClaimThatGoesUnderItsPod(t *testing.T) {
	claim := auditEvent{user: "system:serviceaccount:ops:janitor", verb: "delete", resource: "persistentvolumeclaims",
		namespace: "shop", name: "data-db-0", after: time.Second}
	pod := auditEvent{user: sets, agent: manager, verb: "create", resource: "pods", namespace: "shop", name: "db-0",
		after: time.Second + 20*time.Millisecond, code: 201}
	bound := auditEvent{user: "system:kube-scheduler", verb: "create", resource: "pods", sub: "binding",
		namespace: "shop", name: "web-0", code: 201}
	end := auditEvent{user: "admin", verb: "list", resource: "pods", after: time.Minute}
	got := auditFindings(t, []auditEvent{bound, claim, pod, end})
	wantAudit(t, got, "TR763 high data-db-0")
	if got[0].Objects[0].Name != "db-0" {
		t.Errorf("%+v", got[0])
	}
	started := bound
	started.name, started.after = "db-0", 2*time.Second
	wantAudit(t, auditFindings(t, []auditEvent{bound, claim, pod, started, end}))
	otherClaim := claim
	otherClaim.name = "data-db-1"
	wantAudit(t, auditFindings(t, []auditEvent{bound, otherClaim, pod, end}))
}

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
	wantAudit(t, got, "TR764 critical web")
	f := got[0]
	if f.Object.Kind != "Deployment" || !strings.Contains(f.Title, "OutOfcpu") ||
		!strings.Contains(f.Why, "spec.nodeName") || f.Count != 120 {
		t.Errorf("%+v", f)
	}
}

func TestAStormIsSeenWithoutBodies(t *testing.T) {
	wantAudit(t, auditFindings(t, auditStorm(250, 100*time.Millisecond, false, removed)), "TR764 high web")
	wantAudit(t, auditFindings(t, auditStorm(60, 100*time.Millisecond, false, removed)), "TR764 medium web")
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
	wantAudit(t, got, "TR764 high web")
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
	wantAudit(t, auditFindings(t, again(100, 1500*time.Millisecond)), "TR764 medium sync")
	wantAudit(t, auditFindings(t, again(100, time.Minute))) // a pipeline's
}

// TestObjectsThatAreRunsAreNoStorm holds near misses of TR764: a pipeline's jobs, and what is deleted again.
func TestObjectsThatAreRunsAreNoStorm(t *testing.T) {
	named := func(i int, e *auditEvent) { e.name = fmt.Sprintf("run-%04d", i) }
	job := auditEvent{user: agentUser, agent: "ci/v1", verb: "create", group: "batch", resource: "jobs",
		namespace: "ci", code: 201}
	wantAudit(t, auditFindings(t, auditRepeat(600, 800*time.Millisecond, job, named)), "TR764 low")
	secret := job
	secret.group, secret.resource = "", "secrets"
	wantAudit(t, auditFindings(t, auditRepeat(600, 800*time.Millisecond, secret, named)), "TR764 medium")
	gone := secret
	gone.verb, gone.code, gone.after = "delete", 200, time.Minute
	wantAudit(t, auditFindings(t, append(auditRepeat(600, 800*time.Millisecond, secret, named),
		auditRepeat(600, 800*time.Millisecond, gone, named)...)), "TR764 low")
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
