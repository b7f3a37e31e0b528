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
	"strings"

	"github.com/gotriage/triage/report"
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

func usage(hint, format string, args ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, args...), hint}
}

// complain writes one error and its hint for people. The lines of an error that points into a file stay lines.
func complain(w io.Writer, reason, hint string) {
	head := "triage: "
	for line := range strings.Lines(reason) {
		fmt.Fprintf(w, "%s%s\n", head, report.Escape(strings.TrimSuffix(line, "\n")))
		head = ""
	}
	if hint != "" {
		fmt.Fprintf(w, "triage: hint: %s\n", report.Escape(hint))
	}
}
