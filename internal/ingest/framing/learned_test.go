package framing

import (
	"bytes"
	"fmt"
	"testing"
)

func TestADumpTellsThePrefixItStandsBehind(t *testing.T) {
	dump := sampleDump(3)
	for name, prefix := range map[string]string{
		"a clock in brackets":          "[18:05:%02d] ",
		"a clock":                      "18:05:32.%03d ",
		"milliseconds and a tab":       "17951979321%02d\t",
		"a job and its step":           "build\tRun tests\t2026-11-20 18:05:32.12345%02d ",
		"a level behind a timestamp":   "2026-11-20T18:05:%02dZ ##[error]",
		"a step and its line's number": "[build:%d] ",
		"a pod in brackets":            "[web-1 app] ",
		"grep -Hn":                     "app.log:%d:",
		"cat -n":                       "%6d\t",
		"an editor's margin":           "%3d | ",
		"grep -H over CRI logs":        "/var/log/pods/ns_web-1_uid/app/0.log:2026-11-20T18:05:%02dZ stderr F ",
	} {
		var in bytes.Buffer
		for i, l := range dump {
			in.WriteString(numbered(prefix, i+8) + l + "\n")
		}
		lines, part := scanBytes(t, in.Bytes(), 0)
		if part.Framing != "other-prefix" || len(lines) != len(dump) {
			t.Errorf("%s: framing %s, %d lines of %d", name, part.Framing, len(lines), len(dump))
			continue
		}
		for i, l := range dump {
			if lines[i].Text != l {
				t.Errorf("%s: line %d is %q, want %q", name, i+1, lines[i].Text, l)
				break
			}
		}
	}
}

// klogDump is how klog logs a dump: as a value of several lines, each indented by a tab.
func klogDump(dump []string) []string {
	lines := []string{`E1120 18:05:32.123456       1 panic.go:262] "Observed a panic" panic="boom" stacktrace=<`}
	for _, l := range dump {
		lines = append(lines, "\t"+l)
	}
	return append(lines, " >", "  a line that begins with blanks", "panic: boom [recovered]", "\tpanic: boom", "")
}

func TestAnIndentBehindAFramingIsNoPartOfAPrefix(t *testing.T) {
	texts := klogDump(sampleDump(3))
	for _, tt := range []struct{ framing, prefix string }{
		{"cri", "2026-11-20T18:05:32.1234567%02dZ stderr F "},
		{"kubectl-prefix", "[pod/web-5d8f7c9b4-x2x9z/app] "},
		{"kubectl-prefix", "[pod/web-5d8f7c9b4-x2x9z/app] 2026-11-20T18:05:32.1234567%02dZ "},
		{"kubectl-timestamps", "2026-11-20T18:05:32.1234567%02dZ "},
		{"stern", "web-5d8f7c9b4-x2x9z app "},
		{"compose", "web-1  | "},
		{"journald", "Nov 20 18:05:%02d node-1 web[812]: "},
		{"other-prefix", "[18:05:%02d] "},
		{"other-prefix", "web.log:%d: "},
		{"github-actions", "build\tRun tests\t2026-11-20T18:05:32.12345%02dZ "},
		{"other-prefix", "17951979321%02d\t"},
	} {
		for _, indent := range []string{"", "\t", "    "} {
			var in bytes.Buffer
			for i, l := range texts {
				in.WriteString(numbered(tt.prefix, i+8) + indent + l + "\n")
			}
			lines, part := scanBytes(t, in.Bytes(), 0)
			if part.Framing != tt.framing || len(lines) != len(texts) {
				t.Errorf("%q, indent %q: framing %s, %d lines of %d", tt.prefix, indent, part.Framing, len(lines),
					len(texts))
				continue
			}
			for i, l := range texts {
				if i == 0 && indent == "" || l == "" {
					continue // klog's own header is taken off, and so are the blanks of an empty line
				}
				if lines[i].Text != indent+l {
					t.Errorf("%q, indent %q: line %d is %q, want %q", tt.prefix, indent, i+1, lines[i].Text, indent+l)
					break
				}
			}
		}
	}
}

// numbered fills a line's number into a prefix that has a place for it.
func numbered(prefix string, n int) string {
	if !bytes.Contains([]byte(prefix), []byte("%")) {
		return prefix
	}
	return fmt.Sprintf(prefix, n)
}

func TestALoggersMessageBeforeAStackIsNoPrefix(t *testing.T) {
	text := "12:00:01 recovered: goroutine 7 [running]:\nmain.f(0x1)\n\t/src/a.go:1 +0x1\n12:00:02 goes on\n"
	lines, part := scanBytes(t, []byte(text), 0)
	if part.Framing != "plain" || lines[0].Text != "12:00:01 recovered: goroutine 7 [running]:" {
		t.Errorf("%s: %+v", part.Framing, lines)
	}
}

func TestABufferThatBeginsInAStampTeachesNoPrefix(t *testing.T) {
	const stamp = "2022-10-19T15:34:00.288821744Z stderr F "
	var in bytes.Buffer
	for in.Len() < sampleSize+8<<10 { // a buffer holds the first sampleSize bytes whatever the pieces
		for _, l := range sampleDump(3) {
			in.WriteString(stamp + l + "\n")
		}
	}
	for piece := 1000; piece < 1200; piece++ {
		lines, part := scanBytes(t, in.Bytes(), piece)
		if f := part.Framing; f != "cri" {
			t.Fatalf("pieces of %d: framing %s", piece, f)
		}
		for _, l := range lines {
			if l.Stream != "stderr" || l.Stamp == "" {
				t.Fatalf("pieces of %d: line %d is of stream %q, stamp %q", piece, l.Num, l.Stream, l.Stamp)
			}
		}
	}
}
