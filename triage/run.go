package triage

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/gotriage/triage/ingest"
	"github.com/gotriage/triage/rules"
)

// Options say what to read and how.
type Options struct {
	Inputs  []string  // files, folders, globs, "-"
	Stdin   io.Reader // read for "-"
	Rules   []string  // files of declarative rules besides the built-in ones
	Book    *RuleBook // rules that were loaded before, for those who call Run often; nil loads Rules
	Version string    // for Report.Tool
	// Narrowing: only inputs whose origin is known and matches, where set.
	Namespace, Pod, Container string
	// Progress, where not nil, is counted up while inputs are read; others may read it at any time.
	Progress *Progress
	// reports takes triage's own reports as inputs: Diff does.
	reports bool
}

// Run reads the inputs and returns what it found. The error is for a cancelled context and unusable options; an input
// that can't be read is in Report.Skipped. The Report is never nil: what came before a cancellation is in it.
func Run(ctx context.Context, o Options) (*Report, error) {
	r, _, err := run(ctx, o)
	return r, err
}

// An outcome is what a run found out besides its report.
type outcome struct {
	pass    *rules.Pass
	reports []foundReport
	book    RuleBook
}

func run(ctx context.Context, o Options) (*Report, outcome, error) {
	r, out := newReport(o.Version), outcome{pass: &rules.Pass{}}
	book, err := o.loadRules()
	if err != nil {
		return r, out, err
	}
	sources, skips := ingest.Find(ctx, o.Inputs, ingest.Options{Stdin: o.Stdin})
	for _, s := range skips {
		r.Skipped = append(r.Skipped, skipped(s))
	}
	sources, narrowed := o.narrow(sources)
	r.Skipped = append(r.Skipped, narrowed...)

	readings := readAll(ctx, sources, o)
	for _, rd := range readings {
		r.Inputs = append(r.Inputs, rd.inputs()...)
		r.Skipped = append(r.Skipped, rd.skips...)
		out.reports = append(out.reports, rd.reports...)
	}
	known, err := book()
	if err != nil {
		return r, out, err
	}
	pass := newPass(readings, known.Roles)
	viewProfiles(pass, known.Rules)
	out.pass, out.book = pass, known
	found := r.apply(known.Rules, pass)
	accused := accusationsOf(found)
	if len(pass.Dumps) > 0 {
		r.Dumps = make([]Dump, len(pass.Dumps))
		each(len(r.Dumps), func(i int) {
			r.Dumps[i] = convert(pass.Dumps[i], accused.within(pass.Dumps[i]))
			exonerate(&r.Dumps[i], pass.Dumps[i], pass.Profiles)
		})
	}
	for _, p := range pass.Profiles {
		r.Profiles = append(r.Profiles, convertProfile(p, found))
	}
	if len(pass.Series) > 0 {
		r.Series = seriesOf(pass.Series)
	}
	r.Fleet = fleetsOf(pass, found)
	r.Advice = append(r.Advice, advise(r, pass)...)
	if ctx.Err() != nil {
		return r, out, fmt.Errorf("reading the inputs: %w", context.Cause(ctx))
	}
	return r, out, nil
}

// loadRules reads the rules. Files of the user are read at once, so that a mistake in them is told before a long log is
// read; the built-in ones, which hold none, while the inputs are: their YAML takes about as long as 20 MB of log.
func (o Options) loadRules() (book func() (RuleBook, error), err error) {
	if o.Book != nil {
		return func() (RuleBook, error) { return *o.Book, nil }, nil
	}
	if len(o.Rules) > 0 {
		b, err := LoadRules(o.Rules)
		return func() (RuleBook, error) { return b, nil }, err
	}
	book = sync.OnceValues(func() (RuleBook, error) { return LoadRules(nil) })
	go book()
	return book, nil
}

func newReport(version string) *Report {
	return &Report{
		Schema:        Schema,
		Tool:          Tool{Name: "triage", Version: version},
		Inputs:        []Input{},
		Findings:      []rules.Finding{},
		NotApplicable: []NotApplicable{},
		Skipped:       []Skipped{},
		Advice:        []Advice{},
	}
}

// readAll reads the sources, as many at a time as there are processors, and returns what each gave, in order of
// sources whatever the order in which they end. Sources that a cancellation kept from being read give nothing.
func readAll(ctx context.Context, sources []ingest.Source, o Options) []*reading {
	readings := make([]*reading, len(sources))
	o.Progress.found(len(sources))
	each(len(sources), func(i int) {
		if ctx.Err() == nil {
			readings[i] = read(ctx, sources[i], o)
			o.Progress.done()
		}
	})
	read := readings[:0]
	for _, rd := range readings {
		if rd != nil {
			read = append(read, rd)
		}
	}
	return read
}

func skipped(s ingest.Skip) Skipped {
	return Skipped{Path: s.Path, Reason: s.Reason, Hint: s.Hint, Named: s.Named}
}
