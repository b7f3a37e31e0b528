package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/report/page"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/config"
)

const analyzeLong = `triage reads the logs, goroutine dumps and profiles of a Go process that is busy, hung or dead, and
names the guilty line of code, with the evidence, the reason, the fix and the next command to run.

An INPUT is a file, a folder, an archive, a glob, or "-" for standard input. With no INPUT, triage reads a pipe.
Archives are zip or tar files, such as support bundles. They may be compressed and contain other archives. triage
recognises each file by its content: pod logs (as the kubelet, docker and kubectl write them), journals, other logs,
goroutine dumps, profiles, audit logs, and Kubernetes objects in YAML and JSON. It reads the rotated files of a log as
one. Nested archives and rotated logs that don't fit in memory go into unlinked temporary files; triage unpacks nothing
else to disk.

A command must come first: triage treats a name after a flag as an INPUT. If a file has the name of a command,
such as rules, write ./rules. Environment variables set flags too: TRIAGE_FAIL_ON=high means --fail-on high. The command
line takes precedence.

Exit status: 0 analysed, 1 an alarm at or above --fail-on, 2 wrong usage, 3 an INPUT could not be read, 4 the inputs
contain nothing that a rule could look at. triage writes the report unless the usage is wrong or no INPUT can be read.`

const analyzeExample = `  kubectl logs --previous POD | triage
  triage /var/log/pods/NAMESPACE_POD_UID/CONTAINER
  triage supportbundle_2026-03-04.zip
  triage --list --only '*.log' must-gather.tar.gz
  triage before.txt after.txt
  go test ./... 2>&1 | triage -o text -o sarif=triage.sarif -o junit=triage.xml
  triage --fail-on high -o json=report.json dump.txt`

// analyzeFlags are the flags of the root command.
type analyzeFlags struct {
	triage.Options
	formats            []string
	out                string
	all, ascii, brief  bool
	color, failOn      string
	config             string
	noConfig, noSource bool
	width              int
	list, redact       bool
}

// newFlags are the flags with their defaults.
func newFlags() analyzeFlags { return analyzeFlags{color: colorAuto, failOn: never} }

func newAnalyze(std Std, code *int) *cobra.Command {
	f := new(newFlags())
	cmd := &cobra.Command{
		Use:     "triage [INPUT...]",
		Short:   "name the guilty line of a busy, hung or crashed Go process",
		Long:    analyzeLong,
		Example: analyzeExample,
		Args:    cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault // INPUTs are files
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := inputsOf(std, args, "kubectl logs --previous POD | triage, triage FILE, or triage --help")
			if err == nil {
				err = mistyped(args[0])
			}
			if err == nil {
				*code, err = analyze(cmd.Context(), std, f, args)
			}
			return err
		},
	}
	fl := cmd.Flags()
	f.reportFlags(cmd, "report", "", "an alarm")
	f.placeFlags(cmd)
	fl.Func("shard", "read part `I/N` of the inputs, and judge each pod or archive by itself; triage merge joins the "+
		"reports, with the same result for any N", f.parseShard)
	timeFlag(fl, &f.Since, &f.SinceAgo, "since", "leave out log lines before `TIME`: 2026-03-04T04:47:00Z, or 1h "+
		"(before the end of the inputs)")
	timeFlag(fl, &f.Until, &f.UntilAgo, "until", "leave out log lines after `TIME`")
	f.textFlags(cmd, "text report")
	pf := cmd.PersistentFlags()
	pf.StringArrayVar(&f.Rules, "rules", nil, "also apply the rules in the YAML `FILE`; repeatable")
	pf.StringVar(&f.config, "config", "", "read the config (your own code, ignored findings, severities) from `FILE` "+
		"(default "+config.Name+" in the working folder or a folder above it, within the repository)")
	pf.BoolVar(&f.noConfig, "no-config", false, "read no "+config.Name)
	f.groupFlags(cmd)
	f.baselineFlag(cmd)
	f.sourceFlag(cmd)
	fl.BoolVar(&f.list, "list", false, "only list the files in the inputs, with the kind of each")
	f.limitFlags(fl)
	redactFlag(fl, &f.redact)
	return cmd
}

// mistyped returns an error for a first argument that is no file, but nearly the name of a command.
func mistyped(arg string) error {
	if _, err := os.Lstat(arg); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	near := closestCommand(arg)
	if near == "" {
		return nil
	}
	return usageError("did you mean triage "+near+"?", "%s: no such command, file or folder", arg)
}

// analyze runs the engine over the inputs, writes the reports and returns the exit status.
func analyze(ctx context.Context, std Std, f *analyzeFlags, args []string) (int, error) {
	if f.list {
		return list(ctx, std, f, args)
	}
	const until = "the report covers what was read until then"
	return f.writeReports(std, args, until, func(o triage.Options) (*triage.Report, error) {
		return triage.Run(ctx, o)
	})
}

// writeReports calls read with the options of the flags, writes the report that it returns in every form that was asked
// for, and returns the exit status. until says on stderr, after an interruption, what the report covers.
func (f *analyzeFlags) writeReports(
	std Std, inputs []string, until string, read func(triage.Options) (*triage.Report, error),
) (int, error) {
	outs, o, err := f.options(std, formats(), inputs)
	if err == nil {
		o.Config, err = loadConfig(f.config, f.noConfig)
	}
	if err != nil {
		return exitUsage, err
	}
	o.Stacks = slices.ContainsFunc(outs, func(o output) bool { return o.name == "html" })
	r, interrupted, err := withProgress(std, &o, until, func() (*triage.Report, error) { return read(o) })
	if err != nil {
		return exitUsage, err
	}
	nothing := r.NoneRead()
	if nothing || !f.seesReport(std, outs) {
		f.narrate(std, r)
	}
	if nothing {
		// The errors say it all: a report about no input would hide them.
		outs = slices.DeleteFunc(outs, func(o output) bool { return o.file == "" && o.name == "text" })
	}
	code := exitCode(r, f.failOn, interrupted)
	if code == exitNothing && f.Shards > 0 {
		code = exitOK // a part may have no pod
	}
	return code, f.write(std, outs, r)
}

func (f *analyzeFlags) write(std Std, outs []output, r *triage.Report) error {
	l := rendering{page: page.Options{Redacted: f.redact}, ci: f.ciOptions()}
	f.redactNames(r)
	return writeEach(std, outs, func(w io.Writer, o output) error {
		l.text = f.textOptions(std, o)
		return o.write(w, r, l)
	})
}

// writePlain writes what is no report, as JSON or by text.
func (f *analyzeFlags) writePlain(
	std Std, outs []output, shown any, text func(io.Writer, report.TextOptions) error,
) error {
	return writeEach(std, outs, func(w io.Writer, o output) error {
		if o.name == "json" {
			return report.Indented(w, shown)
		}
		return text(w, f.textOptions(std, o))
	})
}

func (f *analyzeFlags) textOptions(std Std, o output) report.TextOptions {
	t := report.TextOptions{Width: f.width, All: f.all, Brief: f.brief, ASCII: f.ascii, Color: f.color == colorAlways}
	if o.file == "" {
		t.Color = isColored(f.color, std.Out, std.Getenv)
		t.ASCII = t.ASCII || isTerminal(std.Out) && plainLocale(std.Getenv)
		width, rows := sizeOfTerminal(std.Out)
		t.Width, t.Rows = cmp.Or(t.Width, width), rows
	}
	return t
}

// seesReport reports whether the user reads the text report on the very terminal that narration goes to.
func (f *analyzeFlags) seesReport(std Std, outs []output) bool {
	shown := func(o output) bool { return o.file == "" && o.name == "text" }
	return slices.ContainsFunc(outs, shown) && isTerminal(std.Out) && isTerminal(std.Err)
}

// narrated is how many inputs that were skipped stderr lists where nothing was recognised: the report has them all.
const narrated = 5

// narrateSkipped writes on stderr which inputs that the user named were not read, and so many of the others.
func narrateSkipped(std Std, skipped []triage.Skipped, others int) {
	for _, s := range skipped {
		if !s.Named {
			others--
		}
		if s.Named || others >= 0 {
			printError(std.Err, s.Path+": "+s.Reason, s.Hint)
		}
	}
}

// narrate writes on stderr why the exit status is 3 or 4, for those who look at nothing else.
func (f *analyzeFlags) narrate(std Std, r *triage.Report) {
	others := narrated
	if r.Recognised() {
		others = 0
	}
	narrateSkipped(std, r.Skipped, others)
	missing := "the inputs contain nothing that a rule could look at: no goroutine dump, profile, object, audit " +
		"event " +
		"or known log line"
	hint := "the report says how to collect a dump"
	if r.Merged != nil {
		missing, hint = "the reports contain no instance", "did triage read the right folder when it wrote them?"
	}
	if d := r.Diff; d != nil {
		missing = "no goroutine dump in AFTER"
		if len(d.Before.Dumps) == 0 {
			missing = "no goroutine dump in BEFORE"
		}
	}
	if !r.Recognised() && !r.Unreadable() && f.Shards == 0 {
		printError(std.Err, missing, hint)
	}
}

// list looks at the inputs and writes what they hold. It has the report's formats and exit statuses.
func list(ctx context.Context, std Std, f *analyzeFlags, args []string) (int, error) {
	outs, o, err := f.options(std, plainFormats(), args)
	if err != nil {
		return exitUsage, err
	}
	const until = "the list covers what was found until then"
	l, interrupted, err := withProgress(std, &o, until, func() (*triage.Listing, error) { return triage.List(ctx, o) })
	if err != nil {
		return exitUsage, err
	}
	narrateSkipped(std, l.Skipped, 0)
	f.redactNames(l)
	err = f.writePlain(std, outs, l, func(w io.Writer, _ report.TextOptions) error { return report.Listing(w, l) })
	return exitCodeOf(l.Skipped, interrupted, len(l.Files) == 0), err
}
