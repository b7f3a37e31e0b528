package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// A Result is what one source gave.
type Result struct {
	Source   ingest.Source
	Ingested *ingest.Result
	Dumps    []Dump // in order of line, then of stream
	// Reports are those that triage wrote before, where they are asked for.
	Reports []schema.Saved
	// Profiles are those that are no goroutine profiles.
	Profiles []*profile.Profile
	// Capture is the manifest that the source is, nil for all others.
	Capture *identity.Capture
	// Log is what its lines outside dumps were mined into, objects and audit what it holds of a cluster; nil for
	// nothing.
	Log     *logpattern.Log
	Objects *kube.Objects
	Audit   *audit.Log
	// Metrics are the texts of metrics in it, Cgroups the control groups that its files show.
	Metrics   []*metrics.Scrape
	Cgroups   []*cgroup.Group
	Skips     []schema.Skipped
	held      []*heldReport
	dumpLines int64   // lines of it that lie inside dumps; those of interleaved streams count twice
	ofTests   bool    // a stream is output of go test
	sketch    *sketch // of its lines, until copies are dropped
	copyOf    string  // the first path of the log that it is a copy of, "" for none
}

// A Dump is a parsed dump with its stream, -1 for a binary profile.
type Dump struct {
	Dump   *stackparse.Dump
	Stream int32
}

// read reads one source to its end. Whatever goes wrong costs this source alone: it is in Result.Skips.
func read(ctx context.Context, s ingest.Source, o Options) (result *Result) {
	result = &Result{Source: s, Ingested: &ingest.Result{}}
	handler := newSourceHandler(s, o)
	defer s.Forget()
	defer func() {
		// A parser that fails on one hostile input must not cost the others' findings.
		if p := recover(); p != nil {
			result.Skips = append(result.Skips, Fault(s, p)...)
			result.takeOver(handler, o)
		}
	}()
	ingested, err := ingest.Read(ctx, s, ingest.Handler{
		Lines: handler.lines, Goroutines: handler.goroutines, Blob: handler.blob, Stream: handler.stream,
	}, o.Ingest())
	handler.closeParsers()
	if ingested != nil {
		result.Ingested = ingested
	}
	result.Skips = append(append(result.Skips, Skips(result.Ingested.Skips)...), lostTextSkips(result.Ingested)...)
	result.Skips = append(result.Skips, Failed(s, err)...)
	result.takeOver(handler, o)
	return result
}

// Fault is what the report has for a source over which a parser of triage failed.
func Fault(s ingest.Source, fault any) []schema.Skipped {
	return Failed(s, fmt.Errorf("triage failed while reading it: %v", fault))
}

// Failed is what the report has for a source of which reading ended with err: nothing for a cancellation.
func Failed(s ingest.Source, err error) []schema.Skipped {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return []schema.Skipped{{Path: FirstPath(s), Named: true, Reason: err.Error()}}
}

// Unfinished is what the report has for an input of which reading ended with err.
func Unfinished(path string, err error) schema.Skipped {
	return schema.Skipped{Path: path, Reason: err.Error(), Hint: "everything before that was read"}
}

// lostTextSkips reports what of the text never reached a reader.
func lostTextSkips(r *ingest.Result) []schema.Skipped {
	var all []schema.Skipped
	for _, p := range r.Parts {
		if p.Path == "-" && p.Bytes == 0 {
			all = append(all, schema.Skipped{Path: "stdin", Named: true, Reason: "it is empty",
				Hint: "the command before the pipe printed nothing"})
		}
		if p.CutLines > 0 {
			reason := fmt.Sprintf("lines cut at the limit: %d", p.CutLines)
			all = append(all, schema.Skipped{Path: p.Path, Reason: reason, Hint: "--max-line keeps more of a line"})
		}
		if p.NULBytes > 0 && p.NULBytes == p.Bytes {
			all = append(all, schema.Skipped{
				Path: p.Path, Reason: fmt.Sprintf("it contains only NUL bytes: %d", p.NULBytes),
				Hint: "an empty tar archive, or a file whose text was never written",
			})
			continue
		}
		if p.NULBytes > 0 {
			all = append(all, schema.Skipped{
				Path: p.Path, Reason: fmt.Sprintf("NUL bytes dropped: %d", p.NULBytes),
				Hint: "a node that crashed, or a log that was truncated while it was written, leaves NUL bytes: " +
					"lines are missing there",
			})
		}
	}
	return all
}

// takeOver takes over what the handler holds, without the streams that were not asked for.
func (result *Result) takeOver(handler *sourceHandler, o Options) {
	result.ofTests = slices.ContainsFunc(handler.parsers, (*stackparse.Parser).OfTests)
	if result.dumpLines, result.sketch = handler.dumpLines, handler.sketch; result.sketch != nil {
		result.sketch.stamped.end()
		result.sketch.plain.end()
		result.sketch.scratch = nil
	}
	result.held, result.Profiles, result.Capture = handler.reports, handler.profiles, handler.capture
	if handler.miner != nil && o.KeepPattern != nil {
		handler.miner.Keep = func(p *logpattern.Pattern) bool {
			return o.KeepPattern(p, handler.path, identity.TargetFrom(handler.path, result.Origin(p.Stream)))
		}
	}
	result.Log, result.Objects, result.Audit = handler.closeMiner(), handler.closeObjects(), handler.closeAudit()
	result.Metrics, result.Cgroups = handler.metrics, handler.cgroups
	result.Skips = append(result.Skips, handler.skips...)
	for _, d := range handler.dumps.dumps {
		if o.refusal(result.Origin(d.Stream)) == "" {
			result.Dumps = append(result.Dumps, d)
		}
	}
	slices.SortStableFunc(result.Dumps, func(a, b Dump) int {
		return cmp.Or(cmp.Compare(a.Dump.Line, b.Dump.Line), cmp.Compare(a.Stream, b.Stream))
	})
	result.Skips = append(result.Skips, foldedSkips(result)...)
	if n := handler.dumps.cut; n > 0 {
		result.Skips = append(result.Skips, schema.Skipped{
			Path:   FirstPath(result.Source),
			Reason: fmt.Sprintf("dumps not read: %d, after the first %d distinct ones", n, maxDistinct),
			Hint:   "cut the log into pieces, by time for instance, and give triage the piece that matters",
		})
	}
}

// foldedSkips reports goroutines of a source's dumps whose stacks had no room.
func foldedSkips(result *Result) []schema.Skipped {
	n := 0
	for _, d := range result.Dumps {
		n += d.Dump.Folded
	}
	if n == 0 {
		return nil
	}
	return []schema.Skipped{{
		Path: FirstPath(result.Source),
		Reason: fmt.Sprintf("goroutines counted without their stacks: %d; the distinct stacks before them "+
			"filled the memory", n),
		Hint: "cut the input into pieces, and give triage the piece that matters",
	}}
}

func FirstPath(s ingest.Source) string {
	if len(s.Parts) == 0 {
		return ""
	}
	return s.Parts[0].Path
}

// Origin is what path and framing show about a stream of the source.
func (result *Result) Origin(stream int32) ingest.Origin {
	if stream < 0 || int(stream) >= len(result.Ingested.Streams) {
		return result.Source.Origin
	}
	return mergeOrigins(result.Source.Origin, result.Ingested.Streams[stream].Origin)
}

// Inputs are the rows of the report for the source's parts.
func (result *Result) Inputs() []schema.Input {
	from := result.Source.Origin
	if len(result.Ingested.Streams) == 1 {
		from = result.Origin(0)
	}
	first, last := spanOf(result.Log)
	rows := make([]schema.Input, 0, len(result.Ingested.Parts))
	for _, p := range result.Ingested.Parts {
		rows = append(rows, schema.Input{
			Path: p.Path, Kind: string(result.refinedKind(p.Kind)), Bytes: p.Bytes, Lines: p.Lines, Framing: p.Framing,
			Namespace: from.Namespace, Pod: from.Pod, Container: from.Container, Node: from.Node,
			First: first, Last: last,
		})
	}
	return rows
}

// refinedKind refines what ingest concluded from a part's first bytes: a log most of whose lines lie inside dumps is a
// dump.
func (result *Result) refinedKind(of ingest.Kind) ingest.Kind {
	if of != ingest.KindTextLog {
		return of
	}
	lines := int64(0)
	for _, p := range result.Ingested.Parts {
		lines += p.Lines
	}
	switch {
	case 2*result.dumpLines > lines:
		return ingest.KindGoroutineDump
	case result.ofTests:
		return ingest.KindTestOutput
	}
	return of
}

// spanOf is the earliest and the latest time of a log's lines, RFC 3339 in UTC; "" where they lack the year.
func spanOf(l *logpattern.Log) (first, last string) {
	if l == nil || l.Yearless || l.First.IsZero() {
		return "", ""
	}
	return l.First.UTC().Format(time.RFC3339), l.Last.UTC().Format(time.RFC3339)
}

func (result *Result) StreamName(stream int32) string {
	if stream < 0 || int(stream) >= len(result.Ingested.Streams) {
		return ""
	}
	return result.Ingested.Streams[stream].Name
}
