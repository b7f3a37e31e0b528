package main

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/internal/watch"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

const watchLong = `Watch a live Go process, or pods, and capture everything when something goes wrong.

Every minute, triage takes a sample: the goroutine profile, a goroutine dump, a CPU profile of five seconds and the heap
profile. It keeps the last samples and reads them together, to see what grows.

triage makes a full capture, as triage fetch does, if an --over limit is exceeded, if a container restarts, if the
samples raise an alarm at or above --fail-on (high by default), or if three samples in a row fail. While the condition
holds, it captures only once. It makes at most one full capture every ten minutes. The report is next to the capture,
as JSON and as an HTML page. --webhook and --exec pass the alarm on as JSON: its headline, its reasons, the capture's
folder and the report files.

The watch runs until Ctrl-C, or with --once until the first full capture. Then triage reports on all captures that it
has kept. With --out, a watch continues in the folder of an earlier one.

TARGET, pod flags and secrets work as in triage fetch. To watch only the logs and restarts of pods, without using their
ports, write --only log,previous-log.

Exit status: as for triage, after Ctrl-C too; 1 also if a limit was exceeded or a container restarted.`

const watchExample = `  triage watch :6060
  triage watch :6060 --over goroutines=10000 --over heap=2GiB --once
  triage watch -l app=web -n shop --over cores=1.5 --webhook https://chat.example.com/hooks/oncall
  triage watch localhost:6060 --out /captures/web --keep 20 --listen :8080`

// sampleSeconds is how long the CPU profile of a sample lasts.
const sampleSeconds = 5

// watchFlags are the flags of triage watch.
type watchFlags struct {
	fetchFlags
	o                     watch.Options
	listen, webhook, exec string
}

func newWatch(std Std, code *int) *cobra.Command {
	f := &watchFlags{fetchFlags: fetchFlags{report: newFlags()}}
	f.report.failOn = string(rules.High)
	cmd := &cobra.Command{
		Use: "watch TARGET", Short: "watch a process, and capture everything when a limit is exceeded",
		Long: watchLong, Example: watchExample,
		Args: func(_ *cobra.Command, args []string) error {
			return f.checkArgs(args, "triage watch HOST:PORT, or triage watch pod/NAME")
		},
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) { return f.run(cmd, std, args) }),
	}
	fl := cmd.Flags()
	fl.Func("over", "capture everything when `LIMIT` is exceeded: goroutines=10000, cores=1.5 or heap=2GiB; repeatable",
		func(s string) error {
			limit, err := watch.ParseLimit(s, parseSize)
			f.o.Limits = append(f.o.Limits, limit)
			return err
		})
	fl.DurationVar(&f.o.Interval, "interval", time.Minute, "take a sample every `TIME`")
	fl.IntVar(&f.o.Keep, "keep", 5, "keep the last `N` samples, and the last N full captures")
	fl.BoolVar(&f.o.Once, "once", false, "end after the first full capture")
	fl.StringVar(&f.webhook, "webhook", "", "post each alarm as JSON to `URL`; its text field contains the headline "+
		"and reasons")
	fl.StringVar(&f.exec, "exec", "", "run `PROGRAM` for each alarm, with the capture's folder as its argument and "+
		"the alarm as JSON on its standard input")
	fl.StringVar(&f.listen, "listen", "", "serve /healthz and /metrics at `ADDRESS`, and go on even if the first "+
		"sample fails")
	f.planFlags(cmd)
	f.flags(cmd)
	return cmd
}

// run watches, reports on what is kept and returns the exit status.
func (f *watchFlags) run(cmd *cobra.Command, std Std, args []string) (int, error) {
	ctx := cmd.Context()
	screen := newFetchScreen(std.Err)
	if err := f.prepare(cmd, std, args, screen); err != nil {
		return exitUsage, fetchFailure(err)
	}
	stop := screen.show(std, progressEvery)
	res, err := watch.Run(ctx, f.o)
	stop()
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	if len(res.Captures) == 0 {
		printError(std.Err, "interrupted: no sample succeeded, so nothing is kept",
			"triage fetch tries once, and says why it fails")
		return exitUnreadable, nil
	}
	if res.Interrupted {
		printError(std.Err, "interrupted: the report covers the captures that are kept", "")
	}
	screen.lies(res.Path)
	code, err := f.finish(ctx, std, res.Path, res.Captures, false) // Ctrl-C is its usual end
	if err == nil && res.Alarms > 0 {
		code = exitFindings
	}
	return code, err
}

// prepare checks the flags and turns them into what is to be watched.
func (f *watchFlags) prepare(cmd *cobra.Command, std Std, args []string, screen *fetchScreen) (err error) {
	book, err := f.checkReport(cmd)
	if err != nil {
		return err
	}
	if f.o.Capture, err = f.options(std, args); err != nil {
		return err
	}
	f.o.Events = screen.event
	f.o.Sample = f.plan
	sampled := []string{fetch.ItemGoroutine, fetch.ItemCPU, fetch.ItemStacks, fetch.ItemHeap}
	if slices.Contains(f.plan.Only, fetch.ItemLog) {
		sampled = append(sampled, fetch.ItemLog)
	}
	for _, item := range fetch.ItemNames() {
		if !slices.Contains(sampled, item) {
			f.o.Sample.Skip = append(slices.Clip(f.o.Sample.Skip), item)
		}
	}
	f.o.Sample.Seconds, f.o.Sample.Dumps = sampleSeconds, 1
	f.o.Alarms = func(found *rules.Finding) bool { return reaches(f.report.failOn, found) }
	f.o.Read = func(ctx context.Context, captures []string) (*triage.Report, error) {
		r, err := triage.Run(ctx, triage.Options{
			Inputs: captures, Book: &book, Version: version(), Baseline: f.report.Baseline,
		})
		f.report.redactNames(r)
		return r, err
	}
	f.o.Write = func(ctx context.Context, captures []string, name string) (string, []string, error) {
		return f.writeAlarm(ctx, std, captures, name)
	}
	if f.o.Patient = f.listen != ""; f.o.Patient {
		f.o.Status = watch.NewStatus(f.o.Interval)
		address, err := f.o.Status.Listen(cmd.Context(), f.listen)
		if err != nil {
			return err
		}
		screen.event(fetch.Event{Kind: fetch.EventNote, Text: "serving /healthz and /metrics at " + address})
	}
	return f.notifiers(std)
}

func (f *watchFlags) notifiers(std Std) error {
	if f.webhook != "" {
		notify, err := watch.Webhook(f.webhook)
		if err != nil {
			return err
		}
		f.o.Notify = append(f.o.Notify, notify)
	}
	if f.exec != "" {
		notify, err := watch.Command(f.exec, std.Err)
		if err != nil {
			return err
		}
		f.o.Notify = append(f.o.Notify, notify)
	}
	return nil
}

// writeAlarm writes the report of an alarm's captures as a page and as JSON.
func (f *watchFlags) writeAlarm(ctx context.Context, std Std, captures []string, name string) (
	headline string, files []string, err error) {
	files = []string{name + ".html", name + ".json"}
	flags := f.report
	flags.out, flags.formats = "", []string{"html=" + files[0], "json=" + files[1]}
	std.Out, std.Err = io.Discard, io.Discard
	var r *triage.Report
	_, err = flags.writeReports(std, captures, "", func(o triage.Options) (*triage.Report, error) {
		r, err = triage.Run(ctx, o)
		return r, err
	})
	if err != nil {
		return "", nil, err
	}
	return report.Headline(r), files, nil // with --redact it is redacted now
}
