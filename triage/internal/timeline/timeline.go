// Package timeline reads the audit logs of API servers request by request, in order of time.
//
// It takes inputs and a filter, and returns the rows that the filter chooses and the Trail of all inputs. Begin
// reading at Read.
package timeline

import (
	"cmp"
	"container/heap"
	"context"
	"io"
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
)

// Options choose which requests of the audit logs to keep.
type Options struct {
	sources.Options
	Filter audit.Filter
	// Limit is how many rows are kept, the first ones of time; 0 for maxRows, which bounds it.
	Limit int
}

// maxRows bounds the rows of a timeline: 67 MB (336 bytes each) and their ids, names and changed fields.
const maxRows = 200_000

// A Timeline is what API servers' audit logs record, request by request.
type Timeline struct {
	schema.Timeline
	Trail *audit.Trail // nil where the inputs hold no audit events
}

// Read reads the audit events in the inputs into a Timeline whose Report, r, gets the inputs and what was skipped.
func Read(ctx context.Context, r *schema.Report, o Options) *Timeline {
	if o.Limit <= 0 || o.Limit > maxRows {
		o.Limit = maxRows
	}
	t := &Timeline{Timeline: schema.Timeline{Report: r}}
	all, skips := sources.Walk(ctx, o.Options, o.Ingest(), func(s ingest.Source) *auditSource {
		l := &auditSource{source: s}
		l.read(ctx, o)
		return l
	})
	r.Skipped = append(r.Skipped, skips...)
	var logs []*audit.Log
	var kept []*auditSource
	for _, l := range all {
		r.Inputs = append(r.Inputs, l.inputs...)
		r.Skipped = append(r.Skipped, l.skips...)
		if l.log == nil || l.log.Empty() {
			continue
		}
		logs = append(logs, l.log)
		kept = append(kept, l)
	}
	t.Trail = audit.Merge(logs)
	if t.Trail != nil {
		for _, r := range t.Trail.Refused {
			t.Refused = append(t.Refused, schema.Refused{
				Place: schema.Place(r.Place), Count: r.Count, Reason: r.Reason, Hint: r.Hint,
			})
		}
	}
	for _, l := range kept {
		if l.log.Copied() {
			continue
		}
		t.Matched += l.matched
		t.Rows = append(t.Rows, l.rows...)
	}
	if t.Trail != nil && len(t.Trail.Servers) > 1 {
		for i := range t.Rows {
			distrust(&t.Rows[i])
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b schema.Row) int { return cmp.Compare(a.Time, b.Time) })
	t.Rows = t.Rows[:min(len(t.Rows), o.Limit)]
	return t
}

// An auditSource is what one source gave.
type auditSource struct {
	source  ingest.Source
	inputs  []schema.Input
	skips   []schema.Skipped
	log     *audit.Log
	rows    rowHeap // the first ones of time, the last of these on top
	matched int64
}

// take keeps a row if it is one of the first.
func (l *auditSource) take(s *audit.Seen, limit int) {
	l.matched++
	switch {
	case len(l.rows) < limit:
		if l.rows = append(l.rows, rowOf(s)); len(l.rows) == limit {
			heap.Init(&l.rows)
		}
	case s.Received < l.rows[0].Time:
		l.rows[0] = rowOf(s)
		heap.Fix(&l.rows, 0)
	}
}

// A rowHeap has its latest row on top, from when it is full; a row only ever takes the place of another.
type rowHeap []schema.Row

func (h rowHeap) Len() int           { return len(h) }
func (h rowHeap) Less(i, j int) bool { return h[i].Time > h[j].Time }
func (h rowHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(any)          {}
func (h *rowHeap) Pop() any          { return nil }

// read takes the requests of the source that the filter chooses.
func (l *auditSource) read(ctx context.Context, o Options) {
	var r *audit.Reader
	reader := func() *audit.Reader {
		if r == nil {
			r = audit.NewReader(audit.Options{Each: func(s *audit.Seen) {
				if s.Ends && o.Filter.Match(s) {
					l.take(s, o.Limit)
				}
			}})
		}
		return r
	}
	defer func() {
		if p := recover(); p != nil {
			l.skips = append(l.skips, sources.Fault(l.source, p)...)
		}
	}()
	path := sources.FirstPath(l.source)
	result, err := ingest.Read(ctx, l.source, ingest.Handler{
		Lines: func(batch []ingest.Line) error {
			for i := range batch {
				if text := batch[i].Text; sources.IsAuditEvent(text) {
					reader().Line(path, text, batch[i].Num)
				}
			}
			return nil
		},
		Blob: func(ingest.Kind, []byte) error { return nil },
		Stream: func(kind ingest.Kind, part ingest.StreamPart, in io.Reader) error {
			if kind != ingest.KindAuditLog {
				return nil
			}
			if err := reader().Read(part.Path, in); err != nil {
				l.skips = append(l.skips, sources.Unfinished(part.Path, err))
			}
			return nil
		},
	}, o.Ingest())
	if r != nil {
		l.log = r.Close()
	}
	l.settle(result, err)
}

func (l *auditSource) settle(result *ingest.Result, err error) {
	if result != nil {
		for _, p := range result.Parts {
			if p.Kind == ingest.KindAuditLog || l.log != nil {
				l.inputs = append(l.inputs, schema.Input{
					Path: p.Path, Kind: string(p.Kind), Bytes: p.Bytes, Lines: p.Lines, Framing: p.Framing,
				})
			}
		}
		l.skips = append(l.skips, sources.Skips(result.Skips)...)
	}
	l.skips = append(l.skips, sources.Failed(l.source, err)...)
}

// rowOf is a request in the form of the contract, on its own: nothing of it is a part of the input.
func rowOf(s *audit.Seen) schema.Row {
	row := schema.Row{
		Time: s.Received, Took: s.Took().Microseconds(), Server: s.Server, Level: s.Word(s.Level), User: s.Word(s.User),
		Impersonated: s.Word(s.Impersonated), Agent: s.Word(s.Agent), IP: s.Word(s.IP), Verb: s.Word(s.RawVerb),
		Group: s.Word(s.Group), Resource: s.Word(s.Resource), Subresource: s.Word(s.Subresource),
		Namespace: s.Word(s.Namespace), Name: s.Name, Code: s.Code, Message: audit.Clip(s.Message), In: s.In,
		Out: s.Out, Compared: s.Compared, ID: audit.Clip(s.AuditID), Place: schema.Place(s.Place),
	}
	for _, c := range s.Changes {
		row.Changes = append(row.Changes, schema.Change(c))
	}
	return row
}

// distrust removes a row's values from before the write, where they can't be known because another server's log may
// have writes of the object too: bodies are compared with those of the same log.
func distrust(r *schema.Row) {
	if r.In != 0 && r.Out != 0 {
		return // versions showed that nothing lies between
	}
	r.Compared = false
	for i := range r.Changes {
		r.Changes[i].Old = ""
	}
}
