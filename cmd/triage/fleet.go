package main

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/internal/survey"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

const fleetLong = `Read metrics in Prometheus to find the Go processes that deserve a look, before you take any dump.

triage runs five instant queries, which the server aggregates by process, and fetches the list of targets. The queries
return restarts, targets that are down, and each process's goroutines, CPU and memory: now, and in the middle and at the
beginning of --window. The processes of a workload have the same namespace, job and owner; pod names imply the owner.
triage compares them with each other, and each with its own past. It lists those that differ, grow or have restarted,
each with the reason and the command to run next.

The server may also be Thanos, Mimir or VictoriaMetrics: include the path before /api/v1 in the URL. Restarts come from
kube-state-metrics or, without it, from process_cpu_seconds_total. Secrets are read from files and the environment, as
for triage fetch.

Exit status: as for triage; 3 if the server gave no usable answer, 4 if it has no metrics of Go processes.`

const fleetExample = `  triage fleet --prometheus http://prometheus:9090
  triage fleet --prometheus https://mimir.example.com/prometheus --bearer-token-file token -n shop
  triage fleet --prometheus http://prometheus:9090 --query 'env="prod",job=~"shop-.*"' --window 6h -o json`

// defaultRows is how many rows are listed.
const defaultRows = 20

// fleetFlags are the flags of triage fleet.
type fleetFlags struct {
	report analyzeFlags // of these the ones about how it is written
	access accessFlags
	o      prometheus.Options
	limit  int
}

func newFleet(std Std, code *int) *cobra.Command {
	f := &fleetFlags{report: newFlags()}
	cmd := &cobra.Command{
		Use: "fleet", Short: "ask Prometheus which processes of a fleet to look at",
		Long: fleetLong, Example: fleetExample, Args: cobra.NoArgs,
		RunE: withStatus(code, func(cmd *cobra.Command, _ []string) (int, error) { return f.run(cmd, std) }),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.o.Server, "prometheus", "", "ask the server at `URL`, which includes the path before /api/v1")
	fl.StringVarP(&f.o.Namespace, "namespace", "n", "", "only processes of this `NAMESPACE`")
	fl.StringVar(&f.o.Query, "query", "", "only processes that these PromQL `MATCHERS` select, such as "+
		"'env=\"prod\",job=~\"shop-.*\"'")
	fl.DurationVar(&f.o.Window, "window", time.Hour, "compare with the values `TIME` ago")
	fl.Func("until", "look at the fleet as it was at `TIME`: 2026-03-04T04:47:00Z, or 6h ago (default now)",
		func(s string) error {
			at, ago, err := parseTime(s)
			f.o.Until = before(time.Now(), at, ago)
			return err
		})
	fl.IntVar(&f.limit, "limit", defaultRows, "list the first `N` rows; 0 for all")
	fl.DurationVar(&f.o.Timeout, "timeout", 0, "give up after `TIME` (default 3m)")
	f.report.formatFlag(cmd, "", plainFormats(), "")
	f.report.outFlag(fl)
	f.report.failOnFlag(cmd, "a LOOK FIRST row")
	f.access.flags(cmd)
	f.report.textFlags(cmd, "text")
	redactFlag(fl, &f.report.redact)
	return cmd
}

// check turns flags into options, and refuses those that can't be meant.
func (f *fleetFlags) check(std Std) (outs []output, err error) {
	switch w := f.o.Window; {
	case f.o.Server == "":
		return nil, usageError("triage fleet --prometheus http://HOST:9090", "--prometheus is missing")
	case w < prometheus.MinWindow || w > prometheus.MaxWindow:
		return nil, usageError("--window 1h", "--window %s: must be from %s to %s", w, prometheus.MinWindow,
			prometheus.MaxWindow)
	case f.limit < 0 || f.o.Timeout < 0:
		return nil, usageError("", "--limit and --timeout can't be negative")
	}
	f.o.Query = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(f.o.Query), "{"), "}")
	if f.o.Access, err = f.access.read(std.Getenv); err != nil {
		return nil, err
	}
	if outs, err = outputs(plainFormats(), f.report.formats, f.report.out); err == nil {
		err = cmp.Or(checkFiles(outs, nil), f.report.check())
	}
	return outs, err
}

func (f *fleetFlags) run(cmd *cobra.Command, std Std) (int, error) {
	outs, err := f.check(std)
	if err != nil {
		return exitUsage, fetchFailure(err)
	}
	screen := newFetchScreen(std.Err)
	f.o.Version, f.o.Events = version(), screen.event
	p, err := prometheus.Ask(cmd.Context(), f.o)
	if fe, ok := errors.AsType[*fetch.Error](err); ok && errors.Is(err, prometheus.ErrNothing) {
		return exitNothing, &failure{exitNothing, fe, fe.Hint}
	}
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	s := survey.Of(p, f.o.Window, f.limit)
	s.Tool.Name, s.Tool.Version = "triage", version()
	s.Namespace, s.Query = f.o.Namespace, f.o.Query
	s.Time = before(time.Now(), f.o.Until, 0).UTC().Format(time.RFC3339)
	f.report.redactNames(s)
	err = f.report.writePlain(std, outs, s, func(w io.Writer, o report.TextOptions) error {
		return report.SurveyText(w, s, o)
	})
	code := exitOK
	for _, o := range s.Odd {
		if reaches(f.report.failOn, &rules.Finding{Severity: o.Severity, Confidence: o.Confidence}) {
			code = exitFindings
		}
	}
	return code, err
}
