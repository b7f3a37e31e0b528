package kube

import (
	"fmt"
	"strings"
	"testing"
)

func clusterOf(t *testing.T, yaml string) *Cluster {
	t.Helper()
	r := NewReader(NewStore(0))
	if err := r.Read("all.yaml", strings.NewReader(yaml)); err != nil {
		t.Fatal(err)
	}
	return Merge([]*Objects{r.Close()})
}

func TestConditionsOfEveryKindAreKept(t *testing.T) {
	c := clusterOf(t, `
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: shop}
status:
  conditions:
  - {type: Ready, status: "False", reason: NoDisk, message: the disk is gone, lastTransitionTime: "2026-03-04T04:00:00Z"}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: r, namespace: shop}
status:
  parents:
  - conditions:
    - {type: ResolvedRefs, status: "False", reason: BackendNotFound}
`)
	for i, want := range []string{"ResolvedRefs False BackendNotFound ", "Ready False NoDisk the disk is gone"} {
		got := c.Others[i].Conditions
		if len(got) != 1 || fmt.Sprint(got[0].Type, " ", got[0].Status, " ", got[0].Reason, " ", got[0].Message) != want {
			t.Errorf("%s: %+v, want %s", c.Others[i].Name, got, want)
		}
	}
	if c.Others[1].Conditions[0].Since.IsZero() {
		t.Error("the time of the condition is lost")
	}
}

func TestTheWebhooksOfAConfigurationAndTheirServicesAreKept(t *testing.T) {
	c := clusterOf(t, `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- {name: guard.example.com, failurePolicy: Fail, clientConfig: {service: {name: guard, namespace: gate}}}
`)
	if got := c.Others[0].Webhooks; len(got) != 1 || got[0] != "guard.example.com" {
		t.Errorf("webhooks %q", got)
	}
	if got := c.Others[0].Needs; len(got) != 1 || got[0] != (Need{"Service", "", "gate", "guard", "must reach"}) {
		t.Errorf("needs %+v", got)
	}
}

func TestKeptIsWhatCompletionsAndHistoryLimitsLeave(t *testing.T) {
	c := clusterOf(t, `
kind: List
apiVersion: v1
items:
- {apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: a}, spec: {completions: 40, backoffLimit: 2}}
- {apiVersion: batch/v1, kind: CronJob, metadata: {name: c, namespace: a}, spec: {successfulJobsHistoryLimit: 0}}
- {apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: a}, spec: {}}
- {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s, namespace: a}, spec: {}}
`)
	for kind, want := range map[string]int64{"Job": 42, "CronJob": 1, "Deployment": 10, "StatefulSet": 0} {
		if got := c.Workload(kind, "a", strings.ToLower(kind[:1])).Kept; got != want {
			t.Errorf("%s keeps %d, want %d", kind, got, want)
		}
	}
}

func TestEventsAlikeKnowHowManyTheyAre(t *testing.T) {
	event := `{"kind":"Event","apiVersion":"v1","metadata":{"name":"%s","namespace":"a"},"involvedObject":{"kind":"Pod","name":"p"},
		"reason":"BackOff","message":"m","count":5,%s}`
	c := clusterOf(t, fmt.Sprintf(event+"\n"+event, "x", `"source":{"component":"kubelet"}`, "y", `"reportingComponent":"kubelet"`))
	if e := c.Events[0]; len(c.Events) != 1 || e.Count != 10 {
		t.Errorf("%d events, the first %+v", len(c.Events), e)
	}
}
