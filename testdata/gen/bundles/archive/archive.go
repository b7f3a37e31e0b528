// Package archive packs files the way the collectors of support bundles do, with the same bytes for the same files.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/ulikunitz/xz"
)

// A File is one entry. A name that ends in / is a folder, one with a Link a symbolic link.
type File struct {
	Name string
	Data []byte
	Link string
	Time time.Time
	// Stored keeps a zip from compressing it: what is compressed already.
	Stored bool
}

// level is what zip and gzip take where nobody says otherwise.
const level = 6

// Zip writes the files that next makes, 0 to n-1, in this order; they are made and compressed on all processors.
func Zip(w io.Writer, n int, next func(int) (File, error)) error {
	out := zip.NewWriter(w)
	err := inOrder(n, func(i int) (packed, error) {
		f, err := next(i)
		if err != nil {
			return packed{}, err
		}
		return deflate(f)
	}, func(p packed) error {
		e, err := out.CreateRaw(&p.head)
		if err != nil {
			return err
		}
		_, err = e.Write(p.body)
		return err
	})
	if err != nil {
		return fmt.Errorf("zip: %w", err)
	}
	return out.Close()
}

// A packed is a file as a zip holds it.
type packed struct {
	head zip.FileHeader
	body []byte
}

func deflate(f File) (packed, error) {
	p := packed{head: zip.FileHeader{Name: f.Name, Method: zip.Store}, body: f.Data}
	p.head.SetModTime(f.Time) // CreateRaw takes the old form alone
	switch {
	case strings.HasSuffix(f.Name, "/"):
		p.head.SetMode(0o755 | 1<<31)
		return p, nil
	case f.Link != "":
		p.head.SetMode(0o777 | 1<<27)
		p.body = []byte(f.Link)
	default:
		p.head.SetMode(0o644)
	}
	p.head.CRC32 = crc32.ChecksumIEEE(p.body)
	p.head.UncompressedSize64 = uint64(len(p.body))
	if !f.Stored && f.Link == "" && len(f.Data) > 0 {
		var b bytes.Buffer
		z, err := flate.NewWriter(&b, level)
		if err != nil {
			return p, err
		}
		if _, err = z.Write(f.Data); err != nil {
			return p, err
		}
		if err = z.Close(); err != nil {
			return p, err
		}
		if b.Len() < len(f.Data) {
			p.head.Method, p.body = zip.Deflate, b.Bytes()
		}
	}
	p.head.CompressedSize64 = uint64(len(p.body))
	return p, nil
}

// Tar writes the files that next makes, 0 to n-1, in this order.
func Tar(w io.Writer, n int, next func(int) (File, error)) error {
	out := tar.NewWriter(w)
	err := inOrder(n, next, func(f File) error {
		h := &tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data)), ModTime: f.Time, Format: tar.FormatGNU, Typeflag: tar.TypeReg}
		switch {
		case strings.HasSuffix(f.Name, "/"):
			h.Typeflag, h.Mode = tar.TypeDir, 0o755
		case f.Link != "":
			h.Typeflag, h.Mode, h.Linkname = tar.TypeSymlink, 0o777, f.Link
		}
		if err := out.WriteHeader(h); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		_, err := out.Write(f.Data)
		return err
	})
	if err != nil {
		return fmt.Errorf("tar: %w", err)
	}
	return out.Close()
}

// TarGz is Tar in one gzip member.
func TarGz(w io.Writer, n int, next func(int) (File, error)) error {
	z, err := gzip.NewWriterLevel(w, level)
	if err != nil {
		return err
	}
	if err := Tar(z, n, next); err != nil {
		return err
	}
	return z.Close()
}

// TarXz is Tar in one xz stream.
func TarXz(w io.Writer, n int, next func(int) (File, error)) error {
	z, err := xz.NewWriter(w)
	if err != nil {
		return err
	}
	if err := Tar(z, n, next); err != nil {
		return err
	}
	return z.Close()
}

// Gzip is the bytes in one gzip member, with no time and name in its head.
func Gzip(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// inOrder makes n values on all processors and hands them on in order; few are held at a time.
func inOrder[T any](n int, next func(int) (T, error), take func(T) error) error {
	type result struct {
		value T
		err   error
	}
	slots := make(chan chan result, runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		defer close(slots)
		for i := range n {
			slot := make(chan result, 1)
			select {
			case slots <- slot:
			case <-stop:
				return
			}
			go func() {
				v, err := next(i)
				slot <- result{v, err}
			}()
		}
	}()
	for slot := range slots {
		r := <-slot
		if r.err != nil {
			return r.err
		}
		if err := take(r.value); err != nil {
			return err
		}
	}
	return nil
}
