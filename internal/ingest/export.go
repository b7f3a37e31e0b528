package ingest

import (
	"bytes"
	"fmt"

	"github.com/gotriage/triage/internal/ingest/export"
	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/origin"
)

// shapeOf returns the shape of the store's export that begins with head, nil for everything else. Where more of it may
// show what head doesn't, more is read from in, which comes back behind it.
func (r *reading) shapeOf(v verdict, head []byte, in *readAhead) (*export.Shape, []byte, error) {
	if v.blob || v.reason != "" || v.kind != KindTextLog || !export.MayBe(head) {
		return nil, head, nil
	}
	shape, lines := export.Learn(head)
	first, _, _ := bytes.Cut(head, newline)
	known := lines && framing.KnowsRecord(first)
	if known && (shape == nil || !shape.Falling) || in.ended {
		return unlessKnown(shape, known), head, nil // the scanner reads them line by line
	}
	size := export.SampleSize
	if lines && shape == nil {
		size = export.LinesSample
	}
	head, err := in.more(head, size)
	if err == nil && (shape != nil || !lines || mayHoldDump(head)) {
		shape, _ = export.Learn(head[:min(len(head), export.SampleSize)])
	}
	if err == nil && shape == nil && !lines {
		if head, err = in.more(head, export.LateSample); mayHoldDump(head) {
			shape, _ = export.Learn(head)
		}
	}
	return unlessKnown(shape, known), head, err
}

func mayHoldDump(text []byte) bool {
	return bytes.Contains(text, []byte("goroutine ")) && bytes.Contains(text, []byte(".go:"))
}

// unlessKnown leaves records that the scanner knows to it where they are in order.
func unlessKnown(shape *export.Shape, known bool) *export.Shape {
	if known && shape != nil && !shape.Falling {
		return nil
	}
	return shape
}

// export reads an export of a log store.
func (r *reading) export(shape *export.Shape, head []byte, in *readAhead, pr *PartResult) error {
	b := &streamBody{in: in, rest: head, bytes: pr.Bytes}
	sink := &exportSink{r: r, shape: shape, places: &pr.places, first: pr.FirstLine}
	stats, err := shape.Read(r.ctx, b, sink)
	b.end()
	pr.Bytes = b.bytes
	pr.Reversed = stats.Falling
	r.exportNotes(pr.Path, stats)
	if endErr := r.scan.EndPart(); err == nil {
		err = endErr
	}
	return err
}

// lookInto reads the records that head holds, for their framing.
func (r *reading) lookInto(shape *export.Shape, head []byte) error {
	_, err := shape.Read(r.ctx, bytes.NewReader(head), &exportSink{r: r, shape: shape, places: &places{}})
	return err
}

// exportNotes reports what a store did to the records.
func (r *reading) exportNotes(path string, s export.Stats) {
	note := func(hint, reason string, args ...any) {
		r.res.Skips = append(r.res.Skips, Skip{Path: path, Reason: fmt.Sprintf(reason, args...), Hint: hint})
	}
	const ask = "ask the store for the records of one container in time order, oldest first"
	if s.LeftOut > 0 {
		note(ask, "the store lost the order of its records: after %d of %d goroutine headers the stack is "+
			"missing; the dumps were left out (%d lines)", s.Torn, s.Headers, s.LeftOut)
	} else if s.Unsorted {
		note("", "its records were not in time order: they were sorted")
	}
	if s.Pieces > 0 {
		note(ask, "its newest records come first, and it is too large to hold in memory: it was reversed in %d "+
			"pieces, and a dump that spans two of them can't be read", s.Pieces+1)
	}
	if s.Late > 0 && s.Pieces == 0 {
		note(ask, "%d records are too far from their place in time order to be sorted", s.Late)
	}
	if s.TooLong > 0 {
		note("", "records cut at %d MiB of text: %d", export.MaxText>>20, s.TooLong)
	}
	if s.CutRecords > 0 {
		note("the store or a log shipper set this limit: take the log from the node or with kubectl logs",
			"records cut by the store at %d bytes: %d", s.CutBy, s.CutRecords)
	}
}

// An exportSink hands records to the scanner.
type exportSink struct {
	r      *reading
	shape  *export.Shape
	places *places
	first  int64
}

// Writer makes a stream of a set of labels.
func (k *exportSink) Writer(l export.Labels) int32 {
	o := k.r.scan.Base()
	if l.File != "" && !o.Known() {
		if of := origin.Of(l.File); of.Known() {
			o = of
		}
	}
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&o.Namespace, l.Namespace}, {&o.Pod, l.Pod}, {&o.PodUID, l.PodUID}, {&o.Container, l.Container},
		{&o.Node, l.Node},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	name := l.Stream
	for _, n := range []string{l.Container, l.Pod, l.File, l.Writer} {
		if n != "" && name != "" {
			name = n + "/" + name
		} else if n != "" {
			name = n
		}
	}
	if l == (export.Labels{}) {
		return k.r.scan.Writer("", "", o)
	}
	return k.r.scan.Writer(fmt.Sprint("export ", l), name, o)
}

// Record hands a record on.
func (k *exportSink) Record(r *export.Record) error {
	lines := k.r.scan.Record(r.Text, r.Stamp, r.Writer, k.shape.Table)
	k.places.add(k.first, lines, r.Line, k.shape.Table)
	k.first += lines
	return nil
}

// Flush emits the records so far.
func (k *exportSink) Flush() error { return k.r.scan.Flush() }

// maxPlaces bounds the runs of lines of an export that are kept. What comes behind is said to lie at the last one.
const maxPlaces = 1 << 16

// places map the lines of the records of an export, as they are read, to those of its file.
type places []run

// A run is lines that lie one behind the other at the same distance: num is the first, at its line in the file.
type run struct{ num, at, step int64 }

// add puts a record's lines, from num on, at a line of the file; in a table they lie in lines of their own.
func (p *places) add(num, lines, at int64, table bool) {
	if table && lines > 1 {
		p.one(num, at, 1)
		return
	}
	p.one(num, at, 0)
}

func (p *places) one(num, at, step int64) {
	all := *p
	if k := len(all); k > 0 {
		last := &all[k-1]
		passed := num - last.num
		if last.at+passed*last.step == at && (step == last.step || step == 0) {
			return
		}
		if passed == 1 && last.step == 0 && step == 0 { // the first two show the distance
			last.step = at - last.at
			return
		}
		if k >= maxPlaces {
			return
		}
	}
	*p = append(all, run{num, at, step})
}

// line is where a line is in the file.
func (p places) line(num int64) int64 {
	lo, hi := 0, len(p)
	for lo < hi {
		if mid := (lo + hi) / 2; p[mid].num <= num {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 1
	}
	r := p[lo-1]
	return r.at + (num-r.num)*r.step
}
