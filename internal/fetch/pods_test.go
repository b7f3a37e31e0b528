package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

const uid = "5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a"

func web(n int) kubectltest.Pod {
	return kubectltest.Pod{Name: fmt.Sprintf("web-%d", n), Namespace: "shop", UID: uid, Phase: "Running", Container: "app", Port: 6060}
}

// podOptions captures a few cheap things of the stand-in's pods.
func podOptions(t testing.TB, h http.Handler, s kubectltest.Script) (o Options, calls func() [][]string) {
	t.Helper()
	s.Backend = server(t, h).Listener.Addr().String()
	calls = kubectltest.Install(t, s)
	o = options(t, "pod/web-1")
	o.Cluster.Namespace = "shop"
	o.Plan = Plan{Only: []string{ItemGoroutine, ItemHeap, ItemPreviousLog}}
	return o, calls
}

func TestAPodIsCapturedThroughPortForward(t *testing.T) {
	p := web(1)
	p.Restarts = 3
	o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{p}, Previous: "2026-11-20T18:05:32.1Z panic: boom\n", Log: "2026-11-20T18:06:32.1Z hello\n"})
	o.Cluster.Context = "prod"
	o.Plan.Only = append(o.Plan.Only, ItemLog)
	o.Plan.LogLines = 50
	res := capture(t, o)
	at := "shop_web-1_" + uid + "/app/"
	want := []string{at + "2.log", at + "3.log", at + "goroutine.pb.gz", at + "heap.pb.gz", ManifestFile}
	slices.Sort(want)
	got := filesOf(t, res.Path)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantCalls := [][]string{
		{"--context=prod", "get", "pod", "web-1", "--output=json", "--namespace=shop"},
		// It has restarted: its logs come first.
		{"--context=prod", "logs", "pod/web-1", "--timestamps", "--previous", "--tail=500000", "--container=app", "--namespace=shop"},
		{"--context=prod", "logs", "pod/web-1", "--timestamps", "--tail=50", "--container=app", "--namespace=shop"},
		{"--context=prod", "port-forward", "pod/web-1", ":6060", "--address=127.0.0.1", "--namespace=shop"},
	}
	if diff := cmp.Diff(wantCalls, calls()); diff != "" {
		t.Error(diff)
	}
	wantPod := ManifestPod{Namespace: "shop", Name: "web-1", UID: uid, Node: "node-1", Container: "app", Port: 6060, Restarts: 3, Folder: strings.TrimSuffix(at, "/")}
	if diff := cmp.Diff([]ManifestPod{wantPod}, res.Manifest.Pods); diff != "" {
		t.Error(diff)
	}
	if it := resultOf(t, res.Manifest, ItemHeap); it.From != "shop/web-1" || it.Path != "/debug/pprof/heap" {
		t.Errorf("%+v", it)
	}
}

func TestAPodIsCapturedThroughTheAPIServersProxy(t *testing.T) {
	var asked atomic.Int32
	h := instead(map[string]http.HandlerFunc{
		"mutex": http.NotFound,
		"profile": func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				http.Error(w, "Could not enable CPU profiling: cpu profiling already in use", http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(goroutineProfile(1))
		},
	})
	o, calls := podOptions(t, h, kubectltest.Script{Pods: []kubectltest.Pod{web(1)}})
	o.Cluster.Via = ViaProxy
	o.Plan = Plan{Only: []string{ItemHeap, ItemMutex, ItemCPU}, Seconds: 5}
	m := capture(t, o).Manifest
	if it := resultOf(t, m, ItemCPU); it.File == "" || it.Tries != 2 {
		t.Errorf("%+v", it)
	}
	if it := resultOf(t, m, ItemMutex); it.Error != "answered 404 Not Found" {
		t.Errorf("%+v", it)
	}
	root := "--raw=/api/v1/namespaces/shop/pods/web-1:6060/proxy/debug/pprof/"
	want := [][]string{
		{"get", "pod", "web-1", "--output=json", "--namespace=shop"},
		{"get", root + "profile?seconds=5"}, {"get", root + "profile?seconds=5"}, {"get", root + "heap"}, {"get", root + "mutex"},
	}
	if diff := cmp.Diff(want, calls()); diff != "" {
		t.Error(diff)
	}
	o.Out += "2"
	o.Plan.Seconds = 31
	if _, err := newRun(o); err == nil || !strings.Contains(err.Error(), "30 s") {
		t.Errorf("what the API server may cut is refused first: %v", err)
	}
}

func TestAPortForwardThatDiesIsStartedOnceMore(t *testing.T) {
	for _, c := range []struct{ dying, starts int }{{1, 2}, {2, 2}} {
		o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1)}, Dying: c.dying, DyingBytes: 300})
		o.Plan.Only = []string{ItemCmdline, ItemGoroutine, ItemHeap}
		var notes []string
		o.Events = func(e Event) {
			if e.Kind == EventNote && strings.Contains(e.Text, "was restarted") { // the second may die before it answers
				notes = append(notes, e.Text)
			}
		}
		res, err := Capture(t.Context(), o)
		starts := 0
		for _, args := range calls() {
			if args[0] == "port-forward" {
				starts++
			}
		}
		if starts != c.starts || len(notes) != 1 || !strings.Contains(notes[0], "lost connection to pod") {
			t.Errorf("%d die: %d starts, notes %q", c.dying, starts, notes)
		}
		if c.dying == 1 && (err != nil || resultOf(t, res.Manifest, ItemGoroutine).File == "" || resultOf(t, res.Manifest, ItemHeap).File == "") {
			t.Errorf("the second forward's answers are missing: %v", err)
		}
		if c.dying == 2 && (err == nil || !strings.Contains(err.Error(), "lost connection to pod")) && (res == nil || resultOf(t, res.Manifest, ItemHeap).File != "") {
			t.Errorf("two forwards died: %v, %+v", err, res)
		}
	}
}

func TestASelectorCapturesRunningPodsAFewAtATime(t *testing.T) {
	var mu sync.Mutex
	now, most := 0, 0
	full := make(chan struct{})
	h := instead(map[string]http.HandlerFunc{"heap": func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if now++; now > most {
			most = now
		}
		if now == atOnce {
			close(full)
		}
		mu.Unlock()
		<-full // until as many are here as ever are at once
		mu.Lock()
		now--
		mu.Unlock()
		_, _ = w.Write(goroutineProfile(1))
	}})
	var s kubectltest.Script
	for n := 9; n > 0; n-- {
		s.Pods = append(s.Pods, web(n))
	}
	s.Pods[0].Phase = "Pending"
	s.Pods[1].Port = 0
	o, calls := podOptions(t, h, s)
	var err error
	if o.Target, err = Pods("app=web", ""); err != nil {
		t.Fatal(err)
	}
	o.Plan = Plan{Only: []string{ItemHeap}}
	o.Cluster.MaxPods = 4
	res := capture(t, o)
	if most != atOnce {
		t.Errorf("%d at once, want %d", most, atOnce)
	}
	var names []string
	for _, p := range res.Manifest.Pods {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"web-1", "web-2", "web-3", "web-4"}, names); diff != "" {
		t.Error(diff)
	}
	want := []string{"web-8: it declares no port: left out", "web-9 is Pending, not Running: left out", "7 pods match: only 4 are captured, pods in trouble first (--max-pods)"}
	if diff := cmp.Diff(want, res.Manifest.Notes); diff != "" {
		t.Error(diff)
	}
	if first := calls()[0]; !slices.Equal(first, []string{"get", "pods", "--selector=app=web", "--output=json", "--namespace=shop"}) {
		t.Errorf("%q", first)
	}
}

func TestOnePodsFailureCostsNoOther(t *testing.T) {
	o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1), web(2)}, Down: []string{"web-1"}})
	var err error
	if o.Target, err = Pods("app=web", ""); err != nil {
		t.Fatal(err)
	}
	o.Plan = Plan{Only: []string{ItemHeap, ItemMutex}}
	m := capture(t, o).Manifest
	if !strings.Contains(m.Pods[0].Error, "pod is not running") || m.Pods[1].Error != "" {
		t.Errorf("%+v", m.Pods)
	}
	kept := slices.DeleteFunc(slices.Clone(m.Items), func(it ManifestItem) bool { return !it.kept() })
	if m.Items[1].Error != errNotAsked.Error() || len(kept) != 2 {
		t.Errorf("%q", results(m))
	}
}

func TestWithoutTheRightToGetPodsTheCommandLineMustDo(t *testing.T) {
	o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Forbid: []string{"get pods"}})
	_, err := Capture(t.Context(), o)
	if fe, ok := errors.AsType[*Error](err); !ok || !strings.Contains(fe.Hint, "--port") {
		t.Errorf("%v", err)
	}
	o.Cluster.Port = 6060
	res := capture(t, o)
	if got := filesOf(t, res.Path); !slices.Contains(got, "web-1/heap.pb.gz") {
		t.Errorf("%q", got)
	}
	last := calls()[len(calls())-1]
	if !slices.Equal(last, []string{"logs", "pod/web-1", "--timestamps", "--previous", "--tail=500000", "--namespace=shop"}) {
		t.Errorf("%q", last)
	}
	if it := resultOf(t, res.Manifest, ItemPreviousLog); it.Error != "" || it.Note == "" {
		t.Errorf("no former container is no error: %+v", it)
	}
}

func TestKubectlsRefusalIsTheReason(t *testing.T) {
	for _, c := range []struct{ via, forbid string }{{ViaPortForward, "port-forward"}, {ViaProxy, "proxy"}} {
		o, calls := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1)}, Forbid: []string{c.forbid}})
		o.Cluster.Via = c.via
		_, err := Capture(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "(Forbidden)") {
			t.Errorf("%s: %v", c.via, err)
		}
		if n := len(calls()); n != 2 {
			t.Errorf("%s: %d calls: a refusal is not asked for again", c.via, n)
		}
	}
}

func TestAPodThatDoesNotRunIsReported(t *testing.T) {
	p := web(1)
	p.Phase = "CrashLooping"
	o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{p}})
	_, err := Capture(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "not Running") {
		t.Errorf("%v", err)
	}
	o.Target = target(t, "pod/web-2")
	if _, err = Capture(t.Context(), o); err == nil || !strings.Contains(err.Error(), `pods "web-2" not found`) {
		t.Errorf("%v", err)
	}
}

func TestNamesThatAClusterMakesUpAreChecked(t *testing.T) {
	for _, c := range []struct{ namespace, name, uid, container string }{
		{"../..", "web-1", uid, "app"}, {"shop", "../../x", uid, "app"}, {"shop", "-A", uid, "app"}, {"shop", "web-1", uid, "../x"}, {"shop", "web-1", uid, "--all"},
	} {
		var j podJSON
		j.Metadata.Namespace, j.Metadata.Name, j.Metadata.UID = c.namespace, c.name, c.uid
		j.Spec.Containers = []containerJSON{{Name: c.container}}
		if p, err := j.choose(Cluster{Port: 6060}); err == nil {
			t.Errorf("%+v became %+v", c, p)
		}
	}
	var j podJSON
	j.Metadata.Namespace, j.Metadata.Name, j.Metadata.UID = "shop", "web-1", "../../x"
	j.Spec.Containers = []containerJSON{{Name: "app"}}
	if p, err := j.choose(Cluster{Port: 6060}); err != nil || p[0].folder() != "web-1" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestTheContainerIsTheOneWithThePort(t *testing.T) {
	var j podJSON
	j.Metadata.Namespace, j.Metadata.Name = "shop", "web-1"
	proxy, app := containerJSON{Name: "proxy"}, containerJSON{Name: "app"}
	app.Ports = append(app.Ports, struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
	}{"pprof", 6060})
	j.Spec.Containers, j.Status.Phase = []containerJSON{proxy, app}, "Running"
	for _, c := range []struct {
		cluster Cluster
		want    string
		port    int
	}{
		{Cluster{}, "app", 6060},
		{Cluster{Port: 6060}, "app", 6060},
		{Cluster{Port: 8080}, "proxy", 8080}, // as kubectl: the first
		{Cluster{Port: 8080, Container: "app"}, "app", 8080},
		{Cluster{Container: "proxy"}, "proxy", 0}, // for its log
		{Cluster{Container: "none", Port: 1}, "", 0},
	} {
		p, err := j.choose(c.cluster)
		if c.want == "" != (err != nil) || err == nil && (p[0].Container != c.want || p[0].Port != c.port || c.port == 0 != (p[0].closed != "")) {
			t.Errorf("%+v: %+v, %v", c.cluster, p, err)
		}
	}
	j.Metadata.Annotations = map[string]string{"kubectl.kubernetes.io/default-container": "app"}
	if p, err := j.choose(Cluster{Port: 8080}); err != nil || p[0].Container != "app" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestWithoutKubectlTheErrorNamesAnotherWay(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := newRun(options(t, "pod/web-1"))
	if fe, ok := errors.AsType[*Error](err); !ok || !strings.Contains(fe.Hint, "HOST:PORT") {
		t.Errorf("%v", err)
	}
}

func TestNoKubectlIsLeftRunning(t *testing.T) {
	o, _ := podOptions(t, served(DefaultPrefix), kubectltest.Script{Pods: []kubectltest.Pod{web(1)}})
	r, err := newRun(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "x")
	if err := os.Mkdir(dir, dirMode); err != nil {
		t.Fatal(err)
	}
	all, err := r.sessions(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	src := all[0].src.(*forwardSource)
	tun, err := src.tunnel(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if tun.dead() {
		t.Error("it ended by itself")
	}
	src.close()
	if !tun.dead() {
		t.Error("it lives on")
	}
}
