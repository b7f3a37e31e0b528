// Package triage is the engine: Run opens inputs, parses them, applies the rules, ranks the findings and returns a
// Report, Compare holds two states of a program against each other, ReadTimeline lists the requests of audit logs. It
// prints nothing and ends nothing. The types of the report are those of package triage/schema.
//
// Begin reading at Run. Options.read reads the inputs (internal/sources) and makes a rules.Pass of them (newPass);
// Options.judge applies the rules (applyRules), looks for suspects, ranks both as leads and fills in the report.
//
// Stability: the JSON form of a Report is a contract (triage/v1), whose fields are only ever added. The Go API may
// change between minor releases until version 1.
package triage

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/config"
	"github.com/gotriage/triage/triage/diff"
	"github.com/gotriage/triage/triage/fleet"
	"github.com/gotriage/triage/triage/internal/advice"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/internal/where"
	"github.com/gotriage/triage/triage/schema"
)

// Options choose what to read and how.
type Options struct {
	Inputs []string  // files, folders, globs, "-"
	Stdin  io.Reader // read for "-"
	Rules  []string  // files of declarative rules besides the built-in ones
	Book   *RuleBook // rules that were loaded before, for those who call Run often; nil loads Rules and Config
	// Config is what a team knows of its programs, read from .triage.yaml; nil for nothing.
	Config *config.Config
	// Baseline, where not empty, is a report of a healthy process of the same service, or what one was made from: what
	// it shows too is in Report.Baseline, and not among findings and leads.
	Baseline string
	baseline *baseline
	Version  string // for Report.Tool
	// Narrowing: only inputs whose origin is known and matches, where set.
	Namespace, Pod, Container string
	// Shard is the part of the inputs to read, from 1 or from 0, of Shards; without Shards all are read.
	Shard, Shards int
	// Since and Until, where not zero, leave out log lines and requests of other times, where they have theirs.
	Since, Until time.Time
	// SinceAgo and UntilAgo, where not zero, are Since and Until before the newest time in the inputs.
	SinceAgo, UntilAgo time.Duration
	// Where, where not empty, is a condition on groups of goroutines: Report.Dumps holds those that match.
	Where string
	// Only and Skip are globs over paths: what inside folders and archives is read, and what is left out.
	Only, Skip []string
	Limits     Limits
	// Source are folders with code, checkouts or module caches: the lines that findings are about are shown from there.
	Source []string
	// Nearby are folders with code that nobody named, used without Source: code of the build there is shown and judged,
	// what they lack is not reported.
	Nearby []string
	// Progress, where not nil, is counted up while inputs are read; others may read it at any time.
	Progress *Progress
	// Stacks fills Report.Stacks, Report.Timelines and Diff.Stacks in, for drawings.
	Stacks bool
	// openFile opens a file on disk; nil means os.Open.
	openFile func(path string) (ingest.DiskFile, error)
	// piece makes text be read in pieces of so many bytes; 0 is for all but tests.
	piece int
}

// readOptions are the options for the package that reads the inputs.
func (o Options) readOptions() sources.Options {
	return sources.Options{
		Inputs: o.Inputs, Stdin: o.Stdin, Namespace: o.Namespace, Pod: o.Pod, Container: o.Container,
		Since: o.Since, Until: o.Until, Only: o.Only, Skip: o.Skip, Limits: ingest.Limits(o.Limits),
		Shard: sources.Shard{Index: o.Shard, Of: o.Shards}, Progress: o.Progress, OpenFile: o.openFile, Piece: o.piece,
	}
}

// ErrNoTime is the error of Options.SinceAgo and UntilAgo over inputs without any time.
var ErrNoTime = sources.ErrNoTime

// WhereWords are the words of Options.Where.
func WhereWords() []string { return where.Words() }

// MaxShards is the most parts that Options.Shards divides inputs into.
const MaxShards = schema.MaxShards

// Run reads the inputs and returns what it found. The error is for a cancelled context and unusable options; an input
// that can't be read is in Report.Skipped. The Report is never nil: what came before a cancellation is in it.
func Run(ctx context.Context, o Options) (*Report, error) {
	code, err := o.openSource()
	defer code.close()
	if err != nil {
		return schema.New(o.Version), err
	}
	if o.baseline, err = o.readBaseline(ctx); err != nil {
		return schema.New(o.Version), err
	}
	contents, err := o.read(ctx)
	if err != nil {
		return schema.New(o.Version), err
	}
	if o.Shards > 0 {
		return o.reportShard(ctx, contents, code)
	}
	return o.reportOn(ctx, contents, 0, code)
}

// reportOn is the report on a batch of what was read, or the saved report that is all it holds.
func (o Options) reportOn(ctx context.Context, contents inputContents, batch int, code codeReader) (*Report, error) {
	r, out, err := o.judge(ctx, contents, batch, code)
	if err == nil && len(out.reports) > 0 {
		if r, err = reportFromSaved(r, out.reports, o.Where); r == out.reports[0].Report {
			o.baseline.setKnownAsideInSaved(r, out)
		}
	}
	code.addCode(r, r.Findings, out.pass.Dumps)
	return r, err
}

// List looks at the inputs as Run would read them. The error is for a cancelled context; what came before it is in
// the Listing, which is never nil.
func List(ctx context.Context, o Options) (*Listing, error) {
	return sources.List(ctx, o.readOptions())
}

// An outcome is what a run found out besides its report.
type outcome struct {
	pass    *rules.Pass
	reports []schema.Saved
	book    RuleBook
}

// The contents of the inputs, with the rules and the condition for judging them.
type inputContents struct {
	batches [][]*sources.Result // each is judged by itself
	passes  []*rules.Pass       // of the batches
	skips   []Skipped           // those of no source
	book    RuleBook
	groups  *where.Filter // nil for all
}

// read reads the inputs. The error is for unusable options.
func (o Options) read(ctx context.Context) (contents inputContents, err error) {
	if o.Where != "" {
		if contents.groups, err = where.Compile(o.Where); err != nil {
			return contents, err
		}
	}
	loaded, err := o.loadRules()
	if err != nil {
		return contents, err
	}
	toRead := o.readOptions()
	o.readForRules(loaded, &toRead)
	reading, drop, err := sources.ResolveTimes(ctx, toRead, o.SinceAgo, o.UntilAgo)
	defer drop()
	if err != nil {
		return contents, err
	}
	contents.batches, contents.skips = sources.ReadAll(ctx, reading)
	if contents.book, err = loaded(); err != nil {
		return contents, err
	}
	for _, batch := range contents.batches {
		contents.passes = append(contents.passes, newPass(batch, contents.book))
	}
	completePasses(contents.passes, contents.book.Roles)
	return contents, nil
}

// readAndJudge reads all inputs and judges them.
func readAndJudge(ctx context.Context, o Options, code codeReader) (*Report, outcome, error) {
	contents, err := o.read(ctx)
	if err != nil {
		return schema.New(o.Version), outcome{pass: &rules.Pass{}}, err
	}
	return o.judge(ctx, contents, 0, code)
}

// judge applies the rules to a batch of what was read. The error is for a cancelled context and unusable options.
func (o Options) judge(
	ctx context.Context, contents inputContents, batch int, code codeReader,
) (r *Report, out outcome, err error) {
	results, pass := contents.batches[batch], contents.passes[batch]
	r = schema.New(o.Version)
	r.Skipped = append(r.Skipped, contents.skips...)
	for _, result := range results {
		r.Inputs = append(r.Inputs, result.Inputs()...)
		r.Skipped = append(r.Skipped, result.Skips...)
		out.reports = append(out.reports, result.Reports...)
	}
	capturesOf(results).MarkNotes(r.Inputs)
	pass.Code = code.packageReader(pass.Dumps)
	viewProfiles(pass, contents.book)
	r.Skipped = append(r.Skipped, convert.Refused(parsed.Trail(pass))...)
	out.pass, out.book = pass, contents.book
	contents.book.judgeSaved(out.reports)
	found := applyRules(r, contents.book, pass)
	suspected := suspects(r, pass, o.baseline.setKnownAside(r, out))
	r.Leads, r.Findings = leads.Rank(r.Findings, suspected)
	if o.Progress != nil {
		o.Progress.Findings.Add(int64(len(r.Findings)))
	}
	o.fill(r, pass, found)
	code.addEndings(r, pass)
	makeStepsLocal(r, suspected, results)
	if contents.groups != nil {
		if err := r.Choose(o.Where, contents.groups.Keep); err != nil {
			return r, out, err
		}
	}
	code.proposeSource(r, suspected, pass, o.Inputs)
	// Once more: leads carry the steps of findings, which makeStepsLocal and proposeSource have changed.
	r.Leads, r.Findings = leads.Rank(r.Findings, suspected)
	if ctx.Err() != nil {
		return r, out, fmt.Errorf("reading the inputs: %w", context.Cause(ctx))
	}
	return r, out, nil
}

// fill brings what was read and found into the report.
func (o Options) fill(r *Report, pass *rules.Pass, found []rules.Finding) {
	accused := convert.IndexEvidence(found)
	if len(pass.Dumps) > 0 {
		r.Dumps = make([]schema.Dump, len(pass.Dumps))
		parallel.Each(len(r.Dumps), func(i int) {
			r.Dumps[i] = convert.Dump(pass.Dumps[i], accused.Within(pass.Dumps[i]))
			clearUnsampled(&r.Dumps[i], pass.Dumps[i].Process, pass.Profiles)
		})
		accuseInAllDumps(r.Dumps)
	}
	for _, p := range pass.Profiles {
		r.Profiles = append(r.Profiles, convert.Profile(p, found))
	}
	if len(pass.Series) > 0 {
		r.Series = make([]schema.Series, len(pass.Series))
		parallel.Each(len(r.Series), func(i int) { r.Series[i] = convert.Series(pass.Series[i]) })
	}
	if o.Stacks {
		r.Stacks, r.Timelines = profileStacks(pass), convert.Timelines(found, parsed.Trail(pass))
	}
	r.Meters = convert.Meters(pass)
	r.Fleet = fleet.Of(pass, found)
	r.Patterns, r.Audit, r.Cluster = convert.Patterns(pass.Logs), convert.Audit(parsed.Trail(pass)),
		convert.Cluster(parsed.Cluster(pass))
	r.Pods, r.PodsTotal = convert.Pods(r, parsed.Cluster(pass))
	r.Bundles = convert.Bundles(o.Inputs, r.Inputs, r.Skipped)
	r.Advice = append(r.Advice, advice.For(r, pass)...)
}

// loadRules reads the rules. Files of the user are read at once, so that a mistake in them is reported before a long
// log is read; the built-in ones, which have none, while the inputs are read.
func (o Options) loadRules() (book func() (RuleBook, error), err error) {
	if o.Book != nil {
		return func() (RuleBook, error) { return *o.Book, nil }, nil
	}
	if len(o.Rules) > 0 || o.Config != nil {
		b, err := LoadBook(o.Rules, o.Config)
		return func() (RuleBook, error) { return b, nil }, err
	}
	book = sync.OnceValues(func() (RuleBook, error) { return LoadRules(nil) })
	go func() { _, _ = book() }() // an error is returned to those who ask next
	return book, nil
}

// readForRules has readers keep what rules of the user ask for besides, and prepare for the profiles that they find.
// Without rules of the user the book is not awaited.
func (o Options) readForRules(book func() (RuleBook, error), reading *sources.Options) {
	reading.OnProfile = func(kind profile.Kind) { go prepareBoard(book, kind) }
	if o.Book == nil && len(o.Rules) == 0 && o.Config == nil {
		return
	}
	if b, err := book(); err == nil {
		b.keepForRules(reading)
	}
}

// prepareBoard makes what profiles of a kind are held against while others are read.
func prepareBoard(book func() (RuleBook, error), kind profile.Kind) {
	if b, err := book(); err == nil {
		b.profileBoard().Prepare(kind)
	}
}

// Compare compares two states of a program: o.Inputs is not used, before and after are, each as Run takes its inputs;
// reports that triage wrote before are inputs too. The rules are applied to each side by itself, and where both are
// dumps of one process those that need two dumps to both together. The report it returns has the comparison under
// Diff and no findings or dumps of its own.
func Compare(ctx context.Context, before, after []string, o Options) (*Report, error) {
	r := schema.New(o.Version)
	code, err := o.openSource()
	defer code.close()
	if err != nil {
		return r, err
	}
	var dumps []*rules.DumpInput
	sides := make([]*diff.Side, 2)
	for i, inputs := range [][]string{before, after} {
		o.Inputs = inputs
		report, out, err := readAndJudge(ctx, o, codeReader{})
		if err != nil && ctx.Err() == nil {
			return r, err
		}
		o.Book = &out.book
		dumps = append(dumps, out.pass.Dumps...)
		sides[i] = diff.NewSide(report, out.pass, out.reports, out.book.Roles)
		r.Read = r.Read || len(out.reports) > 0
		r.Inputs = append(r.Inputs, report.Inputs...)
		r.Skipped = append(r.Skipped, report.Skipped...)
		r.Rules, r.NotApplicable = report.Rules, report.NotApplicable
		r.Config, r.Ignored = report.Config, report.Ignored
		for _, s := range out.reports {
			r.Ignored = append(r.Ignored, s.Report.Ignored...)
		}
		if !sides[i].HasDumps() {
			r.Advice = append(r.Advice, report.Advice...)
		}
		if err != nil {
			r.Diff = diff.Outline(sides[0], sides[1])
			return r, err
		}
	}
	var skips []schema.Skipped
	r.Diff, skips = diff.Compare(sides[0], sides[1], o.Book.Rules, o.Stacks)
	// Rules that need two states have judged anew.
	new, ignored := o.Book.team.Judge(r.Diff.Findings.New)
	r.Ignored = append(r.Ignored, ignored...)
	r.Leads, r.Diff.Findings.New = leads.New(new, sides[0].Leads(), sides[1].GrownLeads(r.Diff))
	r.Skipped = append(r.Skipped, skips...)
	code.addCode(r, r.Diff.Findings.New, dumps)
	if len(r.Diff.Profiles) > 0 {
		r.Advice = []schema.Advice{}
	}
	return r, nil
}

type (
	// A Report is everything that was found.
	Report = schema.Report
	// A Listing is what inputs contain and what each file is taken for.
	Listing = schema.Listing
	// Excerpts are goroutines as the inputs print them.
	Excerpts = schema.Excerpts
	// A Row is one request of a Timeline.
	Row = schema.Row
	// A Skipped is something that was not read.
	Skipped = schema.Skipped
	// Progress counts what a Run has read so far.
	Progress = schema.Progress
)

// Limits are the caps that keep a hostile or endless input from taking the machine; what exceeds one is skipped. The
// zero value of each means the default that it names.
type Limits struct {
	MaxBlob     int64 // bytes of a binary input, decompressed: 96 MiB
	MaxLine     int   // bytes of a line's text that are kept: 4 MiB
	MaxDepth    int   // archives within archives: 8
	MaxEntries  int   // files across folders and archives together: 200,000
	MaxExpanded int64 // bytes of all files together, decompressed: 64 GiB
	MaxFile     int64 // bytes of one file, decompressed: 16 GiB
	MaxMemory   int64 // bytes held of nested archives and rotated logs until they are read: 64 MiB
	MaxTemp     int64 // bytes in temporary files, for what MaxMemory has no room for: 4 GiB; below 0 for none
}

// Condition compiles a condition on groups of goroutines, as Options.Where has it. What it returns is for one goroutine
// at a time.
func Condition(text string) (func(*schema.Bucket) (bool, error), error) {
	f, err := where.Compile(text)
	if err != nil {
		return nil, err
	}
	return f.Match, nil
}
