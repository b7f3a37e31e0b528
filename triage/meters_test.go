package triage_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/triage"
)

const (
	throttledStat = "usage_usec 2500000000\nnr_periods 50000\nnr_throttled 40000\nthrottled_usec 4120000000\n"
	spinDump      = "../testdata/dumps/go1.26/spin-gosched.txt"
	quietDump     = "../testdata/dumps/go1.26/healthy-cache.txt"
	servedMetrics = "# TYPE go_goroutines gauge\ngo_goroutines 17\nprocess_cpu_seconds_total 5400\n"
)

// runFiles judges a folder of files, by name; a value that begins with ".." is a file of testdata.
func runFiles(t *testing.T, files map[string]string) *triage.Report {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if strings.HasPrefix(text, "../") {
			text = readFile(t, text)
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	steptest.CheckReport(t, r)
	return r
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// shows are the rules that have a line with all the words among their evidence.
func shows(r *triage.Report, words ...string) []string {
	var ids []string
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(e.Text, w) }) {
				ids = append(ids, f.Rule)
				break
			}
		}
	}
	return ids
}

func TestThrottlingIsALineBesideTheSpinnerAndAFindingWithoutOne(t *testing.T) {
	r := runFiles(t, map[string]string{"dump.txt": spinDump, "cpu.stat": throttledStat})
	if got := shows(r, "throttled in 80%"); len(got) == 0 || slices.Contains(got, "TR710") {
		t.Errorf("beside a spinner: %v have the line", got)
	}
	r = runFiles(t, map[string]string{"dump.txt": quietDump, "cpu.stat": throttledStat})
	if got := shows(r, "throttled in 80%"); !slices.Equal(got, []string{"TR710"}) || r.Findings[0].Severity != "medium" {
		t.Errorf("instead of a spinner: %v have the line, %+v", got, r.Findings)
	}
}

// Meters of one pod say nothing of another.
func TestMetersOfAnotherProcessAreNoEvidence(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"another folder":   {"a/dump.txt": spinDump, "b/cpu.stat": throttledStat},
		"named after pods": {"web-1-dump.txt": spinDump, "db-0-cpu.stat": throttledStat},
		"two processes":    {"a.txt": spinDump, "b.txt": quietDump, "cpu.stat": throttledStat},
	} {
		r := runFiles(t, files)
		for _, id := range shows(r, "throttled in") {
			if id != "TR710" {
				t.Errorf("%s: %s has a line of meters", name, id)
			}
		}
	}
}

func TestMetersAloneAreAReport(t *testing.T) {
	r := runFiles(t, map[string]string{"metrics.txt": servedMetrics})
	if !r.Recognised() || len(r.Findings) != 0 || len(r.Meters) != 1 || r.Inputs[0].Kind != "metrics" ||
		r.Meters[0].Facts[0].Text != "17 goroutines" {
		t.Errorf("metrics: %+v", r.Meters)
	}
	r = runFiles(t, map[string]string{"cpu.stat": "usage_usec 5000000\nnr_periods 100\nnr_throttled 3\nthrottled_usec 5\n"})
	if !r.Recognised() || len(r.Findings) != 0 || len(r.Meters) != 1 || r.Inputs[0].Kind != "cgroup" {
		t.Errorf("a healthy control group: %+v, findings %+v", r.Meters, r.Findings)
	}
	r = runFiles(t, map[string]string{"metrics.txt": "# TYPE up gauge\nup 1\n"})
	if !r.Recognised() || len(r.Meters) != 1 || r.Meters[0].Facts[0].Value != 1 {
		t.Errorf("metrics of no Go process: %+v", r.Meters)
	}
}

func TestAPodsControlGroupIsFoundByItsPath(t *testing.T) {
	const uid, id = "0b7c6a1e-2f3d-4c5b-8a9e-0f1e2d3c4b5a", "8f0e1d2c3b4a59687786958493a2b1c0dfeecdbcab9a89786756453423120100"
	r := runFiles(t, map[string]string{
		"sys/fs/cgroup/kubepods/burstable/pod" + uid + "/" + id + "/cpu.stat": throttledStat,
		"pods.yaml": `apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: shop, uid: ` + uid + `}
status:
  phase: Running
  containerStatuses:
  - {name: app, containerID: "containerd://` + id + `", restartCount: 0, state: {running: {}}}
`,
	})
	if len(r.Findings) != 1 || r.Findings[0].Object == nil || r.Findings[0].Object.Name != "web-0" ||
		r.Meters[0].Pod != "web-0" || r.Meters[0].Container != "app" {
		t.Errorf("%+v, %+v", r.Findings, r.Meters)
	}
}

// What follows kubectl's output in a file is read as it would be alone.
func TestADumpBehindADescriptionIsRead(t *testing.T) {
	r := runFiles(t, map[string]string{"web-1.txt": `Name:         web-1
Namespace:    shop
Node:         n1/10.0.0.1
Status:       Running
Containers:
  app:
    State:          Running
      Started:      Sun, 22 Nov 2026 13:46:07 +0000
    Ready:          True
    Restart Count:  0
QoS Class:    BestEffort
Events:       <none>

` + readFile(t, spinDump)})
	if len(r.Dumps) != 1 || r.Cluster == nil || r.Cluster.Objects != 1 || len(r.Findings) == 0 ||
		r.Findings[0].Category != "spin" || r.Inputs[0].Kind != "kubectl-text" {
		t.Errorf("%d dumps, cluster %+v, findings %+v", len(r.Dumps), r.Cluster, r.Findings)
	}
}
