package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gotriage/triage/internal/ingest/export"
	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/open"
)

// A sourceReader reads the files of a source one after the other and hands what they hold to the handler.
type sourceReader struct {
	ctx     context.Context
	handler Handler
	options Options
	result  *Result
	scanner *framing.Scanner
	origin  Origin
	// allowance is that of all sources of a Walk.
	allowance *open.Allowance
	headOnly  bool // only look at what it is
}

func newSourceReader(ctx context.Context, src Source, handler Handler, options Options) *sourceReader {
	options.Limits = options.Limits.WithDefaults()
	emit := handler.Lines
	if emit == nil {
		emit = func([]Line) error { return nil }
	}
	r := &sourceReader{
		ctx: ctx, handler: handler, options: options, result: &Result{},
		scanner: framing.NewScanner(ctx, src.Origin, options.MaxLine, emit),
		origin:  src.Origin, allowance: src.Allowance,
	}
	r.scanner.OfferGoroutines(handler.Goroutines)
	if r.allowance == nil {
		r.allowance = open.NewAllowance(options.Limits)
	}
	return r
}

func (r *sourceReader) read(parts []Part) (*Result, error) {
	var err error
	for _, p := range parts {
		if err = r.ctx.Err(); err != nil {
			break
		}
		if err = r.readPart(p); err != nil {
			break
		}
	}
	// What came before a cancellation still counts; after a handler's error nothing is emitted any more.
	if endErr := r.scanner.End(); err == nil {
		err = endErr
	}
	r.result.Streams = r.scanner.Streams()
	if err != nil {
		path := "nothing"
		if len(parts) > 0 {
			path = parts[0].Path
		}
		return r.result, fmt.Errorf("reading %s: %w", path, err)
	}
	return r.result, nil
}

// A partReader reads one file of a source.
type partReader struct {
	*sourceReader
	part   Part
	in     *readAhead
	head   []byte // what was read to identify the file; what follows comes from in
	result PartResult
}

// readPart identifies one file and reads it as what it is.
func (r *sourceReader) readPart(part Part) error {
	rc, err := part.Open()
	if err != nil {
		r.skip(part, open.ReasonOf(err), open.HintOf(part.Path, err))
		return nil
	}
	p := &partReader{sourceReader: r, part: part, result: PartResult{Path: part.Path}}
	p.in = startReadAhead(r.ctx, rc, part.Regular, r.allowance, r.options.Piece)
	defer p.in.stop()
	p.result.FirstLine = r.scanner.BeginPart()
	p.head, err = p.in.head()
	content := sniff(p.head, p.in.ended).byName(part.Path, p.head, len(p.head) > 0 && len(p.in.layers) > 0)
	if content.kind == KindKubectlText && r.origin.Container != "" {
		content.kind = KindTextLog // a container's log that begins with kubectl's output
	}
	p.result.Kind = content.kind
	var shape *export.Shape
	if err == nil {
		shape, err = p.exportShape(content)
	}
	p.result.Bytes = int64(len(p.head))
	if err == nil {
		err = p.readAs(content, shape)
	}
	p.result.PartStats = r.scanner.Part()
	if p.result.Kind == KindTextLog && p.result.Lines > 0 && (p.result.ByRuntime || r.origin.Known()) {
		p.result.Kind = KindPodLog
	}
	r.result.Parts = append(r.result.Parts, p.result)
	p.reportProblems()
	if p.in.ended {
		p.in.reuse()
	}
	return err
}

// readAs reads the file as what sniff took it for; shape is that of an export, nil for all other files.
func (p *partReader) readAs(content contentKind, shape *export.Shape) error {
	switch {
	case content.reason != "":
		p.skip(p.part, content.reason, content.hint)
		p.in.stop()
	case p.headOnly:
		defer p.in.stop()
		if shape != nil {
			p.result.Reversed = shape.Falling
			return p.lookAtRecords(shape)
		}
		if !content.blob && !content.kind.streamed() {
			return p.lookAtLines()
		}
	case content.blob:
		return p.blob(content.kind)
	case p.handler.Stream != nil && content.kind.streamed():
		return p.stream()
	case shape != nil:
		return p.export(shape)
	default:
		return p.textWithObjects()
	}
	return nil
}

func (r *sourceReader) skip(p Part, reason, hint string) {
	r.result.Skips = append(r.result.Skips, Skip{Path: p.Path, Reason: reason, Hint: hint, Named: p.Named})
}

// reportProblems reports what the file's decompressors and the file itself met.
func (p *partReader) reportProblems() {
	part := p.part
	part.Named = part.Named && p.result.Bytes == 0
	if p.in.ended {
		<-p.in.closed
		for _, l := range p.in.layers {
			if problem, hint := l.Problem(); problem != "" {
				p.skip(part, problem, hint)
			}
		}
	}
	if p.in.err != nil {
		p.skip(part, fmt.Sprintf("reading failed after %d bytes: %s", p.result.Bytes, open.ReasonOf(p.in.err)),
			open.HintOf(part.Path, p.in.err))
	}
}

// maxQuoting is the size of the longest text in which quoted objects are looked for. Chosen: issues and mails are
// shorter.
const maxQuoting = 1 << 18

// textWithObjects reads a text, and the objects that it quotes.
func (p *partReader) textWithObjects() error {
	if len(p.head) > maxQuoting {
		return p.text()
	}
	head := p.head
	err := p.text()
	if err != nil || !p.in.ended || p.handler.Stream == nil {
		return err
	}
	body, kind := quotedObjects(head)
	if kind == "" {
		return nil
	}
	p.result.Kind = kind
	return p.handler.Stream(kind, p.streamPart(), bytes.NewReader(body))
}

func (p *partReader) text() error {
	if framing.IsReversed(p.head) {
		return p.readReversed()
	}
	p.result.HeadCut = framing.IsHeadCut(p.head)
	return p.lines()
}

// lookAtLines scans the first lines for their framing.
func (p *partReader) lookAtLines() error {
	p.result.Reversed, p.result.HeadCut = framing.IsReversed(p.head), framing.IsHeadCut(p.head)
	if err := p.scanner.Text(p.head, framing.MarksOf(p.head)); err != nil {
		return err
	}
	return p.scanner.EndPart()
}

// lines scans the file to its end.
func (p *partReader) lines() error {
	err := p.scanHead()
	for err == nil {
		var b []byte
		if b, err = p.in.next(); err != nil {
			break
		}
		p.result.Bytes += int64(len(b))
		err = p.scanner.Text(b, p.in.marks)
		p.in.release()
	}
	if err != nil && !errors.Is(err, io.EOF) && p.ctx.Err() == nil {
		return err
	}
	if endErr := p.scanner.EndPart(); endErr != nil {
		return endErr
	}
	return p.ctx.Err()
}

// scanHead scans what was read to identify the file, and gives its memory up.
func (p *partReader) scanHead() error {
	head := p.head
	p.head = nil
	size := cmp.Or(p.options.Piece, len(head))
	for {
		piece := head[:min(size, len(head))]
		head = head[len(piece):]
		if err := p.scanner.Text(piece, framing.MarksOf(piece)); err != nil || len(head) == 0 {
			return err
		}
	}
}

// maxProfile is the size above which package profile refuses a profile: what is above it isn't read.
const maxProfile = 64 << 20

// blob hands the file on whole.
func (p *partReader) blob(kind Kind) error {
	most := p.options.MaxBlob
	if kind == KindProfile {
		most = min(most, maxProfile)
	}
	data, err := p.collect(most)
	if err != nil {
		return err
	}
	if int64(len(data)) > p.options.MaxBlob {
		p.skip(p.part, fmt.Sprintf("%s of more than %d MiB", kind, p.options.MaxBlob>>20), "")
		return nil
	}
	if p.handler.Blob == nil {
		return nil
	}
	return p.handler.Blob(kind, data)
}

// collect returns the bytes of the file, until these are more than most.
func (p *partReader) collect(most int64) ([]byte, error) {
	data := bytes.Clone(p.head)
	p.head = nil
	for int64(len(data)) <= most {
		b, err := p.in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		data = append(data, b...)
		p.result.Bytes = int64(len(data))
		p.in.release()
	}
	return data, nil
}

// stream hands the file's bytes on as they are.
func (p *partReader) stream() error {
	body := p.body()
	err := p.handler.Stream(p.result.Kind, p.streamPart(), body)
	body.end()
	p.in.stop()
	p.result.Bytes = body.bytes
	p.scanner.SkipLines(body.lines)
	if ctxErr := p.ctx.Err(); ctxErr != nil {
		return ctxErr // whatever the handler made of a reader that ended early
	}
	return err
}

func (p *partReader) streamPart() StreamPart {
	return StreamPart{Path: p.part.Path, Origin: p.origin, FirstLine: p.result.FirstLine}
}

// body returns the bytes of the file, and gives the head's memory up to it.
func (p *partReader) body() *streamBody {
	body := &streamBody{in: p.in, rest: p.head, bytes: p.result.Bytes}
	p.head = nil
	return body
}
