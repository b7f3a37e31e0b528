package injections

import (
	"bytes"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// colours are the only sequences that triage writes itself.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// onScreen writes what triage printed to a terminal and fails where it does more than show lines: where it rings, asks,
// sets a title or a mode, or where a row of the screen is not the line that was written there.
func onScreen(t testing.TB, printed []byte) {
	t.Helper()
	shown := string(colours.ReplaceAll(printed, nil))
	lines, widest := strings.Split(strings.TrimSuffix(shown, "\n"), "\n"), 80
	for _, l := range lines {
		widest = max(widest, 2*utf8.RuneCountInString(l)+1)
	}
	e := vt.NewEmulator(widest, len(lines)+1)
	var did []string
	does := func(what string) func(string) { return func(s string) { did = append(did, what+" "+s) } }
	color := func(what string) func(color.Color) { return func(color.Color) { did = append(did, what) } }
	e.SetCallbacks(vt.Callbacks{
		Bell: func() { did = append(did, "bell") }, Title: does("title"), IconName: does("icon"),
		WorkingDirectory: does("folder"), CursorColor: color("cursor's colour"), BackgroundColor: color("background"),
		ForegroundColor: color("foreground"), AltScreen: func(bool) { did = append(did, "other screen") },
		CursorVisibility: func(bool) { did = append(did, "cursor") },
		CursorStyle:      func(vt.CursorStyle, bool) { did = append(did, "cursor's shape") },
		EnableMode:       func(ansi.Mode) { did = append(did, "mode") }, DisableMode: func(ansi.Mode) { did = append(did, "mode") },
	})
	answers := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(e)
		answers <- all
	}()
	if _, err := e.Write([]byte(strings.ReplaceAll(string(printed), "\n", "\r\n"))); err != nil {
		t.Fatal(err)
	}
	if err := e.InputPipe().(io.Closer).Close(); err != nil {
		t.Fatal(err)
	}
	if answer := <-answers; len(answer) > 0 {
		did = append(did, "answer "+string(answer))
	}
	if len(did) > 0 || e.IsAltScreen() || e.ScrollbackLen() > 0 {
		t.Errorf("the terminal does more than show lines: %.20q", did)
	}
	for y, want := range lines {
		var row strings.Builder
		for x := range widest {
			if c := e.CellAt(x, y); c != nil && c.Width > 0 {
				row.WriteString(c.Content)
			}
		}
		if got := strings.TrimRight(row.String(), " "); got != strings.TrimRight(want, " ") {
			t.Errorf("row %d shows %.300q, written was %.300q", y+1, got, want)
		}
	}
}

// verdicts are lines that read as the report's own first one.
var verdicts = regexp.MustCompile(`(?m)^(?:VERDICT|LIKELY|POSSIBLE|LOOK FIRST|NOTHING FOUND)\b`)

func TestATerminalShowsWhatStrangersWroteAndDoesNothing(t *testing.T) {
	eachText(t, everyKind, func(t *testing.T, s stranger) {
		file := func(name string) string { return filepath.Join(s.dir, name) }
		report := filepath.Join(t.TempDir(), "report.json")
		runs := [][]string{{"--color", "always", "--all", "--width", "100", "-o", "text", "-o", "json=" + report, s.dir}}
		if s.kind == "terminal" {
			runs = append(runs, [][]string{
				{"--color", "always", "--list", s.dir},
				{"--color", "always", "show", file("spin.txt"), "--goroutine", "18"},
				{"audit", file("audit.jsonl")},
				{"diff", "--color", "always", file("lock.txt"), file("spin.txt")},
				{"export", "--to", "folded", s.dir},
				{"export", "--to", "json-lines", file("spin.txt"), file("labels.txt"), file("counted.txt")},
				{"redact", "--check", s.dir},
				{"--source", s.dir, file("spin.txt")},
				{file("nothing " + s.text)}, // a name that the command line gives
			}...)
		}
		for _, args := range runs {
			if strings.Contains(args[len(args)-1], "\x00") {
				continue // no command line holds one
			}
			out, messages := triage(t, args...)
			onScreen(t, out)
			onScreen(t, messages)
			if n := len(verdicts.FindAll(colours.ReplaceAll(out, nil), -1)); n > 1 {
				t.Errorf("%q: %d verdicts", args, n)
			}
		}
		printed, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		// Too wide for a screen: what a terminal acts on is no ASCII that is shown, and no letter.
		if i := bytes.IndexFunc(printed, func(c rune) bool { return c != '\n' && !unicode.IsGraphic(c) }); i >= 0 {
			t.Errorf("the JSON report holds %q", printed[max(0, i-40):i+10])
		}
		again, _ := triage(t, "--color", "always", "--all", report)
		onScreen(t, again)
	})
}
