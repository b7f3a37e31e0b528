package open

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
)

// maxSparse is how large a sparse file of a tar may be that is read: its holes cost nothing to make. /var/log/lastlog
// has 300 GB of them on some systems.
const maxSparse = 64 << 20

// Tars calls visit with each entry of the tar in r and of the tars that follow it there, as tar's -A and cat make such,
// until visit returns false. The error is that of a tar that breaks, or of a context that ended.
func Tars(ctx context.Context, r *bufio.Reader, visit func(h *tar.Header, content io.Reader) bool) error {
	for first := true; ; first = false {
		if !first && !nextTar(r) {
			return nil
		}
		tr := tar.NewReader(r)
		for {
			if err := ctx.Err(); err != nil {
				return err
			}
			h, err := tr.Next()
			if err == io.EOF {
				break
			}
			if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
				return err
			}
			if !visit(h, tr) {
				return nil
			}
		}
	}
}

// nextTar skips the blocks of zeros behind a tar and reports whether another one follows.
func nextTar(r *bufio.Reader) bool {
	for {
		block, err := r.Peek(tarBlock)
		if err != nil {
			return false
		}
		if isTarHeader(block) {
			return true
		}
		if len(bytes.TrimLeft(block, "\x00")) > 0 {
			return false // something else: what a download left, or a signature
		}
		_, _ = r.Discard(tarBlock)
	}
}

// IsHoles reports whether an entry is a sparse file that is too large to be read for its holes.
func IsHoles(h *tar.Header) bool {
	sparse := h.Typeflag == tar.TypeGNUSparse
	for k := range h.PAXRecords {
		sparse = sparse || strings.HasPrefix(k, "GNU.sparse.")
	}
	return sparse && h.Size > maxSparse
}
