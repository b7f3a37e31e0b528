package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage"
)

// list looks at the inputs and writes what they hold. It has the report's formats and exit statuses.
func list(ctx context.Context, std Std, f *analyzeFlags, o triage.Options) (int, error) {
	outs, err := outputs(f.formats, f.out)
	if err != nil {
		return exitUsage, err
	}
	for _, out := range outs {
		if out.name != "text" && out.name != "json" {
			return exitUsage, usage("--list -o text or --list -o json", "no list is written as %s", out.name)
		}
	}
	o.Progress = &triage.Progress{}
	stop := showProgress(std, o.Progress)
	l, err := triage.List(ctx, o)
	stop()
	interrupted := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !interrupted {
		return exitUsage, &failure{exitUsage, err, ""}
	}
	if interrupted {
		complain(std.Err, "interrupted: the list is what was found until then", "")
	}
	for _, s := range l.Skipped {
		if s.Named {
			complain(std.Err, s.Path+": "+s.Reason, s.Hint)
		}
	}
	code := exitOK
	switch {
	case l.Unreadable() || interrupted:
		code = exitUnreadable
	case len(l.Files) == 0:
		code = exitNothing
	}
	l = f.redactedList(l)
	var errs []error
	for _, out := range outs {
		write := report.Listing
		if out.name == "json" {
			write = report.ListingJSON
		}
		if err := out.writeWith(std.Out, func(w io.Writer) error { return write(w, l) }); err != nil &&
			!closedPipe(err) {
			errs = append(errs, fmt.Errorf("writing the list: %w", err))
		}
	}
	return code, errors.Join(errs...)
}
