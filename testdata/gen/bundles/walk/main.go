// Command walk lists archives with all that lies in them, decompresses everything and counts bytes and lines, and does nothing else: what
// reading a bundle must cost at least, with the libraries that triage reads with. One line of output: files, bytes, lines.
//
//	GOMAXPROCS=1 go run ./walk bundle.zip
package main

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// A count is what was found.
type count struct {
	files, bytes, lines int64
	buf                 []byte
}

func main() {
	c := &count{buf: make([]byte, 256<<10)}
	for _, path := range os.Args[1:] {
		if err := c.open(path); err != nil {
			fmt.Fprintln(os.Stderr, "walk:", err)
			os.Exit(1)
		}
	}
	fmt.Printf("%d files, %d bytes, %d lines\n", c.files, c.bytes, c.lines)
}

func (c *count) open(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 4)
	if n, _ := io.ReadFull(f, head); n == 4 && string(head) == "PK\x03\x04" {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return c.zip(path, f, info.Size())
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return c.stream(path, f)
}

// stream takes one file: an archive, something compressed, or what is counted.
func (c *count) stream(name string, r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return c.stream(strings.TrimSuffix(name, ".gz"), z)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		z, err := xz.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return c.stream(strings.TrimSuffix(name, ".xz"), z)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		return c.stream(strings.TrimSuffix(name, ".zst"), z)
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return c.tar(name, in)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		data, err := io.ReadAll(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return c.zip(name, bytes.NewReader(data), int64(len(data)))
	}
	return c.read(name, in)
}

func (c *count) tar(name string, r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if h.Typeflag == tar.TypeReg {
			if err := c.stream(name+"!/"+h.Name, t); err != nil {
				return err
			}
		}
	}
}

func (c *count) zip(name string, r io.ReaderAt, size int64) error {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return fmt.Errorf("%s!/%s: %w", name, f.Name, err)
		}
		err = c.stream(name+"!/"+f.Name, in)
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *count) read(name string, r io.Reader) error {
	c.files++
	for {
		n, err := r.Read(c.buf)
		c.bytes += int64(n)
		c.lines += int64(bytes.Count(c.buf[:n], []byte("\n")))
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}
