package framing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func texts(lines []got) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Text
	}
	return out
}

// block is a dump's text without what no program would put into one log record.
func block() string { return strings.Join(sampleDump(3)[3:], "\n") }

func TestADumpEscapedInOneRecordComesOutAsLinesBehindItsMessage(t *testing.T) {
	dump := block()
	lines := strings.Split(dump, "\n")
	for _, c := range []struct {
		name, in string
		before   []string
		after    []string
	}{
		{"zap", `{"level":"error","ts":1795197932.1,"msg":"Observed a panic","error":"boom","stacktrace":` + quoted(dump) + `}`,
			[]string{`level=error msg="Observed a panic" error="boom"`}, nil},
		{"the message behind the dump", `{"stacktrace":` + quoted(dump) + `,"panic":"boom","msg":"Observed\na panic"}`,
			[]string{`msg="Observed\na panic" panic="boom"`}, nil},
		{"the dump as the message", `{"level":"info","msg":` + quoted(dump) + `}`, nil, nil},
		{"under a key of its own making", `{"data":{"where":[1,` + quoted(dump) + `]},"message":"m"}`, []string{`msg="m"`}, nil},
		{"logrus", `time="2026-11-20T18:05:32Z" level=info msg=` + quoted(dump), []string{`time="2026-11-20T18:05:32Z" level=info`}, nil},
		{"logrus with a field behind", `level=info msg=` + quoted(dump) + ` pid=7`, []string{`level=info`}, []string{"pid=7"}},
		{"klog", `E1120 18:05:32.123456       1 runtime.go:77] "Observed a panic" panic="boom" stack=` + quoted(dump),
			[]string{`E1120 18:05:32.123456       1 runtime.go:77] "Observed a panic" panic="boom"`}, nil},
		{"without quotes", strings.ReplaceAll(strings.ReplaceAll(dump, "\n", `\n`), "\t", `\t`), nil, nil},
		{"a line of indented JSON", `      "message": ` + quoted(dump) + ",", nil, nil},
		{"cut off", strings.TrimSuffix(`{"level":"error","msg":"m","stacktrace":`+quoted(dump), `"`), []string{`level=error msg="m"`}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := append(append(slices.Clone(c.before), lines...), c.after...)
			for _, w := range wrappings {
				if w.framing == "klog" || strings.HasPrefix(w.name, "GitLab's") {
					continue // a record within klog's own header isn't unwrapped twice
				}
				in := ""
				for range 3 { // stern and compose want company
					in += w.line(c.in) + "\n"
				}
				lines, _ := scanBytes(t, []byte(in), 0)
				if diff := cmp.Diff(slices.Concat(want, want, want), texts(lines)); diff != "" {
					t.Fatalf("in %s (-want +got):\n%s", w.name, diff)
				}
				for i, l := range lines {
					if want := int64(i/len(want) + 1); l.Num != want || l.Stamp != w.stamp || l.Stream != w.stream {
						t.Fatalf("in %s: line %+v, want number %d", w.name, l, want)
					}
				}
			}
		})
	}
}

func TestAnOrdinaryRecordIsLeftWhole(t *testing.T) {
	for _, in := range []string{
		`{"level":"info","msg":"two\nlines"}`,
		`{"level":"info","msg":"a tab\tand main.go:7"}`,
		`time="2026-11-20T18:05:32Z" level=info msg="read \"x\" at C:\\new\\main.go:7"`,
		`{"level":"error","msg":"no such file","caller":"main.go:7"}`,
		`I1120 18:05:32.123456       1 main.go:7] started`,
		`F1120 18:05:32.123456       1 main.go:7] leader election lost`,
		`2026/11/20 18:05:32 http: panic serving 10.0.0.1:4711: boom`,
		"[GIN] 2026/03/04 - 05:05:01 | 200 |  494ms | 10.42.0.186 | GET \"/healthz\"",
		"2026-02-03T19:00:16.661797884Z\tLEVEL(-2)\tadmission\tApplying defaults",
		">= 3 is required", "[::1]:8080", "<nil>", "<3>", "{", "[", "[pod/x] y", "Nov 20 is a day",
		"goroutine 1 [running]:", "created by main.main in goroutine 1", "main.main()", "r9     0x0",
	} {
		lines, _ := scanBytes(t, []byte(in+"\n"), 0)
		if len(lines) != 1 || lines[0].Text != in {
			t.Errorf("%q became %q", in, texts(lines))
		}
	}
}

func TestPiecesOfALineJoinTheirOwnStream(t *testing.T) {
	piece := strings.Repeat("x", minDockerPiece)
	docker := func(stream, s string) string {
		return `{"log":` + quoted(s) + `,"stream":"` + stream + `","time":"` + zulu + `"}`
	}
	for _, c := range []struct {
		name string
		in   []string
		want []got
	}{
		{"CRI", []string{zulu + " stderr P a", zulu + " stdout P 1", zulu + " stderr P b", zulu + " stdout F 2", zulu + " stderr F c", zulu + " stderr F d"},
			[]got{{"12", "stdout", zulu, 2}, {"abc", "stderr", zulu, 1}, {"d", "stderr", zulu, 6}}},
		{"docker", []string{docker("stderr", piece), docker("stdout", piece), docker("stdout", "1\n"), docker("stderr", "2\n")},
			[]got{{piece + "1", "stdout", zulu, 2}, {piece + "2", "stderr", zulu, 1}}},
		{"docker's short record without an end", []string{docker("stderr", "bye"), docker("stderr", "hello\n")},
			[]got{{"bye", "stderr", zulu, 1}, {"hello", "stderr", zulu, 2}}},
		{"go test", []string{`{"Action":"start","Package":"p"}`, `{"Action":"output","Package":"p","Output":"--- FAIL: "}`,
			`{"Action":"output","Package":"q","Output":"ok\n"}`, `{"Action":"output","Package":"p","Output":"TestX\n"}`, `{"Action":"fail","Package":"p"}`},
			[]got{{"ok", "q", "", 3}, {"--- FAIL: TestX", "p", "", 2}}},
		{"a piece that nothing follows", []string{zulu + " stderr P a"}, []got{{"a", "stderr", zulu, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, _ := scanBytes(t, []byte(strings.Join(c.in, "\n")), 0)
			if diff := cmp.Diff(c.want, lines); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFramingMayChangeMidway(t *testing.T) {
	in := "plain\n" + zulu + " stderr F a\n" + `{"log":"b\n","stream":"stderr","time":"` + zulu + `"}` + "\nNov 20 18:05:32 n k[1]: c\n\tplain\n[pod/p/c] d\n"
	lines, _ := scanBytes(t, []byte(in), 0)
	want := []string{"plain", "a", "b", "c", "\tplain", "d"}
	if diff := cmp.Diff(want, texts(lines)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyADumpLosesKlogsHeader(t *testing.T) {
	h := "E1120 18:05:32.123456       1 recover.go:10] "
	in := []string{h + "about to dump", h + "goroutine 7 [running]:", h + "main.main()", h + "", "I1120 18:05:33.000000       1 other.go:5] between",
		h + "\t/src/main.go:7 +0x1"}
	for range klogGap {
		in = append(in, "something else")
	}
	in = append(in, h+"later")
	lines, _ := scanBytes(t, []byte(strings.Join(in, "\n")), 0)
	want := slices.Clone(in)
	want[1], want[2], want[3], want[5] = "goroutine 7 [running]:", "main.main()", "", "\t/src/main.go:7 +0x1"
	if diff := cmp.Diff(want, texts(lines)); diff != "" {
		t.Error(diff)
	}
}

// A longLine writes head, then body again and again, then tail, without ever holding them.
func TestFurtherWritersShareOneStream(t *testing.T) {
	var in strings.Builder
	for i := range 3 * MaxStreams {
		fmt.Fprintf(&in, "[pod/web-%d/app] hello\n", i)
	}
	lines, streams, _ := scanStreams(t, []byte(in.String()), 0)
	if len(streams) != MaxStreams || streams[MaxStreams-1].Name != "other" {
		t.Errorf("%d streams, the last %q", len(streams), streams[len(streams)-1].Name)
	}
	if l := lines[len(lines)-1]; l.Text != "hello" || l.Stream != "other" {
		t.Errorf("%+v", l)
	}
}

func TestLabelsWithEscapesInAHeaderAreNoEscapedDump(t *testing.T) {
	for _, header := range []string{
		`goroutine 91 gp=0x27f3e1d1cd20 m=nil [chan receive] {path: "x]:{y\n\"z\"}"}:`, // 1.27
		`goroutine 91 [chan receive labels:{"path": "x\ny"}]:`,                         // 1.26
	} {
		lines, _ := scanBytes(t, []byte(header+"\nmain.main()\n\t/src/main.go:1 +0x1\n"), 1<<16)
		if len(lines) != 3 || lines[0].Text != header {
			t.Errorf("%s\ncame out as %+v", header, lines)
		}
	}
}
