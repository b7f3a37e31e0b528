package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A member is one entry of an archive that a test makes.
type member struct {
	name, content string
	kind          byte   // of tar: 0 for a regular file
	link          string // target of a tar's link
	pax           map[string]string
	store         bool // in a zip: without compression
}

func tarOf(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.content)), Typeflag: m.kind, Linkname: m.link, PAXRecords: m.pax, ModTime: time.Unix(1, 0)}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.store {
			h.Method = zip.Store
		}
		e, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// written puts data into a file of a new folder.
func written(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// reasons renders skips as path: reason, the path within root.
func (h *collected) reasons(root string) []string {
	out := []string{}
	for _, s := range h.skips {
		out = append(out, trimRoot(s.Path, root)+": "+s.Reason)
	}
	return out
}

func trimRoot(path, root string) string {
	if len(path) > len(root) && path[:len(root)] == root {
		return path[len(root)+len(InsideArchive):]
	}
	return path
}

func newDeflater(t testing.TB, w io.Writer) io.WriteCloser {
	t.Helper()
	f, err := flate.NewWriter(w, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// rawZip is a zip of one entry that says that it has size bytes.
func rawZip(name string, deflated []byte, size uint64) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	e, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(deflated)), UncompressedSize64: size})
	if err == nil {
		_, err = e.Write(deflated)
	}
	if err != nil || w.Close() != nil {
		panic("a buffer refuses bytes")
	}
	return b.Bytes()
}
