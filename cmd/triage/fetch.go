package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/triage"
)

const fetchLong = `Capture the goroutine dumps and profiles that a live Go process serves under /debug/pprof, and report
what they show. The capture is a folder or archive with a manifest; triage can read it again.

TARGET is :6060, HOST:PORT, http(s)://HOST:PORT[/prefix], unix:///path.sock[:/prefix], pod/NAME, or the pods of
deploy/NAME, sts/NAME, ds/NAME or job/NAME; -l captures the pods that a label selector matches. Pods are reached through
your own kubectl, by port-forward or, with --via proxy, through the API server. If a container has restarted or ended,
triage also keeps its previous log and the last 10,000 lines of the current one; if no port answers, it keeps only logs.

triage first prints the plan and its cost. It takes one CPU profile, three goroutine dumps during that time, and every
cheap item once. It takes no dump of more than 10,000 goroutines without --stacks, since each dump stops the process. If
an item fails, triage still takes the others. Ctrl-C keeps everything fetched so far.

Secrets are read from files and the environment: TRIAGE_BEARER_TOKEN, and TRIAGE_PASSWORD for --user.

Exit status: as for triage; 3 if the target, or one of several pods, returned nothing.`

const fetchExample = `  triage fetch :6060
  triage fetch --out before.zip https://manager.example.com:8443 --cacert ca.pem --bearer-token-file token
  triage fetch pod/web-1 -n shop --port 6060
  triage fetch -l app=web -n shop --port 6060 --via proxy
  triage fetch deploy/web -n shop --port 6060`

// fetchFlags are the flags of triage fetch.
type fetchFlags struct {
	report   analyzeFlags // how what came is reported
	noReport bool

	plan    fetch.Plan
	limits  fetch.Limits
	cluster fetch.Cluster
	access  accessFlags

	selector, prefix string
	pods             bool // a bare name is a pod's, and its port is asked if the user agrees
	pprof            bool // the user agrees
}

func newFetch(std Std, code *int) *cobra.Command {
	f := &fetchFlags{report: newFlags()}
	cmd := f.command(std, code)
	cmd.Use, cmd.Short = "fetch TARGET", "capture dumps and profiles from a live process, and report on them"
	cmd.Long, cmd.Example = fetchLong, fetchExample
	cmd.Args = func(_ *cobra.Command, args []string) error {
		return f.checkArgs(args, "triage fetch HOST:PORT, or triage fetch pod/NAME")
	}
	return cmd
}

// checkArgs refuses arguments that name no target, or several.
func (f *fetchFlags) checkArgs(args []string, hint string) error {
	several := f.selector != "" || f.cluster.AllNamespaces
	switch {
	case fetch.TwoWords(args):
		return usageError("write "+args[0]+"/"+args[1], "two targets: %s and %s", args[0], args[1])
	case !several && !f.cluster.Unhealthy && len(args) == 0:
		return usageError(hint, "no target")
	case several && len(args) > 0:
		return usageError("give one of them", "a target can't be combined with -l or -A")
	case len(args) > 1:
		return usageError("for several pods: -l SELECTOR", "%d targets; a capture takes one", len(args))
	}
	return nil
}

// command returns a command, still without its texts, that captures what its flags and arguments say.
func (f *fetchFlags) command(std Std, code *int) *cobra.Command {
	cmd := &cobra.Command{
		RunE: withStatus(code, func(cmd *cobra.Command, args []string) (int, error) { return f.run(cmd, std, args) }),
	}
	f.planFlags(cmd)
	cmd.Flags().DurationVar(&f.plan.Interval, "interval", 0, "wait `TIME` between dumps (default: spread them over "+
		"the CPU profile)")
	f.flags(cmd)
	return cmd
}

// flags adds the flags that say where to capture and how to report it.
func (f *fetchFlags) flags(cmd *cobra.Command) {
	f.podFlags(cmd)
	f.access.flags(cmd)
	f.report.reportFlags(cmd, "report", "", "an alarm")
	f.report.baselineFlag(cmd)
	f.report.sourceFlag(cmd)
	f.report.textFlags(cmd, "text report")
	redactFlag(cmd.Flags(), &f.report.redact)
}

func (f *fetchFlags) planFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	items := strings.Join(fetch.ItemNames(), ", ")
	f.outFlags(fl)
	fl.IntVar(&f.plan.Seconds, "seconds", 0, "profile the CPU for `N` seconds (default 10)")
	fl.IntVar(&f.plan.Dumps, "dumps", 0, "take `N` goroutine dumps (default 3)")
	fl.BoolVar(&f.plan.Stacks, "stacks", false, "take goroutine dumps even of more than 10,000 goroutines")
	fl.StringSliceVar(&f.plan.Only, "only", nil, "capture only these `ITEMS`: "+items)
	fl.StringSliceVar(&f.plan.Skip, "skip", nil, "leave out these `ITEMS`")
	boundFlags(fl, &f.limits, "the plan's duration plus a few minutes")
	fl.StringVar(&f.prefix, "prefix", "", "the `PATH` under which pprof is served (default "+fetch.DefaultPrefix+")")
	complete(cmd, "only", fetch.ItemNames())
	complete(cmd, "skip", fetch.ItemNames())
}

// outFlags adds the flags for where a capture goes.
func (f *fetchFlags) outFlags(fl *pflag.FlagSet) {
	fl.StringVar(&f.report.out, "out", "", "write the capture to `PATH`: a new folder, or an archive if it ends "+
		"in .zip (default triage-HOST-TIME)")
	fl.BoolVar(&f.noReport, "no-report", false, "only capture, and print the capture's path")
}

func boundFlags(fl *pflag.FlagSet, l *fetch.Limits, timeout string) {
	fl.Func("max-bytes", "take at most `SIZE` of each item (default 256MiB)", func(s string) (err error) {
		l.MaxBytes, err = parseSize(s)
		return err
	})
	fl.DurationVar(&l.Timeout, "timeout", 0, "end the capture after `TIME` and keep what has arrived (default "+
		timeout+")")
}

func (f *fetchFlags) podFlags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVarP(&f.selector, "selector", "l", "", "capture the pods with these `LABELS`, four at a time")
	fl.StringVarP(&f.cluster.Namespace, "namespace", "n", "", "the pods' `NAMESPACE`")
	fl.BoolVarP(&f.cluster.AllNamespaces, "all-namespaces", "A", false, "capture the pods of all namespaces")
	fl.BoolVar(&f.cluster.Unhealthy, "unhealthy", false, "capture only pods that crash, can't start, are not "+
		"ready or ended in the last hour")
	fl.StringVarP(&f.cluster.Container, "container", "c", "", "the pods' `CONTAINER`")
	fl.IntVar(&f.cluster.Port, "port", 0, "the pods' `PORT` that serves pprof (default: the container port named "+
		"pprof, or the port in a profiler's annotation)")
	f.cluster.Via = fetch.ViaPortForward
	oneOf(cmd, &f.cluster.Via, "via", "", "reach the pods in this `WAY`, through kubectl or the API server: ",
		[]string{fetch.ViaPortForward, fetch.ViaProxy})
	fl.BoolVar(&f.cluster.HTTPS, "https", false, "the pods' port speaks TLS")
	fl.IntVar(&f.cluster.MaxPods, "max-pods", 0, "capture at most `N` pods (default 50)")
	fl.IntVar(&f.plan.LogLines, "log-lines", 0, "take the last `N` lines of each pod's current log (default "+
		"10,000 if the container has restarted or ended, or no port answers; otherwise none)")
	fl.StringVar(&f.cluster.Context, "context", "", "use this `CONTEXT` of the kubeconfig")
	fl.StringVar(&f.cluster.Kubeconfig, "kubeconfig", "", "use this kubeconfig `FILE`")
}

// Where secrets are read from, besides files: what is on a command line can be read by every process of the machine.
const (
	envToken    = "TRIAGE_BEARER_TOKEN"
	envPassword = "TRIAGE_PASSWORD"
)

// maxSecret bounds a file of secrets: tokens have some KiB.
const maxSecret = 1 << 20

// accessFlags are the flags that choose how the target may be reached.
type accessFlags struct {
	access       fetch.Access
	tokenFile    string
	passwordFile string
	headers      []string
	proxy        string
}

func (a *accessFlags) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&a.access.CACert, "cacert", "", "trust the CA certificates in this PEM `FILE`")
	fl.StringVar(&a.access.Cert, "cert", "", "present the client certificate in this PEM `FILE`")
	fl.StringVar(&a.access.Key, "key", "", "use the client certificate's key in this PEM `FILE`")
	fl.StringVar(&a.access.ServerName, "tls-server-name", "", "expect `NAME` in the target's certificate, not the "+
		"host's name")
	fl.BoolVar(&a.access.InsecureSkipVerify, "insecure-skip-verify", false, "trust any certificate")
	fl.StringVar(&a.tokenFile, "bearer-token-file", "", "send the bearer token in this `FILE` (default: the token in $"+
		envToken+")")
	fl.StringVar(&a.access.User, "user", "", "use basic auth as `NAME`, with the password in $"+envPassword+" or "+
		"--password-file")
	fl.StringVar(&a.passwordFile, "password-file", "", "read the password for --user from `FILE`")
	fl.StringArrayVarP(&a.headers, "header", "H", nil, "send the header `'Name: value'`, or every header in "+
		"@FILE (one per line); repeatable")
	fl.StringVar(&a.proxy, "proxy", "", "go through the proxy at this `URL` (default: $HTTP_PROXY, $HTTPS_PROXY "+
		"and $NO_PROXY)")
}

// read collects the secrets.
func (a *accessFlags) read(getenv func(string) string) (out fetch.Access, err error) {
	out = a.access
	if out.User == "" { // a token for other targets may be in the environment
		out.BearerToken = getenv(envToken)
	} else {
		out.Password = getenv(envPassword)
	}
	err = cmp.Or(secretFile("--bearer-token-file", a.tokenFile, &out.BearerToken),
		secretFile("--password-file", a.passwordFile, &out.Password))
	switch {
	case err != nil:
		return out, err
	case a.passwordFile != "" && out.User == "":
		return out, usageError("--user NAME", "--password-file without --user")
	}
	if out.Headers, err = readHeaders(a.headers); err == nil && a.proxy != "" {
		out.Proxy, err = fetch.ParseProxy(a.proxy)
	}
	return out, err
}

// secretFile reads a file without the line break at its end, where there is a name.
func secretFile(flag, name string, to *string) error {
	if name == "" {
		return nil
	}
	data, err := readSmall(name)
	if err != nil {
		return usageError("", "reading %s: %w", flag, err)
	}
	if *to = strings.TrimRight(string(data), "\r\n"); *to == "" {
		return usageError("", "%s %s is empty", flag, name)
	}
	return nil
}

func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err == nil && len(data) > maxSecret {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxSecret>>20)
	}
	return data, err
}

func readHeaders(specs []string) (http.Header, error) {
	all := http.Header{}
	for _, spec := range specs {
		lines := []string{spec}
		if name, ok := strings.CutPrefix(spec, "@"); ok {
			data, err := readSmall(name)
			if err != nil {
				return nil, usageError("", "reading -H: %w", err)
			}
			lines = nil
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimSpace(line); line != "" {
					lines = append(lines, line)
				}
			}
		}
		for _, line := range lines {
			name, value, err := fetch.ParseHeader(line)
			if err != nil {
				return nil, err
			}
			all.Add(name, value)
		}
	}
	return all, nil
}

// run captures, reports on what came and returns the exit status.
func (f *fetchFlags) run(cmd *cobra.Command, std Std, args []string) (int, error) {
	ctx := cmd.Context()
	if _, err := f.checkReport(cmd); err != nil {
		return exitUsage, err
	}
	o, err := f.options(std, args)
	if err != nil {
		return exitUsage, fetchFailure(err)
	}
	screen := newFetchScreen(std.Err)
	o.Events = screen.event
	f.consent(cmd, std, screen, &o)
	stop := screen.show(std, progressEvery)
	res, err := fetch.Capture(ctx, o)
	stop()
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	screen.captured(res)
	missing := res.Interrupted || slices.ContainsFunc(res.Manifest.Pods,
		func(p fetch.ManifestPod) bool { return p.Error != "" })
	return f.finish(ctx, std, res.Path, []string{res.Path}, missing)
}

// checkReport refuses flags about the report that can't be followed, before anything is captured.
func (f *fetchFlags) checkReport(cmd *cobra.Command) (book triage.RuleBook, err error) {
	f.report.sharedFlags(cmd)
	if _, err = outputs(formats(), f.report.formats, ""); err == nil {
		err = f.report.check()
	}
	if err == nil {
		book, err = loadRules(cmd)
	}
	return book, err
}

// finish reports on the captures that lie at path. What was interrupted is reported whole: the interruption was about
// the capture.
func (f *fetchFlags) finish(ctx context.Context, std Std, path string, captures []string, missing bool) (int, error) {
	return f.reported(std, path, missing, func(report *analyzeFlags) (int, error) {
		return analyze(context.WithoutCancel(ctx), std, report, captures)
	})
}

// reported writes the report, or only the captures' paths, and returns the exit status.
func (f *fetchFlags) reported(
	std Std, paths string, missing bool, write func(report *analyzeFlags) (int, error),
) (code int, err error) {
	report := f.report
	report.out = "" // here --out is the capture's
	if f.noReport {
		_, err = fmt.Fprintln(std.Out, paths)
	} else {
		code, err = write(&report)
	}
	if missing && (code == exitOK || code == exitNothing) {
		code = exitUnreadable
	}
	return code, err
}

// options turns flags into what is to be captured.
func (f *fetchFlags) options(std Std, args []string) (fetch.Options, error) {
	access, err := f.access.read(std.Getenv)
	if err != nil {
		return fetch.Options{}, err
	}
	o := fetch.Options{
		Plan: f.plan, Limits: f.limits, Cluster: f.cluster, Access: access, Out: f.report.out, Version: version(),
	}
	switch {
	case f.limits.Timeout < 0, f.plan.Interval < 0:
		return o, usageError("", "times can't be negative")
	case f.selector != "":
		o.Target, err = fetch.Pods(f.selector, f.prefix)
	case len(args) == 0:
		o.Target, err = fetch.AllPods(f.prefix)
	case f.pods:
		o.Target, err = fetch.ParsePods(args[0], f.prefix)
	default:
		o.Target, err = fetch.ParseTarget(args[0], f.prefix)
	}
	return o, err
}

// fetchFailure gives an error of fetch its exit status.
func fetchFailure(err error) error {
	var fe *fetch.Error
	switch {
	case !errors.As(err, &fe):
		return err
	case fe.Usage:
		return &failure{exitUsage, fe, fe.Hint}
	}
	return &failure{exitUnreadable, fe, fe.Hint}
}
