package open

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestAContextReaderReadsWhatIsThere(t *testing.T) {
	text := strings.Repeat("a line of no importance\n", 20_000)
	if err := iotest.TestReader(newContextReader(t.Context(), io.NopCloser(strings.NewReader(text))), []byte(text)); err != nil {
		t.Error(err)
	}
	f := &File{raw: newContextReader(t.Context(), io.NopCloser(strings.NewReader(text)))}
	var head [10]byte
	n, err := io.ReadFull(f.raw, head[:])
	f.Wait() // what was read before is not lost
	rest, restErr := io.ReadAll(f.raw)
	if got := string(head[:n]) + string(rest); got != text || err != nil || restErr != nil {
		t.Errorf("%d of %d bytes, %v, %v", len(got), len(text), err, restErr)
	}
}

// An idle reader sends nothing until it is let go.
type idle struct{ begun, let, closed chan struct{} }

func (r idle) Read([]byte) (int, error) {
	r.begun <- struct{}{}
	<-r.let
	return 0, io.EOF
}

func (r idle) Close() error { close(r.closed); return nil }

func TestAContextReaderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := idle{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	r := newContextReader(ctx, in)
	go func() {
		<-in.begun
		cancel()
	}()
	for range 2 {
		if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-in.closed:
		t.Error("closed while it is read")
	default:
	}
	close(in.let)
	<-in.closed
}
