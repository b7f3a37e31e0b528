package ingest

import (
	"bytes"
	"io"
	"sync/atomic"
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
	marks marks
	err   error
}

// marks say which of the bytes that need care a buffer holds. Looking for them is the reader's work, not the scanner's:
// it has the time, and the bytes in its cache.
type marks struct {
	nul, esc, backslash bool
}

func marksOf(b []byte) marks {
	return marks{nul: bytes.IndexByte(b, 0) >= 0, esc: bytes.IndexByte(b, esc) >= 0, backslash: bytes.IndexByte(b, '\\') >= 0}
}

// A readAhead reads and decompresses in a goroutine of its own, a few buffers ahead of the scan.
type readAhead struct {
	full chan chunk
	free chan []byte
	done chan struct{}
	// layers are the decompressors; they may be read once closed is closed.
	layers []*layer
	// closed is closed when the goroutine has ended and the file is closed.
	closed  chan struct{}
	stopped atomic.Bool
}

// startReadAhead takes rc over: the goroutine closes it.
func startReadAhead(rc io.ReadCloser) *readAhead {
	a := &readAhead{
		full:   make(chan chunk, maxBuffers),
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
	defer func() { _ = rc.Close() }()
	br, layers := decompress(rc)
	a.layers = layers
	defer closeLayers(layers)
	r := textReader(br)
	made := 0
	for {
		buf, fresh := a.buffer(made)
		if buf == nil {
			return
		}
		if fresh {
			made++
		}
		n, err := r.Read(buf)
		select {
		case a.full <- chunk{buf[:n], marksOf(buf[:n]), err}:
		case <-a.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// buffer returns a recycled buffer, or a fresh one while fewer than maxBuffers were made; nil when it is over.
func (a *readAhead) buffer(made int) (buf []byte, fresh bool) {
	select {
	case <-a.done:
		return nil, false
	case b := <-a.free:
		return b, false
	default:
	}
	switch {
	case made == 0:
		return make([]byte, firstBuffer), true
	case made < maxBuffers:
		return make([]byte, nextBuffer), true
	}
	select {
	case <-a.done:
		return nil, false
	case b := <-a.free:
		return b, false
	}
}
