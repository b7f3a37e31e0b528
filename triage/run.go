package triage

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
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
	// Since and Until, where not zero, leave out log lines and requests of other times, where they tell theirs.
	Since, Until time.Time
	// Only and Skip are globs over paths: what inside folders and archives is read, and what is left out (ingest.Options).
	Only, Skip []string
	Limits     ingest.Limits
	// Progress, where not nil, is counted up while inputs are read; others may read it at any time.
	Progress *Progress
	// reports takes triage's own reports as inputs: Diff does.
	reports bool
	// store is what the readers of one run's objects share.
	store *kube.Store
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
	o.store = kube.NewStore(0)
	readings, skips := readAll(ctx, o)
	r.Skipped = append(r.Skipped, skips...)
	for _, rd := range readings {
		r.Inputs = append(r.Inputs, rd.inputs()...)
		r.Skipped = append(r.Skipped, rd.skips...)
		out.reports = append(out.reports, rd.reports...)
	}
	capturesOf(readings).told(r.Inputs)
	known, err := book()
	if err != nil {
		return r, out, err
	}
	pass := newPass(readings, known.Roles)
	viewProfiles(pass, known)
	r.Skipped = append(r.Skipped, refused(pass.Audit)...)
	out.pass, out.book = pass, known
	found := r.apply(known.Rules, pass)
	o.Progress.finding(len(r.Findings))
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
	r.Patterns, r.Audit, r.Cluster = patternsOf(pass.Logs), convertAudit(pass.Audit), convertCluster(pass.Cluster)
	r.Bundles = bundlesOf(o.Inputs, r.Inputs, r.Skipped)
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
	go func() {
		if b, err := book(); err == nil {
			b.profileBoard()
		}
	}()
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

// readAll reads what the inputs hold, as many sources at a time as there are processors, and returns what each gave, in order
// of the inputs whatever the order in which they end. Sources that a cancellation kept from being read give nothing.
func readAll(ctx context.Context, o Options) ([]*reading, []Skipped) {
	var mu sync.Mutex
	var readings []*reading
	skips := ingest.Walk(ctx, o.Inputs, o.ingest(), func(s ingest.Source) {
		if ctx.Err() != nil {
			return
		}
		o.Progress.found(1)
		rd := o.narrow(s)
		if rd == nil {
			rd = read(ctx, s, o)
		}
		o.Progress.done()
		mu.Lock()
		defer mu.Unlock()
		readings = append(readings, rd)
	})
	slices.SortFunc(readings, func(a, b *reading) int { return a.source.Compare(b.source) })
	out := make([]Skipped, 0, len(skips))
	for _, s := range skips {
		out = append(out, skipped(s))
	}
	return readings, out
}

// ingest are the options for the package that opens the inputs.
func (o Options) ingest() ingest.Options {
	in := ingest.Options{Stdin: o.Stdin, Only: o.Only, Skip: o.Skip, Limits: o.Limits}
	if o.Progress != nil {
		in.Progress = o.Progress
	}
	return in
}

func skipped(s ingest.Skip) Skipped {
	return Skipped{Path: s.Path, Reason: s.Reason, Hint: s.Hint, Named: s.Named}
}
