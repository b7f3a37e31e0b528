package open

import (
	"context"
	"io"
	"sync"
)

// A contextReader reads from something that may never send anything, and ends when its context does.
type contextReader struct {
	ctx  context.Context
	full chan readResult
	free chan []byte
	done chan struct{}
	once sync.Once
	cur  []byte // what wasn't read of buf
	buf  []byte
	err  error
}

// newContextReader takes rc over.
func newContextReader(ctx context.Context, rc io.ReadCloser) *contextReader {
	p := &contextReader{ctx: ctx, full: make(chan readResult, 1), free: make(chan []byte, 2), done: make(chan struct{})}
	p.free <- make([]byte, feedChunk)
	p.free <- make([]byte, feedChunk)
	go p.pump(rc)
	return p
}

func (p *contextReader) pump(rc io.ReadCloser) {
	defer func() { _ = rc.Close() }()
	for {
		var buf []byte
		select {
		case buf = <-p.free:
		case <-p.done:
			return
		case <-p.ctx.Done():
			return
		}
		n, err := rc.Read(buf)
		select {
		case p.full <- readResult{data: buf[:n], err: err}:
		case <-p.done:
			return
		case <-p.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

func (p *contextReader) Read(b []byte) (int, error) {
	for len(p.cur) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		if p.buf != nil {
			p.free <- p.buf[:cap(p.buf)]
			p.buf = nil
		}
		select {
		case c := <-p.full: // what has come counts even when the context has ended
			p.cur, p.buf, p.err = c.data, c.data, c.err
			continue
		default:
		}
		select {
		case c := <-p.full:
			p.cur, p.buf, p.err = c.data, c.data, c.err
		case <-p.done:
			return 0, io.ErrClosedPipe
		case <-p.ctx.Done():
			return 0, p.ctx.Err()
		}
	}
	n := copy(b, p.cur)
	p.cur = p.cur[n:]
	return n, nil
}

// Close doesn't wait: a read from a terminal or a pipe may never return.
func (p *contextReader) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// A readResult is what one read returned.
type readResult struct {
	data []byte
	err  error
}
