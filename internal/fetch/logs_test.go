package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

// podObject is a pod as the API server returns it: its containers with their ports, and their statuses as JSON.
func podObject(name, phase, meta, containers, statuses string) json.RawMessage {
	return fmt.Appendf(nil, `{"metadata": {"name": %q, "namespace": "shop", "uid": %q%s}, "spec": {"nodeName": "node-1", "containers": [%s]},
		"status": {"phase": %q, "containerStatuses": [%s]}}`, name, uid, meta, containers, phase, statuses)
}

const (
	appContainer   = `{"name": "app", "ports": [{"name": "pprof", "containerPort": 6060}]}`
	proxyContainer = `{"name": "proxy", "ports": [{"name": "http", "containerPort": 80}]}`

	panicLog = "2026-11-20T18:05:32.1Z panic: boom\n"
	lastLog  = "2026-11-20T18:06:32.1Z hello\n"
)

func TestLogsOfAPodThatDoesNotServe(t *testing.T) {
	const crashed = `"lastState": {"terminated": {"reason": "Error", "exitCode": 2}}`
	at := "shop_web-1_" + uid + "/"
	for _, c := range []struct {
		what   string
		object json.RawMessage
		logs   map[string]string
		want   []string // files below the pod's folder
		note   string
	}{
		{
			what: "crash loop, waiting: its current log is the previous one",
			object: podObject("web-1", "Running", "", appContainer,
				`{"name": "app", "restartCount": 3, "state": {"waiting": {"reason": "CrashLoopBackOff"}}, `+crashed+`}`),
			logs: map[string]string{"web-1/app": panicLog, "web-1/app previous": panicLog},
			want: []string{"app/3.log"}, note: "the container is waiting: CrashLoopBackOff",
		},
		{
			what: "the first crash, not yet restarted",
			object: podObject("web-1", "Running", "", appContainer,
				`{"name": "app", "restartCount": 0, "state": {"waiting": {"reason": "CrashLoopBackOff"}}, `+crashed+`}`),
			logs: map[string]string{"web-1/app previous": panicLog},
			want: []string{"app/0.log"}, note: "CrashLoopBackOff",
		},
		{
			what: "between the crash and the wait: both logs",
			object: podObject("web-1", "Running", "", appContainer,
				`{"name": "app", "restartCount": 3, "state": {"terminated": {"reason": "Error", "exitCode": 2}}, `+crashed+`}`),
			logs: map[string]string{"web-1/app": panicLog, "web-1/app previous": panicLog},
			want: []string{"app/2.log", "app/3.log"}, note: "the container has ended: Error, exit status 2",
		},
		{
			what: "a Job's pod that failed",
			object: podObject("web-1", "Failed", "", appContainer,
				`{"name": "app", "restartCount": 0, "state": {"terminated": {"reason": "Error", "exitCode": 1}}}`),
			logs: map[string]string{"web-1/app": panicLog},
			want: []string{"app/0.log"}, note: "exit status 1",
		},
		{
			what:   "no port: the logs of all containers",
			object: podObject("web-1", "Running", "", `{"name": "app"}, `+proxyContainer, `{"name": "app"}, {"name": "proxy"}`),
			logs:   map[string]string{"web-1/app": lastLog, "web-1/proxy": lastLog},
			want:   []string{"app/0.log", "proxy/0.log"}, note: "none of its ports is named pprof (it declares http 80)",
		},
		{
			what: "a sidecar that crashes, and one that does not",
			object: podObject("web-1", "Running", "", appContainer+", "+proxyContainer+`, {"name": "calm"}`,
				`{"name": "app"}, {"name": "proxy", "restartCount": 5, `+crashed+`}, {"name": "calm"}`),
			logs: map[string]string{"web-1/proxy": lastLog, "web-1/proxy previous": panicLog, "web-1/calm": lastLog},
			want: []string{"app/goroutine.pb.gz", "app/heap.pb.gz", "proxy/4.log", "proxy/5.log"}, note: "its port is not the one to use",
		},
		{
			what:   "a pod that is being deleted keeps its log beside what its port serves",
			object: podObject("web-1", "Running", `, "deletionTimestamp": "2026-11-20T18:06:40Z"`, appContainer, `{"name": "app"}`),
			logs:   map[string]string{"web-1/app": lastLog},
			want:   []string{"app/0.log", "app/goroutine.pb.gz", "app/heap.pb.gz"},
		},
		{
			what:   "near: a pod that serves and never restarted keeps no log",
			object: podObject("web-1", "Running", "", appContainer, `{"name": "app", "state": {"running": {}}}`),
			logs:   map[string]string{"web-1/app": lastLog},
			want:   []string{"app/goroutine.pb.gz", "app/heap.pb.gz"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{
				Pods: []kubectltest.Pod{{Name: "web-1", Namespace: "shop", Object: c.object}}, Logs: c.logs,
			})
			o.Plan = Plan{Skip: []string{ItemCPU, ItemStacks, ItemCmdline, ItemLeaks, ItemAllocs, ItemMutex, ItemBlock, ItemThreadCreate}}
			res := capture(t, o)
			var got []string
			for _, name := range filesOf(t, res.Path) {
				if rest, ok := strings.CutPrefix(name, at); ok {
					got = append(got, rest)
				}
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s\n%q", diff, results(res.Manifest))
			}
			if notes := strings.Join(res.Manifest.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
			for _, p := range res.Manifest.Pods {
				if p.Error != "" {
					t.Errorf("%+v", p)
				}
			}
			for _, args := range calls() {
				if slices.Contains(args, "logs") && !slices.Contains(args, "--previous") && !slices.Contains(args, "--tail=10000") {
					t.Errorf("%q: not the last 10,000 lines", args)
				}
			}
		})
	}
}

func TestAPodThatNeverBeganHasNothingToKeep(t *testing.T) {
	waiting := podObject("web-1", "Pending", "", appContainer, `{"name": "app", "state": {"waiting": {"reason": "ImagePullBackOff"}}}`)
	o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{{Name: "web-1", Namespace: "shop", Object: waiting}}})
	o.Plan = Plan{}
	_, err := Capture(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "Pending") || len(calls()) != 1 {
		t.Errorf("%v, %q", err, calls())
	}
}

func TestWithoutAPortTheErrorHasARecipe(t *testing.T) {
	o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{{
		Name: "web-1", Namespace: "shop", Object: podObject("web-1", "Running", "", `{"name": "app"}`, `{"name": "app"}`),
	}}})
	o.Plan = Plan{Only: []string{ItemHeap}}
	_, err := Capture(t.Context(), o)
	fe, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatal(err)
	}
	for _, part := range []string{"kubectl -n shop debug -it web-1 --image=busybox --target=app -- kill -ABRT 1", "ENDS", "/var/log/pods/shop_web-1_" + uid + "/app/ on node node-1", "--port PORT"} {
		if !strings.Contains(fe.Hint, part) {
			t.Errorf("%q is missing in %q", part, fe.Hint)
		}
	}
}

func TestAPortThatDoesNotAnswerKeepsTheLog(t *testing.T) {
	o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1)}, Down: []string{"web-1"}, Log: lastLog})
	o.Plan = Plan{}
	res := capture(t, o)
	if it := resultOf(t, res.Manifest, ItemLog); it.File != "shop_web-1_"+uid+"/app/0.log" {
		t.Errorf("%q", results(res.Manifest))
	}
	if notes := strings.Join(res.Manifest.Notes, "\n"); !strings.Contains(notes, "its port does not answer") {
		t.Errorf("%q", notes)
	}
}

// A port that accepts and says nothing is waited for as long as the limit says, not once for each item.
func TestAHangingPortIsGivenUpAfterItsTimeInAll(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	s := server(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	o := options(t, s.URL)
	o.Limits.Header = 400 * time.Millisecond
	o.Plan = Plan{Skip: []string{ItemCPU}}
	began := time.Now()
	_, err := Capture(t.Context(), o)
	if took := time.Since(began); took > 5*o.Limits.Header {
		t.Errorf("it took %s", took)
	}
	if fe, ok := errors.AsType[*Error](err); !ok || !strings.Contains(fe.Error(), "no answer in time") || !strings.Contains(fe.Hint, "silent") {
		t.Errorf("%v", err)
	}
}

func TestAWorkloadsPodsAreThoseThatItOwns(t *testing.T) {
	owned := func(name, kind, owner string) kubectltest.Pod {
		meta := fmt.Sprintf(`, "ownerReferences": [{"kind": %q, "name": %q}]`, kind, owner)
		return kubectltest.Pod{Name: name, Namespace: "shop", Object: podObject(name, "Running", meta, appContainer, `{"name": "app"}`)}
	}
	for target, want := range map[string][]string{
		"deploy/web": {"web-5c9d8f7b6-x2x7k"}, "sts/web": {"web-0"}, "job/web": {"web-8qwzj"}, "ds/web": nil,
	} {
		o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{
			Pods: []kubectltest.Pod{
				owned("web-5c9d8f7b6-x2x7k", "ReplicaSet", "web-5c9d8f7b6"), owned("web-0", "StatefulSet", "web"),
				owned("web-api-5c9d8f7b6-x2x7k", "ReplicaSet", "web-api-5c9d8f7b6"), owned("web-8qwzj", "Job", "web"),
			},
		})
		o.Plan = Plan{Only: []string{ItemHeap}}
		var err error
		if o.Target, err = ParseTarget(target, ""); err != nil {
			t.Fatal(err)
		}
		res, err := Capture(t.Context(), o)
		var got []string
		if err == nil {
			for _, p := range res.Manifest.Pods {
				got = append(got, p.Name)
			}
		} else if !strings.Contains(err.Error(), "no pod of daemonset/web") {
			t.Error(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", target, diff)
		}
	}
}
