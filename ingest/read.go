package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// defaultMaxBlob is far above any profile seen; a heap profile of a large server has some MiB.
const defaultMaxBlob = 512 << 20

// A source under way.
type reading struct {
	ctx  context.Context
	h    Handler
	o    Options
	res  *Result
	scan *scanner
	base Origin
}

func read(ctx context.Context, src Source, h Handler, o Options) (*Result, error) {
	if o.MaxBlob <= 0 {
		o.MaxBlob = defaultMaxBlob
	}
	emit := h.Lines
	if emit == nil {
		emit = func([]Line) error { return nil }
	}
	r := &reading{ctx: ctx, h: h, o: o, res: &Result{}, scan: newScanner(ctx, src.Origin, emit), base: src.Origin}
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
	if endErr := r.scan.end(); err == nil {
		err = endErr
	}
	r.res.Streams = r.scan.streams.list
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
	rc, err := p.open()
	if err != nil {
		r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: reasonOf(err), Hint: hintOf(p.Path, err), Named: p.named})
		return nil
	}
	ahead := startReadAhead(rc)
	defer ahead.stop()
	s := r.scan
	pr := PartResult{Path: p.Path, Kind: KindTextLog, Framing: framingNames[plain], FirstLine: s.num + 1}
	counts, cut, nuls := s.counts, s.cutLines, s.nulBytes
	s.last, s.prefix = plain, prefixMode{}

	in := &input{ctx: r.ctx, ahead: ahead}
	head, err := in.head()
	pr.Bytes = int64(len(head))
	v := sniff(head, in.ended)
	pr.Kind = v.kind
	switch {
	case err != nil:
	case v.reason != "":
		r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: v.reason, Hint: v.hint, Named: p.named})
		ahead.stop()
	case v.blob:
		err = r.blob(p, v.kind, head, in, &pr)
	default:
		err = r.text(head, in, &pr)
	}
	pr.Lines = s.num + 1 - pr.FirstLine
	pr.CutLines, pr.NULBytes = s.cutLines-cut, s.nulBytes-nuls
	if pr.Lines > 0 {
		pr.Framing = s.mostly(&counts)
	}
	if pr.Kind == KindTextLog && pr.Lines > 0 && (pr.Framing == framingNames[cri] || pr.Framing == framingNames[dockerJSON] || r.base.known()) {
		pr.Kind = KindPodLog
	}
	r.res.Parts = append(r.res.Parts, pr)
	r.problems(p, in, &pr)
	return err
}

// mostly names the framing that most lines had since before.
func (s *scanner) mostly(before *[framings]int64) string {
	best, most := plain, int64(0)
	for k := range framings {
		if n := s.counts[k] - before[k]; n > most {
			best, most = k, n
		}
	}
	return framingNames[best]
}

// problems reports what a part's decompressors and its file met.
func (r *reading) problems(p Part, in *input, pr *PartResult) {
	for _, l := range in.layers() {
		if problem, hint := l.problem(); problem != "" {
			r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: problem, Hint: hint, Named: p.named && pr.Bytes == 0})
		}
	}
	if in.err != nil {
		reason := fmt.Sprintf("reading failed after %d bytes: %s", pr.Bytes, reasonOf(in.err))
		r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: reason, Named: p.named && pr.Bytes == 0})
	}
}

func (r *reading) text(head []byte, in *input, pr *PartResult) error {
	s := r.scan
	err := s.text(head, marksOf(head))
	for err == nil {
		var b []byte
		if b, err = in.next(); err != nil {
			break
		}
		pr.Bytes += int64(len(b))
		err = s.text(b, in.marks)
		in.release()
	}
	if err != nil && !errors.Is(err, io.EOF) && r.ctx.Err() == nil {
		return err
	}
	if endErr := s.endPart(); endErr != nil {
		return endErr
	}
	return r.ctx.Err()
}

func (r *reading) blob(p Part, kind Kind, head []byte, in *input, pr *PartResult) error {
	data := bytes.Clone(head)
	for {
		b, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if int64(len(data)+len(b)) > r.o.MaxBlob {
			r.res.Skips = append(r.res.Skips, Skip{Path: p.Path, Reason: fmt.Sprintf("%s of more than %d MiB", kind, r.o.MaxBlob>>20), Named: p.named})
			return nil
		}
		data = append(data, b...)
		pr.Bytes = int64(len(data))
		in.release()
	}
	if r.h.Blob == nil {
		return nil
	}
	return r.h.Blob(kind, data)
}

// An input is the main goroutine's end of a readAhead.
type input struct {
	ctx   context.Context
	ahead *readAhead
	cur   []byte // the buffer to recycle
	marks marks  // of what next returned last
	ended bool
	err   error // what ended it, where that wasn't its end
}

// next returns the next bytes; io.EOF ends them, also where the file broke (err tells).
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
func (in *input) layers() []*layer {
	if !in.ended {
		return nil
	}
	<-in.ahead.closed
	return in.ahead.layers
}
