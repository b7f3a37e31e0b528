package main

import (
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
)

const diffLong = `Compare two states of a program: what is new, what is gone and what stayed, in findings, goroutines
and profiles.

BEFORE and AFTER are each a file, folder, glob, "-" for standard input, or a report that triage wrote, as JSON or HTML.
Of several dumps of a process the last whole one counts; a side with several processes counts them together. Two dumps
of one process are compared by goroutine id, dumps of different processes by stack, and where the lines have moved
(another build) by function. Several dumps in one log need no comparison: triage LOG shows how they developed.

Profiles (cpu, heap, allocs, mutex, block) are compared with those of their kind, function by function: CPU profiles by
time, heaps as they are, others by time where both were taken over some seconds. What got hotter and cooler is shown
with who calls it, the program's own code first; what may be chance is counted as within noise. Builds may differ,
programs not.

--fail-on counts the new alarms only: those that BEFORE has too, or that are gone, are no failure.

Exit status: 0 compared, 1 a new alarm at or above --fail-on, 2 wrong usage, 3 an input could not be read,
4 the sides hold no goroutine dumps, and no profiles of one kind. The comparison is written in every case but 2.`

const diffExample = `  triage diff before.txt after.txt
  kubectl logs POD | triage diff yesterday.log -
  triage diff cpu-before.pb.gz cpu-after.pb.gz
  triage -o json=release.json dump.txt; triage diff --fail-on high release.json candidate.txt`

func newDiff(std Std, code *int) *cobra.Command {
	f := new(analyzeFlags)
	*f = newFlags()
	cmd := &cobra.Command{
		Use:     "diff BEFORE AFTER",
		Short:   "compare two states of a program: dumps, profiles, folders or reports",
		Long:    diffLong,
		Example: diffExample,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 2:
				return usage("triage diff BEFORE AFTER; for several dumps of one process: triage FILE...",
					"diff needs BEFORE and AFTER (got %s)", phrase.Count(len(args), "argument"))
			case args[0] == "-" && args[1] == "-":
				return usage("save one of them to a file", "both sides are standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			f.shared(cmd)
			const until = "the comparison covers what was read until then"
			var err error
			*code, err = f.report(std, args, until, func(o triage.Options) (*triage.Report, error) {
				return triage.Compare(cmd.Context(), args[:1], args[1:], o)
			})
			return err
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.reportFlags(cmd, "comparison", " that changed", "a new alarm")
	f.placeFlags(cmd)
	f.sourceFlag(cmd)
	f.textFlags(cmd, "text")
	limitFlags(fl, &f.only, &f.skip, &f.limits)
	redactFlag(fl, &f.redact)
	return cmd
}
