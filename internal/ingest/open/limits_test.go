package open

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestWhatAnArchiveMayBecomeIsBoundedForAllItsEntries(t *testing.T) {
	a := newArchive(100, nil)
	if got := a.left.Load(); got != freeExpanded {
		t.Errorf("a small archive may become %d bytes", got)
	}
	a.left.Store(150)
	for i, want := range []error{nil, errBomb} {
		e := &entryReader{r: io.NopCloser(strings.NewReader(strings.Repeat("x", 100))), a: a}
		if _, err := io.ReadAll(e); err != want {
			t.Errorf("entry %d: %v, want %v", i, err, want)
		}
	}
}

func TestALayerOfCompressionMayNotGrowWithoutBound(t *testing.T) {
	l := &Layer{r: zeros{}, format: Gzip, in: byteCounter{n: 1000}, n: freeExpanded - 10}
	n, _ := io.ReadFull(l, make([]byte, 100))
	if reason, _ := l.Problem(); n != 100 || !strings.Contains(reason, "more than 250 times its size: stopped after 1 GiB") {
		t.Errorf("%d bytes, %q", n, reason)
	}
	if n, err := l.Read(make([]byte, 100)); n != 0 || err != io.EOF {
		t.Errorf("%d, %v", n, err)
	}
}

func TestAListOfFilesHasABound(t *testing.T) {
	a := ArchiveOf(zeros{}, 1<<20)
	if err := a.use(); err != nil {
		t.Fatal(err)
	}
	a.directory = 100
	for range 2 {
		if _, err := a.ReadAt(make([]byte, 200), 0); !errors.Is(err, errDirectory) {
			t.Errorf("%v", err)
		}
	}
}

func TestAnArchiveIsOpenOnlyWhileAnEntryIs(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string]string{"a": "y", "b": "y"} {
		e, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(e, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "x.zip")
	if err := errors.Join(w.Close(), os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	a := Options{}.diskArchive(path, int64(b.Len()))
	r, err := a.List(10)
	if err != nil {
		t.Fatal(err)
	}
	var opened []io.ReadCloser
	for _, e := range r.File {
		rc, err := a.Open(e)
		if err != nil {
			t.Fatal(err)
		}
		opened = append(opened, rc)
	}
	for i, rc := range opened {
		if a.r == nil {
			t.Error("closed under an open entry")
		}
		if err := errors.Join(rc.Close(), rc.Close()); err != nil {
			t.Error(err)
		}
		if last := i == len(opened)-1; last != (a.r == nil) {
			t.Errorf("after %d of %d entries were closed, the file is open: %v", i+1, len(opened), a.r != nil)
		}
	}
	if rc, err := a.Open(r.File[1]); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(rc); err != nil || string(text) != "y" {
		t.Errorf("opened again: %q, %v", text, err)
	}
}

func TestWhatOneInputMayBecomeIsBounded(t *testing.T) {
	limits := Limits{}.WithDefaults()
	a := NewInputAllowance(limits, 1000)
	if got := a.input.Load(); got != freeExpanded {
		t.Fatalf("1,000 bytes may become %d", got)
	}
	a.input.Store(150)
	for i, want := range []error{nil, errBomb} {
		if _, err := io.ReadAll(Meter(strings.NewReader(strings.Repeat("x", 100)), a)); !errors.Is(err, want) {
			t.Errorf("entry %d: %v, want %v", i, err, want)
		}
	}
	if got := NewAllowance(limits).input.Load(); got != math.MaxInt64 {
		t.Errorf("a folder may become %d", got)
	}
}
