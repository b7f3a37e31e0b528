package triage

import (
	"archive/zip"
	"bufio"
	"context"
	"errors"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// realBundles are bundles of real clusters on which nothing loops or storms: containers crashed while they were
// installed, no more.
var realBundles = []string{
	"must-gather-metal.tar.xz",
	"supportbundle_9b6b22de-6e5d-4905-aec8-1f226e413986_2022-03-22T23-49-32Z.zip",
	"insights/insights-archive.tar.gz",
	"troubleshoot/test_baselines_preflight-v1beta3_baseline.tar.gz",
	"troubleshoot/test_baselines_supportbundle_baseline.tar.gz",
	"troubleshoot/testdata_supportbundle_missing-version.tar.gz",
	"troubleshoot/testdata_supportbundle_support-bundle.tar.gz",
	"cri",
}

func TestNothingLoopsInRealHealthyBundles(t *testing.T) {
	dir := filepath.Join(corpus(t), "bundles")
	for _, name := range realBundles {
		t.Run(path.Base(name), func(t *testing.T) {
			r := runOn(t, filepath.Join(dir, name))
			if len(r.Inputs) == 0 {
				t.Fatal("nothing was read")
			}
			for _, f := range r.Findings {
				switch {
				case !f.Alarm():
				case f.Category == rules.HotLoop || f.Category == rules.PodStorm || f.Category == rules.RaceCat:
					t.Errorf("%s %s %s: %s\n%+v", f.Severity, f.Category, f.Name, f.Title, f.Evidence)
				case f.Category == rules.Crash:
				case f.Severity.Rank() >= rules.High.Rank() && (strings.HasPrefix(f.Rule, "TR7")):
					t.Errorf("of severity %s, from logs, objects or audit logs: %s: %s\n%+v", f.Severity, f.Name, f.Title, f.Evidence)
				}
			}
		})
	}
}

// TestRealBundlesAreTakenForWhatTheyAre holds each file's kind against what its path in the collector's layout says.
func TestRealBundlesAreTakenForWhatTheyAre(t *testing.T) {
	dir := filepath.Join(corpus(t), "bundles")
	for _, c := range []struct {
		name string
		kind func(path string) string
	}{
		{realBundles[0], mustGatherKind}, {realBundles[1], kitKind}, {realBundles[2], insightsKind}, {realBundles[4], troubleshootKind}, {realBundles[6], troubleshootKind},
	} {
		r := runOn(t, filepath.Join(dir, c.name))
		wrong, counts := 0, map[string]int{}
		for _, in := range r.Inputs {
			counts[in.Kind]++
			_, inside, _ := strings.Cut(in.Path, "!/")
			if want := c.kind(inside); want != "" && in.Bytes > 0 && !slices.Contains(strings.Split(want, "|"), in.Kind) {
				if wrong++; wrong <= 10 {
					t.Errorf("%s: taken for %s, it is %s", in.Path, in.Kind, want)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d files are taken for something else: %v", c.name, wrong, counts)
		}
		if counts["pod-log"] == 0 || counts["kubernetes-objects"] == 0 {
			t.Errorf("%s: logs or objects are missing: %v", c.name, counts)
		}
		t.Logf("%s: %v", c.name, counts)
	}
}

func mustGatherKind(p string) string {
	switch {
	case strings.Contains(p, "/logs/") && strings.HasSuffix(p, ".log"):
		return "pod-log"
	case strings.Contains(p, "/cluster-scoped-resources/") && strings.HasSuffix(p, ".yaml"), strings.Contains(p, "/namespaces/") && strings.HasSuffix(p, ".yaml"):
		return "kubernetes-objects"
	case strings.Contains(p, "/host_service_logs/"):
		return "text-log"
	}
	return ""
}

func kitKind(p string) string {
	switch {
	case strings.Contains(p, "/logs/") && !strings.Contains(p, "/nodes/"):
		return "pod-log"
	case strings.Contains(p, "/yamls/"):
		return "kubernetes-objects"
	case strings.Contains(p, ".zip!/") && strings.Contains(p, "/logs/"):
		return "text-log"
	}
	return ""
}

func insightsKind(p string) string {
	switch {
	case strings.Contains(p, "/logs/") && strings.HasSuffix(p, ".log"):
		return "pod-log|text-log" // some are of nodes
	case strings.HasPrefix(p, "config/pod/") && strings.HasSuffix(p, ".json"), strings.HasPrefix(p, "config/node/") && strings.HasSuffix(p, ".json"), strings.HasPrefix(p, "events/"):
		return "kubernetes-objects"
	}
	return ""
}

func troubleshootKind(p string) string {
	_, p, _ = strings.Cut(p, "/")
	switch {
	case strings.HasPrefix(p, "cluster-resources/pods/logs/") && strings.HasSuffix(p, ".log"):
		return "pod-log"
	case strings.HasPrefix(p, "cluster-resources/pods/"), strings.HasPrefix(p, "cluster-resources/deployments/"), strings.HasPrefix(p, "cluster-resources/events/"), p == "cluster-resources/nodes.json":
		return "kubernetes-objects"
	}
	return ""
}

// TestTheDumpsOfARealMustGatherAreFound compares with counts that were taken with grep over the unpacked files.
func TestTheDumpsOfARealMustGatherAreFound(t *testing.T) {
	dir := filepath.Join(corpus(t), "bundles")
	want := map[string]int{}
	f, err := os.Open(filepath.Join(dir, "GOROUTINE_DUMPS.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		row := strings.Split(s.Text(), "\t")
		if rest, ok := strings.CutPrefix(row[2], "must-gather-metal/"); ok {
			if want[rest], err = strconv.Atoi(row[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(want) == 0 {
		t.Fatal("the list names no dump of the archive")
	}
	r := runOn(t, filepath.Join(dir, "must-gather-metal.tar.xz"))
	got := map[string]int{}
	for _, d := range r.Dumps {
		if _, rest, ok := strings.Cut(d.Input, "/namespaces/"); ok {
			got[rest] += d.Goroutines * max(1, d.Seen)
		}
	}
	for file, n := range want {
		if got[file] != n {
			t.Errorf("%s: %d goroutines, want %d", file, got[file], n)
		}
	}
}

// auditOf reads audit logs and returns the report with what the rules looked at.
func auditOf(t *testing.T, paths ...string) (*schema.Report, outcome) {
	t.Helper()
	dir := filepath.Join(corpus(t), "bundles", "audit")
	o := Options{}
	for _, p := range paths {
		o.Inputs = append(o.Inputs, filepath.Join(dir, p))
	}
	r, out, err := readAndJudge(t.Context(), o, codeReader{})
	if err != nil {
		t.Fatal(err)
	}
	steptest.CheckReport(t, r)
	if parsed.Trail(out.pass) == nil {
		t.Fatal("no audit log was recognised")
	}
	return r, out
}

func TestTheFleetLoopIsProvenByVersions(t *testing.T) {
	r, _ := auditOf(t, "fleet-hotloop.audit.log.gz")
	const agent = "system:serviceaccount:cattle-fleet-local-system:fleet-agent"
	f := first(t, r, rules.HotLoop)
	if f.Count != 207 || !strings.Contains(f.Why, "carry the resourceVersion") {
		t.Errorf("%d writes: %s", f.Count, f.Why)
	}
	if f.Object.Kind != "BundleDeployment" || !slices.Contains([]string{"mcc-harvester", "local-managed-system-agent", "mcc-local-managed-system-upgrade-controller"}, f.Object.Name) {
		t.Errorf("object %+v", f.Object)
	}
	if !slices.Equal(f.Actors, []string{agent}) {
		t.Errorf("actors %v, want the agent alone", f.Actors)
	}
	if !strings.Contains(words(f), "lastUpdateTime") {
		t.Errorf("the field that moves is not named: %s", words(f))
	}
}

func TestTheStormIsCountedInPodsAndTheLongLineIsRead(t *testing.T) {
	r, out := auditOf(t, "pinniped-outofcpu.audit.log.gz")
	if e := parsed.Trail(out.pass).Events; e != 3182 {
		t.Errorf("%d events, want 3182: one of them is a line of 1,178,096 bytes", e)
	}
	for _, s := range parsed.Trail(out.pass).Servers {
		if s.Long > 0 || s.Unreadable > 0 {
			t.Errorf("%d lines too long, %d unreadable", s.Long, s.Unreadable)
		}
	}
	f := first(t, r, rules.PodStorm)
	from, _ := time.Parse(time.RFC3339Nano, f.FirstSeen)
	to, _ := time.Parse(time.RFC3339Nano, f.LastSeen)
	if span := to.Sub(from); f.Count < 440 || f.Count > 442 || math.Abs(span.Seconds()-45) > 5 {
		t.Errorf("%d pods in %s, want 440 in 45 s", f.Count, span)
	}
	if !strings.HasPrefix(f.Object.Name, "pinniped-concierge-kube-cert-agent") {
		t.Errorf("object %+v", f.Object)
	}
}

func TestTheStormsPodsAreEnough(t *testing.T) {
	pods := filepath.Join(corpus(t), "bundles", "audit", "snapshots", "pinniped-pods.json")
	r, _, err := readAndJudge(t.Context(), Options{Inputs: []string{pods}}, codeReader{})
	if err != nil {
		t.Fatal(err)
	}
	f := first(t, r, rules.PodStorm)
	if !strings.HasPrefix(f.Object.Name, "pinniped-concierge-kube-cert-agent") || !strings.Contains(words(f), "OutOfcpu") || !strings.Contains(words(f), "440") {
		t.Errorf("object %+v: %s", f.Object, words(f))
	}
}

func TestTheRaceIsFoundAtBothLevels(t *testing.T) {
	for _, paths := range [][]string{
		{"kudo-deadlock.audit.log.gz"},
		{"kudo-deadlock.metadata.master0.audit.log", "kudo-deadlock.metadata.master1.audit.log", "kudo-deadlock.metadata.master2.audit.log"},
	} {
		r, _ := auditOf(t, paths...)
		f := first(t, r, rules.RaceCat)
		if !slices.Contains([]string{"cassandra-instance-node", "cassandra-instance"}, f.Object.Name) {
			t.Errorf("%s: object %+v", paths[0], f.Object)
		}
		for _, a := range []string{"system:serviceaccount:kudo-system:kudo-manager", "kubernetes-admin"} {
			if !slices.Contains(f.Actors, a) {
				t.Errorf("%s: actors %v, want %s too", paths[0], f.Actors, a)
			}
		}
		if !strings.Contains(words(f), " ms") || !strings.Contains(words(f), "cassandra-instance-node-1") {
			t.Errorf("%s: neither the milliseconds nor the pod that hangs is told: %s", paths[0], words(f))
		}
	}
}

func TestTheTwinInWhichTheGarbageCollectorWinsIsHealthy(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus(t), "bundles", "audit", "snapshots", "kudo-gcwins-*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, f := range runOn(t, files...).Findings {
		if f.Severity.Rank() > rules.Low.Rank() {
			t.Errorf("%s %s: %s", f.Severity, f.Name, f.Title)
		}
	}
}

// first is the report's first finding, which must be of the category and about an object.
func first(t *testing.T, r *schema.Report, want rules.Category) rules.Finding {
	t.Helper()
	if len(r.Findings) == 0 {
		t.Fatalf("nothing was found, want %s", want)
	}
	f := r.Findings[0]
	if f.Category != want || f.Severity.Rank() < rules.Medium.Rank() || f.Object == nil {
		t.Fatalf("first is %s %s %s, object %v: %s", f.Severity, f.Category, f.Name, f.Object, f.Title)
	}
	return f
}

// words is all that a finding says.
func words(f rules.Finding) string {
	all := []string{f.Title, f.Why, f.Fix}
	all = append(all, f.Notes...)
	for _, e := range f.Evidence {
		all = append(all, e.Text)
	}
	return strings.Join(all, "\n")
}

// TestAHostileBundleIsSurvived holds the labelled case's own demands: time, memory, what must be listed, and that
// nothing is written.
func TestAHostileBundleIsSurvived(t *testing.T) {
	file := filepath.Join(corpus(t), "cases", "bundle-hostile-zip", "hostile.zip")
	work, temp := t.TempDir(), t.TempDir()
	t.Chdir(work)
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := Run(ctx, Options{Inputs: []string{file}})
	if err != nil {
		t.Fatalf("after a minute: %v", err)
	}
	runtime.ReadMemStats(&after)
	if grown := (after.Sys - before.Sys) >> 20; grown > 1024 {
		t.Errorf("took %d MB from the system, at most 1024 were granted", grown)
	}
	for _, dir := range []string{work, temp} {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
	}
	for _, name := range namesIn(t, file) { // what an extraction would have written
		for _, written := range []string{name, filepath.Join(work, name), filepath.Join(work, strings.ReplaceAll(name, "\\", "/"))} {
			if _, err := os.Lstat(written); err == nil {
				t.Errorf("%s was written", written)
			}
		}
	}
	for _, want := range []struct{ path, reason string }{
		{"nodes/node-1.zip", ""}, {"nodes/node-2.zip", ""}, {"logs/kube-system/etcd-0/etcd.log.1.gz", ""},
		{"evil.log", ""}, {"heldout-evil", ""}, {"logs/loop-a", "link"}, {"logs/loop-b", "link"}, {"profiles/cpu.pb.gz", ""},
	} {
		if !slices.ContainsFunc(r.Skipped, func(s schema.Skipped) bool {
			return strings.Contains(s.Path, want.path) && strings.Contains(s.Reason, want.reason)
		}) {
			t.Errorf("%s is not listed as skipped (%s)", want.path, want.reason)
		}
	}
	for _, f := range r.Findings {
		if f.Severity.Rank() > rules.Low.Rank() {
			t.Errorf("nothing is wrong in it, but %s %s: %s", f.Severity, f.Name, f.Title)
		}
	}
}

func namesIn(t *testing.T, file string) []string {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		if f.Mode().IsRegular() && !strings.HasSuffix(f.Name, "/") {
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		t.Fatal("the archive names no files")
	}
	return names
}
