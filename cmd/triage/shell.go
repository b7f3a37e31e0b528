package main

// The rules for everything in this folder are:
//
//   - A command turns flags into options, calls one function of another package and hands its result to a writer.
//     It decides nothing about dumps.
//   - stdout is the report, stderr is narration. An error is `triage: …`, and what to do about it `triage: hint: …`.
//   - Only main ends the process; everything else returns.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// Std is what a process has around it, so that tests run the program inside their own.
type Std struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
}

// A failure is an error with the exit status and the hint that it ends with.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usageError(hint, format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...), hint}
}

// printError writes one error and its hint for people. The lines of an error that points into a file stay lines.
func printError(w io.Writer, reason, hint string) {
	head := "triage: "
	for line := range strings.Lines(reason) {
		fmt.Fprintf(w, "%s%s\n", head, report.Escape(strings.TrimSuffix(line, "\n")))
		head = ""
	}
	if hint != "" {
		fmt.Fprintf(w, "triage: hint: %s\n", report.Escape(hint))
	}
}

// The exit statuses. Finding something is this program's success, and incident shells run `set -e`: a finding is no
// failure unless --fail-on chooses otherwise.
const (
	exitOK         = 0
	exitFindings   = 1 // an alarm at or above --fail-on
	exitUsage      = 2 // the command line can't be followed, or the report can't be written where it should go
	exitUnreadable = 3 // an input that was named could not be read, or not to its end
	exitNothing    = 4 // no input held anything that a rule could look at
)

// exitCode is the status that a report ends the program with; the least number that applies, usage apart. The findings
// of a comparison are those that are new.
func exitCode(r *triage.Report, failOn string, interrupted bool) int {
	switch {
	case slices.ContainsFunc(r.Found(), func(f rules.Finding) bool { return reaches(failOn, &f) }):
		return exitFindings
	case r.Unreadable() || interrupted:
		return exitUnreadable
	case !r.Recognised():
		return exitNothing
	}
	return exitOK
}

// exitCodeOf is the exit status of a command that judges nothing: an input that was named and could not be read, then
// nothing to write.
func exitCodeOf(skipped []triage.Skipped, interrupted, nothing bool) int {
	switch {
	case interrupted || slices.ContainsFunc(skipped, func(s triage.Skipped) bool { return s.Named }):
		return exitUnreadable
	case nothing:
		return exitNothing
	}
	return exitOK
}

// never is the value of --fail-on to let no finding fail the run.
const never = "never"

// reaches reports whether a finding is an alarm of the severity of --fail-on or worse.
func reaches(failOn string, f *rules.Finding) bool {
	return failOn != never && f.Alarm() && f.Severity.Rank() >= rules.Severity(failOn).Rank()
}
