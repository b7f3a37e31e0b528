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

// A reading is a source under way.
type reading struct {
	ctx  context.Context
	h    Handler
	o    Options
	res  *Result
	scan *framing.Scanner
	base Origin
	// allowance is that of all sources of a Walk.
	allowance *open.Allowance
	headOnly  bool // only look at what it is
}

func read(ctx context.Context, src Source, h Handler, o Options, headOnly bool) (*Result, error) {
	o.Limits = o.Limits.WithDefaults()
	emit := h.Lines
	if emit == nil {
		emit = func([]Line) error { return nil }
	}
	r := &reading{
		ctx: ctx, h: h, o: o, res: &Result{}, scan: framing.NewScanner(ctx, src.Origin, o.MaxLine, emit),
		base: src.Origin, allowance: src.Allowance, headOnly: headOnly,
	}
	r.scan.Offer(h.Goroutines)
	if r.allowance == nil {
		r.allowance = open.NewAllowance(o.Limits)
	}
	var err error
	for _, p := range src.Parts {
		if err = ctx.Err(); err != nil {
			break
		}
		if err = r.part(p); err != nil {
			break
		}
	}
	// What came before a cancellation still counts; after a handler's error nothing is emitted any more.
	if endErr := r.scan.End(); err == nil {
		err = endErr
	}
	r.res.Streams = r.scan.Streams()
	if err != nil {
		return r.res, fmt.Errorf("reading %s: %w", pathOf(src), err)
	}
	return r.res, nil
}

func pathOf(s Source) string {
	if len(s.Parts) == 0 {
		return "nothing"
	}
	return s.Parts[0].Path
}

// part reads one file.
func (r *reading) part(p Part) error {
	rc, err := p.Open()
	if err != nil {
		r.skip(p, open.ReasonOf(err), open.HintOf(p.Path, err))
		return nil
	}
	in := startReadAhead(r.ctx, rc, p.Regular, r.allowance, r.o.Piece)
	defer in.stop()
	pr := PartResult{Path: p.Path}
	pr.FirstLine = r.scan.BeginPart()
	head, err := in.head()
	pr.Bytes = int64(len(head))
	v := sniff(head, in.ended).byName(p.Path, head, len(head) > 0 && len(in.layers) > 0)
	if v.kind == KindKubectlText && r.base.Container != "" {
		v.kind = KindTextLog // a container's log that begins with kubectl's output
	}
	pr.Kind = v.kind
	var shape *export.Shape
	if err == nil {
		shape, head, err = r.shapeOf(v, head, in)
		pr.Bytes = int64(len(head))
	}
	switch {
	case err != nil:
	case v.reason != "":
		r.skip(p, v.reason, v.hint)
		in.stop()
	case r.headOnly && shape != nil:
		pr.Reversed = shape.Falling
		err = r.lookInto(shape, head)
		in.stop()
	case r.headOnly:
		if !v.blob && !v.kind.streamed() {
			err = r.look(head, &pr)
		}
		in.stop()
	case v.blob:
		err = r.blob(p, v.kind, head, in, &pr)
	case r.h.Stream != nil && v.kind.streamed():
		err = r.stream(p, head, in, &pr)
	case shape != nil:
		err = r.export(shape, head, in, &pr)
	default:
		err = r.textWithObjects(p, head, in, &pr)
	}
	pr.PartStats = r.scan.Part()
	if pr.Kind == KindTextLog && pr.Lines > 0 && (pr.ByRuntime || r.base.Known()) {
		pr.Kind = KindPodLog
	}
	r.res.Parts = append(r.res.Parts, pr)
	p.Named = p.Named && pr.Bytes == 0
	r.problems(p, in, pr.Bytes)
	if in.ended {
		in.reuse()
	}
	return err
}

func (r *reading) skip(p Part, reason, hint string) {
	r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: reason, Hint: hint, Named: p.Named})
}

// problems reports what a part's decompressors and its file met, of which so many bytes were read.
func (r *reading) problems(p Part, in *readAhead, bytes int64) {
	if in.ended {
		<-in.closed
		for _, l := range in.layers {
			if problem, hint := l.Problem(); problem != "" {
				r.skip(p, problem, hint)
			}
		}
	}
	if in.err != nil {
		r.skip(p, fmt.Sprintf("reading failed after %d bytes: %s", bytes, open.ReasonOf(in.err)),
			open.HintOf(p.Path, in.err))
	}
}

// maxQuoting is the size of the longest text in which quoted objects are looked for. Chosen: issues and mails are
// shorter.
const maxQuoting = 1 << 18

// textWithObjects reads a text, and the objects that it quotes.
func (r *reading) textWithObjects(p Part, head []byte, in *readAhead, pr *PartResult) error {
	if len(head) > maxQuoting {
		return r.text(head, in, pr) // which frees the head as it goes on
	}
	err := r.text(head, in, pr)
	if err != nil || !in.ended || r.h.Stream == nil {
		return err
	}
	body, kind := quotedObjects(head)
	if kind == "" {
		return nil
	}
	pr.Kind = kind
	return r.h.Stream(kind, StreamPart{Path: p.Path, Origin: r.base, FirstLine: pr.FirstLine}, bytes.NewReader(body))
}

func (r *reading) text(head []byte, in *readAhead, pr *PartResult) error {
	if framing.IsReversed(head) {
		return r.readReversed(head, in, pr)
	}
	pr.HeadCut = framing.IsHeadCut(head)
	return r.lines(head, in, pr)
}

// look scans the first lines for their framing.
func (r *reading) look(head []byte, pr *PartResult) error {
	pr.Reversed, pr.HeadCut = framing.IsReversed(head), framing.IsHeadCut(head)
	if err := r.scan.Text(head, framing.MarksOf(head)); err != nil {
		return err
	}
	return r.scan.EndPart()
}

func (r *reading) lines(head []byte, in *readAhead, pr *PartResult) error {
	s := r.scan
	err := r.head(head)
	for err == nil {
		var b []byte
		if b, err = in.next(); err != nil {
			break
		}
		pr.Bytes += int64(len(b))
		err = s.Text(b, in.marks)
		in.release()
	}
	if err != nil && !errors.Is(err, io.EOF) && r.ctx.Err() == nil {
		return err
	}
	if endErr := s.EndPart(); endErr != nil {
		return endErr
	}
	return r.ctx.Err()
}

// head scans what was read to identify a part.
func (r *reading) head(head []byte) error {
	size := cmp.Or(r.o.Piece, len(head))
	for {
		piece := head[:min(size, len(head))]
		head = head[len(piece):]
		if err := r.scan.Text(piece, framing.MarksOf(piece)); err != nil || len(head) == 0 {
			return err
		}
	}
}

// maxProfile is the size above which package profile refuses a profile: what is above it isn't read.
const maxProfile = 64 << 20

func (r *reading) blob(p Part, kind Kind, head []byte, in *readAhead, pr *PartResult) error {
	most := r.o.MaxBlob
	if kind == KindProfile {
		most = min(most, maxProfile)
	}
	data, err := r.collect(head, in, pr, most)
	if err != nil {
		return err
	}
	if int64(len(data)) > r.o.MaxBlob {
		r.skip(p, fmt.Sprintf("%s of more than %d MiB", kind, r.o.MaxBlob>>20), "")
		return nil
	}
	if r.h.Blob == nil {
		return nil
	}
	return r.h.Blob(kind, data)
}

// collect returns head and what follows it, until that is more than most bytes.
func (r *reading) collect(head []byte, in *readAhead, pr *PartResult, most int64) ([]byte, error) {
	data := bytes.Clone(head)
	for int64(len(data)) <= most {
		b, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		data = append(data, b...)
		pr.Bytes = int64(len(data))
		in.release()
	}
	return data, nil
}

// stream hands a part's bytes on as they are.
func (r *reading) stream(p Part, head []byte, in *readAhead, pr *PartResult) error {
	b := &streamBody{in: in, rest: head, bytes: pr.Bytes}
	err := r.h.Stream(pr.Kind, StreamPart{Path: p.Path, Origin: r.base, FirstLine: pr.FirstLine}, b)
	b.end()
	in.stop()
	pr.Bytes = b.bytes
	r.scan.SkipLines(b.lines)
	if ctxErr := r.ctx.Err(); ctxErr != nil {
		return ctxErr // whatever the handler made of a reader that ended early
	}
	return err
}

// A streamBody is the io.Reader of Handler.Stream. It counts what was read.
type streamBody struct {
	in    *readAhead
	rest  []byte
	bytes int64
	lines int64
	last  byte
}

func (b *streamBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(b.rest) == 0 {
		b.in.release()
		next, err := b.in.next()
		if err != nil {
			return 0, err
		}
		b.rest = next
		b.bytes += int64(len(next))
	}
	n := copy(p, b.rest)
	b.lines += int64(bytes.Count(b.rest[:n], newline))
	b.last = b.rest[n-1]
	b.rest = b.rest[n:]
	return n, nil
}

var newline = []byte{'\n'}

// end counts a last line that lacks its end.
func (b *streamBody) end() {
	if b.last != 0 && b.last != '\n' {
		b.lines++
	}
	b.in.release()
}

const (
	// maxTurned bounds what is held of a log to turn it round; a node's journal is cut at 10 MiB by Rancher's
	// collectors, and has some 50 MB elsewhere.
	maxTurned = 64 << 20
	turnPiece = 256 << 10
)

// readReversed reads a part whose newest line comes first from its end, so that what a program wrote comes in order.
// The lines are numbered as they come; Result.Locate maps them to their lines.
func (r *reading) readReversed(head []byte, in *readAhead, pr *PartResult) error {
	pr.Reversed = true
	data, err := r.collect(head, in, pr, maxTurned)
	if err != nil {
		return err
	}
	if len(data) > maxTurned {
		r.res.Skips = append(r.res.Skips, Skip{
			Path:   pr.Path,
			Reason: "its newest line comes first, and it is too large to be reversed: dumps in it can't be read",
			Hint:   "tac FILE reverses it",
		})
		return r.lines(data, in, pr)
	}
	pr.turned = true
	return r.scanBackwards(data)
}

// scanBackwards scans the lines of data, last first.
func (r *reading) scanBackwards(data []byte) error {
	piece := make([]byte, 0, turnPiece+len(newline))
	scan := func() error {
		if len(piece) == 0 {
			return nil
		}
		err := r.scan.Text(piece, framing.MarksOf(piece))
		piece = piece[:0]
		return err
	}
	data = bytes.TrimSuffix(data, newline)
	for more := len(data) > 0; more; {
		i := bytes.LastIndexByte(data, '\n')
		line := data[i+1:]
		if more = i >= 0; more {
			data = data[:i]
		}
		if len(piece)+len(line) >= turnPiece {
			if err := scan(); err != nil {
				return err
			}
		}
		piece = append(append(piece, line...), '\n')
	}
	if err := scan(); err != nil {
		return err
	}
	return r.scan.EndPart()
}
