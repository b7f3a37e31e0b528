package redact

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/pprof/profile"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/ingest/open"
	"github.com/ulikunitz/xz"
)

// A bundle of a two-node cluster: the log that names a node comes before the object that says that it is one.
func bundle(t *testing.T) map[string][]byte {
	t.Helper()
	return map[string][]byte{
		"b/logs/a/web-1/app.log":    []byte("2026-11-20T10:00:00Z syncing edge07 with 10.1.2.3\n2026-11-20T10:00:01Z password=hunter2\n"),
		"b/logs/a/web-2/app.log.gz": gzipped(t, []byte("2026-11-20T10:00:00Z edge07.acme.com says hello to 10.1.2.3\n")),
		"b/nodes/edge07.zip":        zipOf(t, map[string][]byte{"edge07/logs/kubelet.log": []byte("Nov 20 10:00:00 edge07 kubelet[12]: up\n"), "edge07/etc/hostname": []byte("edge07\n")}),
		"b/yamls/nodes.yaml":        []byte("apiVersion: v1\nitems:\n- kind: Node\n  metadata:\n    labels:\n      kubernetes.io/hostname: edge07\n    name: edge07\n"),
		"b/yamls/secrets.yaml": []byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    ca.crt: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t\n    user: YWRtaW4=\n  kind: Secret\n  metadata:\n    annotations:\n" +
			"      kubectl.kubernetes.io/last-applied-configuration: |\n        {\"data\":{\"user\":\"YWRtaW4=\"},\"kind\":\"Secret\"}\n    name: s\n- apiVersion: v1\n  data:\n    level: info\n    conf: |\n      password: hunter2\n      level: debug\n  kind: ConfigMap\n  metadata:\n    name: c\n" +
			"- apiVersion: v1\n  kind: Pod\n  spec:\n    containers:\n    - args:\n      - --password\n      - hunter2\n      env:\n      - name: DB_PASSWORD\n        value: hunter2\n      - name: PORT\n        value: \"80\"\n    nodeName: edge07\n"),
		"b/profiles/cpu":   cpuProfile(t),
		"b/core":           append([]byte("\x7fELF\x02\x01\x01hunter2"), make([]byte, 4096)...),
		"b/data.bin":       bytes.Repeat([]byte{0, 1, 2, 3, 0xff, 0xfe}, 300),
		"b/var/run.txz":    tarXz(t, map[string][]byte{"edge07.txt": []byte("at edge07\n")}),
		"b/dumps/1.log":    []byte("SIGABRT: abort\n\ngoroutine 1 [running]:\ngithub.com/acme/web/pkg.(*S).run(0xc000112000)\n\t/src/github.com/acme/web/pkg/s.go:12 +0x1d\n"),
		"b/ips/10.1.2.3.t": []byte("x\n"),
	}
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, err := w.Write(b)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zipOf(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func tarred(t *testing.T, files map[string][]byte, more ...*tar.Header) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(files[name])), Mode: 0o600, Uname: "jane", Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range more {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func tarXz(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := xz.NewWriter(&buf)
	if err == nil {
		_, err = w.Write(tarred(t, files))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func cpuProfile(t *testing.T) []byte {
	t.Helper()
	fn := &profile.Function{ID: 1, Name: "github.com/acme/web/pkg.(*S).run", Filename: "/src/github.com/acme/web/pkg/s.go"}
	m := &profile.Mapping{ID: 1, File: "/home/jane/bin/web", BuildID: "abc", HasFunctions: true}
	loc := &profile.Location{ID: 1, Mapping: m, Address: 1, Line: []profile.Line{{Function: fn, Line: 12}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1,
		Sample:   []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{10}, Label: map[string][]string{"customer": {"Initech"}}}},
		Location: []*profile.Location{loc}, Function: []*profile.Function{fn}, Mapping: []*profile.Mapping{m}, Comments: []string{"from edge07"},
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// unpack returns every file of an archive, nested ones and compressed ones unpacked too.
func unpack(t *testing.T, name string, b []byte, all map[string]string) {
	t.Helper()
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		r, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		unpack(t, name, plain, all)
	case bytes.HasPrefix(b, []byte("PK")):
		r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			rc, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(rc)
			if err != nil {
				t.Fatal(err)
			}
			unpack(t, name+"!"+f.Name, data, all)
		}
	case open.ContainerOf(b) == open.Tar:
		r := tar.NewReader(bytes.NewReader(b))
		for {
			h, err := r.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Uname != "" || h.Linkname != "" {
				t.Errorf("%s keeps an owner or a link", h.Name)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			unpack(t, name+"!"+h.Name, data, all)
		}
	default:
		all[name] = string(b)
	}
}

func copied(t *testing.T, in, out string, o CopyOptions) *Summary {
	t.Helper()
	sum, err := Copy(context.Background(), in, out, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestABundlesCopyKeepsItsFormAndNoneOfItsSecrets(t *testing.T) {
	files := bundle(t)
	for form, data := range map[string][]byte{"b.zip": zipOf(t, files), "b.tar": tarred(t, files), "b.tar.gz": gzipped(t, tarred(t, files)), "b.tar.xz": tarXz(t, files), "folder": nil} {
		t.Run(form, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, form), filepath.Join(dir, "copy")
			if data == nil {
				for name, b := range files {
					write(t, filepath.Join(in, filepath.FromSlash(name)), b)
				}
			} else {
				write(t, in, data)
			}
			sum := copied(t, in, out, CopyOptions{})
			all := map[string]string{}
			if data == nil {
				err := fs.WalkDir(os.DirFS(out), ".", func(p string, d fs.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						b, rerr := os.ReadFile(filepath.Join(out, filepath.FromSlash(p)))
						if rerr != nil {
							t.Fatal(rerr)
						}
						unpack(t, "!"+p, b, all)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			} else {
				b, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				unpack(t, "", b, all)
			}
			for name, text := range all {
				for _, secret := range []string{"edge07", "10.1.2.3", "hunter2", "YWRtaW4", "LS0t", "Initech", "/home/jane"} {
					if strings.Contains(name, secret) || strings.Contains(text, secret) {
						t.Errorf("%s is in %s:\n%s", secret, name, text)
					}
				}
			}
			for name, want := range map[string]string{
				"!b/logs/a/web-1/app.log":                     "2026-11-20T10:00:00Z syncing host-1 with ip-",
				"!b/logs/a/web-2/app.log.gz":                  "says hello to ip-",
				"!b/nodes/host-1.zip!host-1/logs/kubelet.log": "Nov 20 10:00:00 host-1 kubelet[12]: up\n",
				"!b/nodes/host-1.zip!host-1/etc/hostname":     "host-1\n",
				"!b/yamls/secrets.yaml":                       "    user: redacted\n  kind: Secret\n",
				"!b/dumps/1.log":                              string(files["b/dumps/1.log"]),
				"!b/var/run.tgz!host-1.txt":                   "at host-1\n",
				"!redaction.txt":                              "b/core: an executable or a core dump",
				"!b/profiles/cpu":                             "github.com/acme/web/pkg.(*S).run",
			} {
				if !strings.Contains(all[name], want) {
					t.Errorf("%s lacks %q:\n%s\n%v", name, want, all[name], slices.Sorted(maps.Keys(all)))
				}
			}
			for _, keep := range []string{"level: info", "value: \"80\"", "name: PORT", "level: debug"} {
				if !strings.Contains(all["!b/yamls/secrets.yaml"], keep) {
					t.Errorf("%q is gone:\n%s", keep, all["!b/yamls/secrets.yaml"])
				}
			}
			if sum.DroppedCount != 2 {
				t.Errorf("dropped %v, want the core and the binary file", sum.Dropped)
			}
		})
	}
}

func write(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestACopyOfACopyIsTheSame(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "1.zip"), filepath.Join(dir, "2.zip")
	write(t, filepath.Join(dir, "b.zip"), zipOf(t, bundle(t)))
	copied(t, filepath.Join(dir, "b.zip"), first, CopyOptions{})
	copied(t, first, second, CopyOptions{})
	a, b := map[string]string{}, map[string]string{}
	for out, all := range map[string]map[string]string{first: a, second: b} {
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		unpack(t, "", data, all)
	}
	for name, text := range a {
		if name != "!redaction.txt" && b[name] != text {
			t.Errorf("%s changed:\n%s\n%s", name, text, b[name])
		}
	}
}

func TestTheReportOfACopyReplacesThatOfTheCopyBefore(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write(t, path("in.zip"), zipOf(t, map[string][]byte{"a.log": []byte("password=hunter2\n"), "x/redaction.txt": []byte(reportHead)}))
	copied(t, path("in.zip"), path("once.zip"), CopyOptions{})
	copied(t, path("once.zip"), path("twice.zip"), CopyOptions{})
	data, err := os.ReadFile(path("twice.zip"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	unpack(t, "", data, files)
	if names, want := slices.Sorted(maps.Keys(files)), []string{"!a.log", "!redaction.txt", "!x/redaction.txt"}; !slices.Equal(names, want) {
		t.Errorf("the copy has %q, want %q", names, want)
	}
	if n := strings.Count(files["!redaction.txt"], reportHead); n != 1 {
		t.Errorf("%d reports in:\n%s", n, files["!redaction.txt"])
	}
}

// Entries of a zip may share their bytes: each by itself is small.
func TestWhatAnInputBecomesIsBoundedForAllItsEntries(t *testing.T) {
	c := &copier{ctx: t.Context(), o: CopyOptions{Limits: ingest.Limits{MaxExpanded: 150}.WithDefaults()}, size: 1000}
	c.begin()
	for i, ok := range []bool{true, false} {
		o := c.open(strings.NewReader(strings.Repeat("x", 100)))
		if (o.err == nil) != ok {
			t.Errorf("entry %d: %v", i, o.err)
		}
		o.close()
	}
	// An input of 1,000 bytes may become 1 GiB.
	c.o.MaxExpanded = 64 << 30
	c.begin()
	o := c.open(zeros{})
	defer o.close()
	if n, err := io.Copy(io.Discard, o.br); err == nil || !strings.Contains(err.Error(), "250 times its size") || n > 1<<30 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestASparseFileIsNotCopiedForItsHoles(t *testing.T) {
	for _, c := range []struct {
		h    tar.Header
		deny bool
	}{
		{tar.Header{Typeflag: tar.TypeGNUSparse, Size: (64 << 20) + 1}, true},
		{tar.Header{Typeflag: tar.TypeReg, Size: (64 << 20) + 1, PAXRecords: map[string]string{"GNU.sparse.major": "1"}}, true},
		{tar.Header{Typeflag: tar.TypeGNUSparse, Size: (64 << 20)}, false},
		{tar.Header{Typeflag: tar.TypeReg, Size: (64 << 20) + 1}, false},
	} {
		if got := tarEntry(&c.h, nil).deny; (got != "") != c.deny {
			t.Errorf("%c of %d bytes: %q", c.h.Typeflag, c.h.Size, got)
		}
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.log"), filepath.Join(dir, "out.log")
	write(t, in, []byte("a line\n"))
	if err := os.Truncate(in, 1<<30); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(in)
	if err != nil || !open.IsMostlyHoles(info) {
		t.Skipf("no sparse files here: %v", err)
	}
	if _, err := Copy(t.Context(), in, out, CopyOptions{}); !errors.Is(err, ErrNoInput) {
		t.Errorf("the copy of a sparse file: %v", err)
	}
	if sum, err := Copy(t.Context(), dir, dir+"-copy", CopyOptions{}); err != nil || sum.DroppedCount != 1 {
		t.Errorf("the copy of a folder with a sparse file: %v, %+v", err, sum)
	}
}

func TestHostileArchivesAreCopiedWithinTheirRoot(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in", "h.tar"), filepath.Join(dir, "out", "h")
	write(t, in, tarred(t, map[string][]byte{
		"../../up.log": []byte("a\n"), "/abs.log": []byte("b\n"), `C:\win.log`: []byte("c\n"), "d/\x1b[31mred\n.log": []byte("d\n"), "a": []byte("file\n"), "a/b": []byte("below a file\n"),
		"nul": zipOf(t, map[string][]byte{"../../../z.log": []byte("z\n")}), "cut.gz": gzipped(t, bytes.Repeat([]byte("10.0.0.1 lost\n"), 9999))[:60], "bad.zip": []byte("PK\x03\x04 and nothing"),
	}, &tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, &tar.Header{Name: "hard", Typeflag: tar.TypeLink, Linkname: "a"},
		&tar.Header{Name: "dev", Typeflag: tar.TypeChar}, &tar.Header{Name: "fifo", Typeflag: tar.TypeFifo}))
	write(t, filepath.Join(dir, "out", "other"), []byte("stays"))
	sum := copied(t, in, out, CopyOptions{})
	reasons := map[string]string{}
	for _, n := range append(slices.Clone(sum.Dropped), sum.Changed...) {
		reasons[n.Path] = n.Reason
	}
	for name, want := range map[string]string{
		"up.log": "unsafe", "abs.log": "unsafe", "C_/win.log": "unsafe", "link": "a link", "hard": "a link", "dev": "not a regular file", "fifo": "not a regular file",
		"bad.zip": "damaged", "cut.gz": "damaged", "nul!/z.log": "unsafe",
	} {
		if !strings.Contains(reasons[name], want) {
			t.Errorf("%s: %q, want %q in it", name, reasons[name], want)
		}
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(bytes.NewReader(b))
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !fs.ValidPath(strings.TrimSuffix(h.Name, "/")) || strings.ContainsAny(h.Name, "\x1b\n\\") {
			t.Errorf("unsafe name %q", h.Name)
		}
	}
	left, err := fs.Glob(os.DirFS(dir), "*/*")
	if err != nil || !slices.Equal(left, []string{"in/h.tar", "out/h", "out/other"}) {
		t.Errorf("%v %v: something else was written", left, err)
	}
}

func TestAFoldersCopyLeavesOutWhatStandsInTheWay(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	write(t, filepath.Join(in, "sub", "x.log"), []byte("10.0.0.1\n"))
	if err := os.Symlink("/etc/passwd", filepath.Join(in, "passwd")); err != nil {
		t.Skip("no symbolic links here")
	}
	sum := copied(t, in, out, CopyOptions{})
	if err := fstest.TestFS(os.DirFS(out), "sub/x.log", "redaction.txt"); err != nil {
		t.Error(err)
	}
	if len(sum.Dropped) != 1 || sum.Dropped[0] != (Note{"passwd", "a symbolic link"}) {
		t.Errorf("dropped %v", sum.Dropped)
	}
}

func TestLimitsEndAFileAndNotTheCopy(t *testing.T) {
	dir := t.TempDir()
	deep := []byte("10.0.0.1\n")
	for range 5 {
		deep = zipOf(t, map[string][]byte{"d.zip": deep})
	}
	in := filepath.Join(dir, "in.zip")
	write(t, in, zipOf(t, map[string][]byte{"deep.zip": deep, "long.log": bytes.Repeat([]byte("password=hunter2\n"), 9999), "z.log": []byte("10.0.0.2\n")}))
	o := CopyOptions{}
	o.MaxDepth, o.MaxFile = 3, 50_000
	out := filepath.Join(dir, "out.zip")
	sum := copied(t, in, out, o)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	unpack(t, "", data, all)
	if all["!z.log"] != "ip-1\n" {
		t.Errorf("what follows was lost: %q", all["!z.log"])
	}
	if n := len(all["!long.log"]); n == 0 || n > 60_000 || strings.Contains(all["!long.log"], "hunter2") {
		t.Errorf("%d bytes of the long file", n)
	}
	if len(sum.Dropped) != 1 || !strings.Contains(sum.Dropped[0].Reason, "nested more than 3 deep") || len(sum.Changed) != 1 || !strings.Contains(sum.Changed[0].Reason, "--max-file") {
		t.Errorf("dropped %v, changed %v", sum.Dropped, sum.Changed)
	}
}

// noLocation is a profile with a sample whose location isn't in it.
const noLocation = "\x0a\x04\x08\x01\x10\x02\x12\x06\x0a\x01\x01\x12\x01\x01\x32\x00\x32\x07samples\x32\x05count\x50\x80\xc8\xaf\xa0\x25"

func TestAProfileThatContradictsItselfIsCopiedAsItIs(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.zip"), zipOf(t, map[string][]byte{"p.pb": []byte(noLocation), "q.pb.gz": gzipped(t, []byte(noLocation)), "x.log": []byte("from 10.0.0.1\n"), "cpu": cpuProfile(t)}))
	if sum := copied(t, filepath.Join(dir, "b.zip"), filepath.Join(dir, "out.zip"), CopyOptions{}); sum.Files != 5 || sum.DroppedCount != 0 {
		t.Errorf("%+v", sum)
	}
}

func TestTheStringsOfAProfileThatAreNoCodeAreRedacted(t *testing.T) {
	text := NewText(Options{})
	raw, err := io.ReadAll(must(gzip.NewReader(bytes.NewReader(cpuProfile(t)))))
	if err != nil {
		t.Fatal(err)
	}
	raw = append(raw, profileStrings<<3|2, 22)
	raw = append(raw, "left over from edge07\n"...) // nothing refers to it
	text.Know("edge07")
	once, err := text.Profile(raw)
	if err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"Initech", "/home/jane", "edge07"} {
		if bytes.Contains(once, []byte(gone)) {
			t.Errorf("%s is left", gone)
		}
	}
	p, err := profile.ParseUncompressed(once)
	if err != nil || p.CheckValid() != nil {
		t.Fatalf("%v, %v", err, p)
	}
	if f := p.Function[0]; f.Name != "github.com/acme/web/pkg.(*S).run" || p.Sample[0].Label["customer"][0] != "word-1" || p.Mapping[0].File != "web" {
		t.Errorf("%v", p)
	}
	if again, err := NewText(Options{}).Profile(once); err != nil || !bytes.Equal(again, once) {
		t.Errorf("again: %v", err)
	}
	for end := range len(raw) { // cut anywhere
		_, _ = text.Profile(raw[:end])
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestACheckNamesThePlacesAndWritesNothing(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "b.zip")
	write(t, in, zipOf(t, bundle(t)))
	sum := copied(t, in, "", CopyOptions{Check: true})
	for class, want := range map[Class]string{
		IP: "b/logs/a/web-1/app.log:1", Password: "b/logs/a/web-1/app.log:2", Secret: "b/yamls/secrets.yaml:5", Word: "b/profiles/cpu", Host: "b/nodes/host-1.zip",
	} {
		found := false
		for _, at := range sum.Places[class] {
			found = found || at.String() == want
		}
		if !found {
			t.Errorf("%s: %v lacks %s", class, sum.Places[class], want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	write(t, filepath.Join(dir, "x.log"), []byte("nothing here\n"))
	if sum := copied(t, filepath.Join(dir, "x.log"), "", CopyOptions{Check: true}); len(sum.Places) > 0 {
		t.Errorf("near miss: %v", sum.Places)
	}
	write(t, filepath.Join(dir, "copy.log"), []byte("from ip-1 to host-2\n"))
	if sum := copied(t, filepath.Join(dir, "copy.log"), "", CopyOptions{Check: true}); len(sum.Places) > 0 {
		t.Errorf("a copy: %v", sum.Places)
	}
}

func TestTheUserKeepsClassesAndAddsExpressions(t *testing.T) {
	const in = "from 10.0.0.1 ticket ABC-123 jane@acme.com password=hunter2 {\"password\":123}\n"
	text := NewText(Options{Keep: []string{"ip", "PASSWORD"}, Also: []*regexp.Regexp{regexp.MustCompile(`ticket ([A-Z]+-\d+)`)}})
	want := "from 10.0.0.1 ticket word-1 mail-1 password=hunter2 {\"password\":123}\n"
	got := text.String(in)
	if got != want || text.String(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestOutIsNeverHalfAndNeverIn(t *testing.T) {
	dir := t.TempDir()
	log, folder := filepath.Join(dir, "x.log"), filepath.Join(dir, "folder")
	write(t, log, []byte("10.0.0.1\n"))
	write(t, filepath.Join(folder, "y.log"), []byte("10.0.0.1\n"))
	for name, c := range map[string]struct {
		in, out string
		force   bool
		want    error
	}{
		"itself":        {log, log, true, ErrSame},
		"there already": {log, filepath.Join(folder, "y.log"), false, ErrExists},
		"a folder":      {log, folder, true, ErrExists},
		"inside":        {folder, filepath.Join(folder, "copy"), false, ErrSame},
		"another form":  {log, filepath.Join(dir, "x.zip"), false, ErrForm},
		"to stdout":     {folder, "-", false, ErrNoName},
		"no input":      {filepath.Join(dir, "none"), filepath.Join(dir, "copy"), false, ErrNoInput},
	} {
		_, err := Copy(context.Background(), c.in, c.out, CopyOptions{Force: c.force, Stdout: io.Discard})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Copy(ctx, log, filepath.Join(dir, "copy"), CopyOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestStandardStreamsAndTheMap(t *testing.T) {
	var out, names bytes.Buffer
	for in, want := range map[string]string{
		"10.0.0.1 web@acme.com\n": "ip-1 mail-1\n",
		string(tarred(t, map[string][]byte{"a.log": []byte("on edge07.acme.com\n")})): "on host-1\n",
	} {
		out.Reset()
		_, err := Copy(context.Background(), "-", "-", CopyOptions{Options: Options{Map: &names}, Stdin: strings.NewReader(in), Stdout: &out})
		if err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q, %v; want %q", out.String(), err, want)
		}
	}
	for _, line := range []string{"ip-1\t\"10.0.0.1\"\n", "mail-1\t\"web@acme.com\"\n", "host-1\t\"edge07.acme.com\"\n"} {
		if !strings.Contains(names.String(), line) {
			t.Errorf("the map lacks %q:\n%s", line, names.String())
		}
	}
}

func TestACopyIsForItsOwnerWhateverTheOriginalWas(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	if err := errors.Join(os.MkdirAll(filepath.Join(in, "a"), 0o755), os.WriteFile(filepath.Join(in, "a", "x.log"), []byte("x\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][2]string{{"in", "out"}, {"in/a/x.log", "x.log"}} {
		out := filepath.Join(dir, names[1])
		if _, err := Copy(t.Context(), filepath.Join(dir, names[0]), out, CopyOptions{}); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
			info, statErr := os.Stat(path)
			if err := errors.Join(err, statErr); err != nil {
				return err
			}
			if info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v", path, info.Mode())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
