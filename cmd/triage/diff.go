package main

import (
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
)

const diffLong = `Compare two states of a program: what is new, what is gone and what stayed, in findings, goroutines
and profiles.

BEFORE and AFTER are each a file, folder, glob, "-" for standard input, or a report that triage wrote, as JSON or HTML.
If a process has several dumps, the last complete one counts. Several processes on one side are added up. Two dumps of
one process are compared by goroutine id, dumps of different processes by stack, and dumps of different builds, whose
lines have moved, by function. Several dumps in one log need no comparison: triage LOG shows how they changed.

Profiles (cpu, heap, allocs, mutex, block) are compared with those of the same kind, function by function. CPU profiles
are compared per second, heap profiles by size, and others per second if both cover a period of time. Functions that got
hotter or cooler are shown with their callers, the program's own code first. Changes that may be due to chance count as
noise. The builds may differ; the program must be the same.

--fail-on counts only alarms in AFTER that BEFORE does not have.

Exit status: 0 compared, 1 a new alarm at or above --fail-on, 2 wrong usage, 3 an input could not be read, 4 the two
sides have neither goroutine dumps nor profiles of the same kind. triage writes the comparison unless the usage is
wrong.`

const diffExample = `  triage diff before.txt after.txt
  kubectl logs POD | triage diff yesterday.log -
  triage diff cpu-before.pb.gz cpu-after.pb.gz
  triage -o json=release.json dump.txt; triage diff --fail-on high release.json candidate.txt`

func newDiff(std Std, code *int) *cobra.Command {
	f := new(newFlags())
	cmd := &cobra.Command{
		Use:     "diff BEFORE AFTER",
		Short:   "compare two states of a program: dumps, profiles, folders or reports",
		Long:    diffLong,
		Example: diffExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return usageError("triage diff BEFORE AFTER; for several dumps of one process: triage FILE...",
					"diff needs BEFORE and AFTER (got %s)", phrase.Count(len(args), "argument"))
			case args[0] == "-" && args[1] == "-":
				return usageError("save one of them to a file", "both sides are standard input")
			}
			return nil
		},
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) {
			f.sharedFlags(cmd)
			const until = "the comparison covers what was read until then"
			return f.writeReports(std, args, until, func(o triage.Options) (*triage.Report, error) {
				return triage.Compare(cmd.Context(), args[:1], args[1:], o)
			})
		}),
	}
	fl := cmd.Flags()
	f.reportFlags(cmd, "comparison", " that changed", "a new alarm")
	f.placeFlags(cmd)
	f.sourceFlag(cmd)
	f.textFlags(cmd, "text")
	f.limitFlags(fl)
	redactFlag(fl, &f.redact)
	return cmd
}
