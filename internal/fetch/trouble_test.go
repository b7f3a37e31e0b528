package fetch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

func TestPodsInTroubleComeFirst(t *testing.T) {
	recent := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	statuses := map[string]string{
		"a-steady":   `"ready": true`,
		"b-restarts": `"ready": true, "restartCount": 9, "lastState": {"terminated": {"exitCode": 2, "finishedAt": "2020-01-01T00:00:00Z"}}`,
		"c-young":    `"ready": false, "state": {"waiting": {"reason": "ContainerCreating"}}`,
		"d-killed":   `"ready": true, "restartCount": 1, "lastState": {"terminated": {"exitCode": 137, "finishedAt": "` + recent + `"}}`,
		"e-failed":   `"ready": false, "state": {"terminated": {"exitCode": 1}}`,
		"f-crashes":  `"ready": false, "restartCount": 4, "state": {"waiting": {"reason": "CrashLoopBackOff"}}`,
	}
	var pods []kubectltest.Pod
	for name, status := range statuses {
		pods = append(pods, kubectltest.Pod{Name: name, Namespace: "shop",
			Object: podObject(name, "Running", "", appContainer, `{"name": "app", `+status+`}`)})
	}
	captured := func(unhealthy bool, most int) (got []string) {
		o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: pods, Log: "2026-11-20T18:06:32.1Z hello\n"})
		o.clock.Now = time.Now
		o.Plan = Plan{Only: []string{ItemObjects}}
		o.Cluster.Unhealthy, o.Cluster.MaxPods = unhealthy, most
		var err error
		if o.Target, err = AllPods(""); err != nil {
			t.Fatal(err)
		}
		for _, p := range capture(t, o).Manifest.Pods {
			got = append(got, p.Name)
		}
		return got
	}
	all := []string{"f-crashes", "e-failed", "c-young", "d-killed", "b-restarts", "a-steady"}
	if diff := cmp.Diff(all, captured(false, 0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(all[:4], captured(true, 0)); diff != "" {
		t.Error("a restart long ago is no trouble", diff)
	}
	if diff := cmp.Diff(all[:2], captured(true, 2)); diff != "" {
		t.Error(diff)
	}
}

func TestWhereNoPodIsInTroubleTheErrorSaysSo(t *testing.T) {
	for _, c := range []struct {
		pods int
		want string
	}{{0, "no pod to capture in any namespace"}, {1, "the only pod is not in trouble"}, {2, "none of 2 pods is in trouble"}} {
		var pods []kubectltest.Pod
		for i := range c.pods {
			pods = append(pods, kubectltest.Pod{Name: fmt.Sprintf("web-%d", i), Namespace: "shop",
				Object: podObject(fmt.Sprintf("web-%d", i), "Running", "", appContainer, `{"name": "app", "ready": true}`)})
		}
		o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: pods})
		o.clock.Now = time.Now
		o.Cluster = Cluster{AllNamespaces: true, Unhealthy: true}
		var err error
		if o.Target, err = AllPods(""); err != nil {
			t.Fatal(err)
		}
		_, err = Capture(t.Context(), o)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Error() != c.want || strings.Contains(e.Hint, "-n ") || c.pods > 0 && !strings.Contains(e.Hint, "without --unhealthy") {
			t.Errorf("%d pods: %+v, want %s", c.pods, err, c.want)
		}
	}
}

func TestUnhealthyIsForSeveralPods(t *testing.T) {
	for in, want := range map[string]bool{"deploy/web": true, "web-1": false} {
		o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{})
		o.Cluster.Unhealthy = true
		var err error
		if o.Target, err = ParsePods(in, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := newRun(o); (err == nil) != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestThePlanAnnouncesNoPortThatIsNotAsked(t *testing.T) {
	for _, declined := range []bool{false, true} {
		o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1)}, Log: "2026-11-20T18:06:32.1Z hello\n"})
		o.Declined = declined
		o.Plan = Plan{Only: []string{ItemHeap, ItemLog}}
		var plan []string
		o.Events = func(e Event) {
			if e.Kind == EventPlan {
				plan = append(plan, e.Text)
			}
		}
		capture(t, o)
		if got := strings.Contains(strings.Join(plan, " "), ItemHeap); got == declined {
			t.Errorf("declined %v: %q", declined, plan)
		}
		forwarded := slices.ContainsFunc(calls(), func(args []string) bool { return args[0] == "port-forward" })
		if forwarded == declined {
			t.Errorf("declined %v, port-forward %v", declined, forwarded)
		}
	}
}

func TestAPodsOwnersAreNamedAsKubectlNamesThem(t *testing.T) {
	for owner, want := range map[string]string{
		"ReplicaSet web-5c9d8f7b6": "replicaset/web-5c9d8f7b6 deployment/web", "StatefulSet web": "statefulset/web",
		"DaemonSet agent": "daemonset/agent", "Job backup-28391": "job/backup-28391 cronjob/backup", "Job backup": "job/backup",
		"ReplicaSet --all": "", "Node node-1": "", "Rollout web": "",
	} {
		kind, name, _ := strings.Cut(owner, " ")
		var j podJSON
		j.Metadata.OwnerReferences = append(j.Metadata.OwnerReferences, struct {
			Kind string `json:"kind"`
			Name string `json:"name"`
		}{kind, name})
		if got := strings.Join(j.owners(), " "); got != want {
			t.Errorf("%s: %q, want %q", owner, got, want)
		}
	}
}

func TestAnAnnotationForProfilersNamesThePort(t *testing.T) {
	for _, c := range []struct {
		annotation, value, ports string
		want                     int
	}{
		{"profiles.grafana.com/cpu.port", "8080", `{"name": "http", "containerPort": 8080}`, 8080},
		{"profiles.grafana.com/cpu.port", "9999", `{"name": "http", "containerPort": 8080}`, 9999},
		{"pyroscope.io/port", "8080", `{"name": "pprof", "containerPort": 6060}`, 6060},
		{"profiles.grafana.com/cpu.port", "-1", `{"name": "http", "containerPort": 8080}`, 0},
		{"profiles.grafana.com/cpu.port", "70000", `{"name": "http", "containerPort": 8080}`, 0},
		{"prometheus.io/port", "8080", `{"name": "http", "containerPort": 8080}`, 0},
	} {
		meta := fmt.Sprintf(`, "annotations": {%q: %q}`, c.annotation, c.value)
		object := podObject("web-1", "Running", meta, fmt.Sprintf(`{"name": "app", "ports": [%s]}`, c.ports), `{"name": "app", "ready": true}`)
		o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{{Name: "web-1", Namespace: "shop", Object: object}}})
		o.Plan = Plan{Only: []string{ItemHeap, ItemObjects}}
		if got := capture(t, o).Manifest.Pods[0].Port; got != c.want {
			t.Errorf("%+v: port %d", c, got)
		}
	}
}

func TestPortsAreAskedWithTheUsersConsentAlone(t *testing.T) {
	for _, agrees := range []bool{false, true} {
		silent := web(3)
		silent.Port = 0
		o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1), web(2), silent}, Log: "2026-11-20T18:06:32.1Z hello\n"})
		var asked [][]string
		o.Agree = func(_ context.Context, pods []string) bool {
			asked = append(asked, pods)
			return agrees
		}
		var err error
		if o.Target, err = Pods("app=web", ""); err != nil {
			t.Fatal(err)
		}
		o.Plan = Plan{Only: []string{ItemHeap, ItemLog}}
		res := capture(t, o)
		if diff := cmp.Diff([][]string{{"shop/web-1", "shop/web-2"}}, asked); diff != "" {
			t.Error(diff)
		}
		forwarded := slices.ContainsFunc(calls(), func(args []string) bool { return args[0] == "port-forward" })
		if forwarded != agrees {
			t.Errorf("agrees %v, port-forward %v", agrees, forwarded)
		}
		if logs := slices.ContainsFunc(res.Manifest.Items, func(it ManifestItem) bool { return it.Name == ItemLog && it.kept() }); !logs {
			t.Errorf("no log: %q", results(res.Manifest))
		}
	}
}
