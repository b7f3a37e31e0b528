package auditlog

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/phrase"
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
	message, cause, ip               string
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
	details := ""
	if e.cause != "" {
		details = fmt.Sprintf(`"details":{"causes":[{"reason":"DisruptionBudget","message":%q}]},`, e.cause)
	}
	at := time.Date(2026, 3, 4, 4, 40, 0, 0, time.UTC).Add(e.after)
	const form = "2006-01-02T15:04:05.000000Z"
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":%q,"auditID":"id-%d","stage":"ResponseComplete","requestURI":"/apis/x?%s","verb":%q,"user":{"username":%q},"userAgent":%q,`+
		`"objectRef":{"resource":%q,"namespace":%q,"name":%q,"apiGroup":%q,"apiVersion":"v1","resourceVersion":%q,"subresource":%q},"responseStatus":{"metadata":{},"message":%q,%s"code":%d},"sourceIPs":[%q]%s,`+
		`"requestReceivedTimestamp":%q,"stageTimestamp":%q}`,
		level, id, e.query, e.verb, e.user, e.agent, e.resource, e.namespace, e.name, e.group, e.version, e.sub,
		e.message, details, max(e.code, 200), e.ip, bodies,
		at.Format(form), at.Add(max(e.took, time.Millisecond)).Format(form))
}

// auditFindings runs the audit rules over events and returns the findings, worst first as the rules give them.
func auditFindings(t *testing.T, events []auditEvent) []rules.Finding {
	t.Helper()
	var b strings.Builder
	for i, e := range events {
		b.WriteString(e.write(i) + "\n")
	}
	r := audit.NewReader(audit.Options{})
	if err := r.Read("audit.log", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	p := &rules.Pass{Audit: audit.Merge([]*audit.Log{r.Close()})}
	var all []rules.Finding
	for _, rule := range Rules() {
		for _, f := range rule.Apply(p) {
			all = append(all, f)
			steptest.Check(t, f.Next)
			rulestest.CheckTexts(t, &f)
			if n := utf8.RuneCountInString(f.Title); n == 0 || n > phrase.MaxTitle || f.Why == "" || f.Fix == "" ||
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

// auditLines is one line a finding: rule, severity and confidence, object.
func auditLines(got []rules.Finding) (lines []string) {
	for _, f := range got {
		name := ""
		if f.Object != nil {
			name = f.Object.Name
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s/%s %s", f.Rule, f.Severity, f.Confidence, name)))
	}
	return lines
}

func wantAudit(t *testing.T, got []rules.Finding, lines ...string) {
	t.Helper()
	have := auditLines(got)
	if strings.Join(have, "\n") != strings.Join(lines, "\n") {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(lines, "\n"))
		for _, f := range got {
			t.Logf("%s: %s", f.Title, f.Why)
		}
	}
}

// TestTheControlPlaneIsKnownByItsAccounts is a near miss of TR760 and TR764 in a log that has lost the user agents.
func TestTheControlPlaneIsKnownByItsAccounts(t *testing.T) {
	job := statusUpdate
	job.user, job.agent, job.group, job.resource = "system:serviceaccount:kube-system:job-controller",
		"job-controller/v1", "batch", "jobs"
	wantAudit(t, auditFindings(t, auditRepeat(200, time.Second, job, chained)))
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
	wantAudit(t, got, "TR761 high/high web")
	f := got[0]
	if f.Confidence != rules.ConfHigh || f.Object.Kind != "Deployment" || len(f.Actors) != 2 ||
		!strings.Contains(f.Title, "spec.replicas 8 / 3") {
		t.Errorf("%+v", f)
	}
}

// TestOnlyALogWithoutBodiesIsToBeLoggedInMoreDetail: where values are hidden, more detail shows no more, and what a
// Secret holds belongs in no log.
func TestOnlyALogWithoutBodiesIsToBeLoggedInMoreDetail(t *testing.T) {
	const hidden = `{"kind":"ConfigMap","metadata":{"name":"web"},"data":{"password":"***"}}`
	for _, c := range []struct {
		resource, body string
		advised        bool
	}{{"configmaps", "", true}, {"configmaps", hidden, false}, {"secrets", "", false}} {
		events := fighters(30, time.Second, "", "")
		for i := range events {
			events[i].group, events[i].resource, events[i].respond = "", c.resource, c.body
		}
		got := auditFindings(t, events)
		if len(got) != 1 || slices.ContainsFunc(got[0].Notes, func(n string) bool {
			return strings.Contains(n, "at level Request")
		}) != c.advised {
			t.Errorf("%s, body %q: %+v", c.resource, c.body, got)
		}
	}
}

// TestTwoClustersInOneFolder: objects of one name whose uids take turns are no object that two write in turns.
func TestTwoClustersInOneFolder(t *testing.T) {
	body := func(uid string, replicas int) string {
		return fmt.Sprintf(`{"kind":"Deployment","metadata":{"name":"web","uid":%q},"spec":{"replicas":%d}}`, uid,
			replicas)
	}
	events := fighters(30, time.Second, "", "")
	for i := range events {
		if events[i].respond = body("prod", 8); events[i].user == otherUser {
			events[i].respond = body("staging", 3)
		}
	}
	wantAudit(t, auditFindings(t, events))
	for i := range events {
		events[i].respond = strings.Replace(events[i].respond, "staging", "prod", 1)
	}
	wantAudit(t, auditFindings(t, events), "TR761 high/high web")
	leases := turns(8, true, false)
	for i := range leases {
		uid := "prod"
		if strings.Contains(leases[i].respond, "operator-1") {
			uid = "staging"
		}
		leases[i].respond = strings.Replace(leases[i].respond, `"metadata":{`, `"metadata":{"uid":"`+uid+`",`, 1)
	}
	wantAudit(t, auditFindings(t, leases))
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
	wantAudit(t, auditFindings(t, events), "TR761 high/high web")
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
		`{"endpoints":[{"addresses":["10.9.9.9"]}]}`)), "TR761 high/high web-x1")
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
	wantAudit(t, got, "TR761 medium/medium web")
	if len(got[0].Notes) == 0 {
		t.Errorf("%+v", got[0])
	}
}

// TestTwoOwnersThatMakeOneObjectReady is a near miss of TR761: they take turns for four minutes, and are done.
func TestTwoOwnersThatMakeOneObjectReady(t *testing.T) {
	events := fighters(120, 2*time.Second, "", "")
	wantAudit(t, auditFindings(t, events), "TR761 high/medium web")
	later := auditEvent{user: "admin", verb: "get", resource: "nodes", name: "n1", after: 14 * time.Minute}
	wantAudit(t, auditFindings(t, append(events, later)), "TR761 medium/low web")
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
	wantAudit(t, got, "TR761 high/medium web")
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
		wantAudit(t, got, map[bool]string{true: "TR762 high/high db-node", false: "TR762 high/medium db-node"}[bodies])
		f := got[0]
		if f.Actors[0] != otherUser || f.Actors[1] != "admin" ||
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

// TestTheGarbageCollectorWins is the near miss of TR762: the same commands, but the dependant goes first.
func TestTheGarbageCollectorWins(t *testing.T) {
	for _, bodies := range []bool{true, false} {
		wantAudit(t, auditFindings(t, ownerRace(bodies, true)))
	}
}

// TestATakeoverBeforeTheOwnerIsDeletedAgain: the dependant goes half a minute later, but on account of a second
// deletion.
func TestATakeoverBeforeTheOwnerIsDeletedAgain(t *testing.T) {
	for _, bodies := range []bool{true, false} {
		events := ownerRace(bodies, false)
		var owner, set auditEvent
		for _, e := range events {
			switch {
			case e.resource == "databases" && e.verb == "delete":
				owner = e
			case e.resource == "statefulsets" && e.verb == "patch":
				set = e
			}
		}
		owner.after = 40 * time.Second
		set.user, set.verb, set.respond, set.request = garbage, "delete", "", ""
		set.after = owner.after + 100*time.Millisecond
		wantAudit(t, auditFindings(t, append(events, owner, set)),
			map[bool]string{true: "TR762 high/high db-node", false: "TR762 high/medium db-node"}[bodies])
		// Without the second deletion the garbage collector was late, and came all the same.
		wantAudit(t, auditFindings(t, append(events, set)))
	}
}
