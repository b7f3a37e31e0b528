package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// run captures, reports on what came and returns the exit status.
func (f *fetchFlags) run(ctx context.Context, std Std, args []string, watching bool) (int, error) {
	report := f.report
	report.out = "" // here --out is the capture's
	if _, err := outputs(report.formats, ""); err != nil {
		return exitUsage, err
	}
	if err := report.check(); err != nil {
		return exitUsage, err
	}
	o, err := f.options(std, args)
	if err != nil {
		return exitUsage, fetchFailure(err)
	}
	screen := newFetchScreen(std.Err)
	o.Events = screen.event
	if watching {
		return f.runWatch(ctx, std, &report, o, screen)
	}
	stop := screen.show(std, progressEvery)
	res, err := fetch.Capture(ctx, o)
	stop()
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	screen.captured(res)
	missing := res.Interrupted || slices.ContainsFunc(res.Manifest.Pods,
		func(p fetch.ManifestPod) bool { return p.Error != "" })
	return f.finish(ctx, std, &report, res.Path, missing)
}

// finish reports on the capture at path. What was interrupted is reported whole: the interruption was about the
// capture.
func (f *fetchFlags) finish(ctx context.Context, std Std, report *analyzeFlags, path string,
	missing bool) (int, error) {
	code := exitOK
	var err error
	if f.noReport {
		_, err = fmt.Fprintln(std.Out, path)
	} else {
		code, err = analyze(context.WithoutCancel(ctx), std, report, []string{path})
	}
	if missing && (code == exitOK || code == exitNothing) {
		code = exitUnreadable
	}
	return code, err
}

func (f *fetchFlags) runWatch(ctx context.Context, std Std, report *analyzeFlags, o fetch.Options,
	screen *fetchScreen) (int, error) {
	book, err := triage.LoadRules(report.rules)
	if err != nil {
		return exitUsage, &failure{exitUsage, err, ""}
	}
	judge := func(ctx context.Context, kept []string) (bool, string, error) {
		r, err := triage.Run(ctx, triage.Options{Inputs: kept, Book: &book, Version: version()})
		if err != nil && ctx.Err() == nil {
			return false, "", err
		}
		stop, why := f.judged(r)
		return stop, why, nil
	}
	stop := screen.show(std, progressEvery)
	w, err := fetch.Watch(ctx, o, fetch.WatchOptions{Keep: f.watch, Interval: f.interval, Judge: judge})
	stop()
	if err != nil {
		return exitUnreadable, fetchFailure(err)
	}
	screen.watched(w)
	return f.finish(ctx, std, report, w.Path, w.Interrupted)
}

// judged reports whether a report ends the watch, in a few words.
func (f *fetchFlags) judged(r *triage.Report) (stop bool, why string) {
	at := f.report.failOn
	i := slices.IndexFunc(r.Findings, func(found rules.Finding) bool { return at.reached([]rules.Finding{found}) })
	switch {
	case i >= 0:
		return true, fmt.Sprintf("%s: %s", r.Findings[i].Severity, r.Findings[i].Title)
	case at.severity == "":
		return false, fmt.Sprintf("findings: %d", len(r.Findings))
	}
	return false, "no finding of severity " + string(at.severity) + " or worse"
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
	o.Limits.MaxBytes = int64(f.size)
	if f.watch == 0 {
		o.Plan.Interval = f.interval
	}
	switch {
	case f.limits.Timeout < 0, f.interval < 0:
		return o, usage("", "a time is negative")
	case f.selector != "":
		o.Target, err = fetch.Pods(f.selector, f.prefix)
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
