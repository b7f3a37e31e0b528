package main

import (
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/triage"
)

const mergeLong = `Merge reports into one, so that a fleet can be judged in parts.

REPORT is a report that triage wrote, as JSON or HTML, a merged report, or a folder of them. Findings and suspects of
one place become one, with the number of instances that show it and what sets these apart: a node, a revision, a
workload. The report also lists the lines at which most goroutines of all instances wait.

A merge of merges is the merge of all, so a fleet can be merged in a tree. An instance is a container of a pod, or a
process. Counts are exact as long as each instance is in one of the reports, as in those of triage --shard. Rules that
look across pods, as at a lease that several take, see the pods of one report only.

Exit status: as for triage; 3 if a REPORT could not be read.`

const mergeExample = `  triage merge reports/
  triage --shard 1/2 -o json=1.json /var/log/pods; triage --shard 2/2 -o json=2.json /var/log/pods
  triage merge 1.json 2.json -o html=fleet.html`

func newMerge(std Std, code *int) *cobra.Command {
	f := new(analyzeFlags)
	*f = newFlags()
	cmd := &cobra.Command{
		Use: "merge REPORT...", Short: "merge reports of many pods into one",
		Long: mergeLong, Example: mergeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("triage merge reports/", "no report")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			const until = "the merged report covers the reports that were read until then"
			*code, err = f.report(std, args, until, func(triage.Options) (*triage.Report, error) {
				return triage.Merge(cmd.Context(), args)
			})
			return err
		},
	}
	cmd.Flags().SortFlags = false
	f.reportFlags(cmd, "merged report", "", "an alarm")
	f.textFlags(cmd, "text report")
	redactFlag(cmd.Flags(), &f.redact)
	return cmd
}
