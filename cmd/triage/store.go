package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/triage"
)

const storeLong = `Take tracebacks from a log store, or profiles from a profile store, and report what they show.

STORE is victorialogs://HOST[:9428], loki://HOST[:3100], pyroscope://HOST[:4040] or parca://HOST[:7070]. For TLS, write
loki+https://HOST and so on.

triage asks a log store how many lines match --query, and stops if there are more than --max-scan. The store then finds
the lines of tracebacks. triage takes the lines around them, and writes each stream to a file.

From a profile store, triage takes the sum of all CPU profiles that match --query. --profiles selects other kinds;
triage takes only the latest heap and goroutine profiles. --before compares with earlier profiles, such as those before
a deployment.

triage retries failed requests. It keeps the capture, and can read it again. --query is in the store's language: a
LogsQL filter, a LogQL stream selector, or a label selector. Secrets are read from files and the environment, as for
triage fetch.

Exit status: as for triage; 3 if the store, one of the streams or one of the profiles returned nothing.`

const storeExample = `  triage store victorialogs://logs:9428 --since 6h
  triage store victorialogs://logs:9428 --query 'kubernetes.pod_namespace:shop'
  triage store loki+https://logs.example.com --query '{namespace="shop"}' --user oncall
  triage store pyroscope://pyroscope:4040 --query '{service_name="shop"}' --profiles cpu,heap
  triage store pyroscope://pyroscope:4040 --query '{service_name="shop"}' --since 30m --before 30m`

// storeFlags are the flags of triage store.
type storeFlags struct {
	fetchFlags         // of these the ones about the report, the access and where the capture goes
	o                  fetch.StoreOptions
	sinceAgo, untilAgo time.Duration // where o.From and o.To are not set
	before             time.Time     // the end of what to compare with; zero for a report
	beforeAgo          time.Duration
}

func newStore(std Std, code *int) *cobra.Command {
	f := &storeFlags{fetchFlags: fetchFlags{report: newFlags()}}
	cmd := &cobra.Command{
		Use: "store STORE", Short: "take tracebacks from a log store, or profiles from Pyroscope or Parca",
		Long: storeLong, Example: storeExample,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("triage store loki://HOST:3100", "store needs one STORE")
			}
			return nil
		},
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) {
			return f.run(cmd, std, args[0])
		}),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.o.Query, "query", "", "search only what `QUERY` matches (default all)")
	f.sinceAgo = time.Hour
	timeFlag(fl, &f.o.From, &f.sinceAgo, "since", "search after `TIME`: 2026-03-04T04:47:00Z, or 6h ago (default 1h)")
	timeFlag(fl, &f.o.To, &f.untilAgo, "until", "search before `TIME` (default now)")
	fl.StringSliceVar(&f.o.Profiles, "profiles", nil, "take these `KINDS` of profiles: "+
		strings.Join(fetch.ProfileNames(), ", ")+" (default "+fetch.ItemCPU+")")
	complete(cmd, "profiles", fetch.ProfileNames())
	timeFlag(fl, &f.before, &f.beforeAgo, "before", "compare with the profiles of an equally long period that "+
		"ends at `TIME`")
	fl.Int64Var(&f.o.MaxEntries, "max-scan", 0, "don't search if more than `N` lines match (default 200000000)")
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
	if !f.before.IsZero() || f.beforeAgo != 0 {
		return f.compare(cmd.Context(), std, before(now, f.before, f.beforeAgo))
	}
	path, missing, err := f.capture(cmd.Context(), std, f.o)
	if err != nil {
		return exitUnreadable, err
	}
	return f.finish(cmd.Context(), std, path, []string{path}, missing)
}

// capture takes what the options say. It returns where that lies, and whether something is missing.
func (f *storeFlags) capture(ctx context.Context, std Std, o fetch.StoreOptions) (string, bool, error) {
	screen := newFetchScreen(std.Err)
	o.Events = screen.event
	stop := screen.show(std, progressEvery)
	res, err := fetch.CaptureStore(ctx, o)
	stop()
	if err != nil {
		return "", false, fetchFailure(err)
	}
	screen.captured(res)
	failed := func(it fetch.ManifestItem) bool { return it.Error != "" }
	return res.Path, res.Interrupted || slices.ContainsFunc(res.Manifest.Items, failed), nil
}

// compare takes the profiles of two times of the same length, and reports what changed.
func (f *storeFlags) compare(ctx context.Context, std Std, end time.Time) (int, error) {
	earlier := f.o
	earlier.From, earlier.To, earlier.Part = end.Add(f.o.From.Sub(f.o.To)), end, "-before"
	switch {
	case !f.o.Store.OfProfiles():
		return exitUsage, usageError("pyroscope://HOST or parca://HOST", "--before compares profiles, and %s has none",
			f.o.Store)
	case end.After(f.o.From):
		return exitUsage, usageError("--since 30m --before 30m",
			"--before is after --since: the compared periods overlap")
	}
	sides, missing := [2]string{}, false
	for i, o := range []fetch.StoreOptions{earlier, f.o} {
		path, some, err := f.capture(ctx, std, o)
		if err != nil {
			return exitUnreadable, err
		}
		sides[i], missing = path, missing || some
	}
	const until = "the comparison covers what was read until then"
	return f.reported(std, strings.Join(sides[:], "\n"), missing, func(report *analyzeFlags) (int, error) {
		return report.writeReports(std, sides[:], until, func(o triage.Options) (*triage.Report, error) {
			return triage.Compare(context.WithoutCancel(ctx), sides[:1], sides[1:], o)
		})
	})
}

// before is a time, or else so long before now.
func before(now, at time.Time, ago time.Duration) time.Time {
	if at.IsZero() {
		return now.Add(-ago)
	}
	return at
}
