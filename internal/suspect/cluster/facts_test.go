package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
)

// noon is when the fixtures' inputs were collected.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// ago is a time before noon as the API writes it.
func ago(d time.Duration) string { return noon.Add(-d).Format(time.RFC3339) }

// object is an object of JSON; meta and rest are further members of its metadata and of itself.
func object(kind, name, meta, rest string) string {
	api := map[string]string{"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "CronJob": "batch/v1", "Job": "batch/v1",
		"PodDisruptionBudget": "policy/v1", "Lease": "coordination.k8s.io/v1", "APIService": "apiregistration.k8s.io/v1",
		"Widget": "example.com/v1"}[kind]
	if api == "" {
		api = "v1"
	}
	namespace := `"namespace":"shop",`
	if kind == "Node" || kind == "Namespace" || kind == "APIService" {
		namespace = ""
	}
	created := `"creationTimestamp":"` + ago(time.Hour) + `"`
	if strings.Contains(meta, "creationTimestamp") {
		created = `"labels":{}`
	}
	return fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{%s"name":%q,"uid":%q,%s%s},%s}`, api, kind, namespace, name,
		kind+name, created, comma(meta), strings.TrimPrefix(comma(rest)+`,"x":0`, ","))
}

func comma(s string) string {
	if s == "" {
		return ""
	}
	return "," + s
}

// owned is the metadata of what a controller made.
func owned(kind, name string) string {
	api := "apps/v1"
	if strings.HasSuffix(kind, "Job") {
		api = "batch/v1"
	}
	return fmt.Sprintf(`"ownerReferences":[{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q,"controller":true}]`, api, kind, name,
		kind+name)
}

// conditions are a status with one condition.
func cond(typ, status, reason, message string, since time.Duration) string {
	return fmt.Sprintf(`"status":{"conditions":[{"type":%q,"status":%q,"reason":%q,"message":%q,"lastTransitionTime":%q}]}`,
		typ, status, reason, message, ago(since))
}

// warning is an Event of a component about an object.
func warning(id int, kind, name, reason, message, source, typ string, count int) string {
	return object("Event", fmt.Sprintf("e%d", id), "", fmt.Sprintf(`"involvedObject":{"kind":%q,"namespace":"shop","name":%q},
		"reason":%q,"message":%q,"source":{"component":%q},"type":%q,"count":%d,"firstTimestamp":%q,"lastTimestamp":%q`, kind, name,
		reason, message, source, typ, count, ago(time.Hour), ago(time.Minute)))
}

// many are the texts that f makes of 0 to n-1.
func many(n int, f func(i int) string) string {
	var all []string
	for i := range n {
		all = append(all, f(i))
	}
	return strings.Join(all, "\n")
}

// theClock is an object that was written at noon, so that the others are known to have been looked at then.
var theClock = object("ConfigMap", "clock", `"creationTimestamp":"`+ago(0)+`"`, "")

// inCluster are the suspects among objects of JSON.
func inCluster(t *testing.T, objects ...string) []suspect.Suspect {
	t.Helper()
	r := kube.NewReader(kube.NewStore(0))
	if err := r.Read("objects.json", strings.NewReader(strings.Join(append(objects, theClock), "\n"))); err != nil {
		t.Fatal(err)
	}
	return Suspects(&rules.Pass{Cluster: kube.Merge([]*kube.Objects{r.Close()})})
}

// A request is one event of an audit log, written at level Metadata.
type request struct {
	user, verb, resource, name string
	code                       int
	message                    string
	took, hooks                time.Duration // of it in mutating webhooks
}

// inAudit are the suspects of requests that came every so often.
func inAudit(t *testing.T, every time.Duration, requests ...request) []suspect.Suspect {
	t.Helper()
	return Suspects(&rules.Pass{Audit: trail(t, every, requests...)})
}

func trail(t *testing.T, every time.Duration, requests ...request) *audit.Trail {
	t.Helper()
	var b strings.Builder
	for i, r := range requests {
		at := noon.Add(time.Duration(i) * every).Format("2006-01-02T15:04:05.000000Z")
		code, uri := max(r.code, 200), "/apis/x?limit=500"
		if r.verb == "list" {
			uri = "/api/v1/" + r.resource
		}
		fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a%d","stage":"ResponseComplete",
"requestURI":%q,"verb":%q,"user":{"username":%q},"userAgent":"x","objectRef":{"resource":%q,"namespace":"shop","name":%q},
"responseStatus":{"code":%d,"message":%q},"requestReceivedTimestamp":%q,"stageTimestamp":%q,"annotations":{"apiserver.latency.k8s.io/mutating-webhook":%q}}`, i, uri, r.verb, r.user, r.resource,
			r.name, code, r.message, at, noon.Add(time.Duration(i)*every+r.took).Format("2006-01-02T15:04:05.000000Z"), r.hooks)
		b.WriteString("\n")
	}
	r := audit.NewReader(audit.Options{})
	if err := r.Read("audit.log", strings.NewReader(strings.ReplaceAll(b.String(), ",\n", ","))); err != nil {
		t.Fatal(err)
	}
	return audit.Merge([]*audit.Log{r.Close()})
}

// inLog are the suspects of lines that a pod logs, a second apart.
func inLog(lines ...string) []suspect.Suspect {
	m := logpattern.NewMiner()
	for i, l := range lines {
		m.Line([]byte(l), int64(i+1), 0, []byte(noon.Add(time.Duration(i)*time.Second).Format(time.RFC3339Nano)))
	}
	in := &rules.LogInput{Log: m.Close(), Input: "web.log", Target: rules.Target{Namespace: "shop", Pod: "web-0"}}
	return Suspects(&rules.Pass{Logs: []*rules.LogInput{in}})
}

// wantFirst fails unless the first suspect is worth a look and its title is that.
func wantFirst(t *testing.T, got []suspect.Suspect, title string) {
	t.Helper()
	if len(got) == 0 || got[0].Points < suspect.Shown || got[0].Title != title {
		t.Errorf("want first %q, got:", title)
		for _, s := range got {
			t.Errorf("%.1f %s %q", s.Points, s.Title, s.For)
		}
	}
}

// wantNone fails if a suspect is worth a look.
func wantNone(t *testing.T, got []suspect.Suspect) {
	t.Helper()
	for _, s := range got {
		if s.Points >= suspect.Shown {
			t.Errorf("want nothing, got %.1f %s %q", s.Points, s.Title, s.For)
		}
	}
}
