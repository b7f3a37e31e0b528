package triage

import (
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
)

// TimelineOptions say which requests of which audit logs to list.
type TimelineOptions struct {
	Options
	Filter audit.Filter
	// Limit is how many rows are kept, the first ones of time; 0 for MaxRows, which bounds it.
	Limit int
	// Stream says that all rows are wanted, from Each: those of files are not kept, but read from them once more.
	Stream bool
	// NoFindings leaves the rules out.
	NoFindings bool
}

// MaxRows bounds the rows of a timeline that are kept at once: 34 MB (336 bytes each) and their ids, names and changed fields.
const MaxRows = 100_000

// A Timeline is what API servers' audit logs tell, request by request.
type Timeline struct {
	// Report holds the inputs, what was skipped, the summary, and the findings of the rules about audit logs.
	Report *Report
	// Trail is what the rules looked at; nil where the inputs hold no audit events.
	Trail *audit.Trail
	// Rows are the requests that the filter chose, in order of time; the first Limit of Matched. None where they are streamed.
	Rows    []audit.Row
	Matched int64

	o     TimelineOptions
	lanes []*lane // those that hold events, where rows are streamed
}

// ReadTimeline reads the audit events in the inputs. The error is for a cancelled context and unusable rules; what can't be read
// is in Report.Skipped, and the Timeline is never nil.
func ReadTimeline(ctx context.Context, o TimelineOptions) (*Timeline, error) {
	if o.Limit <= 0 || o.Limit > MaxRows {
		o.Limit = MaxRows
	}
	t := &Timeline{Report: newReport(o.Version), o: o}
	book, err := o.loadRules()
	if err != nil {
		return t, err
	}
	lanes, skips := t.readAll(ctx)
	t.Report.Skipped = append(t.Report.Skipped, skips...)
	var logs []*audit.Log
	for _, l := range lanes {
		t.Report.Inputs = append(t.Report.Inputs, l.inputs...)
		t.Report.Skipped = append(t.Report.Skipped, l.skips...)
		if l.log == nil || l.log.Empty() {
			continue
		}
		logs = append(logs, l.log)
		t.Matched += l.matched
		if o.Stream {
			t.lanes = append(t.lanes, l)
		} else {
			t.Rows = append(t.Rows, l.rows...)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b audit.Row) int { return cmp.Compare(a.Time, b.Time) })
	t.Rows = t.Rows[:min(len(t.Rows), o.Limit)]
	t.Trail = audit.Merge(logs)
	for i := range t.Rows {
		t.trust(&t.Rows[i])
	}
	t.Report.Audit = convertAudit(t.Trail)
	if !o.NoFindings && t.Trail != nil {
		known, err := book()
		if err != nil {
			return t, err
		}
		set := slices.DeleteFunc(slices.Clone(known.Rules), func(r *rules.Rule) bool { return r.Needs&rules.NeedsAudit == 0 })
		t.Report.apply(set, &rules.Pass{Audit: t.Trail})
	}
	if ctx.Err() != nil {
		return t, fmt.Errorf("reading the audit logs: %w", context.Cause(ctx))
	}
	return t, nil
}

// A lane is what one source gave.
type lane struct {
	source  ingest.Source
	inputs  []Input
	skips   []Skipped
	paths   []string
	log     *audit.Log
	rows    rowHeap // the first ones of time, the last of these on top
	matched int64
}

// take keeps a row if it is one of the first.
func (l *lane) take(s *audit.Seen, limit int) {
	l.matched++
	if limit == 0 {
		return
	}
	if len(l.rows) == limit {
		if s.Received >= l.rows[0].Time {
			return
		}
		l.rows[0] = s.Row()
		heap.Fix(&l.rows, 0)
		return
	}
	heap.Push(&l.rows, s.Row())
}

// A rowHeap has its latest row on top.
type rowHeap []audit.Row

func (h rowHeap) Len() int           { return len(h) }
func (h rowHeap) Less(i, j int) bool { return h[i].Time > h[j].Time }
func (h rowHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(x any)        { *h = append(*h, x.(audit.Row)) }
func (h *rowHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// readAll reads every source once, as many at a time as there are processors, and returns the lanes in order of the inputs.
func (t *Timeline) readAll(ctx context.Context) ([]*lane, []Skipped) {
	var mu sync.Mutex
	var lanes []*lane
	skips := ingest.Walk(ctx, t.o.Inputs, t.o.ingest(), func(s ingest.Source) {
		t.o.Progress.found(1)
		l := &lane{source: s}
		limit := t.o.Limit
		if t.o.Stream && l.rereadable() {
			limit = 0
		}
		t.read(ctx, l, func(seen *audit.Seen) { l.take(seen, limit) })
		t.o.Progress.done()
		mu.Lock()
		defer mu.Unlock()
		lanes = append(lanes, l)
	})
	slices.SortFunc(lanes, func(a, b *lane) int { return a.source.Compare(b.source) })
	out := make([]Skipped, 0, len(skips))
	for _, s := range skips {
		out = append(out, skipped(s))
	}
	return lanes, out
}

// read hands the chosen requests of one source to each.
func (t *Timeline) read(ctx context.Context, l *lane, each func(*audit.Seen)) {
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
			l.skips = append(l.skips, Skipped{Path: firstPath(l.source), Named: true, Reason: fmt.Sprintf("reading it failed inside triage: %v", p)})
		}
	}()
	path := firstPath(l.source)
	result, err := ingest.Read(ctx, l.source, ingest.Handler{
		Lines: func(batch []ingest.Line) error {
			for i := range batch {
				if text := batch[i].Text; len(text) > 0 && text[0] == '{' && bytes.Contains(text[:min(len(text), maxMark)], auditMark) {
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
				l.skips = append(l.skips, Skipped{Path: part.Path, Reason: err.Error(), Hint: "what came before was read"})
			}
			return nil
		},
	}, t.o.ingest())
	if r != nil {
		l.log = r.Close()
	}
	l.settle(result, err)
}

func (l *lane) settle(result *ingest.Result, err error) {
	if result != nil {
		for _, p := range result.Parts {
			l.paths = append(l.paths, p.Path)
			if p.Kind == ingest.KindAuditLog || l.log != nil {
				l.inputs = append(l.inputs, Input{Path: p.Path, Kind: string(p.Kind), Bytes: p.Bytes, Lines: p.Lines, Framing: p.Framing})
			}
		}
		for _, s := range result.Skips {
			l.skips = append(l.skips, skipped(s))
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		l.skips = append(l.skips, Skipped{Path: firstPath(l.source), Named: true, Reason: err.Error()})
	}
}

// Each calls f with every row that the filter chose, in order of time; the row is f's. Rows of files are read from them once more,
// each server's beside the others', and put in order through a window. complete is false where rows are missing: of standard
// input and of archives there is no more than what was kept.
func (t *Timeline) Each(ctx context.Context, f func(*audit.Row) error) (complete bool, err error) {
	if !t.o.Stream {
		for i := range t.Rows {
			if err := f(&t.Rows[i]); err != nil {
				return false, err
			}
		}
		return t.Matched == int64(len(t.Rows)), nil
	}
	complete = true
	for _, l := range t.lanes {
		complete = complete && (l.rereadable() || l.matched == int64(len(l.rows)))
	}
	return complete, t.stream(ctx, f)
}

// trust takes back what a row can't know where there are several servers.
func (t *Timeline) trust(r *audit.Row) {
	if t.Trail != nil && len(t.Trail.Servers) > 1 {
		r.Distrust()
	}
}

// rereadable reports whether the source's files can be opened again.
func (l *lane) rereadable() bool {
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
	// window is how many rows of one server wait to be put in order. An API server writes an event when its request ends: only
	// those that take long stand far behind their time.
	window = 4096
	// batch is how many rows go from a server's reader to the merge at a time.
	batch = 256
)

// stream reads each server's files beside the others' and merges their rows.
func (t *Timeline) stream(ctx context.Context, f func(*audit.Row) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	var queues []*queue
	var paths [][]string
	for n, l := range t.lanes {
		switch {
		case !l.rereadable():
			q := &queue{over: true, rows: earliest(l.rows)}
			heap.Init(&q.rows)
			queues = append(queues, q)
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
		row := heap.Pop(&next.rows).(audit.Row)
		t.trust(&row)
		if err := f(&row); err != nil {
			return err
		}
	}
}

// replay sends the rows of one server's files.
func (t *Timeline) replay(ctx context.Context, paths []string, to chan<- []audit.Row) {
	o := t.o.ingest()
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
		t.read(ctx, &lane{source: s}, func(seen *audit.Seen) {
			if rows = append(rows, seen.Row()); len(rows) == batch {
				send()
			}
		})
		send()
	})
}

// A queue holds the rows of one server that wait to be put in order, the earliest on top.
type queue struct {
	from chan []audit.Row
	rows earliest
	over bool
}

// fill takes rows until the window is full or the server has no more.
func (q *queue) fill() {
	for !q.over && len(q.rows) < window {
		rows, more := <-q.from
		if !more {
			q.over = true
			return
		}
		for _, r := range rows {
			heap.Push(&q.rows, r)
		}
	}
}

// An earliest is a heap with its earliest row on top.
type earliest []audit.Row

func (h earliest) Len() int           { return len(h) }
func (h earliest) Less(i, j int) bool { return h[i].Time < h[j].Time }
func (h earliest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *earliest) Push(x any)        { *h = append(*h, x.(audit.Row)) }
func (h *earliest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
