package triage_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// writeForms writes in which forms standstills and leaks are seen: in the sets that the rules were developed with, and in
// those that are only measured.
func writeForms(b *strings.Builder, inputs []*wildInput) {
	b.WriteString("\n## By form\n\nHow often a bug is the first finding, by what was captured. Measured only: the second half and the fifth set.\n" +
		"Minutes: the process had collected garbage, so that its dumps show for how long goroutines have waited.\n\n" +
		"| form | minutes | deadlocks | measured only | leaks | measured only |\n|---|---|--:|--:|--:|--:|\n")
	for _, form := range []string{"fetch", "two", "debug2", "signal", "debug1", "goroutine"} {
		for _, mode := range []string{"collected", "plain"} {
			minutes := "no"
			switch {
			case form == "debug1" || form == "goroutine":
				minutes = "-"
			case mode == "collected":
				minutes = "yes"
			}
			if minutes == "-" && mode == "collected" {
				continue // counted forms show the same of both processes
			}
			fmt.Fprintf(b, "| %s | %s |", form, minutes)
			for _, kind := range []string{"deadlock", "leak"} {
				for _, unseen := range []bool{false, true} {
					first, all := firstIn(inputs, kind, form, mode, unseen)
					fmt.Fprintf(b, " %d of %d (%.0f%%) |", first, all, 100*float64(first)/float64(max(all, 1)))
				}
			}
			b.WriteString("\n")
		}
	}
}

// firstIn counts the inputs of one kind of bug in one form, and those whose bug is the first finding.
func firstIn(inputs []*wildInput, kind, form, mode string, unseen bool) (first, all int) {
	for _, in := range inputs {
		closed := in.bug.Half == "second" || in.bug.Half == unnamedSet
		if in.variant != "bad" || in.form != form || in.mode != mode || in.bug.Kind != kind || closed != unseen {
			continue
		}
		all++
		if in.verdict == verdictFirst {
			first++
		}
	}
	return first, all
}

// formWords are what README calls some forms, in its order.
var formWords = []struct{ form, words string }{
	{"fetch", "`triage fetch`"},
	{"debug2", "one dump"},
	{"debug1", "a goroutine profile, which only counts"},
}

// readmeFigures is what README says about how often triage is right: about bugs that no rule was written with.
func readmeFigures(inputs []*wildInput) string {
	var b strings.Builder
	b.WriteString("| captured as | deadlocks | leaks |\n|---|--:|--:|\n")
	for _, row := range formWords {
		fmt.Fprintf(&b, "| %s |", row.words)
		for _, kind := range []string{"deadlock", "leak"} {
			first, all := 0, 0
			for _, mode := range []string{"plain", "collected"} {
				f, n := firstIn(inputs, kind, row.form, mode, true)
				first, all = first+f, all+n
			}
			fmt.Fprintf(&b, " %d of %d |", first, all)
		}
		b.WriteString("\n")
	}
	bad, accused, fixed, alarms := 0, 0, 0, 0
	for _, in := range inputs {
		switch {
		case in.bug.Half != "second" && in.bug.Half != unnamedSet:
		case in.variant == "fixed":
			if fixed++; in.verdict == verdictAlarm {
				alarms++
			}
		default:
			if bad++; in.accused != "" {
				accused++
			}
		}
	}
	fmt.Fprintf(&b, "\nSomething else was accused (high or critical) in %d of %d captures of these programs in all forms; %d of %d captures of "+
		"the same\nprograms with the bug fixed had a finding above low.\n", accused, bad, alarms, fixed)
	return b.String()
}

const (
	readmeFile  = "../README.md"
	readmeBegin = "<!-- right -->\n\n"
	readmeEnd   = "\n<!-- end right -->"
)

// compareReadme compares README's figures with what they should be.
func compareReadme(t *testing.T, fresh string) {
	t.Helper()
	old, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(old), readmeBegin)
	_, after, ok2 := strings.Cut(rest, readmeEnd)
	if !ok || !ok2 {
		t.Fatalf("%s: no %q followed by %q", readmeFile, readmeBegin, readmeEnd)
	}
	compareFile(t, readmeFile, before+readmeBegin+fresh+readmeEnd+after)
}
