package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/export"
	"github.com/gotriage/triage/triage"
)

const exportLong = `triage export writes goroutine dumps and profiles in the formats of other tools.

pprof is a compressed profile for go tool pprof and www.speedscope.app. Each goroutine of a dump is a sample; its values
are a count and the minutes of its wait, and its labels are its id, state, creator and role (go::goroutine,
go::goroutine_state, go::goroutine_wait_minutes, go::goroutine_created_by, created_by, wait, role). folded is one line
per distinct stack, for flamegraph.pl and similar tools. json-lines is one object per line: what the rules find
("record": "finding"), then all stacks ("record": "stack").

A pprof or folded file contains either dumps or profiles of one kind. triage adds up several inputs, and labels name the
input of each sample.

Exit status: 0 exported, 2 wrong usage, 3 an INPUT could not be read, 4 no dump or profile in the inputs.`

const exportExample = `  triage export --to pprof --out dump.pb.gz 1.log && go tool pprof -http=: dump.pb.gz
  triage export --to folded dump.txt | flamegraph.pl > dump.svg
  triage export --to json-lines bundle.zip | jq -c 'select(.record == "finding")'`

// exportFlags are the flags of triage export.
type exportFlags struct {
	analyzeFlags
	to string
}

func newExport(std Std, code *int) *cobra.Command {
	f := &exportFlags{analyzeFlags: newFlags()}
	cmd := &cobra.Command{
		Use:     "export --to FORMAT INPUT...",
		Short:   "write dumps and profiles for go tool pprof, flame graphs and jq",
		Long:    exportLong,
		Example: exportExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    f.runOver(std, code, "triage export --to pprof FILE, or triage export --help", f.run),
	}
	fl := cmd.Flags()
	oneOf(cmd, &f.to, "to", "", "the `FORMAT`: ", export.Formats())
	f.outFlag(fl)
	f.placeFlags(cmd)
	f.limitFlags(fl)
	return cmd
}

func (f *exportFlags) run(ctx context.Context, std Std, args []string) (int, error) {
	switch {
	case f.to == "":
		return exitUsage, usageError("formats: "+strings.Join(export.Formats(), ", "), "--to is missing")
	case f.to == "pprof" && f.out == "" && isTerminal(std.Out):
		return exitUsage, usageError("triage export --to pprof --out dump.pb.gz FILE", "a profile is binary, not "+
			"for a terminal")
	}
	outs, o, err := f.options(std, plainFormats(), args)
	if err != nil {
		return exitUsage, err
	}
	const until = "the export covers what was read until then"
	s, interrupted, err := withProgress(std, &o, until, func() (*triage.Stacks, error) {
		return triage.ReadStacks(ctx, o)
	})
	if err != nil {
		return exitUsage, err
	}
	narrateSkipped(std, s.Skipped, 0)
	code := exitCodeOf(s.Skipped, interrupted, len(s.Sources) == 0)
	if len(s.Sources) == 0 && (f.to != "json-lines" || len(s.Findings) == 0) {
		if code == exitNothing {
			printError(std.Err, "no goroutine dump or profile in the inputs",
				"triage --list INPUT lists the kind of each file")
		}
		return code, nil
	}
	err = outs[0].writeWith(std, func(w io.Writer) error { return export.Write(w, f.to, s) })
	if errors.Is(err, export.ErrMixed) {
		const hint = "choose with --only GLOB"
		return exitUsage, &failure{exitUsage, err, hint}
	}
	if err != nil {
		err = fmt.Errorf("exporting: %w", err)
	}
	return code, err
}
