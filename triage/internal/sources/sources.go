// Package sources reads the inputs and parses what they hold: in go paths, folders and archives, out come Results with
// the dumps, profiles, logs, objects and audit events of each source, in the order of the inputs.
//
// Begin reading at ReadAll. For each source it calls read, which pushes what package ingest finds into a sourceHandler:
// lines go to a stackparse.Parser for each stream and, outside dumps, to a logpattern.Miner; objects, audit events and
// profiles go to the parser that knows them.
package sources

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Options choose what to read of which inputs, and how.
type Options struct {
	Inputs []string  // files, folders, globs, "-"
	Stdin  io.Reader // read for "-"
	// Namespace, Pod and Container, where set, leave out what is known to be of others.
	Namespace, Pod, Container string
	Shard                     Shard // leaves out what is of other shards
	// Since and Until, where not zero, leave out log lines and requests of other times.
	Since, Until time.Time
	Only, Skip   []string // globs over paths (ingest.Options)
	Limits       ingest.Limits
	Progress     *schema.Progress   // counted up where not nil
	OnProfile    func(profile.Kind) // called for each profile that was parsed, where not nil
	// KeepPattern and KeepSample, where not nil, report whether a rule asks for what would be left out; KeepLabels
	// keeps the labels and annotations of all objects.
	KeepPattern func(p *logpattern.Pattern, input string, t rules.Target) bool
	KeepSample  func(s *metrics.Sample, input string, t rules.Target) bool
	KeepLabels  bool
	// OpenFile opens a file on disk; nil means os.Open.
	OpenFile func(path string) (ingest.DiskFile, error)
	// Piece is for tests: see ingest.Options.
	Piece   int
	seed    maphash.Seed  // of the sketches of one run
	store   *kube.Store   // what the readers of one run's objects share
	reports *reportBudget // of one run
}

// Ingest are the options for the package that opens the inputs.
func (o Options) Ingest() ingest.Options {
	in := ingest.Options{
		Stdin: o.Stdin, Only: o.Only, Skip: o.Skip, Limits: o.Limits, OpenFile: o.OpenFile,
		Piece: o.Piece,
	}
	if o.Progress != nil {
		in.Progress = bytesRead{o.Progress}
	}
	return in
}

// bytesRead counts what ingest finds and reads.
type bytesRead struct{ to *schema.Progress }

func (p bytesRead) Found(_ int, bytes int64) { p.to.Total.Add(bytes) }
func (p bytesRead) Read(bytes int)           { p.to.Bytes.Add(int64(bytes)) }

// progress is where progress is counted.
func (o Options) progress() *schema.Progress { return cmp.Or(o.Progress, &schema.Progress{}) }

// ReadAll reads what the inputs hold and returns what each source gave, in order of the inputs' names: those together
// that are to be judged together.
func ReadAll(ctx context.Context, o Options) (batches [][]*Result, skips []schema.Skipped) {
	o.store, o.seed, o.reports = kube.NewStore(0), maphash.MakeSeed(), &reportBudget{}
	o.store.Labels = o.KeepLabels
	stacks, logs := &dumpBudget{most: maxStacks}, &patternBudget{most: maxLogs}
	results, skips := Walk(ctx, o, o.Ingest(), func(s ingest.Source) *Result {
		if result := o.resultIfUnwanted(s); result != nil {
			return result
		}
		result := read(ctx, s, o)
		stacks.add(result)
		logs.add(result.Log)
		return result
	})
	results = slices.DeleteFunc(results, func(result *Result) bool { return !o.Shard.has(batchOf(result.Source)) })
	// What can't be read is in one part, so that a merge counts it once. What the user named fails every part.
	skips = slices.DeleteFunc(skips, func(s schema.Skipped) bool { return !s.Named && !o.Shard.has(s.Path) })
	for _, result := range results {
		result.takeReports()
	}
	batches = o.Shard.batches(results)
	for _, batch := range batches {
		dropCopies(batch)
		dateLogs(batch)
	}
	return batches, append(skips, logs.skipped(results)...)
}

// Walk calls one for every source of the inputs, as many at a time as there are processors, and returns the results
// in order of the inputs, whatever the order in which they end. Sources that a cancellation kept from being read give
// none.
func Walk[T any](ctx context.Context, o Options, in ingest.Options, one func(ingest.Source) T) ([]T, []schema.Skipped) {
	type result struct {
		at []int32
		of T
	}
	var mu sync.Mutex
	var all []result
	skips := ingest.Walk(ctx, o.Inputs, in, func(s ingest.Source) {
		if ctx.Err() != nil {
			return
		}
		o.progress().Sources.Add(1)
		r := result{s.At, one(s)}
		o.progress().Done.Add(1)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, r)
	})
	slices.SortFunc(all, func(a, b result) int { return slices.Compare(a.at, b.at) })
	out := make([]T, 0, len(all))
	for _, r := range all {
		out = append(out, r.of)
	}
	return out, Skips(skips)
}

// Skips brings what ingest did not read into the report's form.
func Skips(skips []ingest.Skip) []schema.Skipped {
	out := make([]schema.Skipped, 0, len(skips))
	for _, s := range skips {
		out = append(out, schema.Skipped(s))
	}
	return out
}

// List looks at the inputs as ReadAll would read them. The error is for a cancelled context; what came before it is
// in the Listing, which is never nil.
func List(ctx context.Context, o Options) (*schema.Listing, error) {
	type row struct {
		files []schema.Listed
		skips []schema.Skipped
	}
	l := &schema.Listing{
		Schema: schema.ListSchema, Files: []schema.Listed{}, Links: []schema.Link{}, Skipped: []schema.Skipped{},
	}
	var mu sync.Mutex
	in := o.Ingest()
	in.Link = func(path, target string) {
		mu.Lock()
		defer mu.Unlock()
		l.Links = append(l.Links, schema.Link{Path: path, Target: target})
	}
	rows, skips := Walk(ctx, o, in, func(s ingest.Source) row {
		if result := o.resultIfUnwanted(s); result != nil {
			return row{skips: result.Skips}
		}
		result, err := ingest.Look(ctx, s, in)
		r := row{listed(s, result), Skips(result.Skips)}
		if err != nil && ctx.Err() == nil {
			r.skips = append(r.skips, schema.Skipped{Path: FirstPath(s), Reason: err.Error(), Named: true})
		}
		return r
	})
	slices.SortFunc(l.Links, func(a, b schema.Link) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Target, b.Target))
	})
	l.Skipped = append(l.Skipped, skips...)
	for _, r := range rows {
		l.Files = append(l.Files, r.files...)
		l.Skipped = append(l.Skipped, r.skips...)
	}
	if ctx.Err() != nil {
		return l, fmt.Errorf("listing the inputs: %w", context.Cause(ctx))
	}
	return l, nil
}

// listed makes rows of what was learnt about a source's files.
func listed(s ingest.Source, r *ingest.Result) []schema.Listed {
	at := s.Origin
	if len(r.Streams) == 1 {
		at = mergeOrigins(s.Origin, r.Streams[0].Origin)
	}
	sizes := map[string]int64{}
	for _, p := range s.Parts {
		sizes[p.Path] = p.Size
	}
	var out []schema.Listed
	before := ""
	for _, p := range r.Parts {
		f := schema.Listed{
			Path: p.Path, Kind: string(p.Kind), Bytes: sizes[p.Path],
			Namespace: at.Namespace, Pod: at.Pod, Container: at.Container, Node: at.Node, Unit: at.Unit,
			Restart: at.Restart, Previous: at.Previous,
			Reversed: p.Reversed, HeadCut: p.HeadCut, Follows: before,
		}
		if p.Lines > 0 {
			f.Framing = p.Framing
		}
		before = p.Path
		out = append(out, f)
	}
	return out
}

// resultIfUnwanted returns a result with the reason why a source isn't read, nil for one that may be of the wanted
// namespace, pod and container.
func (o Options) resultIfUnwanted(s ingest.Source) *Result {
	if !o.Shard.has(batchOf(s)) {
		s.Forget()
		return &Result{Source: s, Ingested: &ingest.Result{}}
	}
	reason := o.refusal(s.Origin)
	if reason == "" {
		return nil
	}
	result := &Result{Source: s, Ingested: &ingest.Result{}}
	s.Forget()
	for _, p := range s.Parts {
		result.Skips = append(result.Skips, schema.Skipped{Path: p.Path, Reason: reason})
	}
	return result
}

// refusal is the reason why an origin is not what was asked for; "" where it is, or where it is unknown.
func (o Options) refusal(from ingest.Origin) string {
	for _, f := range []struct{ what, want, is string }{
		{"namespace", o.Namespace, from.Namespace},
		{"pod", o.Pod, from.Pod},
		{"container", o.Container, from.Container},
	} {
		if f.want != "" && f.is != "" && f.want != f.is {
			return fmt.Sprintf("left out: %s %q is not %q", f.what, f.is, f.want)
		}
	}
	return ""
}

// mergeOrigins completes the origin of a source's path by that of a stream, which counts more.
func mergeOrigins(source, stream ingest.Origin) ingest.Origin {
	m := ingest.Origin{
		Namespace: cmp.Or(stream.Namespace, source.Namespace),
		Pod:       cmp.Or(stream.Pod, source.Pod),
		PodUID:    cmp.Or(stream.PodUID, source.PodUID),
		Container: cmp.Or(stream.Container, source.Container),
		Node:      cmp.Or(stream.Node, source.Node),
		Unit:      cmp.Or(stream.Unit, source.Unit),
		Restart:   source.Restart,
		Previous:  source.Previous,
	}
	if stream.Restart > 0 {
		m.Restart = stream.Restart
	}
	return m
}

// A period bounds the time of what is looked at: from since to until, both included; the zero time bounds nothing.
type period struct{ since, until time.Time }

func (p period) bounded() bool { return !p.since.IsZero() || !p.until.IsZero() }

// holds reports whether the stamp of a log's framing lies in p. A line without a stamp, or with one that lacks its
// zone, may: leaving it out would lose evidence.
func (p period) holds(stamp []byte) bool {
	at, ok := timeOf(stamp)
	return !ok || (p.since.IsZero() || !at.Before(p.since)) && (p.until.IsZero() || !at.After(p.until))
}

// timeOf is the time of a framing's stamp, where it has a zone.
func timeOf(stamp []byte) (time.Time, bool) {
	if len(stamp) < len("2006-01-02T15:04:05Z") {
		return time.Time{}, false // most lines have none: no error is made of it
	}
	for _, form := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
		if at, err := time.Parse(form, string(stamp)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
