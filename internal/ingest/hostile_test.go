package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/ingest/open"
)

const (
	tarBlock    = 512
	localHeader = "PK\x03\x04"
)

func TestEntriesOfATarThatAreNoFilesAreSkipped(t *testing.T) {
	path := written(t, "x.tar", tarOf(t,
		member{name: "dev", kind: tar.TypeBlock}, member{name: "pipe", kind: tar.TypeFifo}, member{name: "tty", kind: tar.TypeChar},
		member{name: "../../etc/up.log", content: "up\n"}, member{name: "/abs.log", content: "abs\n"}, member{name: `C:\win.log`, content: "win\n"},
		member{name: "a\x1b[31m.log", content: "red\n"}, member{name: "twice.log", content: "1\n"}, member{name: "twice.log", content: "2\n"},
	))
	h := collect(t, path)
	if diff := cmp.Diff([]string{"etc/up.log", "abs.log", "win.log", "a?[31m.log", "twice.log", "twice.log (2)"}, inside(t, path, h.sources)); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"dev: not a regular file", "pipe: not a regular file", "tty: not a regular file",
		`etc/up.log: name leads out of the archive: "../../etc/up.log" is read and shown as up.log`,
		`abs.log: name leads out of the archive: "/abs.log" is read and shown as abs.log`,
		`win.log: name leads out of the archive: "C:\\win.log" is read and shown as win.log`,
	}
	if diff := cmp.Diff(want, h.reasons(path)); diff != "" {
		t.Error(diff)
	}
}

func TestASourceKnowsTheNameThatItsArchiveStores(t *testing.T) {
	inner := tarOf(t, member{name: "plain.log", content: "plain\n"}, member{name: "./dot.log", content: "dot\n"})
	path := written(t, "x.tar", tarOf(t, member{name: "a.log", content: "a\n"}, member{name: "./b/c.log", content: "c\n"},
		member{name: "/abs.log", content: "abs\n"}, member{name: "./in.tar", content: string(inner)}))
	want := map[string]string{"a.log": "", "b/c.log": "./b/c.log", "abs.log": "/abs.log",
		"in.tar!/plain.log": "./in.tar!/plain.log", "in.tar!/dot.log": "./in.tar!/./dot.log"}
	got := map[string]string{}
	for _, s := range collect(t, path).sources {
		got[trimRoot(s.Parts[0].Path, path)] = strings.TrimPrefix(s.Parts[0].Stored, path+InsideArchive)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLinksInAnArchiveAreResolvedByNameAndNeverFollowed(t *testing.T) {
	link := func(name, target string) member { return member{name: name, kind: tar.TypeSymlink, link: target} }
	path := written(t, "x.tar", tarOf(t,
		link("b/all-logs/web/app.log", "../../cluster-resources/pods/logs/shop/web/app.log"),
		link("b/all-logs/chain.log", "web/app.log"),
		link("b/folder", "cluster-resources/pods"),
		link("b/var/log/containers/app.log", "/var/log/pods/shop_web/app/0.log"),
		member{name: "b/hard.log", kind: tar.TypeLink, link: "b/cluster-resources/pods/logs/shop/web/app.log"},
		link("b/loop-a", "loop-b"), link("b/loop-b", "loop-a"), link("b/self", "self"),
		link("b/out", "../../../etc/passwd"), link("b/abs", "/etc/passwd"), link("b/nowhere", "gone.log"),
		member{name: "b/cluster-resources/pods/logs/shop/web/app.log", content: "app\n"},
		member{name: "b/var/log/pods/shop_web/app/0.log", content: "pod\n"},
	))
	links := map[string]string{}
	h := collectWith(t, Options{Link: func(path, target string) { links[filepath.Base(path)] = target[strings.Index(target, "!/")+2:] }}, path)
	if diff := cmp.Diff([]string{"app", "pod"}, h.lines); diff != "" {
		t.Error(diff)
	}
	const app = "b/cluster-resources/pods/logs/shop/web/app.log"
	want := map[string]string{"chain.log": app, "folder": "b/cluster-resources/pods", "hard.log": app, "app.log": "b/var/log/pods/shop_web/app/0.log"}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"b/loop-a: symbolic link that is in a loop", "b/loop-b: symbolic link that is in a loop", "b/self: symbolic link that is in a loop",
		"b/out: symbolic link that leads out of the archive: not followed", "b/abs: symbolic link that leads out of the archive: not followed",
		"b/nowhere: symbolic link to b/gone.log, which is not in the archive",
	}, h.reasons(path)); diff != "" {
		t.Error(diff)
	}
}

func TestATarThatIsCutIsReadUpToTheCut(t *testing.T) {
	whole := tarOf(t, member{name: "a.txt", content: "a\n"}, member{name: "b.txt", content: strings.Repeat("b\n", 2000)}, member{name: "c.txt", content: "c\n"})
	for name, data := range map[string][]byte{"plain": whole[:2*tarBlock+3000], "gzip": gzipped(t, whole[:2*tarBlock+3000])} {
		h := collect(t, written(t, "x", data))
		if len(h.lines) < 1000 || h.lines[0] != "a" || h.lines[1] != "b" || len(h.sources) != 2 {
			t.Errorf("%s: %d lines of %d files", name, len(h.lines), len(h.sources))
		}
		if len(h.skips) != 2 || !strings.Contains(h.skips[0].Reason,
			"ends early, after 2 entries: everything before that was read") || h.skips[0].Named {
			t.Errorf("%s: %+v", name, h.skips)
		}
	}
	// The compressed stream is cut: that is the cause, and reported as well.
	data := gzipped(t, whole)
	h := collect(t, written(t, "x", data[:len(data)-20]))
	if len(h.skips) == 0 || !strings.Contains(fmt.Sprint(h.skips), "gzip stream ends early") {
		t.Errorf("%+v", h.skips)
	}
}

func TestTarsThatFollowEachOtherAreAllRead(t *testing.T) {
	data := append(tarOf(t, member{name: "a.txt", content: "a\n"}), tarOf(t, member{name: "b.txt", content: "b\n"})...)
	data = append(data, "some bytes that a download left"...)
	if h := collect(t, written(t, "x", data)); !cmp.Equal(h.lines, []string{"a", "b"}) || len(h.skips) > 0 {
		t.Errorf("%q %+v", h.lines, h.skips)
	}
}

func TestASparseFileIsNotReadForItsHoles(t *testing.T) {
	// GNU's old sparse format: one byte at the end of a terabyte, and the same of a small file.
	for size, read := range map[int64]bool{1 << 40: false, 1 << 12: true} {
		var b [2 * tarBlock]byte
		h := b[:tarBlock]
		copy(h, "lastlog")
		copy(h[100:], "0000644\x000000000\x000000000\x00")
		copy(h[124:], "00000000001\x00")
		copy(h[136:], "00000000000\x00")
		h[156] = tar.TypeGNUSparse
		copy(h[257:], "ustar  \x00")
		number := func(p []byte, n int64) {
			p[0] = 0x80
			binary.BigEndian.PutUint64(p[4:], uint64(n))
		}
		number(h[386:398], size-1) // of the only piece
		number(h[398:410], 1)
		number(h[483:495], size)
		copy(h[148:], "        ")
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
		b[tarBlock] = 'x'
		collected := collect(t, written(t, "x.tar", append(b[:], make([]byte, 2*tarBlock)...)))
		if !read && (len(collected.skips) != 2 || collected.skips[1].Reason != "a sparse file of 1024 GiB") || read && (len(collected.skips) > 0 || len(collected.sources) != 1) {
			t.Errorf("%d bytes: %+v", size, collected.skips)
		}
	}
}

func TestAnEntryThatIsLargerThanOneFileMayBeIsSkipped(t *testing.T) {
	o := Options{Limits: Limits{MaxFile: 1000}}
	members := []member{{name: "large.txt", content: strings.Repeat("x\n", 1000)}, {name: "small.txt", content: "x\n"}}
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...), "gz": gzipped(t, []byte(members[0].content))} {
		h := collectWith(t, o, written(t, "x", data))
		if len(h.skips) != 1 || !strings.Contains(h.skips[0].Reason, "larger than the limit for one (1000 bytes, --max-file)") || len(h.lines) > 500 {
			t.Errorf("%s: %d lines, %+v", name, len(h.lines), h.skips)
		}
	}
}

func TestAllFilesTogetherHaveALimit(t *testing.T) {
	var members []member
	for i := range 10 {
		members = append(members, member{name: fmt.Sprintf("%d.txt", i), content: strings.Repeat("x\n", 500)})
	}
	o := Options{Limits: Limits{MaxExpanded: 5500}}
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...)} {
		h := collectWith(t, o, written(t, "x", data))
		if n := len(h.lines); n < 1500 || n > 2750 || len(h.skips) == 0 || !strings.Contains(h.skips[0].Reason, "--max-expanded") {
			t.Errorf("%s: %d lines, %+v", name, n, h.skips)
		}
	}
}

// bomb is zeros, compressed.
func bomb(t *testing.T, size int64, compress func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	w := compress(&b)
	if _, err := io.CopyN(w, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestABombIsNotUnpackedWhereItSaysItsSize(t *testing.T) {
	deflated := bomb(t, 8<<20, func(w io.Writer) io.WriteCloser { return newDeflater(t, w) })
	inner := rawZip("zeros.log", deflated, 1<<33)
	h := collect(t, written(t, "x.zip", zipOf(t, member{name: "nodes/n1.zip", content: string(inner)}, member{name: "a.log", content: "a\n"})))
	if !cmp.Equal(h.lines, []string{"a"}) || len(h.skips) != 1 || !strings.Contains(h.skips[0].Path, "nodes/n1.zip!/zeros.log") ||
		!strings.Contains(h.skips[0].Reason, "more than 250 times its size") {
		t.Errorf("%q %+v", h.lines, h.skips)
	}
}

func TestDamagedNestedArchivesCostOnlyThemselves(t *testing.T) {
	good := zipOf(t, member{name: "in.log", content: "in\n"})
	cut := zipOf(t, member{name: "in.log", content: strings.Repeat("in\n", 100)})
	members := []member{
		{name: "1-cut.zip", content: string(cut[:len(cut)-10])}, {name: "2-stored-cut.zip", content: string(cut[:len(cut)-10]), store: true},
		{name: "3-good.zip", content: string(good)}, {name: "4-garbage.tgz", content: string(gzipped(t, []byte("no tar")))},
		{name: "5-broken.gz", content: "\x1f\x8b\x08\x00broken"}, {name: "6.log", content: "after\n"},
	}
	for name, data := range map[string][]byte{"zip": zipOf(t, members...), "tar": tarOf(t, members...)} {
		path := written(t, "x", data)
		h := collect(t, path)
		// The list of files at their end is what the cut ones lack.
		want := append(slices.Repeat([]string{"in"}, 201), "no tar", "after")
		if diff := cmp.Diff(want, h.lines); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var paths []string
		for _, r := range h.reasons(path) {
			paths = append(paths, r[:strings.IndexByte(r, ':')])
		}
		if diff := cmp.Diff([]string{"1-cut.zip", "2-stored-cut.zip", "5-broken.gz"}, paths); diff != "" {
			t.Errorf("%s: %s%+v", name, diff, h.skips)
		}
	}
}

func TestNothingIsWrittenAnywhere(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := written(t, "x.zip", zipOf(t, member{name: "../evil.log", content: "x\n"}, member{name: "evil.log", content: "x\n"}))
	if h := collect(t, path); len(h.lines) != 2 {
		t.Fatalf("%q", h.lines)
	}
	var found []string
	for _, where := range []string{dir, filepath.Join(dir, "tmp"), filepath.Dir(path)} {
		entries, err := os.ReadDir(where)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found = append(found, e.Name())
		}
	}
	if diff := cmp.Diff([]string{"tmp", "x.zip"}, found); diff != "" {
		t.Error(diff)
	}
}

func TestAZipWithoutItsListIsReadByItsFilesOwnHeaders(t *testing.T) {
	long := strings.Repeat("a line\n", 3000)
	// Go's writer leaves the sizes to a descriptor behind each file; raw entries have them in their headers.
	var raw bytes.Buffer
	w := zip.NewWriter(&raw)
	for _, name := range []string{"1.log", "2.log"} {
		e, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: 2, UncompressedSize64: 2})
		if err == nil {
			_, err = e.Write([]byte("x\n"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed := zipOf(t, member{name: "b/1.log", content: long}, member{name: "b/2.log", content: "2\n"}, member{name: "b/n.zip", content: string(zipOf(t, member{name: "3.log", content: "3\n"}))})
	for name, c := range map[string]struct {
		data  []byte
		lines int
		skips int
	}{
		"only the list is cut":    {packed[:bytes.Index(packed, []byte("PK\x01\x02"))+10], 3002, 1},
		"cut in a file":           {packed[:60], 0, 2},
		"sizes in headers":        {raw.Bytes()[:bytes.Index(raw.Bytes(), []byte("PK\x01\x02"))+4], 2, 1},
		"cut in the second":       {raw.Bytes()[:bytes.LastIndex(raw.Bytes(), []byte(localHeader))+36], 1, 1},
		"nothing but a signature": {[]byte(localHeader + strings.Repeat("x", 100)), 0, 1},
	} {
		h := collect(t, written(t, "x.zip", c.data))
		if len(h.lines) < c.lines || len(h.lines) > c.lines+3000 || len(h.skips) != c.skips {
			t.Errorf("%s: %d lines, %+v", name, len(h.lines), h.skips)
		}
	}
}

func TestAListOfFilesThatIsTooLongIsNotReadWhole(t *testing.T) {
	var members []member
	for i := range 20 {
		members = append(members, member{name: fmt.Sprintf("%s%d.log", strings.Repeat("n", 60_000), i), content: "x\n"})
	}
	h := collectWith(t, Options{Limits: Limits{MaxEntries: 100}}, written(t, "x.zip", zipOf(t, members...)))
	if len(h.sources) != 0 || len(h.skips) != 1 || !strings.Contains(h.skips[0].Reason, "broken") && !strings.Contains(h.skips[0].Reason, "too long a list of files") {
		t.Errorf("%d sources, %+v", len(h.sources), h.skips)
	}
}

func TestAnArchiveThatTheLimitOfFilesLeavesNothingOfIsNotCalledEmpty(t *testing.T) {
	inner := member{name: "n.zip", content: string(zipOf(t, member{name: "c.log", content: "c\n"}))}
	h := collectWith(t, Options{Limits: Limits{MaxEntries: 2}}, written(t, "x.zip", zipOf(t, member{name: "a.log", content: "a\n"}, inner)))
	if !cmp.Equal(h.lines, []string{"a"}) || len(h.skips) != 1 || !strings.Contains(h.skips[0].Reason, "more than 2 files") {
		t.Errorf("%q %+v", h.lines, h.skips)
	}
}

func TestASourceThatWasForgottenKeepsItsNameOnly(t *testing.T) {
	path := written(t, "x.zip", zipOf(t, member{name: "a.log", content: "a\n"}))
	Walk(t.Context(), []string{path}, Options{}, func(s Source) {
		s.Forget()
		res, err := Read(t.Context(), s, Handler{}, Options{})
		if err != nil || s.Parts[0].Path != path+"!/a.log" || len(res.Skips) != 1 || res.Skips[0].Reason != open.ErrForgotten.Error() {
			t.Errorf("%s: %v, %+v", s.Parts[0].Path, err, res.Skips)
		}
	})
}
