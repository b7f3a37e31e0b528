package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/api/core/v1"
)

// A desk is where somebody on call types: a folder, kubectl in PATH, and triage beside it by the names of a plugin.
type desk struct {
	l   *lab
	dir string
	env []string
}

// newDesk skips without a binary of triage.
func newDesk(t *testing.T, l *lab, kubectl string) desk {
	t.Helper()
	triage := os.Getenv("TRIAGE")
	if triage == "" {
		t.Skip("TRIAGE names no binary of triage: `make build` builds one")
	}
	bin := t.TempDir()
	for name, to := range map[string]string{"kubectl": kubectl, "kubectl-triage": triage, "kubectl_complete-triage": triage} {
		if err := os.Symlink(to, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	return desk{l, home, []string{"PATH=" + bin, "HOME=" + home, "TZ=UTC",
		"KUBECONFIG=" + l.kubeconfig(t, "oncall", "one", "")}}
}

// with is the desk with one more variable.
func (d desk) with(variable string) desk {
	d.env = append(slices.Clone(d.env), variable)
	return d
}

// kubectl runs `kubectl ARGS` with an input, and returns both of its outputs.
func (d desk) kubectl(t *testing.T, in io.Reader, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	path, _, _ := strings.Cut(strings.TrimPrefix(d.env[0], "PATH="), ":")
	cmd := exec.CommandContext(ctx, filepath.Join(path, "kubectl"), args...)
	cmd.Dir, cmd.Env, cmd.Stdin = d.dir, d.env, in
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begun := time.Now()
	err = cmd.Run()
	t.Logf("%s: kubectl %s", time.Since(begun).Round(10*time.Millisecond), strings.Join(args, " "))
	return out.String(), errs.String(), err
}

// A report is what the tests look at of one.
type report struct {
	text, progress, dir string
	requests            []request
	Findings            []struct {
		Rule    string
		Culprit struct{ Function string }
	}
	Leads []struct {
		Culprit struct {
			File string
			Line int
		}
	}
}

// triage runs `kubectl triage ARGS` and returns its report, and what it asked of the API servers.
func (d desk) triage(t *testing.T, in io.Reader, args ...string) report {
	t.Helper()
	since := d.l.marks(t)
	r := report{dir: filepath.Join(t.TempDir(), "capture")}
	file := filepath.Join(t.TempDir(), "report.json")
	args = slices.Concat([]string{"triage"}, args, []string{"-o", "text", "-o", "json=" + file, "--out", r.dir, "--seconds", "2"})
	var err error
	if r.text, r.progress, err = d.kubectl(t, in, args...); err != nil {
		t.Fatalf("%v\n%s\n%s", err, r.text, r.progress)
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.requests = d.l.requests(t, "oncall", since)
	if len(r.requests) == 0 {
		t.Error("the audit logs have no request")
	}
	return r
}

// wantLead checks the place of the first lead.
func (r report) wantLead(t *testing.T, place string) {
	t.Helper()
	if len(r.Leads) == 0 {
		t.Fatalf("no lead:\n%s\n%s", r.text, r.progress)
	}
	at := r.Leads[0].Culprit
	if got := fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line); got != place {
		t.Errorf("the first lead is %s, want %s:\n%s", got, place, r.text)
	}
}

// wantFiles checks that the capture has files of a pod's container, each with a text in it.
func (r report) wantFiles(t *testing.T, p v1.Pod, texts map[string][]string) {
	t.Helper()
	for name, wants := range texts {
		data, err := os.ReadFile(filepath.Join(r.dir, p.Namespace+"_"+p.Name+"_"+string(p.UID), "app", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(string(data), want) {
				t.Errorf("%s of %s has no %q:\n%.3000s", name, p.Name, want, data)
			}
		}
	}
}

// pods are the names of the pods that requests for logs or forwarded ports name, sorted.
func (r report) pods(subresource string) (names []string) {
	for _, q := range r.requests {
		if q.Object.Subresource == subresource {
			names = append(names, q.Object.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// line is the place of a line of programs/shop, by a text that only this line has.
func line(t *testing.T, text string) string {
	t.Helper()
	data, err := os.ReadFile("programs/shop/main.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := bytes.Cut(data, []byte(text))
	if !found {
		t.Fatalf("no %q", text)
	}
	return fmt.Sprintf("main.go:%d", bytes.Count(before, []byte("\n"))+1)
}

// podsOf are the pods of a namespace whose names begin with a prefix.
func (l *lab) podsOf(t *testing.T, namespace, prefix string) (pods []v1.Pod) {
	t.Helper()
	for _, p := range l.list(t, namespace) {
		if strings.HasPrefix(p.Name, prefix) {
			pods = append(pods, p)
		}
	}
	if len(pods) == 0 {
		t.Fatalf("no pod %s/%s…", namespace, prefix)
	}
	return pods
}

func namesOf(pods []v1.Pod) (names []string) {
	for _, p := range pods {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// terminal is a terminal on which a line was typed.
func terminal(t *testing.T, typed string) *os.File {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	fd := int(keyboard.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	if _, err := keyboard.WriteString(typed); err != nil {
		t.Fatal(err)
	}
	return screen
}

// TestKubectlTriage is the plugin of a real kubectl, at real API servers with 207 pods. The kubelets are played
// (package kubelet): they answer for logs and forwarded ports alone.
func TestKubectlTriage(t *testing.T) {
	l, kubectl := startCluster(t)
	d := newDesk(t, l, kubectl)
	fill(t, l)
	if err := l.await(t.Context(), 5*time.Minute, "the pods", func() bool { return len(l.unsettled(t)) == 0 }); err != nil {
		t.Fatal(err, l.unsettled(t))
	}
	since, before := l.marks(t), l.state(t)
	for _, each := range []struct {
		claim string
		test  func(*testing.T, desk)
	}{
		{"it is found as a plugin", testFound},
		{"names, namespaces and contexts are completed", testCompletes},
		{"a pod has its logs, events, description and owners in one report", testPod},
		{"a pod that runs again has the log before and the log since", testHealed},
		{"a Deployment's pods are asked for dumps and profiles where the user agrees", testDeployment},
		{"the user is asked first", testAsked},
		{"only a port or an annotation for profiles is used", testPorts},
		{"a label selects pods", testSelector},
		{"of two hundred pods those in trouble are captured", testUnhealthy},
		{"the context and the kubeconfig that are named are used", testContext},
		{"without rights to events and owners the logs are captured", testNarrow},
	} {
		t.Run(each.claim, func(t *testing.T) { each.test(t, d) })
	}
	t.Run("nothing in the cluster is changed", func(t *testing.T) { testUnchanged(t, l, since, before) })
}

func testFound(t *testing.T, d desk) {
	out, errs, err := d.kubectl(t, nil, "plugin", "list")
	if err != nil || !strings.Contains(out, "/kubectl-triage\n") || strings.Contains(out+errs, "warning") {
		t.Errorf("%v\n%s\n%s", err, out, errs)
	}
}

func testCompletes(t *testing.T, d desk) {
	mailer := d.l.podsOf(t, "shop", "mailer-")[0].Name
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"-n", "shop", "mail"}, mailer},
		{[]string{"-n", "shop", "heal"}, "healed"},
		{[]string{"-n", "sho"}, "shop"},
		{[]string{"--context", "tw"}, "two"},
		{[]string{"-n", "shop", "deploy/ma"}, "deploy/mailer"},
	} {
		out, errs, err := d.kubectl(t, nil, slices.Concat([]string{"__complete", "triage"}, tt.words)...)
		first, _, _ := strings.Cut(out, "\n")
		if word, _, _ := strings.Cut(first, "\t"); err != nil || word != tt.want {
			t.Errorf("%q: %q, want %q, %v\n%s", tt.words, out, tt.want, err, errs)
		}
	}
}

func testPod(t *testing.T, d desk) {
	p := d.l.podsOf(t, "shop", "mailer-")[0]
	r := d.triage(t, nil, p.Name, "-n", "shop")
	r.wantLead(t, line(t, "return q.first.id"))
	r.wantFiles(t, p, map[string][]string{
		"objects.json": {`"kind": "Pod"`, `"kind": "ReplicaSet"`, `"kind": "Deployment"`},
		"events.json":  {`"reason": "BackOff"`},
		"describe.txt": {"Controlled By:  ReplicaSet/mailer-", "Back-off restarting failed container"},
	})
	for _, want := range []string{p.Name, "keeps restarting"} {
		if !strings.Contains(r.text, want) {
			t.Errorf("the report does not say %s:\n%s", want, r.text)
		}
	}
	if got := r.pods("portforward"); len(got) > 0 {
		t.Errorf("nobody agreed, but ports of %v were forwarded", got)
	}
}

func testHealed(t *testing.T, d desk) {
	p := d.l.podsOf(t, "shop", "healed")[0]
	r := d.triage(t, nil, "pod/healed", "-n", "shop")
	r.wantLead(t, line(t, "return q.first.id"))
	r.wantFiles(t, p, map[string][]string{"0.log": {"panic: runtime error"}, "1.log": {"started"}})
}

func testDeployment(t *testing.T, d desk) {
	pods := d.l.podsOf(t, "shop", "web-")
	r := d.triage(t, nil, "deploy/web", "-n", "shop", "--pprof")
	r.wantLead(t, line(t, "runtime.Gosched()"))
	for _, p := range pods {
		r.wantFiles(t, p, map[string][]string{
			"goroutine-1.txt": {"poller).poll"}, "cpu.pb.gz": nil, "heap.pb.gz": nil, "0.log": {"started"}, "objects.json": {`"Deployment"`},
		})
	}
	if got := r.pods("portforward"); !slices.Equal(got, namesOf(pods)) {
		t.Errorf("ports of %v were forwarded, want those of %v", got, namesOf(pods))
	}
}

func testAsked(t *testing.T, d desk) {
	pods := namesOf(d.l.podsOf(t, "shop", "web-"))
	for answer, forwarded := range map[string][]string{"n": nil, "y": pods} {
		r := d.triage(t, terminal(t, answer+"\n"), "deploy/web", "-n", "shop")
		for _, p := range pods {
			if question, _, _ := strings.Cut(r.progress, "[y/N]"); !strings.Contains(question, "shop/"+p) {
				t.Errorf("the question does not name %s:\n%s", p, r.progress)
			}
		}
		if got := r.pods("portforward"); !slices.Equal(got, forwarded) {
			t.Errorf("answer %s: ports of %v were forwarded, want %v", answer, got, forwarded)
		}
	}
}

func testPorts(t *testing.T, d desk) {
	plain := d.l.podsOf(t, "shop", "plain-")[0]
	if r := d.triage(t, nil, plain.Name, "-n", "shop", "--pprof"); len(r.pods("portforward")) > 0 {
		t.Errorf("a port named http was used:\n%s", r.progress)
	}
	r := d.triage(t, nil, "annotated", "-n", "shop", "--pprof")
	if got := r.pods("portforward"); !slices.Equal(got, []string{"annotated"}) {
		t.Errorf("the port of an annotation was not used: %v\n%s", got, r.progress)
	}
}

func testSelector(t *testing.T, d desk) {
	pods := namesOf(d.l.podsOf(t, "shop", "mailer-"))
	r := d.triage(t, nil, "-l", "app=mailer", "-n", "shop")
	r.wantLead(t, line(t, "return q.first.id"))
	if got := r.pods("log"); !slices.Equal(got, pods) {
		t.Errorf("logs of %v were read, want those of %v", got, pods)
	}
}

func testUnhealthy(t *testing.T, d desk) {
	r := d.triage(t, nil, "-A", "--unhealthy")
	r.wantLead(t, line(t, "return q.first.id"))
	if !strings.Contains(r.text, "unpulled") {
		t.Errorf("the report does not name the pod that cannot start:\n%s", r.text)
	}
	folders, err := filepath.Glob(filepath.Join(r.dir, "*_*_*"))
	if err != nil || len(folders) != 3 {
		t.Errorf("%q, want the folders of mailer, unpulled and healed, %v", folders, err)
	}
	lists := slices.DeleteFunc(slices.Clone(r.requests), func(q request) bool {
		return q.Verb != "list" || q.Object.Resource != "pods" || q.Object.Namespace != "" // describe lists an owner's
	})
	if len(lists) != 1 {
		t.Errorf("pods were listed %d times, want once: %v", len(lists), lists)
	}
	// Without --unhealthy those in trouble come first.
	r = d.triage(t, nil, "-A", "--max-pods", "2")
	if got := r.pods(""); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "mailer-") }) ||
		!slices.Contains(got, "unpulled") || !strings.Contains(r.progress, "207 pods match") {
		t.Errorf("%v was captured:\n%s", got, r.progress)
	}
}

func testContext(t *testing.T, d desk) {
	p := d.l.podsOf(t, "shop", "mailer-")[0].Name
	all := d.with("KUBECONFIG=" + d.l.kubeconfig(t, "oncall", "nowhere", ""))
	_, errs, err := all.kubectl(t, nil, "triage", p, "-n", "shop")
	if exit := (&exec.ExitError{}); !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(errs, "127.0.0.1:1") {
		t.Errorf("at the context of the kubeconfig: %v\n%s", err, errs)
	}
	file := d.l.kubeconfig(t, "oncall", "three", "shop")
	for server, r := range map[int]report{
		2: all.triage(t, nil, p, "-n", "shop", "--context", "two"),
		3: all.triage(t, nil, p, "--kubeconfig", file), // the namespace is that of the context
	} {
		r.wantLead(t, line(t, "return q.first.id"))
		for _, q := range r.requests {
			if q.server != server {
				t.Errorf("API server %d was asked, want %d: %v", q.server, server, q)
			}
		}
	}
}

func testNarrow(t *testing.T, d desk) {
	p := d.l.podsOf(t, "shop", "mailer-")[0]
	narrow := d.with("KUBECONFIG=" + d.l.kubeconfig(t, "narrow", "one", "shop"))
	dir := filepath.Join(t.TempDir(), "capture")
	out, errs, err := narrow.kubectl(t, nil, "triage", p.Name, "--out", dir)
	if err != nil || !strings.Contains(out, line(t, "return q.first.id")) || !strings.Contains(errs, "forbidden") {
		t.Errorf("%v\n%s\n%s", err, out, errs)
	}
}

// state is what a change of the objects would change: who they are, and their generations.
func (l *lab) state(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, p := range slices.Concat(l.list(t, "shop"), l.list(t, "crowd")) {
		restarts := int32(0)
		if p.Labels["app"] != "mailer" && len(p.Status.ContainerStatuses) > 0 {
			restarts = p.Status.ContainerStatuses[0].RestartCount
		}
		state[p.Name] = fmt.Sprintf("%s, generation %d, %d restarts, %v, %v", p.UID, p.Generation, restarts, p.Labels, p.Annotations)
	}
	return state
}

// testUnchanged looks at everything that was asked of the API servers.
func testUnchanged(t *testing.T, l *lab, since []int64, before map[string]string) {
	counts := map[string]int{}
	for _, user := range []string{"oncall", "narrow"} {
		for _, r := range l.requests(t, user, since) {
			counts[r.Verb+" "+strings.Trim(r.Object.Resource+"/"+r.Object.Subresource, "/")]++
			reads := slices.Contains([]string{"get", "list", "watch"}, r.Verb)
			if !reads && r.Object.Subresource != "portforward" {
				t.Errorf("%s: %v, answered %d", user, r, r.Status.Code)
			}
		}
	}
	t.Log(counts)
	after := l.state(t)
	if len(before) != len(after) {
		t.Errorf("%d pods before, %d after", len(before), len(after))
	}
	for name, was := range before {
		if after[name] != was {
			t.Errorf("%s: %s, was %s", name, after[name], was)
		}
	}
}
