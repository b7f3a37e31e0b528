package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// podsBundle is a bundle whose pods have something to report.
func podsBundle(pods ...schema.Pod) *schema.Report {
	r := stormBundle()
	r.Pods, r.PodsTotal = pods, len(pods)
	return r
}

func accusedPod(i int, s rules.Severity) schema.Pod {
	return schema.Pod{
		Namespace: "openshift-cluster-storage-operator", Pod: fmt.Sprintf("csi-snapshot-controller-869b458964-qm2z%d", i), Container: "snapshot-controller",
		Workload: fmt.Sprintf("csi-snapshot-controller-%d", i), Restarts: i, Rule: "TR224", Name: "log-fatal",
		Title: "main.main ends the process: leader election lost", Severity: s, Confidence: rules.ConfMedium, Findings: 1,
	}
}

func podsSection(t *testing.T, r *schema.Report, o report.TextOptions) string {
	t.Helper()
	_, rest, found := strings.Cut(text(t, r, o), "\nPODS  ")
	section, _, _ := strings.Cut(rest, "\n\n")
	if !found {
		return ""
	}
	return section
}

func TestText_ALargeBundleHasATableOfPodsBelowTheVerdict(t *testing.T) {
	var pods []schema.Pod
	for i := range 14 {
		pods = append(pods, accusedPod(i, rules.High))
	}
	for _, width := range []int{80, 100, 200} {
		got := podsSection(t, podsBundle(pods...), report.TextOptions{Width: width})
		lines := strings.Split(got, "\n")
		if len(lines) != 13 || !strings.Contains(lines[1], "severity  restarts  pod") || lines[12] != "  +4 more rows" {
			t.Errorf("width %d:\n%s", width, got)
		}
		for _, l := range lines {
			if len([]rune(l)) > width {
				t.Errorf("%d columns of %d: %s", len([]rune(l)), width, l)
			}
		}
		verdict := "log-fatal"
		if width == 200 {
			verdict = "leader election lost"
		}
		if !strings.Contains(lines[2], verdict) || !strings.Contains(lines[2], "869b458964-qm2z0") {
			t.Errorf("width %d: %s", width, lines[2])
		}
	}
	whole := text(t, podsBundle(pods...), report.TextOptions{})
	if strings.Index(whole, "\nVERDICT") > strings.Index(whole, "\nPODS") || strings.Index(whole, "\nPODS") > strings.Index(whole, "\nCRITICAL") {
		t.Errorf("the order is wrong:\n%s", whole)
	}
}

func TestText_ReplicasWithOneVerdictAreOneRow(t *testing.T) {
	a, b, c := accusedPod(1, rules.High), accusedPod(2, rules.High), accusedPod(3, rules.Low)
	b.Workload = a.Workload
	c.State, c.Down = "CrashLoopBackOff", true
	got := podsSection(t, podsBundle(a, b, c), report.TextOptions{Width: 160})
	if !strings.Contains(got, "csi-snapshot-controller-1 (snapshot-controller), 2 pods") || !strings.Contains(got, "CrashLoopBackOff; main.main ends") {
		t.Error(got)
	}
}

func TestText_PodsThatAreWellHaveNoTable(t *testing.T) {
	restarted, ended := accusedPod(1, ""), accusedPod(2, "")
	ended.State, ended.Down = "Error", true // a Job's pod that was tried again
	for name, pods := range map[string][]schema.Pod{
		"restarted at some time": {restarted, accusedPod(3, "")}, "ended with an error": {ended, restarted},
		"one pod": {accusedPod(1, rules.High)}, "remarks only": {accusedPod(1, rules.Low), accusedPod(2, rules.Info)},
	} {
		if got := podsSection(t, podsBundle(pods...), report.TextOptions{}); got != "" {
			t.Errorf("near: %s:\n%s", name, got)
		}
	}
}

func TestText_NamesOfPodsAreEscaped(t *testing.T) {
	a, b := accusedPod(1, rules.High), accusedPod(2, rules.High)
	a.Pod, b.State, b.Down = "web\x1b[2J", "Crash\x1b]0;BackOff", true
	if got := podsSection(t, podsBundle(a, b), report.TextOptions{Width: 200}); strings.Contains(got, "\x1b") || got == "" {
		t.Errorf("%q", got)
	}
}
