package verdict

import (
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// crashed is a finding about a container of the pod that these objects hold, which ended first at onset.
func crashed() rules.Finding {
	return rules.Finding{
		Rule: "TR213", Name: "explicit-panic", Category: rules.Crash, Severity: rules.Critical, Confidence: rules.ConfHigh, FirstSeen: onset.Format(time.RFC3339),
		Pods:     []rules.PodCount{{Namespace: "shop", Pod: "web-5c9d8f7b6-x2x7k", Container: "app", Node: "node-1"}},
		Evidence: []rules.Evidence{{Input: "web.log"}},
	}
}

// before is a time before the onset as objects have it.
func before(d time.Duration) string { return onset.Add(-d).Format(time.RFC3339) }

func podYAML(created time.Duration, restarts string) string {
	return `
---
apiVersion: v1
kind: Pod
metadata:
  name: web-5c9d8f7b6-x2x7k
  namespace: shop
  creationTimestamp: "` + before(created) + `"
  labels: {pod-template-hash: 5c9d8f7b6}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-5c9d8f7b6, controller: true, uid: "1"}]
spec: {nodeName: node-1, containers: [{name: app}]}
status: {phase: Running, containerStatuses: [{name: app, restartCount: ` + restarts + `}]}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-5c9d8f7b6
  namespace: shop
  creationTimestamp: "` + before(created) + `"
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true, uid: "2"}]
`
}

func writtenYAML(kind, namespace, name string, ago time.Duration) string {
	return `
---
apiVersion: v1
kind: ` + kind + `
metadata:
  name: ` + name + `
  namespace: ` + namespace + `
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields: [{manager: ci-deployer, operation: Update, time: "` + before(ago) + `"}]
`
}

func clusterOf(t *testing.T, yaml string) *kube.Cluster {
	t.Helper()
	r := kube.NewReader(kube.NewStore(0))
	if err := r.Read("objects.yaml", strings.NewReader(yaml)); err != nil {
		t.Fatal(err)
	}
	return kube.Merge([]*kube.Objects{r.Close()})
}

func TestWhatChangedLastBeforeTheOnsetIsNamed(t *testing.T) {
	old, fresh := podYAML(9*24*time.Hour, "1"), podYAML(42*time.Second, "3")
	nodeEvent := `
---
apiVersion: v1
kind: Event
metadata: {name: e1, namespace: default}
involvedObject: {kind: Node, name: NODE}
reason: NodeNotReady
type: Normal
firstTimestamp: "` + before(20*time.Second) + `"
lastTimestamp: "` + before(20*time.Second) + `"
count: 1
`
	for _, c := range []struct{ name, yaml, want string }{
		{"a rollout", fresh, "changed 42 s before: ReplicaSet shop/web-5c9d8f7b6 was created, a rollout of Deployment web"},
		{"a ConfigMap of its namespace", old + writtenYAML("ConfigMap", "shop", "web-config", 3*time.Minute), "changed 3 min before: ConfigMap shop/web-config was written by ci-deployer"},
		{"a certificate", old + writtenYAML("Secret", "shop", "web-tls", time.Minute), "changed 60 s before: Secret shop/web-tls was written by ci-deployer"},
		{"its node", old + strings.Replace(nodeEvent, "NODE", "node-1", 1), "changed 20 s before: Node node-1: NodeNotReady"},
		{"near: another node", old + strings.Replace(nodeEvent, "NODE", "node-2", 1), ""},
		{"near: another namespace", old + writtenYAML("ConfigMap", "mail", "web-config", time.Minute), ""},
		{"near: an hour before", old + writtenYAML("ConfigMap", "shop", "web-config", time.Hour), ""},
		{"near: afterwards", old + writtenYAML("ConfigMap", "shop", "web-config", -time.Minute), ""},
		{"near: an election's lock", old + writtenYAML("ConfigMap", "shop", "web-leader-election", 2*time.Second), ""},
		{"near: a pod that has crashed for days", podYAML(9*24*time.Hour, "170") + writtenYAML("ConfigMap", "shop", "web-config", time.Minute), ""},
	} {
		found := []rules.Finding{crashed()}
		ChangesBefore(found, &rules.Pass{Cluster: clusterOf(t, c.yaml)})
		f := found[0]
		if c.want == "" && (len(f.Notes) > 0 || len(f.Evidence) > 1) {
			t.Errorf("%s: %q", c.name, f.Notes)
		}
		if c.want != "" && (len(f.Notes) != 1 || !strings.HasPrefix(f.Notes[0], c.want+".") || len(f.Evidence) != 2 || f.Evidence[1].Text != c.want || f.Evidence[1].Input != "objects.yaml") {
			t.Errorf("%s: %q, %+v", c.name, f.Notes, f.Evidence)
		}
		if f.Rule != "TR213" || f.Severity != rules.Critical || f.Culprit.Function != "" {
			t.Errorf("%s: a change accuses: %+v", c.name, f)
		}
	}
}

func TestTheAuditLogSaysWhoChangedIt(t *testing.T) {
	write := func(resource, namespace, name, sub string, ago time.Duration) string {
		at := onset.Add(-ago).Format("2006-01-02T15:04:05.000000Z")
		return `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"` + name + at + `","stage":"ResponseComplete","requestURI":"/","verb":"patch",` +
			`"user":{"username":"jane"},"objectRef":{"resource":"` + resource + `","namespace":"` + namespace + `","name":"` + name + `","subresource":"` + sub + `","apiVersion":"v1"},` +
			`"responseStatus":{"code":200},"requestReceivedTimestamp":"` + at + `","stageTimestamp":"` + at + `"}` + "\n"
	}
	routine := ""
	for i := range 9 {
		routine += write("configmaps", "shop", "web-state", "", time.Duration(i)*10*time.Second)
	}
	for _, c := range []struct{ name, log, want string }{
		{"a Deployment", write("deployments", "shop", "web", "", 42*time.Second), "changed 42 s before: Deployment shop/web was written by jane (patch)"},
		{"near: its status", write("deployments", "shop", "web", "status", 42*time.Second), ""},
		{"near: another Deployment", write("deployments", "shop", "cart", "", 42*time.Second), ""},
		{"near: a ConfigMap that is written all the time", routine, ""},
	} {
		r := audit.NewReader(audit.Options{})
		if err := r.Read("audit.log", strings.NewReader(c.log)); err != nil {
			t.Fatal(err)
		}
		found := []rules.Finding{crashed()}
		ChangesBefore(found, &rules.Pass{Cluster: clusterOf(t, podYAML(9*24*time.Hour, "1")), Audit: audit.Merge([]*audit.Log{r.Close()})})
		if got := strings.Join(found[0].Notes, "\n"); c.want == "" != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
