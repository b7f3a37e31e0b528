package framing

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/ingest/origin"
	"github.com/gotriage/triage/stackparse"
)

// dumpsOf are the dumps in text, read in buffers of so many bytes. Where offered is set, goroutines are taken whole; it
// returns the lines of those too.
func dumpsOf(t *testing.T, text []byte, size int, offered bool) (dumps []*stackparse.Dump, taken int64) {
	t.Helper()
	var parsers []*stackparse.Parser
	parser := func(stream int32) *stackparse.Parser {
		for int(stream) >= len(parsers) {
			parsers = append(parsers, stackparse.NewParser(func(d *stackparse.Dump) { dumps = append(dumps, d) }))
		}
		return parsers[stream]
	}
	s := NewScanner(context.Background(), origin.Origin{}, 1<<20, func(lines []Line) error {
		for _, l := range lines {
			parser(l.Stream).Line(l.Text, l.Num, l.Stamp)
		}
		return nil
	})
	if offered {
		s.Offer(func(text []byte, at Place) (int, int64) {
			n, lines := parser(at.Stream).Goroutine(text, at.Num, at.Stamp)
			taken += lines
			return n, lines
		})
	}
	s.BeginPart()
	for len(text) > 0 {
		n := min(size, len(text))
		piece := append([]byte(nil), text[:n]...)
		if err := s.Text(piece, MarksOf(piece)); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	if err := s.EndPart(); err != nil {
		t.Fatal(err)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	for _, p := range parsers {
		p.Close()
	}
	return dumps, taken
}

func TestGoroutinesTakenWholeAreThoseOfTheirLines(t *testing.T) {
	texts := map[string][]string{"made": sampleDump(40)}
	for _, name := range []string{"go1.26/zoo-signal.txt", "go1.26/zoo-debug2.txt", "go1.16/zoo-signal.txt"} {
		text, err := os.ReadFile("../../../testdata/dumps/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	whole := map[string]bool{"cri": true, "docker-json": true, "syslog": true, "journald": true}
	for _, w := range wrappings {
		t.Run(w.name, func(t *testing.T) {
			for name, lines := range texts {
				var in strings.Builder
				for i, l := range lines {
					if i%97 == 96 {
						in.WriteString(w.line("a line of a log") + "\nand one without framing\n")
					}
					at := fmt.Sprintf("18:%02d:%02d", i/60%60, i%60)
					in.WriteString(strings.Replace(w.line(l), "18:05:32", at, 1) + "\n")
				}
				for _, size := range []int{in.Len(), 1000, 30_000} {
					want, _ := dumpsOf(t, []byte(in.String()), size, false)
					got, taken := dumpsOf(t, []byte(in.String()), size, true)
					if !reflect.DeepEqual(want, got) {
						t.Errorf("%s in buffers of %d: other dumps when goroutines are taken whole", name, size)
					}
					most := w.name == "plain" || whole[w.framing] && !strings.HasSuffix(w.line("x"), "\r")
					if name == "made" && size == in.Len() && most && 3*taken < 2*int64(len(lines)) {
						t.Errorf("%d lines of %d were taken in goroutines", taken, len(lines))
					}
				}
			}
		})
	}
}
