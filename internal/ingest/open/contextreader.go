package open

import (
	"context"
	"io"
)

// newContextReader reads from something that may never send anything, and ends when ctx does. It takes rc over. Closing
// doesn't wait: a read from a terminal or a pipe may never return.
func newContextReader(ctx context.Context, rc io.ReadCloser) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = w.CloseWithError(ctx.Err()) })
	go func() {
		defer func() { _ = rc.Close() }()
		defer stop()
		// A file's own WriteTo would copy smaller pieces.
		_, err := io.CopyBuffer(w, struct{ io.Reader }{rc}, make([]byte, feedChunk))
		_ = w.CloseWithError(err)
	}()
	return r
}
