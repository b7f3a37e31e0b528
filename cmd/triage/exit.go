package main

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// The exit statuses. Finding something is this program's success, and incident shells run `set -e`: a finding is no
// failure unless --fail-on chooses otherwise.
const (
	exitOK         = 0
	exitFindings   = 1 // a finding at or above --fail-on
	exitUsage      = 2 // the command line can't be followed, or the report can't be written where it should go
	exitUnreadable = 3 // an input that was named could not be read, or not to its end
	exitNothing    = 4 // no input held anything that a rule could look at
)

// exitCode is the status that a report ends the program with; the least number that applies, usage apart. The findings
// of a comparison are those that are new.
func exitCode(r *triage.Report, failOn severityFlag, interrupted bool) int {
	found := r.Findings
	if r.Diff != nil {
		found = r.Diff.Findings.New
	}
	switch {
	case failOn.reached(found):
		return exitFindings
	case r.Unreadable() || interrupted:
		return exitUnreadable
	case !r.Recognised():
		return exitNothing
	}
	return exitOK
}

// A severityFlag is a severity on the command line, or "never", the zero value.
type severityFlag struct {
	severity rules.Severity
}

// never is the value of --fail-on to let no finding fail the run.
const never = "never"

func severityNames() []string {
	return []string{string(rules.Critical), string(rules.High), string(rules.Medium), string(rules.Low),
		string(rules.Info), never}
}

func (f *severityFlag) String() string {
	if f.severity == "" {
		return never
	}
	return string(f.severity)
}

func (f *severityFlag) Set(s string) error {
	if s == never {
		f.severity = ""
		return nil
	}
	if rules.Severity(s).Rank() < 0 {
		return fmt.Errorf("it is one of %s", strings.Join(severityNames(), ", "))
	}
	f.severity = rules.Severity(s)
	return nil
}

func (f *severityFlag) Type() string { return "severity" }

func (f *severityFlag) reached(found []rules.Finding) bool {
	for i := range found {
		if f.severity != "" && found[i].Severity.Rank() >= f.severity.Rank() {
			return true
		}
	}
	return false
}
