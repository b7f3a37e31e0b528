package open

import (
	"context"
	"io"
)

// readAtOnce is how much a contextReader asks for.
const readAtOnce = 128 << 10

// A contextReader reads from something that may never send anything, and ends when its context does.
type contextReader struct {
	ctx   context.Context
	rc    io.ReadCloser
	waits bool // reads are the file's own: see File.Wait
	under bool // a read is under way that the context's end has left behind
	buf   []byte
	rest  []byte // of buf, not yet read
	err   error  // behind rest
	done  chan int
}

// newContextReader takes rc over.
func newContextReader(ctx context.Context, rc io.ReadCloser) *contextReader {
	return &contextReader{ctx: ctx, rc: rc, done: make(chan int, 1)}
}

func (c *contextReader) Read(p []byte) (int, error) {
	if len(c.rest) == 0 && c.err == nil {
		if c.waits {
			return c.rc.Read(p)
		}
		c.fill()
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, c.err
}

// fill reads in a goroutine of its own, into a buffer that nobody else has: a read from a terminal or a pipe may never
// return.
func (c *contextReader) fill() {
	if c.err = c.ctx.Err(); c.err != nil {
		return
	}
	if c.buf == nil {
		c.buf = make([]byte, readAtOnce)
	}
	var err error
	go func() {
		var n int
		n, err = c.rc.Read(c.buf)
		c.done <- n
	}()
	select {
	case n := <-c.done:
		c.rest, c.err = c.buf[:n], err
	case <-c.ctx.Done():
		c.under, c.err = true, c.ctx.Err()
	}
}

// Close doesn't wait: where a read is under way, the file is closed behind it.
func (c *contextReader) Close() error {
	if !c.under {
		return c.rc.Close()
	}
	go func() {
		<-c.done
		_ = c.rc.Close()
	}()
	return nil
}
