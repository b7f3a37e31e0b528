package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
)

const storeLong = `Take the tracebacks out of a log store, and say what they mean.

STORE is victorialogs://HOST[:9428] or loki://HOST[:3100]; over TLS victorialogs+https://HOST or loki+https://HOST.

triage asks how many lines match --query, and stops if there are more than --max-scan. The store then finds the lines of
tracebacks. triage takes the lines around them, and writes each stream to a file. It repeats requests that fail. The
capture is kept, and triage can read it again.

--query is written in the store's language: a filter of LogsQL, or a stream selector of LogQL. Secrets are read from
files and the environment, as for triage fetch.

Exit status: as for triage; 3 if the store, or one of the streams, gave nothing.`

const storeExample = `  triage store victorialogs://logs:9428 --since 6h
  triage store victorialogs://logs:9428 --query 'kubernetes.pod_namespace:shop'
  triage store loki+https://logs.example.com --query '{namespace="shop"}' --user oncall`

// storeFlags are the flags of triage store.
type storeFlags struct {
	fetchFlags         // of these the ones about the report, the access and where the capture goes
	o                  fetch.StoreOptions
	sinceAgo, untilAgo time.Duration // where o.From and o.To are not set
}

func newStore(std Std, code *int) *cobra.Command {
	f := &storeFlags{fetchFlags: fetchFlags{report: newFlags()}}
	cmd := &cobra.Command{
		Use: "store STORE", Short: "take the tracebacks out of a log store, and report",
		Long: storeLong, Example: storeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("triage store loki://HOST:3100", "store needs one STORE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = f.run(cmd, std, args[0])
			return err
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&f.o.Query, "query", "", "search only what `QUERY` matches (default all)")
	f.sinceAgo = time.Hour
	timeFlag(fl, &f.o.From, &f.sinceAgo, "since", "search lines from `TIME` on: 2026-03-04T04:47:00Z, or 6h ago "+
		"(default 1h)")
	timeFlag(fl, &f.o.To, &f.untilAgo, "until", "search lines before `TIME` (default now)")
	fl.Int64Var(&f.o.MaxEntries, "max-scan", 0, "search nothing if more than `N` lines match (default 200000000)")
	f.outFlags(fl)
	boundFlags(fl, &f.o.Limits, "1h")
	f.access.flags(cmd)
	f.report.reportFlags(cmd, "report", "", "an alarm")
	f.report.sourceFlag(cmd)
	f.report.textFlags(cmd, "text report")
	redactFlag(fl, &f.report.redact)
	return cmd
}

// run takes what the store has, reports on it and returns the exit status.
func (f *storeFlags) run(cmd *cobra.Command, std Std, store string) (int, error) {
	f.report.shared(cmd)
	_, err := f.checkReport(cmd)
	if err != nil {
		return exitUsage, err
	}
	if f.o.Store, err = fetch.ParseStore(store); err == nil {
		f.o.Access, err = f.access.read(std.Getenv)
	}
	if err != nil {
		return exitUsage, fetchFailure(err)
	}
	now := time.Now()
	f.o.From, f.o.To = before(now, f.o.From, f.sinceAgo), before(now, f.o.To, f.untilAgo)
	f.o.Out, f.o.Version = f.report.out, version()
	screen := newFetchScreen(std.Err)
	f.o.Events = screen.event
	stop := screen.show(std, progressEvery)
	res, err := fetch.CaptureStore(cmd.Context(), f.o)
	stop()
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	screen.captured(res)
	missing := res.Interrupted || slices.ContainsFunc(res.Manifest.Items,
		func(it fetch.ManifestItem) bool { return it.Error != "" })
	return f.finish(cmd.Context(), std, res.Path, []string{res.Path}, missing)
}

// before is a time, or else so long before now.
func before(now, at time.Time, ago time.Duration) time.Time {
	if at.IsZero() {
		return now.Add(-ago)
	}
	return at
}
