package framing

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest/origin"
	"github.com/gotriage/triage/stackparse"
)

// wantThoseOfTheirLines checks that goroutines that are taken whole are those of their lines. It returns how many lines
// were taken in them.
func wantThoseOfTheirLines(t *testing.T, name, text string) (taken int64) {
	t.Helper()
	for _, size := range []int{len(text), 1000} {
		want, _ := dumpsOf(t, []byte(text), size, byLine)
		got, lines := dumpsOf(t, []byte(text), size, whole)
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s in buffers of %d: other dumps when goroutines are taken whole", name, size)
		}
		taken = max(taken, lines)
	}
	return taken
}

// framedBy puts lines into a framing, with times that differ where they may.
func framedBy(lines []string, line func(i int, text string) string) string {
	var in strings.Builder
	for i, text := range lines {
		in.WriteString(line(i, text) + "\n")
	}
	return in.String()
}

// TestALineWithoutAZoneIsNoRuntimes: what unframeCRI refuses is no line of a goroutine.
func TestALineWithoutAZoneIsNoRuntimes(t *testing.T) {
	for _, stamp := range []string{
		"2026-11-20T18:05:32", "2026-11-20T18:05:32.123456789+00:000", "2026-11-20T18:05:3", "2026-11-20T18:05:3aZ", "2026-11-20T18:05:32.5z",
	} {
		text := framedBy(sampleDump(40), func(i int, text string) string {
			if i%9 == 5 {
				return stamp + " stderr F " + text
			}
			return zulu + " stderr F " + text
		})
		if taken := wantThoseOfTheirLines(t, stamp, text); taken == 0 {
			t.Errorf("%s: nothing was taken: the test shows nothing", stamp)
		}
	}
}

// TestLinesThatNameNoProcessStayThoseOfTheirHost: another host's line, which is looked at while a goroutine is put
// together, says nothing about those before it.
func TestLinesThatNameNoProcessStayThoseOfTheirHost(t *testing.T) {
	for _, stamp := range []string{"Nov 20 18:05:32", "2026-11-20T18:05:32+0000"} {
		// What comes first shows no prefix to learn.
		text := strings.Repeat(zulu+" stderr F goroutine 1 is a word\n", learnedTries) +
			stamp + " node1 systemd[1]: begins\n" + framedBy(sampleDump(40), func(i int, text string) string {
			if i%29 == 28 {
				text += "\n" + stamp + " node2 systemd[1]: another\n" + stamp + " node1 systemd[1]: one more"
			}
			return stamp + " node1 app: " + text
		})
		if taken := wantThoseOfTheirLines(t, stamp, text); taken == 0 {
			t.Errorf("%s: nothing was taken: the test shows nothing", stamp)
		}
	}
}

// TestANumberSignInANameIsNoOctalNumber: what one framing writes as it is, another writes for a tab.
func TestANumberSignInANameIsNoOctalNumber(t *testing.T) {
	lines := sampleDump(40)
	for _, r := range []*strings.Replacer{
		strings.NewReplacer("main.", "main.#0111"), strings.NewReplacer("/src", "/#011src", "/usr", "/#011usr"),
		strings.NewReplacer(".go:", "#011.go:"), strings.NewReplacer(" +0x", "#011 +0x"),
	} {
		var signed []string
		for _, line := range lines {
			signed = append(signed, r.Replace(line))
		}
		// A relay's line without a host is of the stream that its tag names.
		text := framedBy(signed, func(_ int, text string) string { return zulu + " stderr F " + text }) +
			framedBy(signed, func(_ int, text string) string { return "<11>Nov 20 18:05:32 stderr: " + text })
		if taken := wantThoseOfTheirLines(t, signed[1]+signed[2], text); taken == 0 {
			t.Errorf("%q: nothing was taken: the test shows nothing", signed[1])
		}
	}
}

// TestAFormHasTheTimeOfALine: that of the empty line behind a goroutine, as its framing is taken off.
func TestAFormHasTheTimeOfALine(t *testing.T) {
	lines := sampleDump(200)
	for _, w := range wrappings {
		if !inForm(w) || freeForm[w.name] || w.stamp == "" {
			continue
		}
		in := interrupted(w, lines)
		all, _ := scanBytes(t, in, 0)
		parser := stackparse.NewParser(func(*stackparse.Dump) {})
		ends := 0
		s := NewScanner(t.Context(), origin.Origin{}, 1<<20, func(lines []Line) error {
			for _, l := range lines {
				parser.Line(l.Text, l.Num, l.Stamp)
			}
			return nil
		})
		s.OfferGoroutines(func(text []byte, at LineContext) (n int, lines int64) {
			if at.Framing == nil {
				return 0, 0
			}
			n, lines = parser.Framed(text, at.Num, at.Stamp, at.Framing)
			if n > 0 && !parser.InStack() {
				ends++
				if want, got := all[at.Num+lines-2].Stamp, string(at.Framing.LastStamp(text[:n])); want != got {
					t.Errorf("%s: line %d: %q, want %q", w.name, at.Num+lines-1, got, want)
				}
			}
			return n, lines
		})
		s.BeginPart()
		if err := s.Text(in, MarksOf(in)); err != nil {
			t.Fatal(err)
		}
		if ends < 20 {
			t.Errorf("%s: %d goroutines: the test shows little", w.name, ends)
		}
	}
}
