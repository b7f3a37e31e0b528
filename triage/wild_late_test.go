package triage_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	lateDir    = agedDir + "/lab"
	lateFirst  = lateDir + "/first.tsv"
	lateReport = "../docs/wild-late.md"
)

// TestBugsOfHalfAnHourAreJudgedAsDocumented replays the captures of the lab's standstills and healthy programs that were
// taken when the processes were half an hour old, and compares what comes of them with docs/wild-late.md.
func TestBugsOfHalfAnHourAreJudgedAsDocumented(t *testing.T) {
	if raceDetector {
		t.Skip("the lab is replayed once, without the race detector")
	}
	if *onlyHalf != "" || *onlyBug != "" {
		t.Skip("-from prints the verdicts about a part")
	}
	bugs := slices.DeleteFunc(readWildBugs(t, wildBugs), func(b wildBug) bool { return b.Kind != "deadlock" })
	late := replayWild(t, lateDir, bugs, nil)
	first := firstVerdicts(t, lateFirst, late)
	if len(first) != len(late) {
		t.Errorf("%d first verdicts about %d inputs: an input is gone, or %s was rewritten", len(first), len(late), lateFirst)
	}
	old := map[string]bool{}
	for _, in := range late {
		old[in.name()] = true
	}
	young := slices.DeleteFunc(replayWild(t, wildDir, bugs, nil), func(in *wildInput) bool { return !old[in.name()] })
	var b strings.Builder
	b.WriteString(lateIntroduction)
	writeLate(&b, young, late, first)
	writeLateHealthy(&b, t)
	compareFile(t, lateReport, b.String())
}

const lateIntroduction = `# Published bugs, half an hour old

The standstills of [the lab](wild.md) once more: the same programs with the same labels, captured when the processes were
30 minutes old instead of five. Each had collected garbage, so that its dumps show minutes. *Five minutes* are the same
inputs on the page of the lab, *at first* are the verdicts about the old captures when they were new
(testdata/aged/lab/first.tsv). The first half, the third and the fourth set are for development, the second half and the
fifth set are only counted. Age alone does not show more of these bugs. This page is generated: ` + "`go test ./triage -run BugsOfHalfAnHour -update`" + `.
`

// writeLate writes how often the bugs of each set are right at two ages.
func writeLate(b *strings.Builder, young, late []*wildInput, first map[string]string) {
	b.WriteString("\n## Bugs\n\n| set | bugs | inputs | five minutes: first | 30 minutes: at first | first | first three | too mild " +
		"| missed | wrong accusations | twins' inputs | alarms |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, half := range []string{"first", "third", "fourth", "second", unnamedSet} {
		of := func(in *wildInput) bool { return in.bug.Half == half }
		before, _, _ := verdictsOf(young, of, func(in *wildInput) string { return in.verdict })
		atFirst, _, _ := verdictsOf(late, of, func(in *wildInput) string { return first[in.name()] })
		n, bugs, shown := verdictsOf(late, of, func(in *wildInput) string { return in.verdict })
		fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %s | %s | %s | %s | %d | %d | %d |\n", half, bugs, shown,
			ofAll(before[verdictFirst], shown), ofAll(atFirst[verdictFirst], shown), ofAll(n[verdictFirst], shown),
			ofAll(n[verdictFirst]+n[verdictThird], shown), ofAll(n[verdictMild], shown),
			ofAll(n[verdictMissed]+n[verdictLater], shown), n["accused"], n["twins"], n[verdictAlarm])
	}
}

// verdictsOf counts the verdicts about some of the inputs: by verdict about those that can show their bug, "accused"
// those in which something else is accused, "twins" those of fixed versions. It returns how many bugs there are, and how
// many inputs that can show them.
func verdictsOf(inputs []*wildInput, of func(*wildInput) bool, verdict func(*wildInput) string) (n map[string]int, bugs, shown int) {
	n = map[string]int{}
	names := map[string]bool{}
	for _, in := range inputs {
		if !of(in) {
			continue
		}
		names[in.bug.Name] = true
		if in.accused != "" {
			n["accused"]++
		}
		switch {
		case in.variant == "fixed":
			n["twins"]++
			n[verdict(in)]++
		case in.shownBy(in.bug):
			shown++
			n[verdict(in)]++
		}
	}
	return n, len(names), shown
}

// writeLateHealthy writes how many of the healthy programs' inputs give an alarm; there is none that may.
func writeLateHealthy(b *strings.Builder, t *testing.T) {
	t.Helper()
	programs, inputs, alarms := 0, 0, 0
	for _, p := range readHealthy(t) {
		if captured, err := filepath.Glob(filepath.Join(lateDir, "healthy", p.Name, "*.tar.xz")); err != nil || len(captured) == 0 {
			continue // it computes all the time
		}
		programs++
		for _, in := range replayHealthy(t, lateDir, &p, nil) {
			if inputs++; len(in.alarms) == 0 {
				continue
			}
			alarms++
			for _, a := range in.alarms {
				t.Errorf("%s: %s %s at %s: %s\nit is healthy: %s", in.name(), a.severity, a.rule, a.culprit, a.title, p.Why)
			}
		}
	}
	fmt.Fprintf(b, "\n## Healthy programs\n\n%d programs that wait, %d inputs: %d with a finding above low.\n", programs, inputs, alarms)
}
