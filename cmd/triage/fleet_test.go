package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
	"github.com/gotriage/triage/internal/fetch/promtest"
	"github.com/gotriage/triage/internal/fetch/servertest"
	"github.com/gotriage/triage/triage/schema"
)

// twelvePods are replicas of which one leaks and one crashes, scraped at an address.
func twelvePods(at string) []promtest.Proc {
	var all []promtest.Proc
	for i := range 12 {
		all = append(all, promtest.Proc{
			Labels: map[string]string{"job": "shop", "namespace": "shop", "pod": fmt.Sprintf("web-%d", i), "container": "app",
				"instance": fmt.Sprintf("10.0.0.%d:8080", i)},
			Goroutines: promtest.Flat(float64(180 + 5*i)), Cores: promtest.Flat(0.1), Memory: promtest.Flat(4e8),
			ScrapeURL: "http://" + at + "/metrics",
		})
	}
	all[3].Goroutines = [3]float64{240, 12_000, 27_410}
	all[5].Restarts = 9
	return all
}

// fleet runs triage fleet against a server.
func fleet(t *testing.T, server string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"fleet", "--prometheus", server}, args...)
	code = Main(t.Context(), args, Std{Out: &out, Err: &errs, Getenv: noEnv})
	return code, out.String(), errs.String()
}

func TestFleet_ExitStatus(t *testing.T) {
	healthy := twelvePods("10.0.0.1:8080")[6:]
	none := twelvePods("10.0.0.1:8080")[:1]
	none[0].Goroutines = promtest.Flat(math.NaN())
	refuses := func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	twelve := twelvePods("10.0.0.1:8080")
	has := func(procs []promtest.Proc) *promtest.Server { return &promtest.Server{Procs: procs} }
	for name, c := range map[string]struct {
		server *promtest.Server
		args   []string
		want   int
		says   string // stdout or stderr
	}{
		"odd":                   {has(twelve), nil, exitOK, "LOOK FIRST  2 places"},
		"odd, to fail":          {has(twelve), []string{"--fail-on", "high"}, exitFindings, "27,410 goroutines"},
		"only the first":        {has(twelve), []string{"--limit", "1"}, exitOK, "+1 more place"},
		"healthy, to fail":      {has(healthy), []string{"--fail-on", "medium"}, exitOK, "NOTHING FOUND"},
		"matchers in braces":    {has(healthy), []string{"--query", ` {env="prod"} `}, exitOK, `earlier, {env="prod"}`},
		"no metrics":            {has(none), nil, exitNothing, "none of the selected targets has go_goroutines"},
		"refuses":               {&promtest.Server{Trouble: refuses}, nil, exitUnreadable, "the server needs credentials"},
		"a short window":        {&promtest.Server{}, []string{"--window", "1m"}, exitUsage, "--window 1m0s"},
		"a format that is none": {&promtest.Server{}, []string{"-o", "html"}, exitUsage, "unknown format"},
		"an argument":           {&promtest.Server{}, []string{"web"}, exitUsage, "unknown command"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(c.server)
			defer s.Close()
			code, out, errs := fleet(t, s.URL, c.args...)
			if code != c.want || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, c.want, c.says, out, errs)
			}
			if c.want == exitUsage && len(c.server.Asked()) > 0 {
				t.Error("the server was asked")
			}
		})
	}
	for _, at := range []string{
		"", "prometheus:9090", "ftp://prometheus", "http://me:hunter2@prometheus", "http://prometheus?x=y",
	} {
		if code, _, errs := fleet(t, at); code != exitUsage || strings.Contains(errs, "hunter2") {
			t.Errorf("%s: exit %d, %s", at, code, errs)
		}
	}
}

func TestFleet_SecretsReachTheServerAndNothingElse(t *testing.T) {
	seen := ""
	trouble := func(w http.ResponseWriter, r *http.Request) bool {
		seen = r.Header.Get("Authorization")
		if strings.HasSuffix(r.URL.Path, "/targets") {
			http.Error(w, "no: "+seen, http.StatusForbidden)
			return true
		}
		return false
	}
	s := httptest.NewServer(&promtest.Server{Procs: twelvePods("10.0.0.1:8080"), Trouble: trouble})
	defer s.Close()
	var out, errs bytes.Buffer
	getenv := func(k string) string { return map[string]string{envToken: "sesame-1234"}[k] }
	code := Main(t.Context(), []string{"fleet", "--prometheus", s.URL}, Std{Out: &out, Err: &errs, Getenv: getenv})
	if code != exitOK || seen != "Bearer sesame-1234" || strings.Contains(out.String()+errs.String(), "sesame") ||
		!strings.Contains(out.String(), "[secret]") {
		t.Errorf("exit %d, the server got %q\n%s%s", code, seen, out.String(), errs.String())
	}
}

// TestFleet_CommandsRunAsPrinted runs each next command in a shell. kubectl is a stand-in, and the process to capture
// from is this test; the environment shortens the CPU profile.
func TestFleet_CommandsRunAsPrinted(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("it takes profiles, in a POSIX shell")
	}
	process := httptest.NewServer(nil) // net/http/pprof registers itself
	defer process.Close()
	at := process.Listener.Addr().String()
	all := twelvePods("10.0.0.1:6060")
	alone := promtest.Proc{Labels: map[string]string{"job": "vm", "instance": at}, Goroutines: [3]float64{100, 4000, 9000},
		Cores: promtest.Flat(0.1), Memory: promtest.Flat(4e8), ScrapeURL: "http://" + at + "/metrics"}
	s := httptest.NewServer(&promtest.Server{Procs: append(all, alone)})
	defer s.Close()
	_, out, _ := fleet(t, s.URL, "-o", "json")
	var survey schema.Survey
	if err := json.Unmarshal([]byte(out), &survey); err != nil {
		t.Fatal(err)
	}
	calls := kubectltest.Script{Backend: at, Calls: filepath.Join(t.TempDir(), "calls"),
		Previous: "2026-11-20T18:05:32.1Z hello\n", Log: "2026-11-20T18:05:33.1Z hello\n"}
	for _, name := range []string{"web-3", "web-5"} {
		calls.Pods = append(calls.Pods, kubectltest.Pod{Name: name, Namespace: "shop",
			UID: "5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a", Phase: "Running", Container: "app", Port: 6060, Restarts: 1})
	}
	script, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubectl.json")
	if err := os.WriteFile(file, script, 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"triage fetch pod/web-3 -n shop -c app --port 6060": true,
		"kubectl triage web-5 -n shop": true, "triage fetch http://" + at: true}
	for _, o := range survey.Odd {
		for _, step := range o.Next {
			delete(want, step.Command)
			command := strings.Replace(step.Command, "kubectl triage", "triage kubectl", 1)
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), kubectltest.Env+"="+file, "TRIAGE_SECONDS=1")
			if text, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != exitNothing {
				t.Errorf("%s: %v\n%s", step.Command, err, text)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not proposed: %v", want)
	}
}

// TestFleet_ARealPrometheusNamesPortsAndWhatIsDown has an hour of history, a target that serves metrics and one that is
// gone.
func TestFleet_ARealPrometheusNamesPortsAndWhatIsDown(t *testing.T) {
	all := twelvePods("")
	all[7].Goroutines[2] = math.NaN() // a failed scrape ends the series
	now := time.Now().Truncate(time.Second)
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "go_goroutines 27500\nprocess_resident_memory_bytes 4e8\n")
	}))
	defer target.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	at := func(s *httptest.Server) string { return s.Listener.Addr().String() }
	labels := func(i int) map[string]string {
		return map[string]string{"namespace": "shop", "pod": fmt.Sprintf("web-%d", i), "container": "app",
			"instance": all[i].Labels["instance"]}
	}
	server := promtest.Start(t, all, now, time.Hour, promtest.Scrape("shop", map[string]map[string]string{
		at(target): labels(3), at(gone): labels(7)}))
	port, err := url.Parse(target.URL)
	if err != nil {
		t.Fatal(err)
	}
	out := ""
	servertest.Await(t, "both targets were scraped", func() bool {
		_, out, _ = fleet(t, server, "--width", "200", "-n", "shop")
		return strings.Contains(out, "connection refused") && strings.Contains(out, "27,500")
	})
	for _, want := range []string{
		"27,500 goroutines, up from ", " in 60 min; the other 10 pods of web have 180 to 235.",
		"triage fetch pod/web-3 -n shop -c app --port " + port.Port(),
		"Restarted 9 times in 60 min; the other 11 pods of web did not restart.", "kubectl triage web-5 -n shop",
		"shop/web: 1 of 12, shop/web-7:", "kubectl triage web-7 -n shop", "the server read ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
