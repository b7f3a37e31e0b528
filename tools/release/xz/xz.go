// Package xz has the functions that goreleaser, nfpm and rpmpack call of github.com/ulikunitz/xz, and packs with the
// program xz. A binary of Go gets a fifth smaller than with the library, whose search for repeats is shallower.
package xz

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// A Writer packs what is written to it. Close waits for the last bytes.
type Writer struct {
	io.WriteCloser
	done func() error
}

// WriterConfig is the library's. DictCap is ignored: the dictionary is that of xz -6, 8 MiB.
type WriterConfig struct{ DictCap int }

// NewWriter returns a writer that packs into another one.
func (WriterConfig) NewWriter(to io.Writer) (*Writer, error) { return NewWriter(to) }

// NewWriter returns a writer that packs into another one.
func NewWriter(to io.Writer) (*Writer, error) { return Start(to, "xz") }

// Start returns a writer that packs into another one in a format that `xz --format` knows. One thread packs, so that
// the bytes do not depend on the number of processors.
func Start(to io.Writer, format string) (*Writer, error) {
	cmd := exec.Command("xz", "-6", "--threads=1", "--stdout", "--format="+format)
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = to, &errs
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start xz, of the package xz-utils: %w", err)
	}
	return &Writer{in, func() error {
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("xz: %w: %s", err, errs.String())
		}
		return nil
	}}, nil
}

// Close ends the packed stream.
func (w *Writer) Close() error {
	if err := w.WriteCloser.Close(); err != nil {
		return err
	}
	return w.done()
}
