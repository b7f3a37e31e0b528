package framing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/internal/ingest/origin"
	"github.com/gotriage/triage/stackparse"
)

// Goroutines reach their parser line by line, or whole: in place, or put together.
const (
	byLine = false
	whole  = true
)

// dumpsOf are the dumps in text, read in buffers of so many bytes, and how many lines were in goroutines that were
// taken whole.
func dumpsOf(t *testing.T, text []byte, size int, whole bool) (dumps []*stackparse.Dump, taken int64) {
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
	if whole {
		s.OfferGoroutines(func(text []byte, at LineContext) (n int, lines int64) {
			switch {
			case at.Escaped:
				n, lines = parser(at.Stream).Escaped(text, at.Num, at.Stamp)
			case at.Framing != nil:
				n, lines = parser(at.Stream).Framed(text, at.Num, at.Stamp, at.Framing)
			default:
				n, lines = parser(at.Stream).Goroutine(text, at.Num, at.Stamp)
			}
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
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	texts := map[string][]string{"made": sampleDump(40)}
	dumps := captures.Dumps(t, "../../../testdata/dumps", "go1.26", "go1.16")
	for _, name := range []string{"go1.26/zoo-signal.txt", "go1.26/zoo-debug2.txt", "go1.16/zoo-signal.txt"} {
		text, err := os.ReadFile(filepath.Join(dumps, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	for _, w := range wrappings {
		t.Run(w.name, func(t *testing.T) {
			for name, lines := range texts {
				in := interrupted(w, lines)
				for _, size := range []int{len(in), 1000, 30_000} {
					want, _ := dumpsOf(t, in, size, byLine)
					got, taken := dumpsOf(t, in, size, whole)
					if !reflect.DeepEqual(want, got) {
						t.Errorf("%s in buffers of %d: other dumps when goroutines are taken whole", name, size)
					}
					if name == "made" && size == len(in) && inForm(w) && 3*taken < 2*int64(len(lines)) {
						t.Errorf("%d lines of %d were taken in goroutines", taken, len(lines))
					}
				}
			}
		})
	}
}

// inForm reports whether framing leaves a goroutine's text as it is in most lines.
func inForm(w wrapping) bool {
	switch w.framing {
	case "cri", "docker-json", "syslog", "journald":
		return !strings.HasSuffix(w.line("x"), "\r")
	}
	return w.name == "plain"
}

// freeForm are the wrappings whose lines do not show alone how they are framed.
var freeForm = map[string]bool{
	"docker json-file with attributes": true, "docker json-file in another order, with spaces": true,
	"fluent-bit with pod metadata": true, "journalctl -o short-iso": true, "journalctl -o short-iso-precise": true,
	"a quoted CRI log": true,
}

// interrupted wraps lines, with lines of a log among them and times that differ.
func interrupted(w wrapping, lines []string) []byte {
	var in strings.Builder
	for i, l := range lines {
		if i%97 == 96 {
			in.WriteString(w.line("a line of a log") + "\nand one without framing\n")
		}
		at := fmt.Sprintf("18:%02d:%02d", i/60%60, i%60)
		line := w.line(l)
		if i%3 == 0 { // runtimes cut the zeros at the end of a second's fraction
			line = strings.Replace(line, ".123460341Z", ".1234"[:i%5]+"Z", 1)
			line = strings.Replace(line, "32.Z", "32Z", 1)
		}
		in.WriteString(strings.Replace(line, "18:05:32", at, 1) + "\n")
	}
	return []byte(in.String())
}

// TestWritersOfOneNodeKeepTheirOwnGoroutines: their lines differ in a digit, as times do.
func TestWritersOfOneNodeKeepTheirOwnGoroutines(t *testing.T) {
	goroutines := strings.SplitAfter(strings.Join(sampleDump(300), "\n")+"\n", "\n\n")
	for name, head := range map[string]string{
		"a relay":            "<11>Nov 20 18:05:32 node1 app[7]: ",
		"a relay, RFC 5424":  "<165>1 2026-11-20T18:05:32.123Z node1 app 7 ID47 - ",
		"a journal":          "Nov 20 18:05:32 node1 app[7]: ",
		"a relay without it": "<11>Nov 20 18:05:32 app[7]: ",
	} {
		var in strings.Builder
		for i, g := range goroutines {
			mine := strings.Replace(head, "18:05:32", fmt.Sprintf("18:05:%02d", i/40), 1)
			if i%5 == 4 {
				mine = strings.Replace(mine, "app", "web", 1)
			} else if i%3 == 2 {
				mine = strings.Replace(mine, "7", "8", 1)
			}
			for j, line := range strings.Split(strings.TrimSuffix(g, "\n"), "\n") {
				if i%29 == 28 && j == 3 {
					line = strings.Replace(line, "(", "(#0111, #", 1)
				}
				in.WriteString(mine + strings.ReplaceAll(line, "\t", "#011") + "\n")
			}
			if i%7 == 6 {
				in.WriteString("<11>Nov 20 18:05:32 node2 kernel: it is another host's #011 line\nwithout framing\n")
			}
		}
		for _, size := range []int{in.Len(), 1000, 30_000} {
			want, _ := dumpsOf(t, []byte(in.String()), size, byLine)
			got, taken := dumpsOf(t, []byte(in.String()), size, whole)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("%s in buffers of %d: other dumps when goroutines are taken whole", name, size)
			}
			if len(want) < 3 || size > 1000 && taken < 1000 {
				t.Errorf("%s: %d dumps, %d lines were taken: the test shows little", name, len(want), taken)
			}
		}
	}
}

func TestEscapedGoroutinesTakenWholeAreThoseOfTheirLines(t *testing.T) {
	dump := strings.Join(sampleDump(400), "\n")
	record := `{"level":"error","msg":"dump","stack":` + quoted(dump) + "}"
	for name, text := range map[string]string{
		"a record":             record,
		"a record in a record": `{"msg":` + quoted(record) + "}",
		"behind CRI":           zulu + " stderr F " + record,
		"behind docker":        `{"log":` + quoted(record+"\n") + `,"stream":"stderr","time":"` + zulu + `"}`,
		"with a NUL":           strings.Replace(record, "main", `ma\u0000in`, 1),
		"with a colour":        strings.Replace(record, "goroutine 7", `\u001b[1mgoroutine 7`, 1),
		"with its own lines":   strings.ReplaceAll(record, `\n\n`, `\r\n\r\n`),
	} {
		in := []byte("before\n" + text + "\n" + text + "\nbehind\n")
		for _, size := range []int{len(in), 5000, 100_000} {
			want, _ := dumpsOf(t, in, size, byLine)
			got, taken := dumpsOf(t, in, size, whole)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("%s in buffers of %d: other dumps when goroutines are taken whole", name, size)
			}
			if strings.HasPrefix(name, "a record") && taken < 3000 {
				t.Errorf("%s in buffers of %d: %d lines were taken in goroutines", name, size, taken)
			}
			if len(want) == 0 {
				t.Errorf("%s: no dump", name)
			}
		}
	}
}

// TestDamagedTextGivesTheSameDumps: wherever a text is damaged, its goroutines are those of its lines.
func TestDamagedTextGivesTheSameDumps(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	damage := []string{
		`\`, `"`, `n`, `t`, `)`, `:`, "\x00", "\x1b", "\r", "\n", `\"`, `\\`, `\u`, `\u000a`, `\n`, `\n\n`, `","`,
		`\ngoroutine 9`, "#", "#011", "9", "<11>", "goroutine ", "node2 ", "\xef", "stdout", "P", " ", "2026-11-20T18:05:33Z",
		"\"}\n", `{"log":"`,
	}
	dump := strings.Join(sampleDump(60), "\n")
	record := `{"level":"error","stack":` + quoted(dump) + `,"n":"goroutine 1"}`
	relayed := "<11>Nov 20 18:05:32 node1 app[7]: "
	relayed += strings.ReplaceAll(strings.ReplaceAll(dump, "\t", "#011"), "\n", "\n"+relayed)
	var contained, stored strings.Builder
	for i, line := range strings.Split(dump, "\n") {
		stamp := fmt.Sprintf("2026-11-20T18:05:%02d.%dZ", 10+i/90, 100000000+i*997)
		contained.WriteString(stamp + " stderr F " + line + "\n")
		stored.WriteString(`{"log":` + quoted(line+"\n") + `,"stream":"stderr","time":"` + stamp + "\"}\n")
	}
	texts := []string{record, `{"msg":` + quoted(record) + "}", relayed, contained.String(), stored.String()}
	for seed := range 800 {
		text := texts[seed%len(texts)]
		for range 1 + r.IntN(6) {
			at := r.IntN(len(text))
			text = text[:at] + damage[r.IntN(len(damage))] + text[at+r.IntN(min(3, len(text)-at)):]
		}
		in := []byte("before\n" + text + "\n" + text + "\nbehind\n")
		for _, size := range []int{len(in), 900 + r.IntN(3000)} {
			want, _ := dumpsOf(t, in, size, byLine)
			if got, _ := dumpsOf(t, in, size, whole); !reflect.DeepEqual(want, got) {
				t.Errorf("seed %d in buffers of %d: other dumps when goroutines are taken whole", seed, size)
			}
		}
	}
}
