package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/gotriage/triage/bench/internal/gen"
	"github.com/gotriage/triage/bench/internal/page"
)

// limits measures what no program that reads these inputs can pass: one copy of them in memory, decompression with the
// libraries that triage uses, a pipe, and the start of the program.
func (m *meter) limits(quick bool) (string, error) {
	size := int64(256e6)
	if quick {
		size = 8e6
	}
	var text bytes.Buffer
	if err := gen.Sparse.Write(size)(&text); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\nMeasured on %s.\n\n", page.Machine(), time.Now().UTC().Format("2 January 2006"))
	b.WriteString("| limit | MB/s |\n|---|--:|\n")
	fmt.Fprintf(&b, "| copying memory, one core | %s |\n", rate(text.Len(), copied(text.Bytes())))
	for _, c := range []codec{gzipCodec(), zstdCodec()} {
		took, err := c.decompressed(text.Bytes())
		if err != nil {
			return "", fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprintf(&b, "| decompressing %s, one core, what comes out | %s |\n", c.name, rate(text.Len(), took))
	}
	for _, g := range []struct {
		name  string
		input gen.Input
	}{{"logs", gen.Sparse.Write(4 * size)}, {"audit logs", gen.Audit(int(size / 250))}} {
		var n int64
		u, err := m.pipe(g.input, &n, "cat")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| the generator of %s, through a pipe into `cat` | %s |\n", g.name, rate(int(n), u.Wall))
	}
	fmt.Fprintf(&b, "\nA run over an empty file takes %s s of wall time, %s s of processor time and %s MB, the best "+
		"of %d.\n", seconds(m.empty.wall), seconds(m.empty.cpu), megabytes(m.empty.peak), m.empty.runs)
	fmt.Fprint(os.Stderr, b.String())
	return b.String(), nil
}

func rate(n int, took time.Duration) string { return count(float64(n) / 1e6 / took.Seconds()) }

// copied is the shortest of some copies into memory that was touched before.
func copied(text []byte) time.Duration {
	to := bytes.Clone(text)
	return shortest(func() error { copy(to, text); return nil })
}

func shortest(f func() error) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range 5 {
		began := time.Now()
		if f() != nil {
			break
		}
		least = min(least, time.Since(began))
	}
	return least
}

// A codec is a format in which inputs come.
type codec struct {
	name   string
	writer func(io.Writer) (io.WriteCloser, error)
	reader func(io.Reader) (io.Reader, error)
}

func gzipCodec() codec {
	return codec{"gzip",
		func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.DefaultCompression) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }}
}

func zstdCodec() codec {
	return codec{"zstd",
		func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) }}
}

func (c codec) decompressed(text []byte) (time.Duration, error) {
	var packed bytes.Buffer
	w, err := c.writer(&packed)
	if err != nil {
		return 0, err
	}
	if _, err := w.Write(text); err != nil {
		return 0, err
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	var failed error
	took := shortest(func() error {
		r, err := c.reader(bytes.NewReader(packed.Bytes()))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		failed = err
		return err
	})
	return took, failed
}
