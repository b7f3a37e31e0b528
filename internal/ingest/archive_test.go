package ingest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An entry of a test's archive.
type entry struct {
	name, content string
	mode          fs.FileMode
	flags, method uint16
}

// zipped writes an archive and returns its path.
func zipped(t testing.TB, name string, entries ...entry) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Flags: e.flags}
		h.SetMode(e.mode | 0o644)
		add := w.CreateHeader
		content := []byte(e.content)
		if e.method != 0 || e.flags != 0 {
			h.Method, add = e.method, w.CreateRaw
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(content)), uint64(len(content))
		}
		to, err := add(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// inside renders sources as paths within the archive, the parts of one joined by " + ".
func inside(t *testing.T, archive string, sources []Source) []string {
	t.Helper()
	out := []string{}
	for _, s := range sources {
		var parts []string
		for _, p := range s.Parts {
			parts = append(parts, strings.TrimPrefix(p.Path, archive+InsideArchive))
		}
		out = append(out, strings.Join(parts, " + "))
	}
	return out
}

// readAllOf reads every source and returns their lines, with the skips.
func readAllOf(t *testing.T, sources []Source) (lines []string, skips []Skip) {
	t.Helper()
	for _, s := range sources {
		res, err := Read(context.Background(), s, Handler{Lines: func(batch []Line) error {
			for i := range batch {
				lines = append(lines, string(batch[i].Text))
			}
			return nil
		}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		skips = append(skips, res.Skips...)
	}
	return lines, skips
}

func TestAZipsEntriesAreFilesOfTheirOwn(t *testing.T) {
	dump := "goroutine 1 [running]:\nmain.main()\n"
	path := zipped(t, "capture.bin", // recognised by content
		entry{name: "goroutine-1.txt", content: dump},
		entry{name: "pods/"},
		entry{name: "pods/shop_web-1_5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a/app/0.log", content: "two\n"},
		entry{name: "pods/shop_web-1_5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a/app/0.log.20260301-100000.gz", content: string(gzipped(t, []byte("one\n")))},
	)
	sources, skips := gather([]string{path, path}, Options{})
	pod := "pods/shop_web-1_5e0a8f64-6a3b-4c7e-9f1d-2b8c4d6e0f1a/app/"
	want := []string{"goroutine-1.txt", pod + "0.log.20260301-100000.gz + " + pod + "0.log"}
	if diff := cmp.Diff(want, inside(t, path, sources)); diff != "" || len(skips) > 0 {
		t.Fatalf("%s%+v", diff, skips)
	}
	if o := sources[1].Origin; o.Namespace != "shop" || o.Pod != "web-1" || o.Container != "app" {
		t.Errorf("origin %+v", o)
	}
	lines, skips := readAllOf(t, sources)
	if diff := cmp.Diff([]string{"goroutine 1 [running]:", "main.main()", "one", "two"}, lines); diff != "" || len(skips) > 0 {
		t.Errorf("%s%+v", diff, skips)
	}
}

func TestAZipInAFolderIsReadLikeAFolder(t *testing.T) {
	path := zipped(t, "logs.ZIP", entry{name: "a.log", content: "x\n"})
	dir := filepath.Dir(path)
	if err := os.WriteFile(filepath.Join(dir, "b.log"), []byte("y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sources, skips := gather([]string{dir}, Options{})
	if lines, _ := readAllOf(t, sources); len(skips) > 0 || !cmp.Equal(lines, []string{"y", "x"}) && !cmp.Equal(lines, []string{"x", "y"}) {
		t.Errorf("%q %+v", lines, skips)
	}
	// Named twice it is read once, and its folder is not called empty.
	if err := os.Remove(filepath.Join(dir, "b.log")); err != nil {
		t.Fatal(err)
	}
	sources, skips = gather([]string{path, dir}, Options{})
	if len(sources) != 1 || len(skips) > 0 {
		t.Errorf("%d sources, %+v", len(sources), skips)
	}
}

func TestHostileEntriesAreSkippedWithAReason(t *testing.T) {
	inner, err := os.ReadFile(zipped(t, "inner.zip", entry{name: "deep.log", content: "deep\n"}))
	if err != nil {
		t.Fatal(err)
	}
	path := zipped(t, "x.zip",
		entry{name: "link", content: "/etc/passwd", mode: fs.ModeSymlink},
		entry{name: "locked", content: "secret", flags: 1},
		entry{name: "odd", content: "??", method: 12},
		entry{name: "../up.log", content: "up\n"},
		entry{name: "up.log", content: "again\n"},
		entry{name: "nested.zip", content: string(inner)},
	)
	h := collect(t, path)
	if diff := cmp.Diff([]string{"up.log", "up.log (2)", "nested.zip!/deep.log"}, inside(t, path, h.sources)); diff != "" {
		t.Error(diff)
	}
	var reasons []string
	for _, s := range h.skips {
		if s.Named || s.Hint == "" {
			t.Errorf("%+v: an entry is named by nobody, and has a hint", s)
		}
		reasons = append(reasons, s.Reason)
	}
	want := []string{
		"symbolic link that leads out of the archive: not followed", "encrypted", "packed with method 12, which is neither store nor deflate",
		`name leads out of the archive: "../up.log" is read and shown as up.log`,
	}
	if diff := cmp.Diff(want, reasons); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"up", "again", "deep"}, h.lines); diff != "" {
		t.Error(diff)
	}
}

func TestAnArchiveThatPacksWellIsNoBomb(t *testing.T) {
	// A dump of many equal stacks: 40 times its size.
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "goroutine %d [select]:\nmain.(*worker).run(0xc000%06x)\n\tmain.go:12 +0x1d\n\n", i, i*64)
	}
	path := zipped(t, "x.zip", entry{name: "dump.txt", content: b.String()})
	sources, skips := gather([]string{path}, Options{})
	lines, more := readAllOf(t, sources)
	if len(skips)+len(more) > 0 || len(lines) != 80_000 {
		t.Errorf("%d lines, %+v %+v", len(lines), skips, more)
	}
}

func TestAnArchiveOfTooManyEntriesIsReadUpToItsBound(t *testing.T) {
	var all []entry
	for i := range 100 {
		all = append(all, entry{name: fmt.Sprintf("%05d", i)})
	}
	path := zipped(t, "x.zip", all...)
	sources, skips := gather([]string{path}, Options{Limits: Limits{MaxEntries: 90}})
	if len(sources) != 90 || len(skips) != 1 || !strings.Contains(skips[0].Reason, "more than 90 files") {
		t.Errorf("%d sources, %+v", len(sources), skips)
	}
}

type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestABrokenArchiveIsSkippedAsAnInputThatWasNamed(t *testing.T) {
	whole, err := os.ReadFile(zipped(t, "x.zip", entry{name: "a.log", content: strings.Repeat("some line\n", 100)}))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"cut":     whole[:20],
		"garbage": append([]byte("PK\x03\x04"), bytes.Repeat([]byte("x"), 1000)...),
		"empty":   []byte("PK\x05\x06" + strings.Repeat("\x00", 18)),
	} {
		path := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		sources, skips := gather([]string{path}, Options{})
		if len(sources) != 0 || len(skips) != 1 || !skips[0].Named || skips[0].Hint == "" {
			t.Errorf("%s: %d sources, %+v", name, len(sources), skips)
		}
	}
}

func TestAnEntryWithAWrongChecksumKeepsWhatCame(t *testing.T) {
	path := zipped(t, "x.zip", entry{name: "a.log", content: "hello\n", method: zip.Store, flags: 0x800}) // raw: its checksum says 0
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.Index(data, []byte("PK\x01\x02"))
	copy(data[i+16:], "\x01\x02\x03\x04")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	sources, _ := gather([]string{path}, Options{})
	lines, skips := readAllOf(t, sources)
	if !cmp.Equal(lines, []string{"hello"}) || len(skips) != 1 || !strings.Contains(skips[0].Reason, "checksum") {
		t.Errorf("%q %+v", lines, skips)
	}
}
