package main

import (
	"github.com/spf13/cobra"

	"github.com/gotriage/triage/triage"
)

const mergeLong = `Merge the reports on parts of a fleet into one.

REPORT is a report by triage in JSON or HTML, a merged report, or a folder of reports. An instance is a container of a
pod, or a process.

Findings of the same rule at the same place become one finding, and suspects at the same place one suspect. Each says
how many instances show it and what sets them apart: a node, a revision, a workload. The report also lists the lines at
which the most goroutines wait, over all instances.

Merged reports can be merged again, with the same result as merging all at once. Counts are exact if each instance is in
only one of the reports, as with triage --shard. A rule that compares pods, such as those that take the same lease, sees
only the pods of one report: with triage --shard, one pod or archive.

Exit status: as for triage; 3 if a REPORT could not be read.`

const mergeExample = `  triage merge reports/
  triage --shard 1/2 -o json=1.json /var/log/pods; triage --shard 2/2 -o json=2.json /var/log/pods
  triage merge 1.json 2.json -o html=fleet.html`

func newMerge(std Std, code *int) *cobra.Command {
	f := new(newFlags())
	cmd := &cobra.Command{
		Use: "merge REPORT...", Short: "merge reports of many pods into one",
		Long: mergeLong, Example: mergeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("triage merge reports/", "no report")
			}
			return nil
		},
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) {
			const until = "the merged report covers the reports that were read until then"
			return f.writeReports(std, args, until, func(o triage.Options) (*triage.Report, error) {
				return triage.Merge(cmd.Context(), args, o.Progress)
			})
		}),
	}
	f.reportFlags(cmd, "merged report", "", "an alarm")
	f.textFlags(cmd, "text report")
	redactFlag(cmd.Flags(), &f.redact)
	return cmd
}
