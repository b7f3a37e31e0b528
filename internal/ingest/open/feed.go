package open

import (
	"context"
	"io"
	"sync"
)

const (
	// feedChunk is how much of an entry is handed on at a time.
	feedChunk = 128 << 10
	// feedMemory bounds what a Walk's streamed archives are ahead of the readers of their entries, all together.
	feedMemory = 16 << 20
)

// A bufferPool is the memory through which entries of streamed archives pass from their unpacker to their readers. Any
// number of feeds share it; one that holds nothing unread may always put in one chunk, so that no feed waits for
// another.
type bufferPool struct {
	mu   sync.Mutex
	cond *sync.Cond
	left int64
	free [][]byte // buffers of feedChunk
	over bool
}

// newBufferPool returns one that lets go of everybody when ctx ends.
func newBufferPool(ctx context.Context) (t *bufferPool, stop func()) {
	t = &bufferPool{left: feedMemory}
	t.cond = sync.NewCond(&t.mu)
	undo := context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.over = true
		t.cond.Broadcast()
	})
	return t, func() { undo() }
}

// A feed is one entry on its way.
type feed struct {
	t      *bufferPool
	chunks [][]byte
	chunk  []byte // is being read; nil for none
	ended  bool
	err    error
	closed bool // it has no reader any more

	rest []byte // of chunk, the reader's own
}

// buffer waits for room and returns a chunk for up to n bytes; nil when they aren't wanted.
func (f *feed) buffer(n int64) []byte {
	size := int(min(max(n, 1), feedChunk))
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.left < int64(size) && (f.chunk != nil || len(f.chunks) > 0) && !f.closed && !t.over {
		t.cond.Wait()
	}
	if f.closed || t.over {
		return nil
	}
	t.left -= int64(size)
	if last := len(t.free) - 1; size == feedChunk && last >= 0 {
		b := t.free[last]
		t.free = t.free[:last]
		return b
	}
	return make([]byte, size)
}

// put hands on n bytes of a buffer.
func (f *feed) put(b []byte, n int) {
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.closed || n == 0 {
		t.recycle(b[:cap(b)])
		return
	}
	f.chunks = append(f.chunks, b[:n])
	t.cond.Broadcast()
}

// recycle is called with t.mu locked.
func (t *bufferPool) recycle(b []byte) {
	t.left += int64(cap(b))
	if cap(b) == feedChunk {
		t.free = append(t.free, b[:feedChunk])
	}
	t.cond.Broadcast()
}

// end reports that nothing follows, or why.
func (f *feed) end(err error) {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	f.ended, f.err = true, err
	f.t.cond.Broadcast()
}

// Read is the reader's side.
func (f *feed) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// next gives back the chunk that was read and waits for another one.
func (f *feed) next() error {
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.chunk != nil {
		t.recycle(f.chunk)
		f.chunk = nil
	}
	for len(f.chunks) == 0 && !f.ended && !t.over && !f.closed {
		t.cond.Wait()
	}
	switch {
	case len(f.chunks) > 0:
		f.chunk, f.chunks = f.chunks[0], f.chunks[1:]
		f.rest = f.chunk
		return nil
	case f.ended && f.err != nil:
		return f.err
	case f.ended || f.closed:
		return io.EOF
	}
	return context.Canceled
}

// Close gives back what was not read. A reader may still copy from its chunk, so that goes to the collector.
func (f *feed) Close() error {
	t := f.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range f.chunks {
		t.recycle(c)
	}
	t.left += int64(cap(f.chunk))
	f.chunk, f.chunks, f.closed = nil, nil, true
	t.cond.Broadcast()
	return nil
}

// fill reads one entry from r into the feed: size bytes, or all there are where size is below 0. It returns early where
// it has no reader any more.
func (f *feed) fill(r io.Reader, size int64) (err error) {
	defer func() { f.end(err) }()
	for size != 0 {
		want := int64(feedChunk)
		if size > 0 {
			want = size
		}
		b := f.buffer(want)
		if b == nil {
			return nil
		}
		n, err := io.ReadFull(r, b)
		f.put(b, n)
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF && size < 0:
			return nil
		case err != nil:
			return err
		}
		if size > 0 {
			size -= int64(n)
		}
	}
	return nil
}
