package framing

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

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
		got, _ := scanBytes(t, []byte(in.String()), 0)
		if len(got) != len(lines) {
			t.Fatalf("%s: %d lines, want %d: %v from %q", w.name, len(got), len(lines), got, in.String())
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

// FuzzGoroutinesTakenWhole mixes the lines of a dump with any text: taken whole or not, the dumps are those of the
// lines.
func FuzzGoroutinesTakenWhole(f *testing.F) {
	for i := range wrappings {
		f.Add(uint8(i), uint16(700), uint8(9), "a line")
		f.Add(uint8(i), uint16(5000), uint8(3), "goroutine 1 [running]:\nmain.main()\n\t/x.go:1")
		f.Add(uint8(i), uint16(300), uint8(5), "2026-11-20T18:05:32Z stderr F \r\n\x00{\"log\":\"\\\\n\"}\x1b[m")
	}
	f.Fuzz(func(t *testing.T, which uint8, size uint16, every uint8, text string) {
		w := wrappings[int(which)%len(wrappings)]
		var in strings.Builder
		for i, l := range sampleDump(12) {
			if every > 0 && i%int(every) == 0 {
				l += text
			}
			in.WriteString(w.line(l) + "\n")
			if every > 0 && i%int(every) == 1 {
				in.WriteString(text + "\n")
			}
		}
		for _, pieces := range []int{in.Len(), int(size) + 1} {
			want, _ := dumpsOf(t, []byte(in.String()), pieces, byLine)
			if got, _ := dumpsOf(t, []byte(in.String()), pieces, whole); !reflect.DeepEqual(want, got) {
				t.Fatalf("%s in pieces of %d: other dumps", w.name, pieces)
			}
		}
	})
}

// FuzzFramedTextTakenWhole changes framed text anywhere, its framing too.
func FuzzFramedTextTakenWhole(f *testing.F) {
	for _, w := range wrappings {
		text := string(interrupted(w, sampleDump(6)))
		f.Add(text, uint16(400))
		f.Add(strings.ReplaceAll(text, "\t", "#011"), uint16(3000))
	}
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		for _, pieces := range []int{len(text) + 1, int(size) + 1} {
			want, _ := dumpsOf(t, []byte(text), pieces, byLine)
			if got, _ := dumpsOf(t, []byte(text), pieces, whole); !reflect.DeepEqual(want, got) {
				t.Fatalf("in pieces of %d: other dumps", pieces)
			}
		}
	})
}
