package main

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/redact"
	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
)

const auditLong = `triage audit lists the requests in Kubernetes API server audit logs (audit.k8s.io) as one timeline
over all servers.

An INPUT is a file, a folder, a glob, an archive or "-", compressed or not. It may contain JSON lines (with or without a
host name in front), an EventList, or a log shipper's records that contain events. triage reads the rotated files of a
server as one. The output first says what the logs contain and what they leave out; then come the findings, and one row
per request.

With --object, the rows show one object's life: who wrote it, the milliseconds since the previous write, the
resourceVersions in request and response, and, if the policy logs bodies, the fields that each write changed.`

const auditExample = `  triage audit audit.log
  triage audit --object deployments/web -n prod /var/log/kubernetes/audit
  triage audit --writes --user keda --since 2026-03-04T04:40:00Z audit*.log.gz
  triage audit --code 409 -o csv --out conflicts.csv audit.log`

// auditFlags are the flags of triage audit.
type auditFlags struct {
	analyzeFlags
	format  string
	columns []string
	chosen  []report.AuditColumn
	filter  triage.AuditFilter
	limit   int
	silent  bool
}

// auditLimit is how many rows are listed on a terminal or a page by default.
const auditLimit = 1000

func newAudit(std Std, code *int) *cobra.Command {
	f := &auditFlags{analyzeFlags: newFlags(), format: "text"}
	cmd := &cobra.Command{
		Use:     "audit INPUT...",
		Short:   "show API servers' audit logs as one timeline",
		Long:    auditLong,
		Example: auditExample,
		Args:    cobra.ArbitraryArgs,
		RunE:    f.runOver(std, code, "triage audit FILE, or triage audit --help", f.run),
	}
	fl := cmd.Flags()
	fl.StringVar(&f.filter.Object, "object", "", "only requests for this `RESOURCE/NAME` (deployments/web, "+
		"Deployment/web, deploy/web)")
	fl.StringVar(&f.filter.Resource, "resource", "", "only requests for objects of this `RESOURCE` (plural, kind or "+
		"short name, with .GROUP or without)")
	fl.StringVarP(&f.filter.Namespace, "namespace", "n", "", "only requests in this `NAMESPACE`")
	fl.StringVar(&f.filter.User, "user", "", "only requests by users whose name contains `TEXT`")
	fl.StringVar(&f.filter.Agent, "agent", "", "only requests whose user agent contains `TEXT`")
	fl.StringSliceVar(&f.filter.Verbs, "verb", nil, "only requests with this `VERB` (get, list, watch, create, "+
		"update, patch, delete, ...); repeatable")
	fl.StringSliceVar(&f.filter.Codes, "code", nil, "only requests answered with this `CODE`, or class of codes "+
		"(409, 5xx); repeatable")
	fl.BoolVar(&f.filter.Writes, "writes", false, "only requests that change objects")
	timeFlag(fl, &f.Since, &f.SinceAgo, "since", "only requests received at `TIME` or later: "+
		"2026-03-04T04:47:00Z, or 1h (before the end of the inputs)")
	timeFlag(fl, &f.Until, &f.UntilAgo, "until", "only requests received at `TIME` or earlier")
	fl.StringSliceVar(&f.columns, "columns", nil, "show these `COLUMNS`: "+strings.Join(auditColumnNames(), ", "))
	oneOf(cmd, &f.format, "output", "o", "write as `FORMAT`: ", []string{"text", "json", "csv", "jsonl"})
	f.outFlag(fl)
	fl.IntVar(&f.limit, "limit", auditLimit, "list the first `N` rows as text; 0 for as many as fit in memory")
	fl.BoolVar(&f.silent, "no-findings", false, "leave out findings")
	fl.BoolVar(&f.all, "all", false, "list every finding in full, and don't shorten rows")
	f.failOnFlag(cmd, "an alarm")
	oneOf(cmd, &f.color, "color", "", "`WHEN` to use colours: ", colorNames())
	redactFlag(fl, &f.redact)
	fl.IntVar(&f.width, "width", 0, "the width in `COLUMNS` of the text (default that of the terminal, or 100 for a "+
		"file or pipe)")
	fl.BoolVar(&f.ascii, "ascii", false, "use only ASCII characters in the text")
	f.limitFlags(fl)
	complete(cmd, "columns", auditColumnNames())
	complete(cmd, "verb", []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"})
	return cmd
}

func auditColumnNames() []string {
	var names []string
	for _, c := range report.AuditColumns() {
		names = append(names, c.Name)
	}
	return names
}

// check refuses flags that can't be meant.
func (f *auditFlags) check() error {
	if len(f.columns) == 0 {
		f.columns = report.DefaultAuditColumns(strings.Contains(f.filter.Object, "/"))
		if f.format != "text" {
			f.columns = auditColumnNames()
		}
	}
	var err error
	if f.chosen, err = report.ChooseColumns(f.columns); err != nil {
		return usageError("columns: "+strings.Join(auditColumnNames(), ", "), "%w", err)
	}
	digit := func(b byte) bool { return '0' <= b && b <= '9' }
	for _, c := range f.filter.Codes {
		if len(c) != 3 || c[0] < '1' || c[0] > '5' || c[1:] != "xx" && !(digit(c[1]) && digit(c[2])) {
			return usageError("--code 409, or --code 5xx", "%q is not a status code", c)
		}
	}
	if f.width < 0 || f.limit < 0 {
		return usageError("", "--width and --limit can't be negative")
	}
	return nil
}

func (f *auditFlags) run(ctx context.Context, std Std, args []string) (int, error) {
	if err := f.check(); err != nil {
		return exitUsage, err
	}
	f.filter.Since, f.filter.Until = microsOf(f.Since), microsOf(f.Until)
	outs, read, err := f.options(std, plainFormats(), args)
	if err != nil {
		return exitUsage, err
	}
	o := triage.TimelineOptions{Options: read, Filter: f.filter, NoFindings: f.silent}
	if f.format == "text" {
		o.Limit = f.limit
	}
	const until = "the rows cover what was read until then"
	t, interrupted, err := withProgress(std, &o.Options, until, func() (*triage.Timeline, error) {
		return triage.ReadTimeline(ctx, o)
	})
	if err != nil {
		return exitUsage, err
	}
	if f.redact {
		text := redact.NewText(redact.Options{})
		text.Values(t.Report)
		text.Values(&t.Rows)
		text.Values(&t.Refused)
	}
	f.narrate(std, t, args)
	err = outs[0].writeWith(std, func(w io.Writer) error { return f.rows(std, w, t) })
	return f.exit(t, interrupted), err
}

func microsOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// narrate writes on stderr what the rows don't show: where they are for programs, what was read at all.
func (f *auditFlags) narrate(std Std, t *triage.Timeline, inputs []string) {
	narrateSkipped(std, t.Report.Skipped, 0)
	if t.Report.Audit == nil {
		hint := "pass the API server's audit log (--audit-log-path), or the folder that contains it"
		if _, err := os.Stat("audit"); err == nil && inputs[0] == "-" {
			hint = "triage audit audit reads the folder or file of that name"
		}
		printError(std.Err, "no audit event in the inputs", hint)
		for _, r := range t.Refused {
			printError(std.Err, r.Place.Path+": "+r.Reason, r.Hint)
		}
		return
	}
	if f.format == "text" || f.format == "json" {
		return
	}
	for i := range t.Report.Findings {
		printError(std.Err, "finding: "+t.Report.Findings[i].Title+" ("+string(t.Report.Findings[i].Severity)+")", "")
	}
	for _, l := range t.Report.Audit.Limits {
		printError(std.Err, "unknown: "+l, "")
	}
}

// rows writes the timeline in the chosen format.
func (f *auditFlags) rows(std Std, w io.Writer, t *triage.Timeline) error {
	if n := int64(len(t.Rows)); n < t.Matched && f.format != "text" {
		printError(std.Err, "only the first "+phrase.Number(n)+" of "+phrase.Number(t.Matched)+" requests are written",
			"select fewer with --since, --object, --user or --writes")
	}
	switch f.format {
	case "text":
		return report.AuditText(w, t, f.chosen, f.textOptions(std, output{file: f.out}))
	case "csv":
		return report.AuditCSV(w, t.Rows, f.chosen)
	case "json":
		return report.AuditJSON(w, t)
	}
	return report.AuditLines(w, t.Rows)
}

// exit is the exit status.
func (f *auditFlags) exit(t *triage.Timeline, interrupted bool) int {
	if t.Report.Audit == nil {
		return exitCodeOf(t.Report.Skipped, false, true)
	}
	return exitCode(t.Report, f.failOn, interrupted)
}
