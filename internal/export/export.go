// Package export writes goroutine dumps, profiles and findings in the forms that other tools draw: pprof profiles,
// folded stacks and JSON lines.
//
// Every form is written from profiles of github.com/google/pprof/profile, which dumps are turned into before. Names of
// functions and files may come from a hostile log: no form holds a character that a terminal would act on.
package export

import (
	"errors"
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// ErrMixed is the error of a form that holds one kind of values, for sources of several.
var ErrMixed = errors.New("the inputs contain values of several kinds")

// Formats are the names that Write takes.
func Formats() []string { return []string{"pprof", "folded", "json-lines"} }

// Write writes the set in a format of Formats. pprof and folded stacks hold one kind of values: ErrMixed.
func Write(w io.Writer, format string, s *schema.Stacks) error {
	for i := range s.Sources {
		tame(s.Sources[i].Profile)
	}
	switch format {
	case "pprof":
		return writePprof(w, s.Sources)
	case "folded":
		return writeFolded(w, s.Sources)
	case "json-lines":
		return writeLines(w, s)
	}
	return fmt.Errorf("unknown format %q", format)
}

// sameKind returns an error that names the first two sources that can't be one profile.
func sameKind(sources []schema.StackSource) error {
	if len(sources) == 0 {
		return errors.New("there is no dump or profile to export")
	}
	for i := range sources {
		a, b := &sources[0], &sources[i]
		if a.Kind != b.Kind || len(a.Profile.SampleType) != len(b.Profile.SampleType) {
			return fmt.Errorf("%w: %s is a %s profile, %s a %s profile", ErrMixed, a.Name(), a.Kind, b.Name(), b.Kind)
		}
	}
	return nil
}

// writePprof writes one compressed profile. Those of several sources are merged; labels distinguish them.
func writePprof(w io.Writer, sources []schema.StackSource) error {
	if err := sameKind(sources); err != nil {
		return err
	}
	profiles := make([]*pprof.Profile, len(sources))
	for i := range sources {
		profiles[i] = sources[i].Profile
		if len(sources) > 1 {
			labelOrigin(&sources[i])
		}
	}
	merged := profiles[0]
	if len(profiles) > 1 {
		var err error
		if merged, err = pprof.Merge(profiles); err != nil {
			return fmt.Errorf("%w: %w", ErrMixed, err)
		}
	}
	// The library writes only what is consistent, and crashes otherwise.
	if err := merged.CheckValid(); err != nil {
		return fmt.Errorf("the profile contradicts itself: %w", err)
	}
	if err := merged.Write(w); err != nil {
		return fmt.Errorf("writing the profile: %w", err)
	}
	return nil
}

// tame escapes what a terminal would act on in all texts of a profile.
func tame(p *pprof.Profile) {
	for _, f := range p.Function {
		f.Name, f.SystemName, f.Filename = report.Escape(f.Name), report.Escape(f.SystemName), report.Escape(f.Filename)
	}
	for i, c := range p.Comments {
		p.Comments[i] = report.Escape(c)
	}
	for _, m := range p.Mapping {
		m.File, m.BuildID = report.Escape(m.File), report.Escape(m.BuildID)
	}
	for _, t := range p.SampleType {
		t.Type, t.Unit = report.Escape(t.Type), report.Escape(t.Unit)
	}
	for _, s := range p.Sample {
		for key, values := range s.Label {
			for i, v := range values {
				if e := report.Escape(v); e != v { // samples of one stack share their labels
					values[i] = e
				}
			}
			if e := report.Escape(key); e != key {
				delete(s.Label, key)
				s.Label[e] = values
			}
		}
	}
}

// labelOrigin labels the samples of an item with the input, and the pod, that they are of.
func labelOrigin(s *schema.StackSource) {
	for _, sample := range s.Profile.Sample {
		if sample.Label == nil {
			sample.Label = map[string][]string{}
		}
		sample.Label["input"] = []string{report.Escape(s.Name())}
		if s.Pod != "" {
			sample.Label["pod"] = []string{report.Escape(s.Pod)}
		}
	}
}
