package ingest

import (
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/internal/ingest/open"
	"github.com/gotriage/triage/profile"
)

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	return closed(t, &b, w, data)
}

func closed(t testing.TB, b *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func xzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	return closed(t, &b, w, data)
}

func zstded(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	return closed(t, &b, w, data)
}

// bzip2HelloHex is "hello\n" as bzip2 1.0.8 compresses it; Go has no writer.
const bzip2HelloHex = "425a6839314159265359c1c080e2000001410000100244a00030cd00c3462997177245385090c1c080e2"

func bzip2ed(t testing.TB) []byte {
	t.Helper()
	b, err := hex.DecodeString(bzip2HelloHex)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(b))); err != nil || string(text) != "hello\n" {
		t.Fatalf("the fixture is broken: %q, %v", text, err)
	}
	return b
}

func TestCompressionIsRecognisedByContentAndTakenOff(t *testing.T) {
	dump := []byte(strings.Join(sampleDump(500), "\n") + "\n")
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"gzip", gzipped(t, dump), string(dump)},
		{"gzip in two members", append(gzipped(t, dump[:1000]), gzipped(t, dump[1000:])...), string(dump)},
		{"gzip in gzip", gzipped(t, gzipped(t, dump)), string(dump)},
		{"zstd", zstded(t, dump), string(dump)},
		{"xz", xzipped(t, dump), string(dump)},
		{"bzip2", bzip2ed(t), "hello\n"},
		{"xz in gzip", gzipped(t, xzipped(t, dump)), string(dump)},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, res := readBytes(t, c.in, 0)
			if text := strings.Join(texts(lines), "\n") + "\n"; text != c.want {
				t.Errorf("read %d bytes, want %d", len(text), len(c.want))
			}
			if len(res.Skips) > 0 || res.Parts[0].Bytes != int64(len(c.want)) {
				t.Errorf("%+v", res)
			}
		})
	}
}

// noisyLines makes n lines that hardly compress, so that a stream of them has many blocks.
func noisyLines(n int) []byte {
	var b bytes.Buffer
	x := uint64(1)
	for range n {
		for range 8 {
			x = x*6364136223846793005 + 1442695040888963407
			fmt.Fprintf(&b, "0x%016x ", x)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func TestWhatCameBeforeACutIsReadAndTheCutIsReported(t *testing.T) {
	dump := noisyLines(4_000)
	for _, c := range []struct {
		name, format string
		in           []byte
	}{
		{"gzip", open.Gzip, gzipped(t, dump)},
		{"zstd", open.Zstd, zstded(t, dump)},
		{"xz", open.XZ, xzipped(t, dump)},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, res := readBytes(t, c.in[:len(c.in)*2/3], 0)
			if len(lines) < 500 {
				t.Errorf("only %d lines", len(lines))
			}
			if len(res.Skips) != 1 || !strings.HasPrefix(res.Skips[0].Reason, c.format+" stream ends early after ") || res.Skips[0].Hint == "" {
				t.Errorf("skips: %+v", res.Skips)
			}
			broken := bytes.Clone(c.in)
			for i := len(broken) / 2; i < len(broken)/2+64; i++ {
				broken[i] ^= 0x5a
			}
			lines, res = readBytes(t, broken, 0)
			if len(res.Skips) != 1 || !strings.Contains(res.Skips[0].Reason, "everything before that was read") {
				t.Errorf("corrupt: %d lines, skips: %+v", len(lines), res.Skips)
			}
		})
	}
	_, res := readBytes(t, bzip2ed(t)[:20], 0)
	if len(res.Skips) != 1 || !strings.HasPrefix(res.Skips[0].Reason, "bzip2 stream is broken at its start") {
		t.Errorf("bzip2: %+v", res.Skips)
	}
}

func TestADecompressorGetsNoMoreMemoryThanIsGranted(t *testing.T) {
	// A stream header and a block header of LZMA2 whose dictionary has 4 GiB - 1: property byte 40.
	in := append([]byte("\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4\x46"), 0x02, 0x00, 0x21, 0x01, 40, 0, 0, 0, 0, 0, 0, 0)
	_, res := readBytes(t, append(in, make([]byte, 100)...), 0)
	if len(res.Skips) != 1 || !strings.Contains(res.Skips[0].Reason, "4096 MiB") {
		t.Errorf("%+v", res.Skips)
	}
}

func utf16Bytes(s string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

func TestTextOfWindowsBecomesUTF8(t *testing.T) {
	text := strings.Join(sampleDump(100), "\r\n") + "\r\n\U0001F600 ü"
	want := append(sampleDump(100), "\U0001F600 ü")
	for name, in := range map[string][]byte{
		"UTF-8 with a mark":    []byte("\xef\xbb\xbf" + text),
		"UTF-16 little endian": append([]byte{0xff, 0xfe}, utf16Bytes(text, false)...),
		"UTF-16 big endian":    append([]byte{0xfe, 0xff}, utf16Bytes(text, true)...),
		// Half a character at the end shows as one that is unknown.
		"UTF-16 that ends early": append([]byte{0xff, 0xfe}, utf16Bytes(text, false)[:2*len(text)-9]...),
	} {
		for _, piece := range []int{0, 1, 3} {
			lines, res := readBytes(t, in, piece)
			got := texts(lines)
			if early := strings.HasSuffix(name, "early"); early {
				got = append(got[:len(got)-1], want[len(want)-1])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, pieces of %d: %s", name, piece, diff)
			}
			if k := res.Parts[0].Kind; k == KindUnknown {
				t.Errorf("%s is %s", name, k)
			}
		}
	}
}

func TestNULsAreDroppedAndCounted(t *testing.T) {
	hole := make([]byte, 1<<20)
	for name, in := range map[string][]byte{
		"before":  append(bytes.Clone(hole), "a\nb\n"...),
		"behind":  append([]byte("a\nb\n"), hole...),
		"between": append(append([]byte("a\n"), hole...), "b\n"...),
	} {
		lines, res := readBytes(t, in, 0)
		if diff := cmp.Diff([]string{"a", "b"}, texts(lines)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if p := res.Parts[0]; p.NULBytes != 1<<20 || p.Kind != KindTextLog {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// protoField writes one field of a protobuf message.
func protoField(num int, data []byte) []byte {
	return append([]byte{byte(num<<3 | wireBytes), byte(len(data))}, data...)
}

func sampleProfile() []byte {
	var p []byte
	p = append(p, protoField(1, []byte{1 << 3, 1, 2 << 3, 2})...)
	p = append(p, protoField(2, []byte{1<<3 | 2, 1, 1, 2<<3 | 2, 1, 9})...)
	p = append(p, protoField(6, nil)...)
	p = append(p, protoField(6, []byte("samples"))...)
	p = append(p, protoField(6, []byte("count"))...)
	return append(p, 9<<3, 1)
}

func TestKindsAreRecognisedByContent(t *testing.T) {
	random := make([]byte, 4096)
	x := uint32(1)
	for i := range random {
		x = x*1664525 + 1013904223
		random[i] = byte(x >> 24)
	}
	for _, c := range []struct {
		name, in string
		kind     Kind
		blob     bool
		skip     string
	}{
		{"a profile", string(sampleProfile()), KindProfile, true, ""},
		{"a CPU profile of Go 1.8", string([]byte{7: 0, 8: 3, 23: 0, 24: 0x10, 25: 0x27, 39: 0}) + "\x01\x00\x00\x00\x00\x00\x00\x00", KindProfile, true, ""},
		{"a heap profile in text", "heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2 [3: 4] @ 0x1 0x2\n", KindProfile, true, ""},
		{"a mutex profile in text", "--- mutex:\ncycles/second=2999997256\n", KindProfile, true, ""},
		{"a block profile in text", "--- contention:\ncycles/second=2999997256\n", KindProfile, true, ""},
		{"a compressed profile", string(gzipped(t, sampleProfile())), KindProfile, true, ""},
		{"text that begins like a profile", "\n\x04abcd\nefgh", KindTextLog, false, ""},
		{"an empty line", "\n", KindTextLog, false, ""},
		{"nothing", "", KindTextLog, false, ""},
		{"a report", `{"schema":"triage/v1","tool":{}}`, KindTriageReport, true, ""},
		{"an indented report", "{\n  \"schema\": \"triage/v1\"\n}", KindTriageReport, true, ""},
		{"a log that mentions a report", `{"msg":"{\"schema\":\"triage/v1\"}"}`, KindTextLog, false, ""},
		{"an audit log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"x"}` + "\n", KindAuditLog, false, ""},
		{"a list", `{"apiVersion":"v1","items":[],"kind":"List"}`, KindKubernetesObjects, false, ""},
		{"a YAML list", "---\n# made by hand\napiVersion: v1\nitems: []\nkind: List\n", KindKubernetesObjects, false, ""},
		{"YAML of something else", "name: x\nkind: y\n", KindTextLog, false, ""},
		{"CRI", zulu + " stderr F hello\n", KindPodLog, false, ""},
		{"docker", `{"log":"hello\n","stream":"stderr","time":"` + zulu + `"}` + "\n", KindPodLog, false, ""},
		{"a dump", "goroutine 1 [running]:\nmain.main()\n", KindGoroutineDump, false, ""},
		{"a counted profile", "goroutine profile: total 7\n7 @ 0x1 0x2\n", KindGoroutineDump, false, ""},
		{"a log", "hello\n", KindTextLog, false, ""},
		{"a log in Latin-1", "Gr\xfc\xdfe aus M\xfcnchen, und noch ein paar Worte\n", KindTextLog, false, ""},
		{"noise", string(random), KindUnknown, false, "binary file"},
		{"a program", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00\x01\x02\x00", 900), KindUnknown, false, "an executable or a core dump"},
		{"a zip", "PK\x03\x04\x14\x00\x00\x00", KindArchive, false, "a zip archive"},
		{"a tar", strings.Repeat("\x00", 257) + "ustar\x0000" + strings.Repeat("\x00", 200), KindArchive, false, "a tar archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var blob Kind
			src := Source{Origin: Origin{Restart: -1}, Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(c.in)), nil }}}}
			lines := 0
			res, err := Read(context.Background(), src, Handler{
				Lines: func(b []Line) error { lines += len(b); return nil },
				Blob:  func(k Kind, data []byte) error { blob = k; return nil },
			}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if k := res.Parts[0].Kind; k != c.kind {
				t.Errorf("kind %s, want %s", k, c.kind)
			}
			if c.blob != (blob != "") || c.blob && (blob != c.kind || lines > 0) {
				t.Errorf("blob %q, %d lines", blob, lines)
			}
			if c.skip == "" && len(res.Skips) > 0 || c.skip != "" && (len(res.Skips) != 1 || !strings.HasPrefix(res.Skips[0].Reason, c.skip) || res.Skips[0].Hint == "") {
				t.Errorf("skips %+v, want %q", res.Skips, c.skip)
			}
		})
	}
}

func TestAProfileIsReadOnlyUpToItsBound(t *testing.T) {
	p := sampleProfile()
	for range 20_000 {
		p = append(p, protoField(6, []byte("a name of a function"))...)
	}
	src := memorySource(p)
	got := 0
	h := Handler{Blob: func(_ Kind, data []byte) error { got = len(data); return nil }}
	if _, err := Read(context.Background(), src, h, Options{}); err != nil || got != len(p) {
		t.Errorf("%d bytes, %v; want %d", got, err, len(p))
	}
	got = 0
	res, err := Read(context.Background(), src, h, Options{Limits: Limits{MaxBlob: 100_000}})
	if err != nil || got != 0 || len(res.Skips) != 1 {
		t.Errorf("%d bytes, %v, %+v", got, err, res.Skips)
	}
}

// What package profile refuses for its size is read no further than that takes.
func TestAProfileThatIsTooLargeIsReadOnlyUntilItIs(t *testing.T) {
	unit := bytes.Repeat(protoField(6, []byte("a name of a function")), 50_000)
	parts := []io.Reader{bytes.NewReader(sampleProfile())}
	for range 256 {
		parts = append(parts, bytes.NewReader(unit))
	}
	src := Source{Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) { return io.NopCloser(io.MultiReader(parts...)), nil }}}}
	var got []byte
	h := Handler{Blob: func(_ Kind, data []byte) error { got = data; return nil }}
	res, err := Read(context.Background(), src, h, Options{})
	if err != nil || len(res.Skips) != 0 || len(got) <= maxProfile || len(got) > maxProfile+8<<20 {
		t.Errorf("%d bytes, %v, %+v", len(got), err, res.Skips)
	}
	if _, err := profile.Read(got); err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
		t.Error(err)
	}
}

// A tracked reader records that it was closed.
type tracked struct {
	io.Reader
	closed chan struct{}
}

func (t *tracked) Close() error { close(t.closed); return nil }

func TestAHandlersErrorEndsReadingAndTheFileIsClosed(t *testing.T) {
	data := []byte(strings.Repeat("a line of no importance\n", 1<<18))
	f := &tracked{bytes.NewReader(data), make(chan struct{})}
	boom := errors.New("boom")
	calls := 0
	src := Source{Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) { return f, nil }}}}
	res, err := Read(context.Background(), src, Handler{Lines: func([]Line) error { calls++; return boom }}, Options{})
	if !errors.Is(err, boom) || calls != 1 || res == nil {
		t.Errorf("%v after %d calls", err, calls)
	}
	<-f.closed // the goroutine has ended
}

// A cancelling reader cancels after its first piece and then blocks until it is let go.
type cancelling struct {
	data   []byte
	cancel func()
	let    chan struct{}
}

func (c *cancelling) Read(p []byte) (int, error) {
	if c.data == nil {
		c.cancel()
		<-c.let
		return 0, io.EOF
	}
	n := copy(p, c.data)
	c.data = nil
	return n, nil
}

func TestACancelledReadReportsWhatCame(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := &cancelling{data: []byte("one\ntwo\nthr"), cancel: cancel, let: make(chan struct{})}
	f := &tracked{in, make(chan struct{})}
	src := Source{Parts: []Part{{Path: "x", Open: func() (io.ReadCloser, error) { return f, nil }}}}
	var lines []string
	res, err := Read(ctx, src, Handler{Lines: func(b []Line) error {
		for _, l := range b {
			lines = append(lines, string(l.Text))
		}
		return nil
	}}, Options{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff([]string{"one", "two", "thr"}, lines); diff != "" {
		t.Error(diff)
	}
	if len(res.Parts) != 1 || res.Parts[0].Lines != 3 {
		t.Errorf("%+v", res.Parts)
	}
	close(in.let)
	<-f.closed
}

func TestAFileThatBreaksIsASkip(t *testing.T) {
	src := Source{Parts: []Part{
		{Path: "broken", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("one\n"), errReader{})), nil
		}},
		{Path: "gone", Named: true, Open: func() (io.ReadCloser, error) { return os.Open(filepath.Join(t.TempDir(), "gone")) }},
		{Path: "whole", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("two\n")), nil }},
	}}
	var lines []string
	res, err := Read(context.Background(), src, Handler{Lines: func(b []Line) error {
		for _, l := range b {
			lines = append(lines, string(l.Text))
		}
		return nil
	}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two"}, lines); diff != "" {
		t.Error(diff)
	}
	want := []Skip{
		{Path: "broken", Reason: "reading failed after 4 bytes: the disk is on fire"},
		{Path: "gone", Reason: "no such file or folder", Named: true},
	}
	if diff := cmp.Diff(want, res.Skips); diff != "" {
		t.Error(diff)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("the disk is on fire") }

func TestTextsThatAreNoLogsAreKnownByTheirContent(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Kind
	}{
		{"describe.txt", "Name:         web-1\nNamespace:    shop\n", KindKubectlText},
		{"x", "+ kubectl describe node n1\nName:               n1\nRoles:              <none>\n", KindKubectlText},
		{"pods", "NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\nshop   web-1   1/1   Running   0   3d\n", KindKubectlText},
		{"top", "NAME    CPU(cores)   MEMORY(bytes)   \nweb-1   1m           2Mi             \n", KindKubectlText},
		{"events", "LAST SEEN   TYPE     REASON   OBJECT      MESSAGE\n", KindKubectlText},
		{"columns", "LastSeen               Type      Kind   Object   Reason   Message\n2026-03-05T10:00:00Z   Normal    Pod    a        x        y\n", KindKubectlText},
		{"helm", "NAME   NAMESPACE   REVISION   UPDATED   STATUS   CHART\n", KindTextLog},
		{"app.log", "Name:  web\nhello\n", KindTextLog},
		{"metrics.txt", "# HELP go_goroutines Number.\n# TYPE go_goroutines gauge\ngo_goroutines 8\n", KindMetrics},
		{"m", "up{job=\"a\"} 1\ngo_goroutines 8\nx 1\ny 2\n", KindMetrics},
		{"README.md", "# HELP wanted here\n# TYPE of things\nand text\n", KindTextLog},
		{"vmstat", "nr_free_pages 1\nnr_zone_inactive_anon 2\nnr_a 3\nnr_b 4\n", KindTextLog},
		{"cpu.stat", "usage_usec 1\nnr_periods 1\nnr_throttled 0\n", KindCgroup},
		{"x", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", KindCgroup},
		{"x", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n", KindCgroup},
		{"g", "/sys/fs/cgroup/cpu.stat:usage_usec 1\n", KindCgroup},
		{"g", "==> /sys/fs/cgroup/cpu.max <==\nmax 100000\n", KindCgroup},
		{"cpu.max", "max 100000\n", KindCgroup},
		{"web-1-memory.current", "4096\n", KindCgroup},
		{"memory.stat", "anon 1\nfile 2\n", KindCgroup},
		{"count", "4096\n", KindTextLog},
		{"cpu.max", "it is 5\n", KindTextLog},
	} {
		if got := sniff([]byte(c.text), true).byName(c.name, []byte(c.text), false).kind; got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.text, got, c.want)
		}
	}
}
