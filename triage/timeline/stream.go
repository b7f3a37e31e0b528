package timeline

import (
	"container/heap"
	"context"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

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
			q := &queue{over: true, rows: earliest{l.rows}}
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
			if q.rows.Len() > 0 && (next == nil || q.rows.rowHeap[0].Time < next.rows.rowHeap[0].Time) {
				next = q
			}
		}
		if next == nil {
			return ctx.Err()
		}
		seen := heap.Pop(&next.rows).(audit.Row)
		row := t.row(&seen)
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

// A queue holds the rows of one server that wait to be put in order, the earliest on top.
type queue struct {
	from chan []audit.Row
	rows earliest
	over bool
}

// fill takes rows until the window is full or the server has no more.
func (q *queue) fill() {
	for !q.over && q.rows.Len() < window {
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
type earliest struct{ rowHeap }

func (h *earliest) Less(i, j int) bool { return h.rowHeap.Less(j, i) }
