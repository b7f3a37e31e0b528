package framing

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A got is one line that a Scanner handed over.
type got struct {
	Text, Stream, Stamp string
	Num                 int64
}

// scanBytes scans data as one file, in pieces of the given size (0: all at once). As a reader does, it gathers the
// first sample of bytes before it begins.
func scanBytes(t testing.TB, data []byte, piece int) ([]got, PartStats) {
	t.Helper()
	lines, _, stats := scanStreams(t, data, piece)
	return lines, stats
}

func scanStreams(t testing.TB, data []byte, piece int) ([]got, []Stream, PartStats) {
	t.Helper()
	var lines []Line
	s := NewScanner(context.Background(), origin.Origin{Restart: -1}, 4<<20, func(batch []Line) error {
		for _, l := range batch {
			l.Text, l.Stamp = bytes.Clone(l.Text), bytes.Clone(l.Stamp)
			lines = append(lines, l)
		}
		return nil
	})
	s.BeginPart()
	if piece == 0 {
		piece = 512 << 10
	}
	n := min(len(data), (sampleSize+piece-1)/piece*piece)
	for rest := bytes.Clone(data); len(rest) > 0; {
		if err := s.Text(rest[:n], MarksOf(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
		n = min(len(rest), piece)
	}
	if err := s.EndPart(); err != nil {
		t.Fatal(err)
	}
	stats := s.Part()
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	out := make([]got, len(lines))
	for i, l := range lines {
		out[i] = got{string(l.Text), s.Streams()[l.Stream].Name, string(l.Stamp), l.Num}
	}
	return out, s.Streams(), stats
}

// sampleSize is what a reader gathers before the first scan.
const sampleSize = 64 << 10

// A wrapping puts a line into a framing.
type wrapping struct {
	name, framing, stream, stamp string
	line                         func(s string) string
}

const zulu = "2026-11-20T18:05:32.123460341Z"

func prefixed(p string) func(string) string { return func(s string) string { return p + s } }

func quoted(s string) string {
	q, err := jsonString(s)
	if err != nil {
		panic(err)
	}
	return q
}

var wrappings = []wrapping{
	{"plain", "plain", "", "", prefixed("")},
	{"CRI", "cri", "stderr", zulu, prefixed(zulu + " stderr F ")},
	{"CRI on stdout", "cri", "stdout", zulu, prefixed(zulu + " stdout F ")},
	{"CRI with an offset", "cri", "stderr", "2026-11-20T18:05:32.1+00:00", prefixed("2026-11-20T18:05:32.1+00:00 stderr F ")},
	{"CRI with two tags", "cri", "stderr", zulu, prefixed(zulu + " stderr F:x ")},
	{"docker json-file", "docker-json", "stderr", zulu, func(s string) string {
		return `{"log":` + quoted(s+"\n") + `,"stream":"stderr","time":"` + zulu + `"}`
	}},
	{"docker json-file with attributes", "docker-json", "stdout", zulu, func(s string) string {
		return `{"log":` + quoted(s+"\n") + `,"stream":"stdout","attrs":{"tag":"a\"b"},"time":"` + zulu + `"}`
	}},
	{"docker json-file in another order, with spaces", "docker-json", "stderr", zulu, func(s string) string {
		return `{ "time" : "` + zulu + `", "stream": "stderr", "log": ` + quoted(s+"\n") + ` }`
	}},
	{"fluent-bit with pod metadata", "docker-json", "web-1/app stderr", zulu, func(s string) string {
		return `{"log":` + quoted(s+"\n") + `,"stream":"stderr","time":"` + zulu + `","kubernetes":{"pod_name":"web-1","container_name":"app","stream":"stderr"}}`
	}},
	{"kubectl --timestamps", "kubectl-timestamps", "", zulu, prefixed(zulu + " ")},
	{"GitLab runner", "kubectl-timestamps", "", zulu, prefixed(zulu + " 01E ")},
	{"gh run view --log", "github-actions", "test\tRun go test ./...", zulu, prefixed("test\tRun go test ./...\t" +
		zulu + " ")},
	{"gh run view --log of go test -json", "go-test-json", "example.com/app", zulu, func(s string) string {
		return "test\tGo\t" + zulu + ` {"Action":"output","Package":"example.com/app","Output":` + quoted(s+"\n") + `}`
	}},
	{"kubectl --prefix", "kubectl-prefix", "web-1/app", "", prefixed("[pod/web-1/app] ")},
	{"kubectl --prefix --timestamps", "kubectl-prefix", "web-1/app", zulu, prefixed("[pod/web-1/app] " + zulu + " ")},
	{"stern", "stern", "web-756cd-x4gm6/app", "", prefixed("web-756cd-x4gm6 app ")},
	{"stern in colours", "stern", "web-756cd-x4gm6/app", "", prefixed("\x1b[36mweb-756cd-x4gm6\x1b[0m \x1b[96mapp\x1b[0m ")},
	{"stern, a pod without a hyphen", "stern", "web/app", "", prefixed("web app ")},
	{"stern with timestamps", "stern", "web-756cd-x4gm6/app", zulu, prefixed("web-756cd-x4gm6 app " + zulu + " ")},
	{"stern over all namespaces", "stern", "web-756cd-x4gm6/app", "", prefixed("kube-system web-756cd-x4gm6 app ")},
	{"docker compose", "compose", "web-1", "", prefixed("web-1  | ")},
	{"docker compose in colours", "compose", "web-1", "", prefixed("\x1b[36mweb-1  |\x1b[0m ")},
	{"journalctl -o short", "journald", "kubelet[118528]", "Nov 20 18:05:32", prefixed("Nov 20 18:05:32 node1 kubelet[118528]: ")},
	{"journalctl -o short on a one-digit day", "journald", "kubelet[1]", "Nov  2 18:05:32", prefixed("Nov  2 18:05:32 node1 kubelet[1]: ")},
	{"journalctl -o short-precise", "journald", "kubelet[1]", "Nov 20 18:05:32.123456", prefixed("Nov 20 18:05:32.123456 node1 kubelet[1]: ")},
	{"journalctl -o short-iso", "journald", "k3s[1]", "2026-11-20T18:05:32+0000", prefixed("2026-11-20T18:05:32+0000 node1 k3s[1]: ")},
	{"journalctl -o short-iso-precise", "journald", "k3s[1]", "2026-11-20T18:05:32.123456+00:00", prefixed("2026-11-20T18:05:32.123456+00:00 node1 k3s[1]: ")},
	{"journalctl -o short-full", "journald", "k3s[1]", "Fri 2026-11-20 18:05:32 UTC", prefixed("Fri 2026-11-20 18:05:32 UTC node1 k3s[1]: ")},
	{"journalctl -o json", "journald-json", "k3s[7]", "1795197932123456", func(s string) string {
		return `{"_HOSTNAME":"node1","SYSLOG_IDENTIFIER":"k3s","_PID":"7","__REALTIME_TIMESTAMP":"1795197932123456","MESSAGE":` + quoted(s) + `}`
	}},
	{"syslog, RFC 3164", "syslog", "app[7]", "Nov 20 18:05:32", func(s string) string {
		return "<11>Nov 20 18:05:32 node1 app[7]: " + strings.ReplaceAll(s, "\t", "#011")
	}},
	{"syslog, RFC 3164 without a host", "syslog", "app[7]", "Nov 20 18:05:32", prefixed("<11>Nov 20 18:05:32 app[7]: ")},
	{"syslog, RFC 3164 without a pid", "syslog", "app", "Nov 20 18:05:32", prefixed("<11>Nov 20 18:05:32 node1 app: ")},
	{"syslog, RFC 5424", "syslog", "app[7]", "2026-11-20T18:05:32.123Z", prefixed("<165>1 2026-11-20T18:05:32.123Z node1 app 7 ID47 - ")},
	{"syslog, RFC 5424 with data and a BOM", "syslog", "app", "2026-11-20T18:05:32.123Z",
		prefixed("<165>1 2026-11-20T18:05:32.123Z node1 app - - [a@1 k=\"x\\\"]\"][b@2] \xef\xbb\xbf")},
	{"klog on every line", "klog", "", "1120 18:05:32.123456", prefixed("I1120 18:05:32.123456       1 dump.go:77] ")},
	{"a quote", "quote", "", "", prefixed("> ")},
	{"a quote within a quote", "quote", "", "", prefixed("> > ")},
	{"a quoted CRI log", "cri", "stderr", zulu, prefixed("> " + zulu + " stderr F ")},
	{"fuchsia", "fuchsia", "05209", "00121.386", prefixed("[00121.386] 05209.05460> ")},
	{"the kernel's log", "dmesg", "", "  83.123456", prefixed("[  83.123456] ")},
	{"the kernel's log with a thread", "dmesg", "", "  83.123456", prefixed("[  83.123456][ T1234] ")},
	{"Jenkins' timestamper", "jenkins", "", "2026-11-20T18:05:32.123Z", prefixed("[2026-11-20T18:05:32.123Z] ")},
	{"Buildkite", "plain", "", "", prefixed("\x1b_bk;t=1795197932123\x07")},
	{"GitLab's sections", "plain", "", "", prefixed("section_start:1795197932:step_script\r\x1b[0K")},
	{"colours", "plain", "", "", func(s string) string { return "\x1b[31m" + s + "\x1b[0m" }},
	{"Windows line ends", "plain", "", "", func(s string) string { return s + "\r" }},
	{"CRI with Windows line ends", "cri", "stderr", zulu, func(s string) string { return zulu + " stderr F " + s + "\r" }},
	{"NUL bytes", "plain", "", "", func(s string) string { return s + "\x00\x00" }},
	{"go test -json", "go-test-json", "example.com/app", "2026-11-20T18:05:32Z", func(s string) string {
		return `{"Time":"2026-11-20T18:05:32Z","Action":"output","Package":"example.com/app","Test":"TestX","Output":` + quoted(s+"\n") + `}`
	}},
	{"go test -json of a build", "go-test-json", "example.com/app", "", func(s string) string {
		return `{"ImportPath":"example.com/app","Action":"build-output","Output":` + quoted(s+"\n") + `}`
	}},
	{"go test -json in GitHub Actions", "go-test-json", "example.com/app", zulu, func(s string) string {
		return zulu + ` {"Action":"output","Package":"example.com/app","Output":` + quoted(s+"\n") + `}`
	}},
	{"loki", "loki-json", "web-1/app", zulu, func(s string) string {
		return `{"labels":{"pod":"web-1","container":"app"},"line":` + quoted(s) + `,"timestamp":"` + zulu + `"}`
	}},
	{"Google Cloud Logging", "cloud-logging-json", "web-1/app", zulu, func(s string) string {
		return `{"insertId":"x","resource":{"type":"k8s_container","labels":{"pod_name":"web-1","container_name":"app"}},"textPayload":` + quoted(s) + `,"timestamp":"` + zulu + `"}`
	}},
}

func TestEveryFramingIsTakenOffAndLineNumbersStay(t *testing.T) {
	dump := sampleDump(3)
	for _, w := range wrappings {
		t.Run(w.name, func(t *testing.T) {
			var in bytes.Buffer
			for _, l := range dump {
				in.WriteString(w.line(l) + "\n")
			}
			for _, piece := range []int{0, 7, 4096} {
				lines, part := scanBytes(t, in.Bytes(), piece)
				want := make([]got, len(dump))
				for i, l := range dump {
					want[i] = got{l, w.stream, w.stamp, int64(i + 1)}
				}
				if diff := cmp.Diff(want, lines); diff != "" {
					t.Fatalf("pieces of %d (-want +got):\n%s", piece, diff)
				}
				if f := part.Framing; f != w.framing {
					t.Errorf("framing %q, want %q", f, w.framing)
				}
			}
		})
	}
}

// sampleDump writes the text of a dump of n goroutines: the shape of a signal's, made here.
func sampleDump(n int) []string {
	lines := []string{"SIGQUIT: quit", "PC=0x490ba1 m=0 sigcode=0", ""}
	for i := range n {
		lines = append(lines,
			fmt.Sprintf("goroutine %d gp=0xc0000%05x m=nil [chan receive, %d minutes]:", i+1, i, i%60),
			"runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)",
			"\t/usr/local/go/src/runtime/proc.go:462 +0xce fp=0x2e71f0598700 sp=0x2e71f05986e0 pc=0x487aae",
			fmt.Sprintf("example.com/platform/fleet/vendor/example.org/informers/cache.(*Reflector).watch(0xc%09x, {0x2d52b8e, 0xb}, {0x0, 0x0}, 0xc000a1b2c0)", i*64),
			fmt.Sprintf("\t/go/src/example.com/platform/fleet/vendor/example.org/informers/cache/reflector.go:%d +0x1ca fp=0x2e71f05a6fb8 sp=0x2e71f05a6f88 pc=0x417577", 100+i%7),
			"created by example.com/platform/fleet/vendor/example.org/informers/cache.(*Reflector).Run in goroutine 1",
			"\t/go/src/example.com/platform/fleet/vendor/example.org/informers/cache/reflector.go:261 +0x25",
			"")
	}
	return append(lines, "rax    0xca", "rip    0x490ba1", "exit status 2")
}

func TestLinesBehindAMillionEmptyOnesHaveTheirNumber(t *testing.T) {
	const empty = 1_000_000
	text := []byte("first\n" + strings.Repeat("\n", empty) + "last\n")
	lines, stats := scanBytes(t, text, 64<<10)
	if first, last := lines[0], lines[len(lines)-1]; first.Num != 1 || last.Num != empty+2 || last.Text != "last" || stats.Lines != empty+2 {
		t.Errorf("first %+v, last %+v, %d lines counted", first, last, stats.Lines)
	}
	if len(lines) > empty/50 {
		t.Errorf("%d lines were handed on", len(lines))
	}
}
