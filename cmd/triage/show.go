package main

import (
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage"
)

const showLong = `triage show prints the original lines of goroutines, with line numbers. It marks the culprit's frames
and the program's own frames. A goroutine must match all flags; without flags, triage shows one goroutine of each group.

--where takes a condition on fields of the JSON report: state, wait, minutes (the longest wait, 0 if unknown), count,
role, locked, function, package, label and created_by. If a goroutine has several functions, packages or labels, one of
them must match: function contains "raft" and minutes > 10.`

const showExample = `  triage show dump.txt --goroutine 695
  triage show dump.txt --function '(*Node).run' --limit 3
  triage show 1.log --where 'state == "sync.Mutex.Lock" and minutes > 5'`

// showFlags are the flags of triage show.
type showFlags struct {
	analyzeFlags
	goroutines      []string
	function, state string
	bucket, limit   int
}

func newShow(std Std, code *int) *cobra.Command {
	f := &showFlags{analyzeFlags: newFlags()}
	cmd := &cobra.Command{
		Use:     "show INPUT...",
		Short:   "print the original lines of goroutines, by id, function, state, group or condition",
		Long:    showLong,
		Example: showExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    f.runOver(std, code, "triage show FILE, or triage show --help", f.run),
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&f.goroutines, "goroutine", nil, "the goroutine with this `ID`; repeatable")
	fl.StringVar(&f.function, "function", "", "goroutines whose stack has a function with `TEXT` in its name")
	fl.StringVar(&f.state, "state", "", "goroutines in this `STATE`, as printed in their headers, or in this class "+
		"of waits")
	fl.IntVar(&f.bucket, "bucket", 0, "goroutines of the `N`th group of each dump, in the order of the JSON report")
	f.whereFlag(cmd)
	f.sourceFlag(cmd)
	fl.IntVar(&f.limit, "limit", 0, "print at most `N` goroutines (default 10)")
	f.formatFlag(cmd, "", plainFormats(), "")
	f.outFlag(fl)
	f.placeFlags(cmd)
	f.textFlags(cmd, "text")
	redactFlag(fl, &f.redact)
	f.limitFlags(fl)
	return cmd
}

func (f *showFlags) run(ctx context.Context, std Std, args []string) (int, error) {
	outs, o, err := f.options(std, plainFormats(), args)
	if err != nil {
		return exitUsage, err
	}
	so := triage.ShowOptions{Options: o, Function: f.function, State: f.state, Bucket: f.bucket, Limit: f.limit}
	for _, text := range f.goroutines {
		id, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return exitUsage, usageError("--goroutine 695", "--goroutine %q: not a goroutine's id", text)
		}
		so.Goroutines = append(so.Goroutines, id)
	}
	if f.bucket < 0 || f.limit < 0 {
		return exitUsage, usageError("", "--bucket and --limit can't be negative")
	}
	const until = "the output covers what was read until then"
	x, interrupted, err := withProgress(std, &so.Options, until, func() (*triage.Excerpts, error) {
		return triage.Show(ctx, so)
	})
	if err != nil {
		return exitUsage, err
	}
	narrateSkipped(std, x.Skipped, 0)
	if x.Matched == 0 {
		printError(std.Err, "no goroutine matches", "triage --all INPUT lists all groups of goroutines")
	}
	f.redactNames(x)
	err = f.writePlain(std, outs, x, func(w io.Writer, o report.TextOptions) error { return report.Excerpts(w, x, o) })
	return exitCodeOf(x.Skipped, interrupted, x.Matched == 0), err
}
