package ingest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzRead(f *testing.F) {
	dump := sampleDump(2)
	for _, w := range wrappings {
		var in strings.Builder
		for _, l := range dump {
			in.WriteString(w.line(l) + "\n")
		}
		f.Add([]byte(in.String()), uint8(0))
	}
	record := `{"level":"error","msg":"m","stacktrace":` + quoted(block()) + `}`
	f.Add([]byte(record), uint8(3))
	f.Add([]byte(`{"log":`+quoted(record)+`,"stream":"stderr","time":"x"}`), uint8(1))
	f.Add(gzipped(f, []byte(record)), uint8(0))
	f.Add(sampleProfile(), uint8(0))
	f.Add([]byte("\xff\xfea\x00\n\x00\x3d\xd8\x00\xde"), uint8(1))
	f.Add([]byte(`x="goroutine 1\ud83d\u00"},goroutine 2`), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, piece uint8) {
		open := func() (io.ReadCloser, error) {
			if piece == 0 {
				return io.NopCloser(bytes.NewReader(data)), nil
			}
			return io.NopCloser(&pieces{data, int(piece)}), nil
		}
		last := make(map[int32]int64)
		var size, lines int64
		res, err := Read(context.Background(), Source{Parts: []Part{{Path: "x", open: open}}}, Handler{Lines: func(batch []Line) error {
			for i := range batch {
				l := &batch[i]
				if l.Num < 1 || l.Num < last[l.Stream] {
					t.Fatalf("line %d of stream %d after %d", l.Num, l.Stream, last[l.Stream])
				}
				if bytes.IndexByte(l.Text, '\n') >= 0 && bytes.IndexByte(data, '\\') < 0 {
					t.Fatalf("a line end within %q", l.Text)
				}
				last[l.Stream] = l.Num
				size += int64(len(l.Text))
				lines++
			}
			return nil
		}, Blob: func(Kind, []byte) error { return nil }}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := res.Parts[0]
		for stream, num := range last {
			if int(stream) >= len(res.Streams) || num > p.Lines {
				t.Fatalf("stream %d, line %d: %+v", stream, num, res)
			}
		}
		// An escape of one byte (\xff) in UTF-8 grows at most threefold; an introduction repeats what it quotes.
		if size > 4*p.Bytes+64 {
			t.Fatalf("%d bytes of text out of %d", size, p.Bytes)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	for i := range wrappings {
		f.Add(uint8(i), strings.Join(sampleDump(1), "\n"))
		f.Add(uint8(i), "\nmain.main()\n\t/x.go:1\n\n\t+0x1")
		f.Add(uint8(i), "goroutine 1 [running]:\n\t/x.go:1")
		f.Add(uint8(i), "{\"log\":\"x\"}\n[pod/a/b] c\n> d\n2026-11-20T18:05:32Z stderr F e")
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		w := wrappings[int(which)%len(wrappings)]
		lines := strings.Split(text, "\n")
		for _, l := range lines {
			if !roundTrips(w, l) {
				t.Skip("a line that may change")
			}
		}
		if (w.framing == "stern" || w.framing == "compose") && len(lines) < minStern {
			t.Skip("too few lines to be recognised")
		}
		var in strings.Builder
		for _, l := range lines {
			in.WriteString(w.line(l) + "\n")
		}
		got, res := readBytes(t, []byte(in.String()), 0)
		if res.Parts[0].Kind == KindUnknown || res.Parts[0].Kind == KindTriageReport || res.Parts[0].Kind == KindProfile {
			t.Skip("not taken for text")
		}
		if len(got) != len(lines) {
			t.Fatalf("%s: %d lines, want %d: %q from %q", w.name, len(got), len(lines), texts(got), in.String())
		}
		for i, l := range got {
			if l.Text != lines[i] || l.Num != int64(i+1) {
				t.Fatalf("%s: line %d is %q (%d), want %q", w.name, i+1, l.Text, l.Num, lines[i])
			}
		}
	})
}

// roundTrips reports whether l must come out of w as it went in: it has no bytes that are taken out of every text, it
// doesn't look framed itself, and w can hold it.
func roundTrips(w wrapping, l string) bool {
	if w.framing == "kubectl-timestamps" && len(gitlabText([]byte(l))) < len(l) {
		return false // reads as the mark of GitLab's runner, which has the same timestamps
	}
	if !utf8.ValidString(l) || strings.ContainsAny(l, "\x00\x1b\r\ufeff") || len(l) > 2000 {
		return false
	}
	if l == "" {
		return w.framing != "klog"
	}
	if n, _ := klogHeader([]byte(l)); n > 0 && w.framing != "klog" || looksEscaped([]byte(l)) {
		return false
	}
	switch w.framing {
	case "cri", "docker-json", "loki-json", "journald-json", "cloud-logging-json":
		return true // nothing within these is framing
	case "syslog", "journald":
		return !strings.Contains(l, "#")
	case "stern", "compose", "plain":
		// Words before a text that could themselves be a pod's and a container's.
		return strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "main.main()")
	case "klog":
		return isDumpLine([]byte(l))
	}
	return !mayFrame[l[0]]
}
