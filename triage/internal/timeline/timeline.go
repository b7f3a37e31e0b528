// Package timeline reads the audit logs of API servers request by request, in order of time.
package timeline

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

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
	// Stream asks for all rows, from Each: those of files are not kept, but read once more.
	Stream bool
}

// maxRows bounds the rows of a timeline that are kept at once: 34 MB (336 bytes each) and their ids, names and
// changed fields.
const maxRows = 100_000

// A Timeline is what API servers' audit logs record, request by request.
type Timeline struct {
	schema.Timeline
	Trail *audit.Trail // nil where the inputs hold no audit events
	o     Options
	kept  []*auditSource // those that hold events, where rows are streamed
}

// Read reads the audit events in the inputs into a Timeline whose Report, r, gets the inputs and what was skipped.
func Read(ctx context.Context, r *schema.Report, o Options) *Timeline {
	if o.Limit <= 0 || o.Limit > maxRows {
		o.Limit = maxRows
	}
	t := &Timeline{Timeline: schema.Timeline{Report: r}, o: o}
	all, skips := t.readAll(ctx)
	r.Skipped = append(r.Skipped, skips...)
	var logs []*audit.Log
	for _, l := range all {
		r.Inputs = append(r.Inputs, l.inputs...)
		r.Skipped = append(r.Skipped, l.skips...)
		if l.log == nil || l.log.Empty() {
			continue
		}
		logs = append(logs, l.log)
		t.kept = append(t.kept, l)
	}
	t.Trail = audit.Merge(logs)
	t.kept = slices.DeleteFunc(t.kept, func(l *auditSource) bool { return l.log.Copied() })
	for _, l := range t.kept {
		t.Matched += l.matched
	}
	if t.Trail != nil {
		for _, r := range t.Trail.Refused {
			t.Refused = append(t.Refused, schema.Refused{
				Place: schema.Place(r.Place), Count: r.Count, Reason: r.Reason, Hint: r.Hint,
			})
		}
	}
	if o.Stream {
		return t
	}
	for _, l := range t.kept {
		for i := range l.rows {
			t.Rows = append(t.Rows, t.row(&l.rows[i]))
		}
	}
	t.kept = nil
	slices.SortStableFunc(t.Rows, func(a, b schema.Row) int { return cmp.Compare(a.Time, b.Time) })
	t.Rows = t.Rows[:min(len(t.Rows), o.Limit)]
	return t
}

// An auditSource is what one source gave.
type auditSource struct {
	source  ingest.Source
	inputs  []schema.Input
	skips   []schema.Skipped
	paths   []string
	log     *audit.Log
	rows    []audit.Row // the first ones of time, and some more
	until   int64       // later rows are none of the first; 0 for unknown
	matched int64
}

// take keeps a row if it may be one of the first.
func (l *auditSource) take(s *audit.Seen, limit int) {
	l.matched++
	if limit == 0 || l.until != 0 && s.Received >= l.until {
		return
	}
	if l.rows = append(l.rows, s.Row()); len(l.rows) >= limit+limit/2+batch {
		inOrder(l.rows)
		l.rows = l.rows[:limit]
		l.until = l.rows[limit-1].Time
	}
}

// inOrder sorts rows by time.
func inOrder(rows []audit.Row) {
	slices.SortStableFunc(rows, func(a, b audit.Row) int { return cmp.Compare(a.Time, b.Time) })
}

// readAll reads every source once and returns what each gave in order of the inputs.
func (t *Timeline) readAll(ctx context.Context) ([]*auditSource, []schema.Skipped) {
	return sources.Walk(ctx, t.o.Options, t.o.Ingest(), func(s ingest.Source) *auditSource {
		l := &auditSource{source: s}
		limit := t.o.Limit
		if t.o.Stream && l.rereadable() {
			limit = 0
		}
		t.read(ctx, l, func(seen *audit.Seen) { l.take(seen, limit) })
		return l
	})
}

// read hands the chosen requests of one source to each.
func (t *Timeline) read(ctx context.Context, l *auditSource, each func(*audit.Seen)) {
	var r *audit.Reader
	reader := func() *audit.Reader {
		if r == nil {
			r = audit.NewReader(audit.Options{Each: func(s *audit.Seen) {
				if s.Ends && t.o.Filter.Match(s) {
					each(s)
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
	}, t.o.Ingest())
	if r != nil {
		l.log = r.Close()
	}
	l.settle(result, err)
}

func (l *auditSource) settle(result *ingest.Result, err error) {
	if result != nil {
		for _, p := range result.Parts {
			l.paths = append(l.paths, p.Path)
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

// Each calls f with every row that the filter chose, where Options asked for a stream, in order of time; the row is
// f's. Rows of files are read from them once more, each server's beside the others', and put in order through a window.
// complete is false where rows are missing: of standard input and of archives there is no more than what was kept.
func (t *Timeline) Each(ctx context.Context, f func(*schema.Row) error) (complete bool, err error) {
	complete = true
	for _, l := range t.kept {
		complete = complete && (l.rereadable() || l.matched <= int64(t.o.Limit))
	}
	return complete, t.stream(ctx, f)
}

// row is r in the form of the contract, without what it can't know where there are several servers.
func (t *Timeline) row(r *audit.Row) schema.Row {
	if t.Trail != nil && len(t.Trail.Servers) > 1 {
		r.Distrust()
	}
	row := schema.Row{
		Time: r.Time, Took: r.Took, Server: r.Server, Level: r.Level, User: r.User, Impersonated: r.Impersonated,
		Agent: r.Agent, IP: r.IP, Verb: r.Verb, Group: r.Group, Resource: r.Resource, Subresource: r.Subresource,
		Namespace: r.Namespace, Name: r.Name, Code: r.Code, Message: r.Message, In: r.In, Out: r.Out,
		Compared: r.Compared, ID: r.ID, Place: schema.Place(r.Place),
	}
	for _, c := range r.Changes {
		row.Changes = append(row.Changes, schema.Change(c))
	}
	return row
}

// rereadable reports whether the source's files can be opened again.
func (l *auditSource) rereadable() bool {
	for _, p := range l.source.Parts {
		if p.Path == "-" || strings.Contains(p.Path, "!/") {
			return false
		}
		if info, err := os.Stat(p.Path); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

const (
	// maxServers is how many sources are read side by side: a control plane has three or five.
	maxServers = 64
	// window is how many rows of one server wait to be put in order. An API server writes an event when its request
	// ends: only those that take long come far behind their time.
	window = 4096
	// batch is how many rows go from a server's reader to the merge at a time.
	batch = 256
)

// stream reads each server's files beside the others' and merges their rows.
func (t *Timeline) stream(ctx context.Context, f func(*schema.Row) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	var queues []*queue
	var paths [][]string
	for n, l := range t.kept {
		switch {
		case !l.rereadable():
			inOrder(l.rows)
			queues = append(queues, &queue{over: true, rows: l.rows[:min(len(l.rows), t.o.Limit)]})
		case len(paths) < maxServers:
			paths = append(paths, l.paths)
		default: // shares a place with another: the window alone orders their rows
			i := n % maxServers
			paths[i] = slices.Concat(paths[i], l.paths)
		}
	}
	for _, of := range paths {
		q := &queue{from: make(chan []audit.Row, 2)}
		queues = append(queues, q)
		readers.Go(func() {
			defer close(q.from)
			t.replay(ctx, of, q.from)
		})
	}
	for {
		var next *queue
		for _, q := range queues {
			q.fill()
			if len(q.rows) > 0 && (next == nil || q.rows[0].Time < next.rows[0].Time) {
				next = q
			}
		}
		if next == nil {
			return ctx.Err()
		}
		row := t.row(&next.rows[0])
		next.rows = next.rows[1:]
		if err := f(&row); err != nil {
			return err
		}
	}
}

// replay sends the rows of one server's files.
func (t *Timeline) replay(ctx context.Context, paths []string, to chan<- []audit.Row) {
	o := t.o.Ingest()
	o.Progress = nil
	ingest.Walk(ctx, paths, o, func(s ingest.Source) {
		var rows []audit.Row
		send := func() {
			select {
			case to <- rows:
			case <-ctx.Done():
			}
			rows = nil
		}
		t.read(ctx, &auditSource{source: s}, func(seen *audit.Seen) {
			if rows = append(rows, seen.Row()); len(rows) == batch {
				send()
			}
		})
		send()
	})
}

// A queue holds the rows of one server that wait to be put in order.
type queue struct {
	from chan []audit.Row
	rows []audit.Row
	over bool
}

// fill takes rows until the window is full or the server has no more.
func (q *queue) fill() {
	for !q.over && len(q.rows) < window {
		rows, more := <-q.from
		q.over = !more
		q.rows = append(q.rows, rows...)
		inOrder(q.rows)
	}
}
