package declared

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/stackparse"
)

// asking is a rule file with one rule that has a condition of a field; its texts take words.
func asking(field, condition, title string) string {
	return fmt.Sprintf(`rules:
  - id: ACME001
    name: own
    category: other
    severity: medium
    confidence: medium
    %s: %s
    finds: what we look for
    title: "%s"
    why: It is there.
    fix: Remove it.
    false_positives: none known
`, field, condition, title)
}

// findings are those of the one rule of a file; they keep the contract of every report.
func findings(t *testing.T, text string, p *rules.Pass) []rules.Finding {
	t.Helper()
	f, err := Load("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	found := f.Rules[0].Apply(p)
	for i := range found {
		rulestest.CheckFinding(t, &found[i])
	}
	return found
}

const pods = `apiVersion: v1
kind: List
metadata: {}
items:
- apiVersion: cert-manager.io/v1
  kind: Certificate
  metadata: {name: web, namespace: shop, labels: {team: a}, annotations: {owner: "x"}, creationTimestamp: "2026-03-04T09:00:00Z"}
  status:
    conditions: [{type: Ready, status: "False", reason: Gone, lastTransitionTime: "2026-03-04T09:10:00Z"}]
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-0
    namespace: shop
    creationTimestamp: "2026-03-04T09:00:00Z"
    labels: {app: web}
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: u1, controller: true}]
  spec: {nodeName: n1, containers: [{name: app, image: web:1}]}
  status:
    phase: Running
    conditions: [{type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: "2026-03-04T09:30:00Z"}]
    containerStatuses:
    - name: app
      restartCount: 5
      state: {waiting: {reason: CrashLoopBackOff}}
      lastState: {terminated: {reason: Error, exitCode: 2, finishedAt: "2026-03-04T09:40:00Z"}}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-1
    namespace: shop
    creationTimestamp: "2026-03-04T09:55:00Z"
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: u1, controller: true}]
  status:
    phase: Pending
    conditions: [{type: Ready, status: "False", lastTransitionTime: "2026-03-04T10:00:00Z"}]
`

func cluster(t *testing.T) *rules.Pass {
	t.Helper()
	store := kube.NewStore(0)
	store.Labels = true
	r := kube.NewReader(store)
	if err := r.Read("pods.yaml", strings.NewReader(pods)); err != nil {
		t.Fatal(err)
	}
	return &rules.Pass{Cluster: kube.Merge([]*kube.Objects{r.Close()})}
}

func TestAConditionSeesWhatIsKeptOfAnObject(t *testing.T) {
	p := cluster(t)
	for _, tt := range []struct {
		condition, title, want, about string
	}{
		{`{kind: Certificate, when: 'conditions["Ready"].status == "False" && minutes > 10'}`, "{object}{waiting}",
			"Certificate shop/web for at least 50 minutes", "Certificate shop/web"},
		{`{when: 'labels["team"] == "a" && annotations.owner == "x"'}`, "{kind} {name} {age}", "Certificate web 60",
			"Certificate shop/web"},
		{`{kind: pods, when: 'any(containers, .waiting == "CrashLoopBackOff" && .exit == 2)'}`,
			"{object} of {owner} on {node}: {restarts}", "Pod shop/web-0 of StatefulSet shop/web on n1: 5",
			"Pod shop/web-0"},
		{`{kind: Pod, when: 'conditions["Ready"].status == "False"'}`, "{count} of {object}",
			"2 of StatefulSet shop/web",
			"StatefulSet shop/web"},
		{`{kind: Pod, when: 'conditions["Ready"].status == "False"', count: {min: 3}}`, "{object}", "", ""},
		{`{kind: Pod, when: 'conditions["Ready"].minutes > 25 && phase == "Running"'}`, "{object}", "Pod shop/web-0",
			"Pod shop/web-0"},
		{`{kind: Pod, when: 'conditions["Ready"].minutes > 30'}`, "{object}", "", ""},
		{`{kind: Pod, when: 'conditions["Disk"].status == "False"'}`, "{object}", "", ""},
		{`{kind: Pod, when: 'containers[7].name == "x"'}`, "{object}", "", ""},
	} {
		found := findings(t, asking("objects", tt.condition, tt.title), p)
		if tt.want == "" {
			if len(found) != 0 {
				t.Errorf("%s: %q", tt.condition, found[0].Title)
			}
			continue
		}
		if len(found) != 1 || found[0].Title != tt.want || found[0].Object.Text() != tt.about {
			t.Errorf("%s: %+v, want %q about %s", tt.condition, found, tt.want, tt.about)
		}
	}
	found := findings(t, asking("objects", `{kind: Certificate, when: 'true'}`, "{object}"), p)
	if e := found[0].Evidence[0]; e.Input != "pods.yaml" || e.Line != 5 ||
		e.Text != "Certificate shop/web, Ready=False Gone" {
		t.Errorf("evidence %+v", e)
	}
	withNext := strings.Replace(asking("objects", `{kind: Certificate, when: 'true'}`, "{object}"), "    fix:",
		"    next: [logs]\n    fix:", 1)
	found = findings(t, withNext, p)
	if n := found[0].Next; len(n) != 1 || n[0].Command != "kubectl -n shop describe certificate.cert-manager.io web" {
		t.Errorf("next %+v", n)
	}
}

// mined is a log of one process.
func mined(f *File, lines ...string) *rules.Pass {
	m := logpattern.NewMiner()
	target := rules.Target{Namespace: "shop", Pod: "web-0", Container: "app"}
	m.Keep = func(p *logpattern.Pattern) bool { return f.Keeps(p, "web.log", target) }
	at := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	for i, l := range lines {
		m.Line([]byte(l), int64(i+1), 0, []byte(at.Add(time.Duration(i)*time.Minute).Format(time.RFC3339)))
	}
	return &rules.Pass{Logs: []*rules.LogInput{{Log: m.Close(), Input: "web.log", Target: target}}}
}

func TestAConditionSeesALineThatIsLoggedOnce(t *testing.T) {
	const when = `{when: 'text contains "quota exceeded" && pod startsWith "web-" && fields["tenant"] == "7"'}`
	text := asking("logs", when, "{process}: {count} × {level}, {message}")
	f, err := Load("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	line := `level=error msg="quota exceeded" tenant=7`
	found := findings(t, text, mined(f, "level=info msg=started", line, "level=info msg=done"))
	if len(found) != 1 || found[0].Title != "shop/web-0 (app): 1 × error, quota exceeded" ||
		found[0].Object.Text() != "Pod shop/web-0" || found[0].Evidence[0].Line != 2 {
		t.Fatalf("%+v", found)
	}
	if found := findings(t, text, mined(f, "level=info msg=started", strings.Replace(line, "7", "8",
		1))); len(found) != 0 {
		t.Errorf("another tenant: %+v", found)
	}
}

func TestAConditionCountsRequestsOfOneUserForOneResource(t *testing.T) {
	var b bytes.Buffer
	for i := range 120 {
		name, verb := []string{"a", "b"}[i%2], "update"
		if i >= 100 {
			verb = "get"
		}
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a%d",`+
			`"stage":"ResponseComplete","verb":%q,"user":{"username":"system:serviceaccount:acme:op"},`+
			`"objectRef":{"resource":"configmaps","namespace":"acme","name":%q,"apiVersion":"v1"},`+
			`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-04T10:%02d:%02d.000000Z",`+
			`"stageTimestamp":"2026-03-04T10:%02d:%02d.100000Z"}`+"\n", i, verb, name, i/60, i%60, i/60, i%60)
	}
	r := audit.NewReader(audit.Options{})
	if err := r.Read("audit.log", &b); err != nil {
		t.Fatal(err)
	}
	p := &rules.Pass{Audit: audit.Merge([]*audit.Log{r.Close()})}
	for when, want := range map[string]string{
		`{when: 'verb == "update" && user startsWith "system:serviceaccount:acme"', count: {min: 100}}`: "100 ConfigMap acme/a and others",
		`{when: 'verb == "update"', count: {min: 101}}`:                                                 "",
		`{when: 'verb == "update" && name == "a"'}`:                                                     "50 ConfigMap acme/a",
		`{when: 'verb == "get"'}`:                                                                       "20 ",
		`{when: 'true'}`:                                                                                "120 ConfigMap acme/a and others",
		`{when: 'code >= 400'}`:                                                                         "",
	} {
		found := findings(t, asking("audit", when, "{count} {object}"), p)
		if want == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || found[0].Title != want {
			t.Errorf("%s: %+v, want %q", when, found, want)
		}
	}
}

func TestAConditionSeesMetricsOfTheProgramsOwn(t *testing.T) {
	text := asking("metrics", `{when: 'name == "acme_depth" && labels["queue"] != "bulk" && value > 1000'}`,
		"{name} of {labels} is {value}")
	f, err := Load("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) *rules.Pass {
		s, err := metrics.Read(strings.NewReader(text), 1, func(s *metrics.Sample) bool {
			return f.Keeps(s, "metrics.txt", rules.Target{})
		})
		if err != nil {
			t.Fatal(err)
		}
		return &rules.Pass{Metrics: []*rules.MeterInput{{Meter: s, Input: "metrics.txt"}}}
	}
	found := findings(t, text,
		read("go_goroutines 7\nacme_depth{queue=\"bulk\"} 9000\nacme_depth{queue=\"in\"} 1200\n"))
	if len(found) != 1 || found[0].Title != "acme_depth of queue=in is 1,200" || found[0].Evidence[0].Line != 3 {
		t.Errorf("%+v", found)
	}
	if found := findings(t, text, read("acme_depth{queue=\"in\"} 1000\n")); len(found) != 0 {
		t.Errorf("%+v", found)
	}
}

func TestATextOfAnInputStaysATextInAFinding(t *testing.T) {
	text := asking("metrics", `{when: 'value > 0'}`, "{name} {labels}")
	s, _ := metrics.Read(strings.NewReader("go_goroutines{a=\"{fix}\\n\x1b[31m{name}\"} 7\n"), 1, nil)
	f, err := Load("mine.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	found := f.Rules[0].Apply(&rules.Pass{Metrics: []*rules.MeterInput{{Meter: s, Input: "m"}}})
	if len(found) != 1 || found[0].Title != "go_goroutines a={fix}  [31m{name}" {
		t.Errorf("%+v", found)
	}
}

func TestARuleListsABoundedNumberOfPlaces(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxFindings {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: Node\nmetadata: {name: n%d}\n---\n", i)
	}
	r := kube.NewReader(kube.NewStore(0))
	if err := r.Read("nodes.yaml", strings.NewReader(b.String())); err != nil {
		t.Fatal(err)
	}
	found := findings(t, asking("objects", `{kind: Node, when: 'true'}`, "{object}"),
		&rules.Pass{Cluster: kube.Merge([]*kube.Objects{r.Close()})})
	if len(found) != maxFindings || len(found[0].Notes) != 1 || !strings.Contains(found[0].Notes[0],
		"100 more places") {
		t.Errorf("%d findings, notes %q", len(found), found[0].Notes)
	}
}

func TestFaultsOfConditionsPointAtThem(t *testing.T) {
	for _, tt := range []struct{ claim, field, condition, say, under string }{
		{"a word that isn't", "objects", `{when: 'phse == "Failed"'}`, "unknown name phse", "phse"},
		{"a word of other evidence", "metrics", `{when: 'verb == "get"'}`, "unknown name verb", "verb"},
		{"a condition on the clock", "audit", `{when: 'now() != nil'}`, "now", ""},
		{"a kind of log lines", "logs", `{kind: Pod, when: 'true'}`, `unknown field "kind"`, "kind"},
		{"no condition", "objects", `{kind: Pod}`, "objects.when: missing", ""},
		{"bounds the wrong way round", "logs", `{when: 'true', count: {min: 3, max: 2}}`, "no number is", ""},
		{"a number for a condition", "metrics", `{when: 'value'}`, "expected bool", ""},
	} {
		_, err := Load("mine.yaml", []byte(asking(tt.field, tt.condition, "x")))
		le, ok := errors.AsType[*LoadError](err)
		if !ok || le.Line != 7 && !strings.Contains(tt.say, "missing") || !strings.Contains(le.Message, tt.say) ||
			tt.under != "" && !strings.HasPrefix(le.Source[le.Column-1:], tt.under) {
			t.Errorf("%s: %v", tt.claim, err)
		}
	}
	two := strings.Replace(asking("logs", `{when: 'true'}`, "x"), "    finds:", "    audit: {when: 'true'}\n    finds:",
		1)
	if _, err := Load("mine.yaml", []byte(two)); err == nil || !strings.Contains(err.Error(),
		"audit is for audit logs, but this rule is about logs") {
		t.Errorf("two subjects: %v", err)
	}
	if _, err := Load("mine.yaml", []byte(asking("logs", `{when: 'true'}`, "{pid}"))); err == nil ||
		!strings.Contains(err.Error(), "unknown placeholder {pid}; there are {count}") {
		t.Errorf("a placeholder that isn't: %v", err)
	}
}

func TestMinutesAreThoseOfTheConditionsThatARuleNames(t *testing.T) {
	p := cluster(t)
	for when, want := range map[string]string{
		`conditions["Ready"].status == "False"`: "30", `conditions.Ready.status == "False"`: "30",
		`conditions['acme.example/Connected'].status == ""`:        "60",
		`conditions["Ready"].status != conditions["Other"].status`: "30",
		`restarts == 5`: "30", `age == 60`: "30",
	} {
		found := findings(t, asking("objects", `{kind: Pod, when: '`+strings.ReplaceAll(when, "'",
			"''")+` and name == "web-0"'}`,
			"{minutes}"), p)
		if len(found) != 1 || found[0].Title != want {
			t.Errorf("%s: %+v, want %s minutes", when, found, want)
		}
	}
}

func TestEachPodOfAFleetHasItsFinding(t *testing.T) {
	f, err := Load("mine.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	p := &rules.Pass{}
	for i := range 2 * maxFindings {
		d := dumptest.DumpOf(stackparse.ClassChanSend, "example.com/a.Start", "example.com/a.(*Uploader).put")
		d.Buckets[0].Count, d.Goroutines = 3, 3
		p.Dumps = append(p.Dumps, &rules.DumpInput{Dump: d, Input: fmt.Sprintf("web-%d.log", i)})
	}
	if found := f.Rules[0].Apply(p); len(found) != len(p.Dumps) {
		t.Errorf("%d findings in %d dumps", len(found), len(p.Dumps))
	}
}
