package triage_test

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// The five stories that the project began with, each from the files that an engineer is sent to the finding that names
// the guilty.

// bundle is the path of one of the support bundles of testdata/gen/bundles.
func bundle(t *testing.T, file string) string {
	t.Helper()
	return captures.File(t, "../testdata/bundles", file)
}

// story runs over a bundle and returns its report with the first finding.
func story(t *testing.T, file string) (*schema.Report, rules.Finding) {
	t.Helper()
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{bundle(t, file)}})
	if err != nil {
		t.Fatal(err)
	}
	steptest.CheckReport(t, r)
	if len(r.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	return r, r.Findings[0]
}

// says fails for each of the words that the finding doesn't say anywhere.
func says(t *testing.T, f rules.Finding, words ...string) {
	t.Helper()
	all := tellsOf(f)
	for _, s := range f.Next {
		all += "\n" + s.Command + "  # " + s.Comment
	}
	for _, p := range f.Path {
		all += "\n" + p.Function
	}
	for _, w := range words {
		if !strings.Contains(all, w) {
			t.Errorf("it does not say %q:\n%s", w, all)
		}
	}
}

// brief is a finding in one line.
func brief(f rules.Finding) string {
	return string(f.Severity) + " " + string(f.Category) + " (" + f.Rule + " " + f.Name + "): " + f.Title
}

// tellsOf is all that a finding says.
func tellsOf(f rules.Finding) string {
	parts := []string{f.Title, f.Why, f.Fix}
	parts = append(parts, f.Notes...)
	for _, e := range f.Evidence {
		parts = append(parts, e.Text)
	}
	return strings.Join(parts, "\n")
}

func evidenceOf(f rules.Finding) string {
	var b strings.Builder
	for _, e := range f.Evidence {
		b.WriteString("  " + cmp.Or(e.Input, "-") + ": " + e.Text + "\n")
	}
	return b.String()
}

func TestStoryASpinInARotatedLogOfABundle(t *testing.T) {
	r, f := story(t, "spin-rke2.tar.gz")
	if f.Category != rules.Spin || !strings.HasSuffix(f.Culprit.Function, "(*listener).expireLoop.func1") || f.Severity.Rank() < rules.High.Rank() {
		t.Errorf("first is %s in %s", brief(f), f.Culprit.Function)
	}
	var dump schema.Dump
	for _, d := range r.Dumps {
		if d.Goroutines > dump.Goroutines {
			dump = d
		}
	}
	if dump.Goroutines != 747 || dump.Truncated != "" {
		t.Errorf("%d goroutines, cut %q; want all 747 of the dump that lies in two files", dump.Goroutines, dump.Truncated)
	}
	if !strings.HasSuffix(dump.EndInput, "/1.log") || strings.HasSuffix(dump.Input, "/1.log") {
		t.Errorf("the dump goes from %s to %s, want from the rotated file to the newer one", dump.Input, dump.EndInput)
	}
	if dump.Namespace != "harbor-system" || !strings.HasPrefix(dump.Pod, "harbor-controller-") || dump.Container != "controller" {
		t.Errorf("the dump is of %s/%s/%s", dump.Namespace, dump.Pod, dump.Container)
	}
}

func TestStoryKeysMadeAtEachReconcile(t *testing.T) {
	r, f := story(t, "keygen-profiles.tar")
	if f.Category != rules.HotCPU || !strings.Contains(f.Culprit.Function, "tenant.(*authority).newClientC") {
		t.Errorf("first is %s in %s", brief(f), f.Culprit.Function)
	}
	if len(f.Pods) > 0 && !strings.HasPrefix(f.Pods[0].Pod, "tenant-operator-") {
		t.Errorf("pods %+v", f.Pods)
	}
	if !slices.ContainsFunc(r.Skipped, func(s schema.Skipped) bool { return strings.Contains(s.Path, "-goroutine-") }) {
		t.Errorf("an HTML page instead of a profile is not reported: %+v", r.Skipped)
	}
}

// TestStoryAnAgentThatWritesForEver has the agent's log, two snapshots of the object, the audit logs of three servers
// and a CPU profile: one finding, first, that names object, writer and the field that moves, and why.
func TestStoryAnAgentThatWritesForEver(t *testing.T) {
	_, f := story(t, "agent-full.tar.gz")
	if f.Category != rules.HotLoop || f.Severity.Rank() < rules.High.Rank() || f.Confidence != rules.ConfHigh {
		t.Errorf("first is %s, confidence %s", brief(f), f.Confidence)
	}
	want := rules.Object{API: "release.example.net/v1alpha1", Kind: "Release", Namespace: "cluster-main", Name: "observability-agent"}
	if f.Object == nil || *f.Object != want {
		t.Errorf("object %+v, want %+v", f.Object, want)
	}
	if len(f.Actors) == 0 || f.Actors[0] != "system:serviceaccount:release-system:release-agent" {
		t.Errorf("actors %v, want the agent's service account first", f.Actors)
	}
	if !strings.Contains(f.Title, "observability-agent") {
		t.Errorf("title %q names no object", f.Title)
	}
	// DeepEqual over a field that the API drops is what the report must ask a person to look for.
	says(t, f, "lastUpdateTime", "DeepEqual", `json:"-"`, "statusChanged")
	for _, side := range []string{"/audit/", "releases.yaml", "release-agent.log", "cpu.pprof"} {
		if !slices.ContainsFunc(f.Evidence, func(e rules.Evidence) bool { return strings.Contains(e.Input, side) }) {
			t.Errorf("no evidence from %s:\n%s", side, evidenceOf(f))
		}
	}
}

func TestStoryAStormOfPodsThatNoSchedulerSaw(t *testing.T) {
	_, f := story(t, "storm-outofcpu.zip")
	if f.Category != rules.PodStorm || f.Severity != rules.Critical {
		t.Errorf("first is %s", brief(f))
	}
	if f.Object == nil || f.Object.Kind != "Deployment" || f.Object.Name != "key-warden" || f.Object.Namespace != "certs" {
		t.Errorf("object %+v: the Deployment is in the bundle", f.Object)
	}
	says(t, f, "1,500", "OutOfcpu", "nodeName", "node-a1")
}

func TestStoryAStatefulSetThatItsOperatorTookOver(t *testing.T) {
	ms := regexp.MustCompile(`\b31 ms\b`)
	for _, file := range []string{"race-bodies.tar.gz", "race-metadata.zip"} {
		_, f := story(t, file)
		if f.Category != rules.RaceCat || f.Severity.Rank() < rules.High.Rank() {
			t.Errorf("%s: first is %s", file, brief(f))
		}
		if f.Object == nil || f.Object.Name != "main-ledger-node" && f.Object.Name != "main-ledger" {
			t.Errorf("%s: object %+v", file, f.Object)
		}
		for _, a := range []string{"ci-deployer", "system:serviceaccount:ledger-system:ledger-operator"} {
			if !slices.Contains(f.Actors, a) {
				t.Errorf("%s: actors %v, want %s too", file, f.Actors, a)
			}
		}
		if !ms.MatchString(tellsOf(f)) {
			t.Errorf("%s: the 31 ms between delete and patch are not reported:\n%s", file, tellsOf(f))
		}
		// What hangs: the claim went with its finalizer, and the pod waits for it.
		says(t, f, "data-main-ledger-node-1", "main-ledger-node-1")
	}
}
