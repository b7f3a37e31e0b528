package ingest

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/ingest/export"
	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/origin"
)

// exportShape returns the shape of the store's export that the file is, nil for everything else. Where more of the file
// may show what the head doesn't, that is read and added to the head.
func (p *partReader) exportShape(content contentKind) (*export.Shape, error) {
	if content.blob || content.reason != "" || content.kind != KindTextLog || !export.MayBe(p.head) {
		return nil, nil
	}
	shape, lines := export.Learn(p.head)
	first, _, _ := bytes.Cut(p.head, newline)
	known := lines && framing.KnowsRecord(first)
	if known && (shape == nil || !shape.Falling) || p.in.ended {
		return unlessKnown(shape, known), nil // the scanner reads them line by line
	}
	size := export.SampleSize
	if lines && shape == nil {
		size = export.LinesSample
	}
	var err error
	p.head, err = p.in.more(p.head, size)
	if err == nil && (shape != nil || !lines || mayHoldDump(p.head)) {
		shape, _ = export.Learn(p.head[:min(len(p.head), export.SampleSize)])
	}
	if err == nil && shape == nil && !lines {
		if p.head, err = p.in.more(p.head, export.LateSample); mayHoldDump(p.head) {
			shape, _ = export.Learn(p.head)
		}
	}
	return unlessKnown(shape, known), err
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
func (p *partReader) export(shape *export.Shape) error {
	body := p.body()
	sink := &exportSink{scanner: p.scanner, shape: shape, lines: &p.result.recordLines, first: p.result.FirstLine}
	stats, err := shape.Read(p.ctx, body, sink)
	body.end()
	p.result.Bytes, p.result.Reversed = body.bytes, stats.Falling
	p.reportExport(stats)
	if endErr := p.scanner.EndPart(); err == nil {
		err = endErr
	}
	return err
}

// lookAtRecords reads the records that the head holds, for their framing.
func (p *partReader) lookAtRecords(shape *export.Shape) error {
	sink := &exportSink{scanner: p.scanner, shape: shape, lines: &recordLines{}}
	_, err := shape.Read(p.ctx, bytes.NewReader(p.head), sink)
	return err
}

// reportExport reports what a store did to the records.
func (p *partReader) reportExport(s export.Stats) {
	note := func(hint, reason string, args ...any) {
		p.sourceReader.result.Skips = append(p.sourceReader.result.Skips,
			Skip{Path: p.part.Path, Reason: fmt.Sprintf(reason, args...), Hint: hint})
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
	scanner *framing.Scanner
	shape   *export.Shape
	lines   *recordLines
	first   int64 // the number of the next record's first line
}

// Writer makes a stream of a set of labels.
func (k *exportSink) Writer(l export.Labels) int32 {
	o := k.scanner.Base()
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
		return k.scanner.Writer("", "", o)
	}
	return k.scanner.Writer(fmt.Sprint("export ", l), name, o)
}

// Record hands a record on.
func (k *exportSink) Record(r *export.Record) error {
	lines := k.scanner.Record(r.Text, r.Stamp, r.Writer, k.shape.Table)
	k.lines.add(k.first, lines, r.Line, k.shape.Table)
	k.first += lines
	return nil
}

// Flush emits the records so far.
func (k *exportSink) Flush() error { return k.scanner.Flush() }

// maxRuns bounds the runs of lines of an export that are kept. What comes behind is said to lie at the last one.
const maxRuns = 1 << 16

// recordLines map the lines of the records of an export, as they are read, to those of its file.
type recordLines []lineRun

// A lineRun is lines that lie one behind the other at the same distance: num is the first, at its line in the file.
type lineRun struct{ num, at, step int64 }

// add puts a record's lines, from num on, at a line of the file; in a table they lie in lines of their own.
func (p *recordLines) add(num, lines, at int64, table bool) {
	if table && lines > 1 {
		p.addOne(num, at, 1)
		return
	}
	p.addOne(num, at, 0)
}

func (p *recordLines) addOne(num, at, step int64) {
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
		if k >= maxRuns {
			return
		}
	}
	*p = append(all, lineRun{num, at, step})
}

// line is where a line is in the file.
func (p recordLines) line(num int64) int64 {
	behind, _ := slices.BinarySearchFunc(p, num+1, func(r lineRun, num int64) int { return cmp.Compare(r.num, num) })
	if behind == 0 {
		return 1
	}
	r := p[behind-1]
	return r.at + (num-r.num)*r.step
}
