package ingest

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/open"
)

const (
	// firstBuffer is small, because most files of a bundle are; nextBuffer is what measured fastest on plain text: it
	// stays in a core's cache between the kernel's copy and the scan.
	firstBuffer = 64 << 10
	nextBuffer  = 512 << 10
	maxBuffers  = 3
)

// A chunk is what one read returned.
type chunk struct {
	data  []byte
	marks framing.Marks
	err   error
}

// A readAhead reads and decompresses in a goroutine of its own, a few buffers ahead of the scan.
type readAhead struct {
	ctx  context.Context
	full chan *chunk
	free chan []byte
	done chan struct{}
	// allowance bounds what comes out.
	allowance *open.Allowance
	// whole says that the first buffer may wait until it is full: what is read doesn't come slowly.
	whole bool
	piece int // bytes of a buffer, 0 for all of it: see open.Options
	// layers are the decompressors; they may be read once closed is closed.
	layers []*open.Layer
	made   [][]byte // so may the buffers
	// closed is closed when the goroutine has ended and the file is closed.
	closed  chan struct{}
	stopped atomic.Bool

	// The reader's side: the buffer to recycle and its marks, whether nothing follows it, and what ended it where that
	// wasn't its end.
	cur   []byte
	marks framing.Marks
	ended bool
	err   error
}

// startReadAhead takes rc over: the goroutine closes it.
func startReadAhead(
	ctx context.Context, rc io.ReadCloser, whole bool, allowed *open.Allowance, piece int,
) *readAhead {
	a := &readAhead{
		ctx: ctx, allowance: allowed, whole: whole, piece: piece,
		full:   make(chan *chunk, maxBuffers),
		free:   make(chan []byte, maxBuffers),
		done:   make(chan struct{}),
		closed: make(chan struct{}),
	}
	go a.run(rc)
	return a
}

// stop ends the goroutine. It doesn't wait: a read from a terminal or a pipe may never return.
func (a *readAhead) stop() {
	if a.stopped.CompareAndSwap(false, true) {
		close(a.done)
	}
}

// recycle hands a chunk's buffer back.
func (a *readAhead) recycle(b []byte) {
	select {
	case a.free <- b[:cap(b)]:
	default:
	}
}

func (a *readAhead) run(rc io.ReadCloser) {
	defer close(a.closed)
	// A decompressor that fails in an unforeseen way costs the rest of its file.
	defer func() {
		if p := recover(); p != nil {
			select {
			case a.full <- &chunk{err: fmt.Errorf("decompressing it failed: %v", p)}:
			case <-a.done:
			}
		}
	}()
	o, ok := rc.(*open.File)
	if !ok {
		o = open.NewFile(rc)
	}
	o.Wait() // next doesn't wait for this goroutine once the context has ended
	defer func() { _ = o.Close() }()
	a.layers = o.Layers()
	r := open.Meter(textReader(o.Reader()), a.allowance)
	for {
		buf := a.buffer()
		if buf == nil {
			return
		}
		n, err := a.read(r, buf)
		select {
		case a.full <- &chunk{data: buf[:n], marks: framing.MarksOf(buf[:n]), err: err}:
		case <-a.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// read fills the first buffer of what doesn't come slowly, so that a small file takes one.
func (a *readAhead) read(r io.Reader, buf []byte) (n int, err error) {
	if !a.whole || len(a.made) > 1 {
		return r.Read(buf)
	}
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

// buffers are kept for the next file: the first of each, and the others.
var buffers = [...]sync.Pool{
	{New: func() any { b := make([]byte, firstBuffer); return &b }},
	{New: func() any { b := make([]byte, nextBuffer); return &b }},
}

// buffer returns a recycled buffer, or another one while fewer than maxBuffers are in use; nil when it is over.
func (a *readAhead) buffer() []byte {
	select {
	case <-a.done:
		return nil
	case b := <-a.free:
		return b
	default:
	}
	if n := len(a.made); n < maxBuffers {
		a.made = append(a.made, *buffers[min(n, 1)].Get().(*[]byte))
		if a.piece > 0 {
			return a.made[n][:a.piece:a.piece]
		}
		return a.made[n]
	}
	select {
	case <-a.done:
		return nil
	case b := <-a.free:
		return b
	}
}

// next returns the next bytes; io.EOF ends them, also where the file broke (a.err).
func (a *readAhead) next() ([]byte, error) {
	for !a.ended {
		var c *chunk
		select {
		case c = <-a.full: // what has come counts even when the context has ended
		default:
			select {
			case c = <-a.full:
			case <-a.ctx.Done():
				return nil, a.ctx.Err()
			}
		}
		if c.err != nil {
			a.ended = true
			if c.err != io.EOF {
				a.err = c.err
			}
		}
		if len(c.data) > 0 {
			a.cur, a.marks = c.data, c.marks
			return c.data, nil
		}
		a.recycle(c.data)
	}
	return nil, io.EOF
}

// release gives the last buffer back.
func (a *readAhead) release() {
	if a.cur != nil {
		a.recycle(a.cur)
		a.cur = nil
	}
}

// head collects the first sniffSize bytes, fewer where the input is shorter or the context ends.
func (a *readAhead) head() ([]byte, error) {
	var head []byte
	for len(head) < sniffSize {
		b, err := a.next()
		switch {
		case err != nil && err != io.EOF && head == nil:
			return nil, err
		case err != nil:
			return head, nil
		case head == nil && (len(b) >= sniffSize || a.ended):
			a.cur = nil // the scan works on it for a while: it isn't recycled
			return b, nil
		}
		head = append(head, b...)
		a.release()
	}
	return head, nil
}

// more reads on behind head until it has so many bytes, or nothing follows.
func (a *readAhead) more(head []byte, size int) ([]byte, error) {
	if len(head) >= size || a.ended {
		return head, nil
	}
	head = append(make([]byte, 0, len(head)+nextBuffer), head...) // head may be a buffer of others
	for len(head) < size {
		b, err := a.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return head, err
		}
		if len(b) > cap(head)-len(head) { // doubled: append grows large slices by a quarter
			head = slices.Grow(head, max(len(head), len(b)))
		}
		head = append(head, b...)
		a.release()
	}
	return head, nil
}

// reuse gives the buffers of a reader that has ended to those of the next files. Nobody may use them any more.
func (a *readAhead) reuse() {
	<-a.closed
	for i, b := range a.made {
		buffers[min(i, 1)].Put(&b)
	}
	a.made = nil
}
