package triage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse"
)

// A reading is what one source gave.
type reading struct {
	source ingest.Source
	result *ingest.Result
	dumps  []sighting // in order of line, then of stream
	// reports are those that triage wrote before, where they are asked for.
	reports []foundReport
	// profiles are those that are no goroutine profiles.
	profiles []*profile.Profile
	// capture is the manifest that the source is, nil for all others.
	capture *capture
	// log is what its lines outside dumps were mined into, objects and audit what it tells of a cluster; nil for nothing.
	log     *logpattern.Log
	objects *kube.Objects
	audit   *audit.Log
	skips   []Skipped
	inside  coverage
}

// A sighting is a dump with the stream that it stood in, -1 for a binary profile.
type sighting struct {
	dump   *stackparse.Dump
	stream int32
}

// read reads one source to its end. Whatever goes wrong costs this source alone: it is in reading.skips.
func read(ctx context.Context, s ingest.Source, o Options) *reading {
	rd := &reading{source: s, result: &ingest.Result{}}
	in := newIntake(s, o)
	defer s.Forget()
	defer func() {
		// A parser that fails on one hostile input must not cost the others' findings.
		if p := recover(); p != nil {
			rd.skips = append(rd.skips, Skipped{Path: firstPath(s), Named: true, Reason: fmt.Sprintf("reading it failed inside triage: %v", p)})
			rd.settle(in, o)
		}
	}()
	result, err := ingest.Read(ctx, s, ingest.Handler{Lines: in.lines, Blob: in.blob, Stream: in.stream}, o.ingest())
	in.close()
	if result != nil {
		rd.result = result
	}
	for _, skip := range rd.result.Skips {
		rd.skips = append(rd.skips, skipped(skip))
	}
	rd.skips = append(rd.skips, leftOut(rd.result)...)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		rd.skips = append(rd.skips, Skipped{Path: firstPath(s), Named: true, Reason: err.Error()})
	}
	rd.settle(in, o)
	return rd
}

// leftOut tells what of the text never reached a reader: a lost line must not be lost in silence.
func leftOut(r *ingest.Result) []Skipped {
	var all []Skipped
	for _, p := range r.Parts {
		if p.CutLines > 0 {
			all = append(all, Skipped{Path: p.Path, Reason: fmt.Sprintf("lines cut at their limit: %d", p.CutLines), Hint: "--max-line keeps more of a line"})
		}
		if p.NULBytes > 0 {
			all = append(all, Skipped{
				Path: p.Path, Reason: fmt.Sprintf("NUL bytes dropped: %d", p.NULBytes),
				Hint: "a node that crashed, or a log that was truncated while it was written, leaves them: lines are missing there",
			})
		}
	}
	return all
}

// settle takes over what the intake holds, without the streams that were not asked for.
func (rd *reading) settle(in *intake, o Options) {
	rd.inside = in.inside
	rd.reports, rd.profiles, rd.capture = in.reports, in.profiles, in.capture
	rd.log, rd.objects, rd.audit = in.log(), in.objects(), in.audit()
	rd.skips = append(rd.skips, in.skips...)
	for _, d := range in.kept.dumps {
		if o.refuses(rd.origin(d.stream)) == "" {
			rd.dumps = append(rd.dumps, d)
		}
	}
	slices.SortStableFunc(rd.dumps, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.dump.Line, b.dump.Line), cmp.Compare(a.stream, b.stream))
	})
	if n := in.kept.cut; n > 0 {
		rd.skips = append(rd.skips, Skipped{
			Path:   firstPath(rd.source),
			Reason: fmt.Sprintf("%d dumps after the first %d different ones were not looked at", n, maxDistinct),
			Hint:   "cut the log into pieces, by time for instance, and give triage the piece that matters",
		})
	}
}

func firstPath(s ingest.Source) string {
	if len(s.Parts) == 0 {
		return ""
	}
	return s.Parts[0].Path
}

// origin is what path and framing tell about a stream of the source.
func (rd *reading) origin(stream int32) ingest.Origin {
	if stream < 0 || int(stream) >= len(rd.result.Streams) {
		return rd.source.Origin
	}
	return merge(rd.source.Origin, rd.result.Streams[stream].Origin)
}

// inputs are the rows of the report for the source's parts.
func (rd *reading) inputs() []Input {
	from := rd.source.Origin
	if len(rd.result.Streams) == 1 {
		from = rd.origin(0)
	}
	first, last := spanOf(rd.log)
	rows := make([]Input, 0, len(rd.result.Parts))
	for i, p := range rd.result.Parts {
		rows = append(rows, Input{
			Path: p.Path, Kind: string(rd.kind(i)), Bytes: p.Bytes, Lines: p.Lines, Framing: p.Framing,
			Namespace: from.Namespace, Pod: from.Pod, Container: from.Container, Node: from.Node,
			First: first, Last: last,
		})
	}
	return rows
}

// kind refines what ingest told from a part's first bytes: a log most of whose lines lie inside dumps is a dump.
func (rd *reading) kind(part int) ingest.Kind {
	p := rd.result.Parts[part]
	if p.Kind != ingest.KindTextLog {
		return p.Kind
	}
	end := int64(-1)
	if part+1 < len(rd.result.Parts) {
		end = rd.result.Parts[part+1].FirstLine
	}
	if 2*min(rd.inside.lines(p.FirstLine, end), p.Lines) > p.Lines {
		return ingest.KindGoroutineDump
	}
	return p.Kind
}
