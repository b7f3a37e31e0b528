package fetch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// apiServer speaks as much of the Kubernetes API as kubectl needs to read pods and their logs, and proxies to a pod's
// pages. It wants a token.
type apiServer struct {
	pages http.Handler
	token string

	mu    sync.Mutex
	paths []string
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.paths = append(a.paths, r.URL.RequestURI())
	a.mu.Unlock()
	const pods = "/api/v1/namespaces/shop/pods"
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "web-1", "namespace": "shop", "uid": uid, "labels": map[string]string{"app": "web"},
			"ownerReferences": []any{map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5c9d8f7b6", "uid": uid, "controller": true}}},
		"spec":   map[string]any{"nodeName": "node-1", "containers": []any{map[string]any{"name": "app", "ports": []any{map[string]any{"name": "pprof", "containerPort": 6060}}}}},
		"status": map[string]any{"phase": "Running", "containerStatuses": []any{map[string]any{"name": "app", "restartCount": 2}}},
	}
	switch page, proxied := strings.CutPrefix(r.URL.Path, pods+"/web-1:6060/proxy"); {
	case r.Header.Get("Authorization") != "Bearer "+a.token:
		status(w, http.StatusUnauthorized, "Unauthorized")
	case proxied:
		r.URL.Path = page
		a.pages.ServeHTTP(w, r)
	case r.URL.Path == "/api":
		answer(w, map[string]any{"kind": "APIVersions", "versions": []string{"v1"}})
	case r.URL.Path == "/apis":
		version := map[string]any{"groupVersion": "apps/v1", "version": "v1"}
		answer(w, map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{
			map[string]any{"name": "apps", "versions": []any{version}, "preferredVersion": version},
		}})
	case r.URL.Path == "/apis/apps/v1":
		answer(w, map[string]any{"kind": "APIResourceList", "groupVersion": "apps/v1", "resources": []any{
			map[string]any{"name": "replicasets", "singularName": "replicaset", "namespaced": true, "kind": "ReplicaSet", "verbs": []string{"get", "list"}},
			map[string]any{"name": "deployments", "singularName": "deployment", "namespaced": true, "kind": "Deployment", "verbs": []string{"get", "list"}},
		}})
	case r.URL.Path == "/apis/apps/v1/namespaces/shop/replicasets/web-5c9d8f7b6":
		answer(w, map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet",
			"metadata": map[string]any{"name": "web-5c9d8f7b6", "namespace": "shop", "uid": uid},
			"spec":     map[string]any{"replicas": 1, "selector": map[string]any{"matchLabels": map[string]string{"app": "web"}}, "template": map[string]any{}}})
	case r.URL.Path == "/api/v1/namespaces/shop/events":
		answer(w, map[string]any{"apiVersion": "v1", "kind": "EventList", "metadata": map[string]any{}, "items": []any{map[string]any{
			"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"name": "web-1.1", "namespace": "shop"},
			"involvedObject": map[string]any{"kind": "Pod", "name": "web-1", "namespace": "shop", "uid": uid},
			"type":           "Warning", "reason": "BackOff", "message": "Back-off restarting failed container", "count": 3,
			"firstTimestamp": "2026-11-20T18:05:32Z", "lastTimestamp": "2026-11-20T18:06:32Z"}}})
	case r.URL.Path == "/api/v1":
		answer(w, map[string]any{"kind": "APIResourceList", "groupVersion": "v1", "resources": []any{
			map[string]any{"name": "pods", "singularName": "pod", "shortNames": []string{"po"}, "namespaced": true, "kind": "Pod", "verbs": []string{"get", "list"}},
			map[string]any{"name": "events", "singularName": "event", "namespaced": true, "kind": "Event", "verbs": []string{"get", "list"}},
		}})
	case r.URL.Path == pods && r.FormValue("labelSelector") == "app=web":
		answer(w, map[string]any{"apiVersion": "v1", "kind": "PodList", "metadata": map[string]any{}, "items": []any{pod}})
	case r.URL.Path == pods+"/web-1":
		answer(w, pod)
	case r.URL.Path == pods+"/web-1/log":
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "2026-11-20T18:05:32.1Z previous=%s container=%s\n", r.FormValue("previous"), r.FormValue("container"))
	default:
		status(w, http.StatusNotFound, "NotFound")
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func status(w http.ResponseWriter, code int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code, "message": reason})
}

// serve serves the API over TLS: without, kubectl shows no token.
func (a *apiServer) serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewTLSServer(a)
	t.Cleanup(s.Close)
	return s.URL
}

// realKubectl points the kubectl of this machine at the server.
func realKubectl(t *testing.T, url, token string) (kubeconfig string) {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not installed")
	}
	t.Setenv("HOME", t.TempDir()) // kubectl keeps what it discovers there
	kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: test
clusters: [{name: test, cluster: {server: %q, insecure-skip-tls-verify: true}}]
users: [{name: tester, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: tester, namespace: shop}}]
`, url, token)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func TestARealKubectlReachesPodsThroughTheAPIServersProxy(t *testing.T) {
	asked := 0
	a := &apiServer{token: "sesame", pages: instead(map[string]http.HandlerFunc{
		"mutex": http.NotFound,
		"profile": func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked == 1 {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				w.WriteHeader(http.StatusInternalServerError)
				fmt.Fprintln(w, "Could not enable CPU profiling: cpu profiling already in use")
				return
			}
			_, _ = w.Write(goroutineProfile(1))
		},
	})}
	kubeconfig := realKubectl(t, a.serve(t), a.token)
	o := options(t, "pod/web-1")
	o.Cluster = Cluster{Kubeconfig: kubeconfig, Context: "test", Via: ViaProxy}
	o.Plan = Plan{Only: []string{ItemGoroutine, ItemCPU, ItemStacks, ItemMutex, ItemPreviousLog}, Dumps: 1}
	res := capture(t, o)
	at := "shop_web-1_" + uid + "/app/"
	want := []string{
		"goroutine " + at + "goroutine.pb.gz", "cpu " + at + "cpu.pb.gz", "stacks " + at + "goroutine-1.txt",
		"mutex !answered 404 Not Found", "previous-log " + at + "1.log",
	}
	if diff := cmp.Diff(want, results(res.Manifest)); diff != "" {
		t.Error(diff)
	}
	if it := resultOf(t, res.Manifest, ItemCPU); it.Tries != 2 {
		t.Errorf("%+v", it)
	}
	log, err := os.ReadFile(filepath.Join(res.Path, filepath.FromSlash(at), "1.log"))
	if err != nil || string(log) != "2026-11-20T18:05:32.1Z previous=true container=app\n" {
		t.Errorf("%q, %v", log, err)
	}
	if !slices.Contains(a.paths, "/api/v1/namespaces/shop/pods/web-1:6060/proxy/debug/pprof/goroutine?debug=2") {
		t.Errorf("%q", a.paths)
	}
}

func TestARealKubectlFindsPodsByLabel(t *testing.T) {
	a := &apiServer{token: "sesame", pages: served(DefaultPrefix)}
	kubeconfig := realKubectl(t, a.serve(t), a.token)
	o := options(t, "pod/web-1")
	var err error
	if o.Target, err = Pods("app=web", ""); err != nil {
		t.Fatal(err)
	}
	o.Cluster = Cluster{Kubeconfig: kubeconfig, Via: ViaProxy}
	o.Plan = Plan{Only: []string{ItemHeap}}
	if m := capture(t, o).Manifest; len(m.Pods) != 1 || resultOf(t, m, ItemHeap).From != "shop/web-1" {
		t.Errorf("%q", results(m))
	}
}

func TestARealKubectlsErrorsAreUnderstood(t *testing.T) {
	a := &apiServer{token: "sesame", pages: http.NotFoundHandler()}
	url := a.serve(t)
	kubeconfig := realKubectl(t, url, a.token)
	o := options(t, "pod/web-2")
	o.Cluster = Cluster{Kubeconfig: kubeconfig, Via: ViaProxy}
	if _, err := Capture(t.Context(), o); err == nil || !strings.Contains(err.Error(), "(NotFound)") {
		t.Errorf("no such pod: %v", err)
	}
	o.Target = target(t, "pod/web-1")
	o.Plan = Plan{Only: []string{ItemHeap}}
	if _, err := Capture(t.Context(), o); err == nil || !strings.Contains(err.Error(), "answered 404") {
		t.Errorf("no such page: %v", err)
	}
	o.Cluster.Kubeconfig = realKubectl(t, url, "wrong")
	if _, err := Capture(t.Context(), o); err == nil || !strings.Contains(err.Error(), "logged in") && !strings.Contains(err.Error(), "nauthorized") {
		t.Errorf("wrong token: %v", err)
	}
}

func TestARealKubectlPrintsWhatIsKnownOfAPod(t *testing.T) {
	a := &apiServer{token: "sesame", pages: http.NotFoundHandler()}
	o := options(t, "pod/web-1")
	o.Cluster = Cluster{Kubeconfig: realKubectl(t, a.serve(t), a.token)}
	o.Plan = Plan{Only: []string{ItemObjects, ItemEvents, ItemDescribe}}
	res := capture(t, o)
	for name, wants := range map[string][]string{
		ItemObjects:  {`"kind": "Pod"`, `"kind": "ReplicaSet"`}, // there is no Deployment
		ItemEvents:   {`"reason": "BackOff"`},
		ItemDescribe: {"Controlled By:  ReplicaSet/web-5c9d8f7b6", "Back-off restarting failed container"},
	} {
		it := resultOf(t, res.Manifest, name)
		text, err := os.ReadFile(filepath.Join(res.Path, filepath.FromSlash(it.File)))
		if err != nil || it.Error != "" {
			t.Errorf("%+v, %v", it, err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s:\n%s", name, want, text)
			}
		}
	}
}
