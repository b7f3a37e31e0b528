package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

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
		base: src.Origin, allowance: src.allowance, headOnly: headOnly,
	}
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
		r.res.Skips = append(r.res.Skips, Skip{
			Path: p.Path, Reason: open.ReasonOf(err), Hint: open.HintOf(p.Path, err), Named: p.Named,
		})
		return nil
	}
	ahead := startReadAhead(rc, p.Regular, r.allowance)
	defer ahead.stop()
	pr := PartResult{Path: p.Path, Kind: KindTextLog, FirstLine: r.scan.BeginPart()}

	in := &input{ctx: r.ctx, ahead: ahead}
	head, err := in.head()
	pr.Bytes = int64(len(head))
	v := sniff(head, in.ended).byName(p.Path, head)
	pr.Kind = v.kind
	switch {
	case err != nil:
	case v.reason != "":
		r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: v.reason, Hint: v.hint, Named: p.Named})
		ahead.stop()
	case r.headOnly:
		if !v.blob && v.kind != KindAuditLog && v.kind != KindKubernetesObjects {
			err = r.look(head, &pr)
		}
		ahead.stop()
	case v.blob:
		err = r.blob(p, v.kind, head, in, &pr)
	case r.h.Stream != nil && (v.kind == KindAuditLog || v.kind == KindKubernetesObjects):
		err = r.stream(p, head, in, &pr)
	default:
		err = r.text(head, in, &pr)
	}
	lines := r.scan.Part()
	pr.Framing, pr.Lines, pr.CutLines, pr.NULBytes = lines.Framing, lines.Lines, lines.CutLines, lines.NULBytes
	if pr.Kind == KindTextLog && pr.Lines > 0 && (lines.ByRuntime || r.base.Known()) {
		pr.Kind = KindPodLog
	}
	r.res.Parts = append(r.res.Parts, pr)
	r.problems(p, in, &pr)
	if in.ended {
		ahead.reuse()
	}
	return err
}

// problems reports what a part's decompressors and its file met.
func (r *reading) problems(p Part, in *input, pr *PartResult) {
	for _, l := range in.layers() {
		if problem, hint := l.Problem(); problem != "" {
			r.res.Skips = append(r.res.Skips, Skip{
				Path: p.Path, Reason: problem, Hint: hint, Named: p.Named && pr.Bytes == 0,
			})
		}
	}
	if in.err != nil {
		reason := fmt.Sprintf("reading failed after %d bytes: %s", pr.Bytes, open.ReasonOf(in.err))
		r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: reason, Named: p.Named && pr.Bytes == 0})
	}
}

func (r *reading) text(head []byte, in *input, pr *PartResult) error {
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

func (r *reading) lines(head []byte, in *input, pr *PartResult) error {
	s := r.scan
	err := s.Text(head, framing.MarksOf(head))
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

// maxProfile is the size above which package profile refuses a profile: what is above it isn't read.
const maxProfile = 64 << 20

func (r *reading) blob(p Part, kind Kind, head []byte, in *input, pr *PartResult) error {
	most := r.o.MaxBlob
	if kind == KindProfile {
		most = min(most, maxProfile)
	}
	data, err := r.collect(head, in, pr, most)
	if err != nil {
		return err
	}
	if int64(len(data)) > r.o.MaxBlob {
		r.res.Skips = append(r.res.Skips, Skip{
			Path: p.Path, Reason: fmt.Sprintf("%s of more than %d MiB", kind, r.o.MaxBlob>>20), Named: p.Named,
		})
		return nil
	}
	if r.h.Blob == nil {
		return nil
	}
	return r.h.Blob(kind, data)
}

// collect returns head and what follows it, until that is more than most bytes.
func (r *reading) collect(head []byte, in *input, pr *PartResult, most int64) ([]byte, error) {
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
func (r *reading) stream(p Part, head []byte, in *input, pr *PartResult) error {
	b := &streamBody{in: in, rest: head, bytes: pr.Bytes}
	err := r.h.Stream(pr.Kind, StreamPart{Path: p.Path, Origin: r.base, FirstLine: pr.FirstLine}, b)
	b.end()
	in.ahead.stop()
	pr.Bytes = b.bytes
	r.scan.SkipLines(b.lines)
	if ctxErr := r.ctx.Err(); ctxErr != nil {
		return ctxErr // whatever the handler made of a reader that ended early
	}
	return err
}

// A streamBody is the io.Reader of Handler.Stream. It counts what was read.
type streamBody struct {
	in    *input
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

// An input is the main goroutine's end of a readAhead.
type input struct {
	ctx   context.Context
	ahead *readAhead
	cur   []byte        // the buffer to recycle
	marks framing.Marks // of what next returned last
	ended bool
	err   error // what ended it, where that wasn't its end
}

// next returns the next bytes; io.EOF ends them, also where the file broke (in.err).
func (in *input) next() ([]byte, error) {
	for !in.ended {
		var c chunk
		select {
		case c = <-in.ahead.full: // what has come counts even when the context has ended
		default:
			select {
			case c = <-in.ahead.full:
			case <-in.ctx.Done():
				return nil, in.ctx.Err()
			}
		}
		if c.err != nil {
			in.ended = true
			if c.err != io.EOF {
				in.err = c.err
			}
		}
		if len(c.data) > 0 {
			in.cur, in.marks = c.data, c.marks
			return c.data, nil
		}
		in.ahead.recycle(c.data)
	}
	return nil, io.EOF
}

// release gives the last buffer back.
func (in *input) release() {
	if in.cur != nil {
		in.ahead.recycle(in.cur)
		in.cur = nil
	}
}

// head collects the first sniffSize bytes, fewer where the input is shorter or the context ends.
func (in *input) head() ([]byte, error) {
	b, err := in.next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(b) >= sniffSize || in.ended {
		in.cur = nil // the scan works on it for a while: it isn't recycled
		return b, nil
	}
	head := append(make([]byte, 0, sniffSize+len(b)), b...)
	in.release()
	for len(head) < sniffSize {
		b, err := in.next()
		if err != nil {
			break
		}
		head = append(head, b...)
		in.release()
	}
	return head, nil
}

// layers returns the decompressors of an input that has ended; nil before.
func (in *input) layers() []*open.Layer {
	if !in.ended {
		return nil
	}
	<-in.ahead.closed
	return in.ahead.layers
}
