package main

import (
	"context"
	"fmt"
	"io"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage"
)

// list looks at the inputs and writes what they hold. It has the report's formats and exit statuses.
func list(ctx context.Context, std Std, f *analyzeFlags, o triage.Options, outs []output) (int, error) {
	var l *triage.Listing
	interrupted, err := underWay(std, &o, "the list is what was found until then", func() (err error) {
		l, err = triage.List(ctx, o)
		return err
	})
	if err != nil {
		return exitUsage, err
	}
	narrateSkipped(std, l.Skipped, 0)
	code := exitOK
	switch {
	case l.Unreadable() || interrupted:
		code = exitUnreadable
	case len(l.Files) == 0:
		code = exitNothing
	}
	f.hide(l)
	err = writeEach(std, outs, func(w io.Writer, o output) error {
		if o.name == "json" {
			return report.ListingJSON(w, l)
		}
		return report.Listing(w, l)
	})
	if err != nil {
		err = fmt.Errorf("writing the list: %w", err)
	}
	return code, err
}
