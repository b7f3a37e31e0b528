package sources

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// profile takes a binary profile, or a text form of one: goroutine profiles become dumps.
func (in *intake) profile(data []byte) {
	p, err := profile.Read(data)
	if err != nil {
		in.skip(err.Error(), "is the file whole? go tool pprof -top "+rules.Quote(in.path))
		return
	}
	if p.Kind == profile.KindGoroutine || p.Kind == profile.KindGoroutineLeak {
		in.take(goroutinesOf(p), -1)
		return
	}
	in.progress.Profiles.Add(1)
	in.profiles = append(in.profiles, p)
}

// report takes in a report of triage as an input.
func (in *intake) report(data []byte) {
	r := &schema.Report{}
	err := json.NewDecoder(bytes.NewReader(data)).Decode(r) // what follows the report doesn't matter
	reason, hint := "", ""
	switch {
	case err != nil:
		reason, hint = fmt.Sprintf("a report of triage that can't be read: %v", err),
			"write it anew: triage -o json=FILE INPUT"
	case r.Schema != schema.Schema:
		reason, hint = fmt.Sprintf("a report of the form %q; this version reads %s", r.Schema, schema.Schema),
			"write it anew with this version"
	case r.Diff != nil:
		reason, hint = "a comparison that triage wrote, which has no state of its own",
			"give the reports or dumps that it was made from"
	}
	if reason != "" {
		in.skips = append(in.skips, schema.Skipped{Path: in.path, Reason: reason, Hint: hint, Named: true})
		return
	}
	in.reports = append(in.reports, schema.Saved{Path: in.path, Report: r})
}
